"""The log of a tuning run: its trials in the order in which they ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tilewright.tuning.results.records import OUTCOMES
from tilewright.tuning.space.choices import Knob, Point, Value, canonical
from tilewright.tuning.space.space import Space

if TYPE_CHECKING:
    from tilewright.tuning.results.records import Cause


@dataclass(frozen=True)
class LoggedTrial:
    """A point that was tried, and how it ended."""

    point: Point
    outcome: str
    """As in a results file: `ok`, `invalid`, `pruned`, ..."""
    program: str = ""
    """Equal for points that give the same program; empty where none was generated."""
    p20: float | None = None
    p50: float | None = None
    p80: float | None = None
    """Milliseconds."""
    final: float | None = None
    """The median of the final round, if the trial was in it."""
    error: str = ""
    cause: Cause = "candidate"
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    """Seconds by stage: transform, emit, compile, load, check, warm-up, time."""
    features: Mapping[str, float] = field(default_factory=dict[str, float])
    """The program as numbers (`learning/features.py`)."""
    ended: float | None = None
    """Seconds after the start of the run."""

    @property
    def milliseconds(self) -> float | None:
        """The median of the trial; None where it failed.

        Not the final round's: that times only a few programs, together, so its times
        cannot be compared with those of other trials.
        """
        return self.p50 if self.outcome == "ok" and self.p50 else None


@dataclass(frozen=True)
class TuningLog:
    """A tuning run as its file tells it."""

    name: str
    """`#3`, the number in the file; that of a recording."""
    payload: str
    schedule: str
    """File names."""
    device: str
    versions: str
    measured: bool
    """False: the times are the cost model's."""
    trials: tuple[LoggedTrial, ...]
    source: str = ""
    """The file that it was read from."""
    started: str = ""
    """UTC, ISO 8601; empty where the file does not tell."""
    strategy: str = ""
    sizes: str = ""
    stage_seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    """The run's own account of its time (`STAGES`); empty where the file has none."""
    wall_seconds: float | None = None
    clock: str = ""
    """What the trials' `ended` are, in words; empty where they are not known."""
    known_space: Space | None = field(default=None, compare=False)
    """The space of the schedule; None where the file does not have the schedule."""
    damaged: int = 0
    """Results of the file that cannot be read."""

    @cached_property
    def space(self) -> Space:
        """The space of the schedule, or the options that were tried."""
        if self.known_space is not None:
            return self.known_space
        return tried_space([trial.point for trial in self.trials])

    @property
    def subject(self) -> tuple[str, str, str, bool]:
        """What its times can be compared within: payload, sizes, device, measured."""
        return self.payload, self.sizes, self.device, self.measured

    @cached_property
    def worked(self) -> tuple[LoggedTrial, ...]:
        """The trials that have a time."""
        return tuple(t for t in self.trials if t.milliseconds is not None)

    @cached_property
    def failed(self) -> tuple[LoggedTrial, ...]:
        """The others."""
        return tuple(t for t in self.trials if t.milliseconds is None)

    @cached_property
    def best(self) -> LoggedTrial | None:
        """The winner: the fastest of the final round, else of the trials."""
        return min(
            self.worked,
            key=lambda t: (t.final is None, t.final or t.milliseconds or 0.0),
            default=None,
        )

    def near_best(self, share: float) -> int:
        """The number of other programs that are at most so much slower."""
        best = self.best
        if best is None or best.milliseconds is None:
            return 0
        limit = (1.0 + share) * best.milliseconds
        near = {
            trial.program or canonical(trial.point)
            for trial in self.worked
            if trial.milliseconds is not None and trial.milliseconds <= limit
        }
        return len(near - {best.program or canonical(best.point)})

    @cached_property
    def outcomes(self) -> dict[str, int]:
        """The number of trials by outcome, without zeros."""
        found = Counter(trial.outcome for trial in self.trials)
        return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}


def tried_space(points: Sequence[Mapping[str, Value]]) -> Space:
    """A space of the options that points have, without constraints."""
    options: dict[str, dict[tuple[type, Value], Value]] = {}
    for point in points:
        for name, value in point.items():
            # In Python 1 == True, so tell them apart by their types.
            options.setdefault(name, {})[type(value), value] = value
    return Space(
        tuple(Knob(name, _ordered(found.values())) for name, found in options.items())
    )


def _ordered(values: Iterable[Value]) -> tuple[Value, ...]:
    listed = list(values)
    numbers = all(
        isinstance(v, int | float) and not isinstance(v, bool) for v in listed
    )
    return tuple(sorted(listed, key=float if numbers else str))


def point_text(point: Mapping[str, Value]) -> str:
    """`BM=128 BN=256`."""
    return " ".join(f"{name}={value}" for name, value in point.items())
