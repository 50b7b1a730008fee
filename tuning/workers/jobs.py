"""Jobs for worker processes: plain data that pickles, with a `run` method.

A job imports torch and triton only when it runs, so that the parent, which makes jobs,
never loads them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram, Shapes
    from tilewright.codegen.runtime.compile import CompiledStats
    from tilewright.codegen.runtime.compiled_code import KernelCode
    from tilewright.codegen.targets import Target
    from tilewright.tuning.measure.device_reference import Witness
    from tilewright.tuning.measure.measurement import Contender, DeviceInfo, Measurement
    from tilewright.tuning.measure.references import Reference
    from tilewright.tuning.measure.side_by_side import SideBySide
    from tilewright.tuning.measure.timing import TimingOptions
    from tilewright.tuning.results.records import Cause


class Job(Protocol):
    """A picklable value that a worker can run."""

    def run(self) -> Any:
        """Run in the worker; the result or the exception is sent to the parent."""
        ...


@dataclass(frozen=True)
class Ready:
    """A worker's first message: it has loaded its modules and takes jobs."""

    pid: int = 0
    """The id of the worker's process."""


@dataclass(frozen=True)
class Reply:
    """The result of one job, or its exception."""

    value: Any
    error: str | None
    """The text of the exception, if there was one."""
    seconds: float
    fatal: bool
    """Whether the process can take no further job, and ends."""
    cause: Cause = "candidate"
    """Whether the job itself or the environment caused the exception."""
    lost: bool = False
    """Whether the exception says that there is no device any more."""


@dataclass(frozen=True)
class CompileJob:
    """Compile every kernel of a program for a target."""

    program: GeneratedProgram
    target: Target
    directory: Path
    shapes: tuple[Shapes, ...] = ()
    """The argument shapes to compile for, where the program leaves sizes open."""

    def run(self) -> tuple[CompiledStats, ...]:
        """The statistics of each kernel."""
        from tilewright.codegen.runtime.compile import compile_program

        return compile_program(self.program, self.target, self.directory, self.shapes)


@dataclass(frozen=True)
class CodeJob:
    """Compile every kernel of a program, and keep its code at some levels."""

    program: GeneratedProgram
    target: Target
    directory: Path
    levels: tuple[str, ...]

    def run(self) -> dict[str, list[KernelCode]]:
        """The code of each kernel, by level."""
        from tilewright.codegen.runtime.compiled_code import compiled_code

        return compiled_code(self.program, self.target, self.directory, self.levels)


@dataclass(frozen=True)
class PrepareJob:
    """Compute the expected results on the device, if torch and numpy agree."""

    reference: Reference
    witness: Witness | None
    device: str = "cuda"

    def run(self) -> str | None:
        """Why the device cannot compute them; None if it did."""
        from tilewright.tuning.measure.correctness import load_references
        from tilewright.tuning.measure.device_turn import device_turn

        witness = self.witness
        with device_turn(self.device):
            found = None if witness is None else witness.disagreement(self.device)
            if found is not None:
                return f"torch and numpy disagree at small sizes: {found}"
            load_references([self.reference], self.device)
        return None


@dataclass(frozen=True)
class CompilePartJob:
    """Compile some kernels of a program of many, so that Triton's cache has them."""

    program: GeneratedProgram
    target: Target
    directory: Path
    part: int
    parts: int

    def run(self) -> None:
        """Compile every kernel whose number leaves the remainder `part`."""
        from tilewright.codegen.runtime.compile import compile_part

        compile_part(self.program, self.target, self.directory, self.part, self.parts)


