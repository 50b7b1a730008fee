"""The caller's side of a tuning run: the task, the options, and who is told of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.search.strategies import DEFAULT
from tilewright.tuning.search.strategies.base import OptionValue

if TYPE_CHECKING:
    import numpy as np

    from tilewright.codegen.program import GeneratedProgram, Shapes
    from tilewright.codegen.targets import Target
    from tilewright.ir.tolerance import Comparison
    from tilewright.tuning.measure.device_reference import DeviceReference
    from tilewright.tuning.results.tuning_result import Trial
    from tilewright.tuning.space.choices import Point, Value
    from tilewright.tuning.space.space import Space
    from tilewright.tuning.workers.pools import Machines


class Built(Protocol):
    """The program of a point; `pipeline.build` returns one."""

    @property
    def program(self) -> GeneratedProgram:
        """The generated program."""
        ...

    @property
    def seconds(self) -> Mapping[str, float]:
        """Time taken, by stage: transform, emit."""
        ...


BuiltT = TypeVar("BuiltT", bound=Built)


class Progress(Protocol):
    """Is called as a run proceeds."""

    def on_phase(self, name: str) -> None:
        """Called when a phase begins: `search`, `final`."""
        ...

    def on_trial(self, trial: Trial) -> None:
        """Called when a trial has ended."""
        ...


class NoProgress:
    """Ignores the progress of a run."""

    def on_phase(self, name: str) -> None:
        """Ignore the phase."""

    def on_trial(self, trial: Trial) -> None:
        """Ignore the trial."""


@dataclass(frozen=True)
class ExpectedResults:
    """The results for the inputs that `random_inputs(arguments, seed)` gives."""

    arrays: Sequence[np.ndarray]
    """Empty where the device computes them."""
    seed: int = 0
    reduction: int = 1
    """Length of the longest reduction behind a result; sets the tolerance."""
    precision: str | None = None
    """The dtype whose tolerance f32 results get instead of their own: `tf32`."""
    shapes: Shapes | None = None
    """The shapes of the arguments, where the program leaves sizes open."""
    timed: bool = True
    """Whether programs are timed at these sizes, or only checked."""
    title: str = ""
    """The sizes in words, where there are several."""
    slack: float = 0.0
    """Error that coarse rounding adds to the tolerance, relative to the results."""
    on_device: DeviceReference | None = None
    """How the device computes the results, for inputs that it draws itself."""
    inputs: tuple[Path, ...] = ()
    """Files of the arguments (`references.save_inputs`), where no seed gives them."""


@dataclass(frozen=True)
class TuningTask(Generic[BuiltT]):
    """A search space, how to build a point of it, and how to check the program."""

    build: Callable[[Point], BuiltT]
    """Builds the program of a point; raises a `UserError` where the schedule does not
    apply. Runs in forks of this process."""
    space: Space
    payload: str
    """Hash of the payload, by `records.text_hash`."""
    schedule: str
    """Hash of the schedule with its choices open."""
    expected: Sequence[ExpectedResults] = ()
    """Needed to measure: a program is checked against them before it is timed. With
    several that are timed, trials rank by the geometric mean of the times."""
    check: Callable[[BuiltT], Comparison] | None = None
    """Checks a program in an interpreter, where there is no device; runs in a fork."""
    contenders: Mapping[str, GeneratedProgram] = field(default_factory=dict)
    """Programs that the final round times with the finalists: a library, a default."""
    sizes: str = ""
    """The sizes that the payload leaves open, in words; results depend on them."""
    accepts: Callable[[BuiltT, ExpectedResults], bool] | None = None
    """Whether a program takes the sizes of expected results that are only checked."""
    expected_for: Callable[[BuiltT, ExpectedResults], ExpectedResults] | None = None
    """The expected results of a program that rounds on purpose."""
    on_numpy: Callable[[ExpectedResults], ExpectedResults] | None = None
    """Computes expected results with numpy, where the device could not; in a fork."""
    rounding: Callable[[BuiltT], str] | None = None
    """What a program rounds on purpose; programs with equal texts have equal results.
    Empty where `expected` holds."""
    seeds: Sequence[Mapping[str, Value]] = ()
    """Points to try first; the choices that they leave open get their defaults."""
    starts: Sequence[Point] = ()
    """Points that were best for near shapes or on other devices, to try early."""
    payload_name: str = ""
    schedule_name: str = ""
    """The names that reports print."""
    family: str = ""
    """Hash of the payload without its sizes, by `transfer.family`."""
    extents: tuple[tuple[int, ...], ...] = ()
    """The payload's sizes, once for each size that is timed."""
    closed: Callable[[Point], str] | None = None
    """The key of the schedule with the choices of a point closed, which identifies a
    result: it stays the same if the schedule gets more options."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Payload and schedule as MLIR, by their hashes; the results file keeps them."""


