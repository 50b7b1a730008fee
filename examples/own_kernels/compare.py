"""Tunes the three kernels on a GPU, and times them beside eager torch.

    python examples/own_kernels/compare.py --budget 17 --out results.json

For each kernel: the default configuration, the tuned one, eager torch; then the same
call again, which the results file answers, and TritonAutoTuner on a few configurations.
Without a GPU, or with --small, it runs small sizes in Triton's interpreter.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import fp8_gemm
import gated_mlp
import rmsnorm_rope
import torch

from tilewright.autotuner import TritonAutoTuner, get_default_config
from tilewright.tuning.measure.timing import (
    TimingOptions,
    clock_for,
    time_call,
    warm_up,
)

LARGE = {
    rmsnorm_rope: (4, 2048, 4096, 128),
    gated_mlp: (4096, 11008, 4096),
    fp8_gemm: (4096, 4096, 4096),
}
SMALL = {
    rmsnorm_rope: (1, 4, 256, 64),
    gated_mlp: (48, 96, 64),
    fp8_gemm: (96, 80, 64),
}


def eager(module: Any, call: tuple[Any, ...]) -> Any:
    """The fastest way of eager torch."""
    if module is fp8_gemm and call[0].is_cuda:
        a, b, a_scale, b_scale = call[:4]
        scales = {"scale_a": a_scale[:, None], "scale_b": b_scale[None, :]}
        return torch._scaled_mm(a, b.T, **scales, out_dtype=torch.bfloat16)
    if module is gated_mlp:
        x, gate, up = call[:3]
        return torch.nn.functional.silu(x @ gate.T) * (x @ up.T)
    return module.expected(*call)


def milliseconds(function: Any, device: str) -> float:
    """The median time of a function without arguments."""
    options = TimingOptions() if device == "cuda" else TimingOptions(0.0, 1.0, 3, 3)
    clock = clock_for(device, options)
    warm_up(function, clock, options)
    return time_call(function, clock, options).p50


def compare(
    module: Any, size: tuple[int, ...], device: str, given: Any
) -> dict[str, Any]:
    """Tune a kernel and time it."""
    name = module.__name__
    call = module.arguments(device, *size)
    options = {"db": given.db, "budget": given.budget, "trials": given.trials}
    start = time.perf_counter()
    kernel = module.tuned(**options)
    found = kernel.tune(*call)
    seconds = time.perf_counter() - start
    print(found.report(), flush=True)
    row: dict[str, Any] = {
        "kernel": name,
        "size": size,
        "device": found.device,
        "config": found.config,
        "tuned_ms": found.milliseconds,
        "gain_over_default": found.gain,
        "seconds": seconds,
        "trials": None if found.run is None else len(found.run.trials),
        "counts": None if found.run is None else found.run.counts(),
        "space": None if found.run is None else found.run.space_valid,
    }
    start = time.perf_counter()
    again = module.tuned(**options)
    answer = again.tune(*call)
    row["answered_from_file"] = answer.run is None
    row["answer_seconds"] = time.perf_counter() - start
    if device == "cuda":
        again(*call)
        wanted = eager(module, call).float()
        error = (call[len(call) - _behind(module)].float() - wanted).abs().max()
        row["largest_error"] = float(error / wanted.square().mean().sqrt())
        row["launched_ms"] = milliseconds(lambda: again(*call), device)
        default = get_default_config(name)

        def by_default() -> None:
            grid = module.grid({**again._bind(call, {}).values, **default})
            kernel.kernel[grid](*call, **default)

        row["default_ms"] = milliseconds(by_default, device)
    row["eager_ms"] = milliseconds(lambda: eager(module, call), device)
    print(json.dumps(row), flush=True)
    return row


def _behind(module: Any) -> int:
    """The place of the output, counted from the end of the arguments."""
    return 5 if module is rmsnorm_rope else 4


def by_callable(device: str, given: Any) -> dict[str, Any]:
    """TritonAutoTuner on a function that launches the gated MLP."""
    call = gated_mlp.arguments(device, *given.sizes[gated_mlp])

    def run(*args: Any, **config: Any) -> None:
        if device == "cuda":
            values = dict(zip("MNK", args[4:], strict=True))
            gated_mlp.gated_mlp_kernel[gated_mlp.grid({**values, **config})](
                *args, **config
            )
        else:
            gated_mlp.expected(*args)

    space = {
        "BLOCK_M": [64, 128],
        "BLOCK_N": [64, 128],
        "BLOCK_K": [64],
        "num_warps": [8],
        "num_stages": [3, 12],
    }
    start = time.perf_counter()
    result = TritonAutoTuner(run, space, 3, 20).tune(*call)
    return {
        "best": result.best_config,
        "ms": result.metrics.latency_ms,
        "failed": [reason[:200] for _, reason in result.failures],
        "seconds": time.perf_counter() - start,
    }


def main() -> None:
    """Compare all three, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=17.0)
    parser.add_argument("--trials", type=int)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", help="the name of one kernel")
    parser.add_argument("--db", type=Path, default=Path("own_kernels.db"))
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() and not given.small else "cpu"
    given.sizes = LARGE if device == "cuda" else SMALL
    chosen = {
        module: size
        for module, size in given.sizes.items()
        if given.only in (None, module.__name__)
    }
    rows = [compare(module, size, device, given) for module, size in chosen.items()]
    figures = {"rows": rows, "callable": by_callable(device, given)}
    print(json.dumps(figures["callable"]), flush=True)
    if given.out is not None:
        given.out.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