@dataclass(frozen=True)
class MeasureJob:
    """Run a program on the device: check its numbers, then time it."""

    source: Path
    entry: str
    references: tuple[Reference, ...]
    timing: TimingOptions
    device: str = "cuda"
    rivals: tuple[float, ...] = ()
    """Milliseconds of the best program so far, at each timed reference."""
    with_baselines: bool = False
    """Whether to measure the card's ceilings and a CUDA graph as well."""
    dot_type: str | None = None
    """The element type of the program's dots, for those ceilings."""
    alone: bool = False
    """Whether no other program is loaded meanwhile, nor this one during another's
    measurement: if the worker dies, it is certain by whose fault."""

    def prefetch(self) -> None:
        """Load the program while the device is busy with another."""
        if self.alone:
            return
        from tilewright.tuning.measure.correctness import ready_inputs
        from tilewright.tuning.measure.loading import load_ahead

        for inputs in ready_inputs(self.references[:1], self.device):
            load_ahead(self.source, self.entry, inputs)

    def run(self) -> Measurement:
        """The comparison and, where the results are correct, the times."""
        from tilewright.tuning.measure.device_turn import device_turn
        from tilewright.tuning.measure.measurement import measure
        from tilewright.tuning.workers.inbox import has_next, prefetcher

        with device_turn(self.device):
            return measure(
                self.source,
                self.entry,
                self.references,
                self.timing,
                self.device,
                rivals=self.rivals,
                meanwhile=None if self.alone else prefetcher(),
                is_awaited=has_next,
                with_baselines=self.with_baselines,
                dot_type=self.dot_type,
            )


@dataclass(frozen=True)
class RetimeJob:
    """Time several programs in turn, so that clock drift affects all alike."""

    contenders: tuple[Contender, ...]
    references: tuple[Reference, ...]
    """The timed references; a repetition is the geometric mean over them."""
    timing: TimingOptions
    rounds: int
    device: str = "cuda"
    seconds: float = math.inf
    """The time after which no round begins."""

    def run(self) -> dict[str, list[float]]:
        """Milliseconds of every repetition, by the contender's name."""
        from tilewright.tuning.measure.device_turn import device_turn
        from tilewright.tuning.measure.measurement import retime
        from tilewright.tuning.workers.inbox import prefetcher

        with device_turn(self.device):
            return retime(
                self.contenders,
                self.references,
                self.timing,
                self.rounds,
                self.device,
                self.seconds,
                prefetcher(),
            )


@dataclass(frozen=True)
class SideBySideJob:
    """Check and time programs and plain torch at several sizes, in turn at each."""

    contenders: tuple[Contender, ...]
    rival_source: str
    """The payload as a torch function; empty: no rivals."""
    references: tuple[tuple[Reference | None, ...], ...]
    timing: TimingOptions
    rounds: int
    device: str = "cuda"

    def run(self) -> SideBySide:
        """The milliseconds by name and size."""
        from tilewright.tuning.measure.device_turn import device_turn
        from tilewright.tuning.measure.side_by_side import side_by_side

        with device_turn(self.device):
            return side_by_side(
                self.contenders,
                self.rival_source,
                self.references,
                self.timing,
                self.rounds,
                self.device,
            )


@dataclass(frozen=True)
class ProbeJob:
    """Ask which device the worker sees."""

    device: str = "cuda"

    def run(self) -> DeviceInfo:
        """Name and L2 size of the device."""
        from tilewright.tuning.measure.measurement import probe

        return probe(self.device)


def _load_compiler() -> None:
    import torch
    import triton
    from triton.runtime import cache

    # Mentioned so that the imports are not taken for unused.
    _ = torch.__version__, triton.__version__
    # Part of every cache key; Triton reads all of its files once to compute it.
    compute: Any = getattr(cache, "triton_key", None)
    if compute is not None:
        compute()


def _load_device() -> None:
    import torch

    import tilewright.tuning.measure.measurement

    _ = tilewright.tuning.measure.measurement.measure
    if torch.cuda.is_available():
        from tilewright.tuning.measure.warm_kernel import warm_launch

        torch.cuda.init()
        warm_launch()


def _load_interpreter() -> None:
    # Triton reads it when it is imported.
    os.environ["TRITON_INTERPRET"] = "1"
    import torch

    import tilewright.tuning.measure.measurement
    from tilewright.codegen.runtime import interpreter_fixes

    _ = torch.__version__, tilewright.tuning.measure.measurement.measure
    interpreter_fixes.install()


def load_modules(preload: str) -> None:
    """Load what a preload names: an entry of `PRELOADS`, or a module."""
    if preload in PRELOADS:
        PRELOADS[preload]()
    else:
        import_module(preload)


PRELOADS: dict[str, Callable[[], None]] = {
    "compile": _load_compiler,
    "measure": _load_device,
    "interpret": _load_interpreter,
}
"""What a worker loads before its first job: time limits then count the job alone, not
the seconds that importing torch takes."""
