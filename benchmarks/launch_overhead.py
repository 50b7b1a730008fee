"""What our Python adds around Triton's own launch, where it goes, what a graph saves.

    python benchmarks/launch_overhead.py [--json FILE]

Small products, so that the host is what takes time. Each is launched

- as Triton does it, with tensors, descriptors and output made before ("bare");
- by the generated file alone, which allocates the output and leaves the rest to Triton;
- by the program's launcher, which starts compiled kernels directly, unchecked;
- by a call of the program, which checks its arguments first;
- as a CUDA graph.

Then the parts of a checked call, each by itself. Host time a call, the least of several
rounds that go through all of them in turn and start with no work queued. Needs a GPU;
half a minute.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tilewright
from tilewright.codegen.compile import load_launcher

SIZE = 128
PAYLOAD = f"""
func.func @product(%a: tensor<ROWSx{SIZE}xf16>, %b: tensor<{SIZE}x{SIZE}xf16>)
    -> tensor<ROWSx{SIZE}xf32> {{
  %zero = arith.constant 0.0 : f32
  SIZES
  %e = tensor.empty(GIVEN) : tensor<ROWSx{SIZE}xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<ROWSx{SIZE}xf32>)
      -> tensor<ROWSx{SIZE}xf32>
  %r = linalg.matmul
      ins(%a, %b : tensor<ROWSx{SIZE}xf16>, tensor<{SIZE}x{SIZE}xf16>)
      outs(%i : tensor<ROWSx{SIZE}xf32>) -> tensor<ROWSx{SIZE}xf32>
  return %r : tensor<ROWSx{SIZE}xf32>
}}
"""
OPEN_SIZE = f"""%c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x{SIZE}xf16>"""
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

Timed = dict[str, Callable[[], Any]]


@dataclass(frozen=True)
class Case:
    """One program."""

    name: str
    extra: str = ""
    """What the schedule says beside tiles."""
    dynamic: bool = False
    """Whether the number of rows is known only at run time."""

    def program(self) -> tilewright.Program:
        """The payload, compiled."""
        rows, sizes, given = ("?", OPEN_SIZE, "%m") if self.dynamic else (SIZE, "", "")
        payload = PAYLOAD.replace("ROWS", str(rows)).replace("SIZES", sizes)
        schedule = SCHEDULE.replace("EXTRA", self.extra)
        return tilewright.compile(payload.replace("GIVEN", given), schedule)


CASES = [
    Case("pointers"),
    Case("descriptors", "descriptors grid"),
    Case("persistent", "launch grid persistent = 1"),
    Case("persistent descriptors", "descriptors grid\n  launch grid persistent = 1"),
    Case("dynamic", dynamic=True),
    Case("dynamic descriptors", "descriptors grid", dynamic=True),
]


def host_microseconds(calls: Timed) -> dict[str, float]:
    """The least time of each call on the host."""
    import torch

    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(CALLS):
                call()
            taken = (time.perf_counter() - start) / CALLS * 1e6
            best[name] = min(best[name], taken)
    torch.cuda.synchronize()
    return best


@contextmanager
def recorded_launches() -> Iterator[list[tuple[Any, tuple[Any, ...], dict[str, Any]]]]:
    """Kernels, arguments and options of the launches that Triton makes."""
    from triton.runtime.jit import JITFunction

    launches: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = []
    real = JITFunction.run

    def recording(self: Any, *args: Any, **kwargs: Any) -> Any:
        launches.append((self, args, kwargs))
        return real(self, *args, **kwargs)

    JITFunction.run = recording
    try:
        yield launches
    finally:
        JITFunction.run = real


def measure(case: Case, device: str) -> tuple[dict[str, float], dict[str, float]]:
    """The ways to launch one program, and the parts of a checked call."""
    import torch

    program = case.program()
    loaded = program.loaded
    a, b = (torch.randn(SIZE, SIZE, device=device).half() for _ in range(2))
    file = load_launcher(loaded.path, loaded.program.entry)
    file(a, b)
    with recorded_launches() as launches:
        expected = file(a, b)
    ((kernel, args, options),) = launches
    grid = options.pop("grid")
    options.pop("warmup", None)
    for call in (loaded.launcher, program, program.graph(a, b)):
        torch.testing.assert_close(call(a, b), expected, rtol=0, atol=0)
    ways: Timed = {
        "bare Triton launch": lambda: kernel[grid](*args, **options),
        "generated file": lambda: file(a, b),
        "launcher": lambda: loaded.launcher(a, b),
        "checked call": lambda: program(a, b),
        "CUDA graph": program.graph(a, b),
    }
    # Both in one loop: clocks drift.
    times = host_microseconds({**ways, **_parts(loaded, kernel, args, options, a, b)})
    return {name: times.pop(name) for name in ways}, times


def _parts(
    loaded: Any, kernel: Any, args: Any, options: dict[str, Any], a: Any, b: Any
) -> Timed:
    """What a checked call is made of."""
    import torch
    from triton.runtime import driver

    active: Any = driver.active
    compiled = kernel[(1,)](*args, **options)
    constants = [options[name] for name in kernel.arg_names[len(args) :]]
    known = (0, compiled.function, compiled.packed_metadata, None, None, None)
    addresses = [arg.data_ptr() if hasattr(arg, "data_ptr") else arg for arg in args]
    # No programs: all of a launch but what the driver does.
    parts: Timed = {
        "nothing (a call of a lambda)": lambda: None,
        "check": lambda: loaded._device_if_fit((a, b)),
        "current device": loaded.current_device,
        "current stream": lambda: active.get_current_stream(0),
        "allocation": lambda: torch.empty(
            SIZE, SIZE, dtype=torch.float32, device=a.device
        ),
        "allocation, sizes as a tuple": lambda: torch.empty(
            (SIZE, SIZE), dtype=torch.float32, device=a.device
        ),
        "compiled kernel, no programs": lambda: compiled.run(
            0, 1, 1, *known, *addresses, *constants
        ),
        "compiled kernel": lambda: compiled.run(
            1, 1, 1, *known, *addresses, *constants
        ),
        "compiled kernel, tensors not addresses": lambda: compiled.run(
            1, 1, 1, *known, *args, *constants
        ),
    }
    scope = loaded._launcher.__globals__
    if "_descriptor" in scope:
        block = tuple(args[0].block_shape)
        parts["one descriptor"] = lambda: scope["_descriptor"](a, block)
    return parts


def main() -> None:
    """Measure all cases, print a table."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if not torch.cuda.is_available():
        raise SystemExit("no CUDA device: launches cannot be timed here")
    document: dict[str, Any] = {"device": torch.cuda.get_device_name(), "cases": {}}
    for case in CASES:
        ways, parts = measure(case, "cuda")
        bare = ways["bare Triton launch"]
        for name, taken in ways.items():
            print(f"{case.name:23} {name:20} {taken:7.2f} us  {taken - bare:+7.2f}")
        for name, taken in parts.items():
            print(f"{case.name:23}     {name:40} {taken:7.2f} us")
        document["cases"][case.name] = {"ways": ways, "parts": parts}
    if options.json is not None:
        options.json.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
