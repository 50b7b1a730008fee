"""What a worker process can be asked to do; plain data that pickles, with a `run`.

A job imports torch and triton only when it runs, so that the parent, which makes jobs,
never loads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tilewright.codegen.program import GeneratedProgram, Shapes, TensorSpec
    from tilewright.codegen.runtime.compile import CompiledStats
    from tilewright.codegen.targets import Target
    from tilewright.tuning.measure.check_and_time import DeviceInfo, Measurement
    from tilewright.tuning.measure.timing import TimingOptions
    from tilewright.tuning.results.records import Cause


class Job(Protocol):
    """Anything picklable that can be run in a worker."""

    def run(self) -> Any:
        """Do the work; what it returns or raises goes back to the parent."""
        ...


@dataclass(frozen=True)
class Ready:
    """A worker's first message: everything is loaded, jobs are welcome."""


@dataclass(frozen=True)
class Reply:
    """What came of one job."""

    value: Any
    error: str | None
    """Text of the exception, where the job raised one."""
    seconds: float
    fatal: bool
    """The process is no longer fit for work, and ends after this."""
    cause: Cause = "candidate"
    """Whether the job itself is to blame for the exception."""


@dataclass(frozen=True)
class CompileJob:
    """Compile every kernel of a program for a target."""

    program: GeneratedProgram
    target: Target
    directory: Path
    shapes: tuple[Shapes, ...] = ()
    """Of the arguments, where the program leaves sizes open: those it will run at."""

    def run(self) -> tuple[CompiledStats, ...]:
        """The statistics of each kernel."""
        from tilewright.codegen.runtime.compile import compile_program

        return compile_program(self.program, self.target, self.directory, self.shapes)


@dataclass(frozen=True)
class Reference:
    """The right answer, in files, and how to get the question from a seed."""

    arguments: tuple[TensorSpec, ...]
    results: tuple[TensorSpec, ...]
    seed: int
    files: tuple[Path, ...]
    """One `.npy` a result; narrow floats are saved as f32."""
    reduction: int
    """Longest reduction behind a result, for the tolerance."""
    precision: str | None = None
    """Dtype to take tolerances from instead of the results' own: `tf32` dots."""
    timed: bool = True
    """Whether to time there too, or only to check."""
    title: str = ""
    """The sizes in words, where there are several."""
    slack: float = 0.0
    """What results may be off beyond the usual, over their size: of coarse rounding."""


@dataclass(frozen=True)
class MeasureJob:
    """Run a program on the device: check its numbers, then time it."""

    source: Path
    entry: str
    references: tuple[Reference, ...]
    timing: TimingOptions
    device: str = "cuda"
    rated: bool = False
    """Whether to measure also what the card reaches, and a graph of short calls."""
    dot: str | None = None
    """The type of the program's products, for that."""

    def run(self) -> Measurement:
        """The comparison and, where it is right, the times."""
        from tilewright.tuning.measure.check_and_time import measure

        return measure(self)


@dataclass(frozen=True)
class Contender:
    """One of the programs of an interleaved timing."""

    name: str
    source: Path
    entry: str


@dataclass(frozen=True)
class RetimeJob:
    """Time several programs in turn, so that drifting clocks hit all alike."""

    contenders: tuple[Contender, ...]
    references: tuple[Reference, ...]
    """Those that are timed; a repetition is the geometric mean over them."""
    timing: TimingOptions
    rounds: int
    device: str = "cuda"

    def run(self) -> dict[str, list[float]]:
        """Milliseconds of every repetition, by the contender's name."""
        from tilewright.tuning.measure.check_and_time import retime

        return retime(self)


@dataclass(frozen=True)
class ProbeJob:
    """Ask which device the worker sees."""

    device: str = "cuda"

    def run(self) -> DeviceInfo:
        """Name and L2 size of the device."""
        from tilewright.tuning.measure.check_and_time import probe

        return probe(self.device)


def _load_compiler() -> None:
    import torch
    import triton

    # Mentioned so that the imports are not taken for unused.
    _ = torch.__version__, triton.__version__


def _load_device() -> None:
    import torch

    import tilewright.tuning.measure.check_and_time

    _ = tilewright.tuning.measure.check_and_time.measure
    if torch.cuda.is_available():
        torch.cuda.init()


# What a worker loads before it reports for work: a job's time limit then counts the
# job, not the seconds that torch takes to import.
PRELOADS: dict[str, Callable[[], None]] = {
    "compile": _load_compiler,
    "measure": _load_device,
}
