"""The result of a tuning run: its trials, the best one, and where the time went."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from tilewright.ir.errors import Note, UserError
from tilewright.ir.notebook_html import table_html
from tilewright.tuning.results.records import OUTCOMES, Cause, Final, Outcome, Record
from tilewright.tuning.space.choices import canonical
from tilewright.tuning.space.redundant_choices import Unchanged, unchanged_choices

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point

Origin: TypeAlias = Literal["new", "database", "duplicate"]
"""Run now; found in the results file; or with the same program as another trial."""

SHOWN = 10
"""The trials in the table of a notebook."""
GAIN = 0.005
"""A trial is a gain if it is faster than the best by more than this share."""

STAGES = (
    "search",
    "transform",
    "emit",
    "compile",
    "load",
    "check",
    "warm-up",
    "time",
    "final",
    "waiting",
    "overhead",
)
"""The stages that time is spent in. `transform` to `compile` add up parallel processes,
and `load` to `time` run in another worker, so the stages may add up to more than the
run took. While `waiting`, the parent has nothing to do; `overhead` is the rest of its
time."""


class TuningFailedError(UserError):
    """No configuration worked; the notes count the reasons."""


@dataclass(frozen=True)
class Trial:
    """A point and its record."""

    number: int
    """In the order in which points were proposed."""
    record: Record
    origin: Origin
    estimate: float | None = None
    """The cost model's milliseconds, where the program was compiled in this run."""

    @property
    def point(self) -> Point:
        """The choices made."""
        return self.record.point

    @property
    def outcome(self) -> Outcome:
        """How the trial ended."""
        return self.record.outcome

    @property
    def cause(self) -> Cause:
        """The cause of a failure."""
        return self.record.cause

    @property
    def milliseconds(self) -> float | None:
        """The time to rank by: the measured median, or the estimate."""
        return self.record.p50 if self.record.outcome == "ok" else None


@dataclass(frozen=True)
class Finalist:
    """One program of the final round."""

    name: str
    point: Point | None
    """None for a contender that was not tuned: a library, a default."""
    final: Final
    program: str = ""
    each: tuple[float, ...] = ()
    """The median at every size, where each size is tuned for itself."""


@dataclass(frozen=True)
class TuningResult:
    """The outcome of a tuning run."""

    best: Trial
    trials: tuple[Trial, ...]
    measured: bool
    """False: nothing ran on a GPU; the times are estimates for `device`."""
    device: str
    strategy: str
    space_size: int
    space_valid: int
    exhausted: bool
    """Whether the strategy had no point left."""
    interrupted: bool
    finalists: tuple[Finalist, ...]
    """Fastest first; empty without a final round."""
    seconds: dict[str, float]
    """By stage; see `STAGES`."""
    wall_seconds: float
    lost_workers: int
    warnings: tuple[str, ...] = field(default=())
    remarks: tuple[UserError, ...] = field(default=())
    """Warnings about candidates, each once."""
    device_use: dict[str, float] = field(default_factory=dict[str, float])
    """Seconds of the device: timing, checking, loading, and idle by reason."""
    milestones: dict[str, float] = field(default_factory=dict[str, float])
    """Seconds from the start to the search, and to the first end of each job."""
    reference: str = ""
    """What computed the expected results, in words."""
    default_point: Point | None = None
    """The point of the schedule's defaults, if it has one for every choice."""
    run_number: int | None = None
    """The run's number in the results file, if it has one."""
    stopped: UserError | None = None
    """Why the run ended before its time: a full disk, a lost device."""

    @property
    def default_trial(self) -> Trial | None:
        """The trial of the default point, if there was one."""
        return trial_at(self.trials, self.default_point)

    def gain(self) -> float | None:
        """How many times as fast as the default point the best one is."""
        if (pair := self._default_and_best()) is None:
            return None
        return pair[0] / pair[1] if pair[1] else None

    def saved_ms(self) -> float | None:
        """Milliseconds that a call takes less than at the default point."""
        pair = self._default_and_best()
        return None if pair is None else pair[0] - pair[1]

    def payback(self, seconds: float) -> str | None:
        """After how many calls the seconds are won back; None if nothing is won."""
        saved = self.saved_ms()
        if saved is None or saved <= 0:
            return None
        calls = max(1, math.ceil(seconds * 1e3 / saved))
        by = "" if self.measured else ", by the cost model"
        return (
            f"tuning pays for itself after {calls:,} calls{by}: each saves "
            f"{saved:.4f} ms over the default point"
        )

    def _default_and_best(self) -> tuple[float, float] | None:
        """The times of both, of the final round if it timed both."""
        default = self.default_trial
        if default is None or default.milliseconds is None:
            return None
        finals = {one.program: one.final.median for one in self.finalists}
        programs = default.record.program, self.best.record.program
        if all(program in finals for program in programs):
            return finals[programs[0]], finals[programs[1]]
        after = self.best.milliseconds
        return None if after is None else (default.milliseconds, after)

    @property
    def trials_per_second(self) -> float:
        """Trials over the whole run's time."""
        return len(self.trials) / self.wall_seconds if self.wall_seconds > 0 else 0.0

    @property
    def timing_share(self) -> float:
        """The share of the run in which the device timed programs."""
        use = self.device_use
        timing = use.get("timing", 0.0) + use.get("timing again", 0.0)
        return timing / self.wall_seconds if self.wall_seconds > 0 else 0.0

    def counts(self) -> dict[str, int]:
        """The number of trials by outcome, without zeros."""
        return count_outcomes(self.trials)

    def origins(self) -> dict[str, int]:
        """The number of trials by origin."""
        return dict(Counter(trial.origin for trial in self.trials))

    def ranking(self) -> list[Trial]:
        """The trials that worked, fastest first."""
        return rank(self.trials)

    def _repr_html_(self) -> str:
        """The fastest trials as a table, for notebooks."""
        fastest = self.ranking()[:SHOWN]
        names = list(dict.fromkeys(name for trial in fastest for name in trial.point))
        unit = "ms" if self.measured else "ms (estimated)"
        rows = [
            (
                rank,
                f"{trial.milliseconds:.4f}",
                *(trial.point.get(n, "") for n in names),
            )
            for rank, trial in enumerate(fastest, 1)
        ]
        ended = ", ".join(f"{n} {name}" for name, n in self.counts().items())
        title = (
            f"{self.space_valid} valid points, strategy {self.strategy}, "
            f"{self.device}; trials: {ended}"
        )
        return table_html(title, ["rank", unit, *names], rows)

    def unchanged_choices(self) -> list[Unchanged]:
        """Choices that gave the same program wherever trials differ in them alone."""
        programs = ((trial.point, trial.record.program) for trial in self.trials)
        return unchanged_choices(programs, self.space_valid if self.exhausted else None)


