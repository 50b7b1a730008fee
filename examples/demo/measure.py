"""Times the demo's programs and their rivals on a GPU, in turn, in one process.

    python measure.py --tuned best.tw --all -o h200.json

Every contender is checked first, against torch in f32, head by head.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from payload import CAP, FEATURES, HEADS, TOKENS, p

import tilewright

HERE = Path(__file__).parent
FLOPS = 4 * HEADS * TOKENS**2 * FEATURES
"""Multiplications and additions of the two products."""
ROUNDS = 15
Contender = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def plain(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The payload as a torch user writes it."""
    scores = (q @ k.mT).float() / FEATURES**0.5
    capped = CAP * torch.tanh(scores / CAP)
    return capped.softmax(-1).to(v.dtype) @ v


def flex() -> Contender:
    """FlexAttention, which takes the cap as a function of a score."""
    from torch.nn.attention.flex_attention import flex_attention

    def cap(score: Any, b: Any, h: Any, q: Any, k: Any) -> Any:
        return CAP * torch.tanh(score / CAP)

    compiled = torch.compile(flex_attention, dynamic=False)

    def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return compiled(q[None], k[None], v[None], score_mod=cap)[0]  # type: ignore

    return run


def contenders(tuned: Path | None, everything: bool) -> dict[str, Contender]:
    """What is compared, by name; `everything` has the rivals that tune for long."""
    schedule = HERE / "softcap.tw"
    found: dict[str, Contender] = {
        "torch eager": plain,
        "torch.compile": torch.compile(plain, dynamic=False),
        "stored": tilewright.compile(p, schedule, structure="stored"),
        "streamed": tilewright.compile(p, schedule),
    }
    if tuned is not None:
        found["tuned"] = tilewright.compile(p, tuned)
    if everything:
        found["planned"] = tilewright.compile(p)
        mode = "max-autotune-no-cudagraphs"
        found["torch.compile max-autotune"] = torch.compile(
            plain, dynamic=False, mode=mode
        )
        found["FlexAttention"] = flex()
    return found


def largest_error(run: Contender, inputs: list[torch.Tensor]) -> float:
    """The largest deviation from torch in f32, head by head."""
    actual = run(*inputs).float()
    worst = 0.0
    for head in range(HEADS):
        exact = plain(*(tensor[head].float() for tensor in inputs))
        worst = max(worst, (actual[head] - exact).abs().max().item())
    return worst


def milliseconds(
    run: Contender, inputs: list[torch.Tensor], flush: torch.Tensor
) -> float:
    """One launch on a cold L2 cache."""
    flush.zero_()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    run(*inputs)
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end)


def measure(
    tuned: Path | None = None,
    everything: bool = False,
    say: Callable[[str], object] = print,
) -> dict[str, Any]:
    """Check and time every contender; the times are medians of interleaved rounds."""
    torch.manual_seed(0)
    shape = (HEADS, TOKENS, FEATURES)
    inputs = [torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in "qkv"]
    runs = contenders(tuned, everything)
    errors: dict[str, float] = {}
    for name, run in runs.items():
        errors[name] = largest_error(run, inputs)
        say(f"{name}: off by at most {errors[name]:.2g}")
        if errors[name] > 0.02:
            raise SystemExit(f"{name} is wrong by {errors[name]}")
    properties = torch.cuda.get_device_properties(0)
    flush = torch.empty(2 * properties.L2_cache_size, dtype=torch.int8, device="cuda")
    samples: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(ROUNDS):
        names = list(runs)
        random.Random(number).shuffle(names)
        for name in names:
            samples[name].append(milliseconds(runs[name], inputs, flush))
    return {
        "device": properties.name,
        "versions": f"torch {torch.__version__}, triton {_triton_version()}",
        "rounds": ROUNDS,
        "ms": {name: statistics.median(times) for name, times in samples.items()},
        "spread": {
            name: [times[len(times) // 5], times[-1 - len(times) // 5]]
            for name, times in ((n, sorted(t)) for n, t in samples.items())
        },
        "largest_error": errors,
    }


def _triton_version() -> str:
    import triton

    return triton.__version__


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tuned", type=Path, help="the winner of a tuning run")
    parser.add_argument("--all", action="store_true", help="slow rivals too")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    found = measure(options.tuned, options.all)
    found["command"] = "python examples/demo/measure.py --tuned best.tw --all"
    options.output.write_text(json.dumps(found, indent=2) + "\n")
    for name, ms in sorted(found["ms"].items(), key=lambda item: item[1]):
        print(f"{name:28} {ms:8.4f} ms  {FLOPS / ms * 1e-9:6.0f} TFLOP/s")


if __name__ == "__main__":
    main()