def default_workers() -> int:
    """The number of compile processes: all cores but two, for parent and measuring."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)) - 2)
    return max(1, (os.cpu_count() or 1) - 2)


@dataclass(frozen=True)
class TuneOptions:
    """The device, the search strategy, and the limits of a run."""

    target: Target
    cache_dir: Path
    """The folder of the programs' source files."""
    device: str | None = "cuda"
    """Where to measure; None compiles for the target and ranks by the cost model."""
    device_name: str | None = None
    """The device's name in the results file; None starts a worker to ask the device."""
    strategy: str = DEFAULT
    strategy_options: Mapping[str, OptionValue] = field(default_factory=dict)
    trials: int | None = 100
    """Points to try; None goes on until the budget or the space is exhausted."""
    until_no_gain: int | None = None
    """Ends the search after this many trials in a row that are not faster; None: never
    before the trials, the budget or the space are exhausted."""
    budget: float | None = None
    """Seconds for the whole run, with start-up and the final round."""
    kept: float = 0.0
    """Seconds of the budget that the caller needs after the run."""
    started: float | None = None
    """When the budget began, by `time.perf_counter`; None: when the run begins."""
    seed: int = 0
    workers: int = field(default_factory=default_workers)
    build_limit: float = 60.0
    compile_limit: float = 120.0
    measure_limit: float = 30.0
    """Seconds for one build, one compilation, one measurement. A compilation gets less
    once it is known how long they usually take."""
    prune_slower: float = 5.0
    """Candidates that the cost model, calibrated by this run, expects to be this many
    times as slow as the best are not compiled."""
    build_memory: int = 8 << 30
    """Bytes that a build worker may allocate."""
    timing: TimingOptions = field(default_factory=TimingOptions.of_a_trial)
    finalists: int = 5
    final_rounds: int = 60
    per_size: bool = False
    """Whether each size that is timed is tuned for itself, not for the mean of all."""
    reuse: bool = True
    """Whether recorded results are used instead of measuring again."""
    command: str = ""
    """The command line, for the results file."""
    machines: Machines | None = None
    """Who compiles and measures; None: processes of this machine."""

    @property
    def builders(self) -> int:
        """The number of build processes: fewer than compile, since building is quicker.

        At least two, because a slow candidate may keep one of them busy. They run on
        this machine, even if others compile.
        """
        most = self.workers if self.machines is None else default_workers()
        return max(2, (min(self.workers, most) + 1) // 2)

    @property
    def longest_build(self) -> float:
        """Seconds for one build: at most a quarter of the budget, or 10."""
        if self.budget is None:
            return self.build_limit
        return min(self.build_limit, max(10.0, self.budget / 4))

    def planned(self, space: Space) -> int:
        """The largest number of trials there can be."""
        valid = space.count_valid()
        if self.trials is not None and not space.is_exact():
            return self.trials
        return valid if self.trials is None else min(self.trials, valid)
