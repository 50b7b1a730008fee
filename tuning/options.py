"""What is tuned, and how: the caller's side of a tuning run."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from tilewright.tuning.measure.timing import TimingOptions
from tilewright.tuning.search.strategies.base import OptionValue

if TYPE_CHECKING:
    import numpy as np

    from tilewright.codegen.program import GeneratedProgram, Shapes
    from tilewright.codegen.targets import Target
    from tilewright.ir.tolerance import Comparison
    from tilewright.tuning.results.tuning_result import Trial
    from tilewright.tuning.space.choices import Point
    from tilewright.tuning.space.space import Space


class Built(Protocol):
    """A point made into a program; what `pipeline.build` returns is one."""

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
    """Whoever wants to watch."""

    def on_phase(self, name: str) -> None:
        """A part of the run begins: `search`, `final`."""
        ...

    def on_trial(self, trial: Trial) -> None:
        """A trial ended."""
        ...


class Silent:
    """Nobody watches."""

    def on_phase(self, name: str) -> None:
        """Say nothing."""

    def on_trial(self, trial: Trial) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Answer:
    """The right results, for the inputs `random_inputs(arguments, seed)` gives."""

    arrays: Sequence[np.ndarray]
    seed: int = 0
    reduction: int = 1
    """Length of the longest reduction behind a result; sets the tolerance."""
    precision: str | None = None
    """Dtype to take the tolerance of f32 results from: `tf32` where dots use it."""
    shapes: Shapes | None = None
    """Of the arguments, where the program leaves sizes open."""
    timed: bool = True
    """Whether programs are timed there as well, or only checked."""
    title: str = ""
    """The sizes in words, where there are several."""
    slack: float = 0.0
    """What results may be off beyond the usual, over their size: of coarse rounding."""


@dataclass(frozen=True)
class Subject(Generic[BuiltT]):
    """What is tuned."""

    build: Callable[[Point], BuiltT]
    """Makes a point a program; raises a UserError where it does not apply. Runs in
    forks of this process."""
    space: Space
    payload: str
    """Hash of the payload, as `records.text_hash` gives it."""
    schedule: str
    """Hash of the schedule with its choices open."""
    answers: Sequence[Answer] = ()
    """Needed to measure: a program is checked against them before it is timed. With
    several that are timed, the geometric mean of the times is what counts."""
    check: Callable[[BuiltT], Comparison] | None = None
    """Checks a program where none can be measured, in an interpreter; in a fork too."""
    contenders: Mapping[str, GeneratedProgram] = field(default_factory=dict)
    """Programs to time beside the best few at the end: a library call, a default."""
    sizes: str = ""
    """What the sizes that the payload leaves open are: results depend on them."""
    accepts: Callable[[BuiltT, Answer], bool] | None = None
    """Whether a program takes the sizes of an answer that is only checked."""
    answer_for: Callable[[BuiltT, Answer], Answer] | None = None
    """The answer for a program that rounds on purpose."""
    rounding: Callable[[BuiltT], str] | None = None
    """What a program rounds on purpose, the same text for the same answers; empty
    where `answers` are right."""
    payload_name: str = ""
    schedule_name: str = ""
    """What people call them."""


def default_workers() -> int:
    """Compile processes: the cores less one for the parent and one for measuring."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)) - 2)
    return max(1, (os.cpu_count() or 1) - 2)


@dataclass(frozen=True)
class TuneOptions:
    """How to tune."""

    target: Target
    cache_dir: Path
    """Where the programs' source files go."""
    device: str | None = "cuda"
    """Where to measure; None compiles for the target and ranks by the cost model."""
    device_name: str | None = None
    """The name results are filed under; None asks the device, which starts a worker."""
    strategy: str = "tpe"
    strategy_options: Mapping[str, OptionValue] = field(default_factory=dict)
    trials: int | None = 100
    """Points to try; None: until the budget is spent or the space is."""
    budget: float | None = None
    """Seconds for all of it, starting up and the final timing included."""
    started: float | None = None
    """When the budget began to run, by `time.perf_counter`; None: with the run."""
    seed: int = 0
    workers: int = field(default_factory=default_workers)
    build_limit: float = 60.0
    compile_limit: float = 120.0
    measure_limit: float = 30.0
    """Seconds that one build, one compile, one measurement may take."""
    build_memory: int = 8 << 30
    """Bytes that building one candidate may take."""
    timing: TimingOptions = field(default_factory=TimingOptions)
    finalists: int = 5
    final_rounds: int = 60
    reuse: bool = True
    """Whether results on file are taken instead of measuring again."""

    @property
    def builders(self) -> int:
        """Processes that build candidates, at least two: one may be held up for long.

        Building takes less time than compiling.
        """
        return max(2, (self.workers + 1) // 2)

    @property
    def longest_build(self) -> float:
        """Seconds for one build: no candidate is worth a large part of the budget."""
        if self.budget is None:
            return self.build_limit
        return min(self.build_limit, max(1.0, self.budget / 4))

    def planned(self, space: Space) -> int:
        """How many trials there will be at most."""
        valid = space.count_valid()
        if self.trials is not None and not space.is_exact():
            return self.trials
        return valid if self.trials is None else min(self.trials, valid)
