"""What our Python adds around Triton's own launch, and what a CUDA graph saves.

    python benchmarks/launch_overhead.py [--json FILE]

Small products, so that the host is what takes time: a bare Triton launch of the same
kernel with its output allocated before, the launcher, the checked call, and a replay of
a CUDA graph. Host time a call, the least of several rounds; the queue is emptied
between rounds. Needs a GPU.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tilewright

SIZE = 128
PAYLOAD = f"""
func.func @product(%a: tensor<{SIZE}x{SIZE}xf16>, %b: tensor<{SIZE}x{SIZE}xf16>)
    -> tensor<{SIZE}x{SIZE}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{SIZE}x{SIZE}xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<{SIZE}x{SIZE}xf32>)
      -> tensor<{SIZE}x{SIZE}xf32>
  %r = linalg.matmul ins(%a, %b : tensor<{SIZE}x{SIZE}xf16>, tensor<{SIZE}x{SIZE}xf16>)
      outs(%i : tensor<{SIZE}x{SIZE}xf32>) -> tensor<{SIZE}x{SIZE}xf32>
  return %r : tensor<{SIZE}x{SIZE}xf32>
}}
"""
SCHEDULE = """
schedule one_kernel(root) {
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  mm, grid = tile mm by [64, 64] onto [block.y, block.x]
  fill, grid = fuse fill into grid
  EXTRA
}
"""
ROUNDS, CALLS = 20, 200


def host_microseconds(call: Callable[[], Any]) -> float:
    """The least time of a call on the host, over rounds that start with no queue."""
    import torch

    best = float("inf")
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        best = min(best, (time.perf_counter() - start) / CALLS)
    torch.cuda.synchronize()
    return best * 1e6


def measure(extra: str) -> dict[str, float]:
    """The four ways to launch one program."""
    import torch
    from triton.runtime.jit import JITFunction

    schedule = SCHEDULE.replace("EXTRA", extra)
    program = tilewright.compile(PAYLOAD, schedule)
    a, b = (torch.randn(SIZE, SIZE, device="cuda").half() for _ in range(2))
    recorded: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = []
    real = JITFunction.run

    def recording(self: Any, *args: Any, **kwargs: Any) -> Any:
        recorded.append((self, args, kwargs))
        return real(self, *args, **kwargs)

    program(a, b)
    JITFunction.run = recording
    try:
        program(a, b)
    finally:
        JITFunction.run = real
    ((kernel, args, options),) = recorded
    grid = options.pop("grid")
    options.pop("warmup", None)
    launcher, captured = program.loaded.launcher, program.graph(a, b)
    return {
        "bare Triton launch": host_microseconds(lambda: kernel[grid](*args, **options)),
        "launcher": host_microseconds(lambda: launcher(a, b)),
        "checked call": host_microseconds(lambda: program(a, b)),
        "CUDA graph": host_microseconds(captured),
    }


def main() -> None:
    """Measure with pointers and with descriptors, print a table."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if not torch.cuda.is_available():
        raise SystemExit("no CUDA device: launches cannot be timed here")
    results = {
        "pointers": measure(""),
        "descriptors": measure("descriptors grid"),
    }
    for kind, row in results.items():
        bare = row["bare Triton launch"]
        for name, time_us in row.items():
            print(f"{kind:12} {name:20} {time_us:7.2f} us  {time_us - bare:+7.2f}")
    if options.json is not None:
        device = torch.cuda.get_device_name()
        document = {"device": device, "microseconds": results}
        options.json.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