def trial_at(trials: Iterable[Trial], point: Point | None) -> Trial | None:
    """The trial of a point."""
    if point is None:
        return None
    wanted = canonical(point)
    return next((t for t in trials if canonical(t.point) == wanted), None)


def rank(trials: Iterable[Trial]) -> list[Trial]:
    """The trials that worked, fastest first; equal times in the order proposed."""
    worked = [
        (trial.milliseconds, trial.number, trial)
        for trial in trials
        if trial.milliseconds is not None
    ]
    return [trial for _, _, trial in sorted(worked, key=lambda entry: entry[:2])]


def count_outcomes(trials: Iterable[Trial]) -> dict[str, int]:
    """The number of trials by outcome, in the order of `OUTCOMES`."""
    found = Counter(trial.outcome for trial in trials)
    return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}


def count_reasons(trials: Iterable[Trial]) -> list[tuple[str, int]]:
    """The reasons why trials failed, most frequent first.

    A reason begins with the line of the schedule, where there is one.
    """
    failed = (trial for trial in trials if trial.outcome != "ok")
    return Counter(
        f"{trial.outcome}: {first_line(trial.record.error)}" for trial in failed
    ).most_common()


def failure(trials: Iterable[Trial]) -> TuningFailedError:
    """The error for a run in which no trial worked, with the most frequent reasons."""
    listed = list(trials)
    if not listed:
        return TuningFailedError(
            "tuning failed: no trial was finished", remedy="allow more time or trials"
        )
    reasons = count_reasons(listed)
    notes = [Note(f"{count} x {reason}") for reason, count in reasons[:8]]
    if len(reasons) > len(notes):
        notes.append(Note(f"and {len(reasons) - len(notes)} other reasons"))
    summary = ", ".join(f"{n} {name}" for name, n in count_outcomes(listed).items())
    remedy = "see the reasons below; widen the options or change the schedule"
    excused = sum(trial.record.cause == "environment" for trial in listed)
    if excused:
        remedy = (
            f"see the reasons below; the environment made {excused} of them fail: mend "
            "that, and run the same command again"
        )
    return TuningFailedError(
        f"tuning failed: none of {len(listed)} configurations works ({summary})",
        remedy=remedy,
        notes=notes,
    )


def first_line(text: str) -> str:
    """The first line of an error, shortened."""
    line = text.strip().splitlines()[0] if text.strip() else "no reason given"
    return line if len(line) <= 160 else line[:157] + "..."
