"""The host time that our Python adds to a Triton launch, in parts, and with a graph.

    python benchmarks/launch_overhead.py [--json FILE]

Small products, so that the host is what takes time. Each is launched

- as Triton does it, with tensors, descriptors and output made before ("bare");
- by the generated file alone, which allocates the output and leaves the rest to Triton;
- by the program's launcher, which starts compiled kernels directly, unchecked;
- by a call of the program, which checks its arguments first;
- as a CUDA graph.

Then the parts of a checked call, each by itself, and what is left: our Python between
them. Host time a call, the least of several rounds that go through all of these in turn
and start with no work queued. Needs a GPU; half a minute.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import tilewright
from tilewright.codegen.runtime.compile import load_launcher

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
schedule products(root) {
  mm = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  mm, grid = tile mm by [64, 64] onto [block.y, block.x]
  EXTRA
}
"""
ROUNDS, CALLS = 60, 50
BARE, CHECKED = "bare Triton launch", "checked call"

Timed = dict[str, Callable[[], Any]]


@dataclass(frozen=True)
class Case:
    """One program."""

    name: str
    extra: str = ""
    """What the schedule says of its grid."""
    fused: bool = True
    """One kernel; else the output is filled by one of its own."""
    dynamic: bool = False
    """Whether the number of rows is known only at run time."""

    def program(self) -> tilewright.Program:
        """The payload, compiled."""
        rows, sizes, given = ("?", OPEN_SIZE, "%m") if self.dynamic else (SIZE, "", "")
        payload = PAYLOAD.replace("ROWS", str(rows)).replace("SIZES", sizes)
        fuse = "fill, grid = fuse fill into grid\n  " if self.fused else ""
        schedule = SCHEDULE.replace("EXTRA", fuse + self.extra)
        return tilewright.compile(payload.replace("GIVEN", given), schedule)


CASES = [
    Case("pointers"),
    Case("descriptors", "descriptors grid"),
    Case("persistent", "launch grid persistent = 1"),
    Case("persistent descriptors", "descriptors grid\n  launch grid persistent = 1"),
    Case("dynamic", dynamic=True),
    Case("dynamic descriptors", "descriptors grid", dynamic=True),
    Case("two kernels", fused=False),
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


@dataclass(frozen=True)
class Launch:
    """One launch that Triton made."""

    kernel: Any
    grid: tuple[int, ...]
    args: tuple[Any, ...]
    options: dict[str, Any]

    def bare(self) -> Any:
        """The same launch again, as Triton makes it."""
        return self.kernel[self.grid](*self.args, **self.options)

    def compiled(self, *, addresses: bool) -> Callable[[], Any]:
        """The same, of the compiled kernel, with addresses in place of tensors."""
        kernel = self.bare()
        names = self.kernel.arg_names[len(self.args) :]
        args = [
            arg.data_ptr() if addresses and hasattr(arg, "data_ptr") else arg
            for arg in self.args
        ]
        grid = (*self.grid, 1, 1)[:3]
        # On the default stream, without hooks.
        head = (0, kernel.function, kernel.packed_metadata, None, None, None)
        constants = [self.options[name] for name in names]
        return partial(kernel.run, *grid, *head, *args, *constants)


@contextmanager
def recorded_launches() -> Iterator[list[Launch]]:
    """The launches that Triton makes."""
    from triton.runtime.jit import JITFunction

    launches: list[Launch] = []
    real = JITFunction.run

    def recording(self: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        launches.append(Launch(self, grid, args, dict(kwargs)))
        return real(self, *args, grid=grid, warmup=warmup, **kwargs)

    JITFunction.run = recording
    try:
        yield launches
    finally:
        JITFunction.run = real


@dataclass(frozen=True)
class Measured:
    """Microseconds of one program's calls."""

    ways: dict[str, float]
    parts: dict[str, float]
    """What a checked call is made of."""
    others: dict[str, float]
    """What parts would be if they were done in another way."""


def measure(case: Case, device: str) -> Measured:
    """The ways to launch one program, and the parts of a checked call."""
    import torch

    program = case.program()
    loaded = program.loaded
    a, b = (torch.randn(SIZE, SIZE, device=device).half() for _ in range(2))
    file = load_launcher(loaded.path, loaded.program.entry)
    with recorded_launches() as launches:
        expected = file(a, b)
    launcher = loaded.launcher_on[a.get_device()]
    for call in (launcher, program, program.graph(a, b)):
        torch.testing.assert_close(call(a, b), expected, rtol=0, atol=0)
    ways: Timed = {
        BARE: lambda: [launch.bare() for launch in launches],
        "generated file": lambda: file(a, b),
        "launcher": lambda: launcher(a, b),
        CHECKED: lambda: program(a, b),
        "CUDA graph": program.graph(a, b),
    }
    parts, others = _parts(loaded, launches, (a, b))
    # All in one loop: clocks drift.
    times = host_microseconds({**ways, **parts, **others})
    taken = {name: times[name] for name in parts}
    taken["our Python between them"] = times[CHECKED] - sum(taken.values())
    return Measured(
        {name: times[name] for name in ways},
        taken,
        {name: times[name] for name in others},
    )


def _parts(loaded: Any, launches: list[Launch], tensors: Any) -> tuple[Timed, Timed]:
    """What a checked call is made of, and other ways to do some of it."""
    import torch
    from triton.runtime import driver

    active: Any = driver.active
    device = tensors[0].device
    quick = [launch.compiled(addresses=True) for launch in launches]
    slower = [launch.compiled(addresses=False) for launch in launches]
    parts: Timed = {
        "check of the arguments": lambda: loaded._device_if_fit(tensors),
        "current device and stream": lambda: active.get_current_stream(
            loaded.current_device()
        ),
        "allocation": lambda: torch.empty(
            SIZE, SIZE, dtype=torch.float32, device=device
        ),
        "compiled kernels": lambda: [run() for run in quick],
    }
    describe = loaded.plain_launcher.__globals__.get("_descriptor")
    described = [
        (arg.base, tuple(arg.block_shape))
        for launch in launches
        for arg in launch.args
        if hasattr(arg, "block_shape")
    ]
    if described:
        parts["descriptors"] = lambda: [describe(*each) for each in described]
    others: Timed = {
        "allocation, sizes as a tuple": lambda: torch.empty(
            (SIZE, SIZE), dtype=torch.float32, device=device
        ),
        "compiled kernels, given tensors": lambda: [run() for run in slower],
    }
    return parts, others


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
        measured = measure(case, "cuda")
        document["cases"][case.name] = asdict(measured)
        print(case.name)
        for name, taken in measured.ways.items():
            over = taken - measured.ways[BARE]
            print(f"    {name:36} {taken:7.2f} us  {over:+7.2f}")
        print("  of the checked call")
        for name, taken in measured.parts.items():
            print(f"    {name:36} {taken:7.2f} us")
        print("  instead")
        for name, taken in measured.others.items():
            print(f"    {name:36} {taken:7.2f} us")
    if options.json is not None:
        options.json.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
