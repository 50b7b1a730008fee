"""Which task gets the next round of trials: the one with the largest expected gain.

As in the task schedulers of Ansor and MetaSchedule, the expected gain of a round is the
time of the task in the whole payload, times the relative improvement that its history
promises, over the seconds of a round. It is never more than the distance to the bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tilewright.tuning.results.tuning_result import GAIN

PRIOR = 0.3
"""The improvement that the first round of a task is expected to bring."""

RECENT = 0.5
"""The weight of the last rounds' gain, against that of the prior over the rounds."""

NEAR = 1.05
"""A task within this factor of its bound gets no further round."""

PATIENCE = 24
"""Trials without a gain after which a task gets no further round."""

SMALL = 0.005
"""A task with a smaller share of the whole time has no right to a first round."""


@dataclass
class TaskHistory:
    """What is known of a task: its size, and the best time after each round."""

    uses: int
    planned_ms: float
    bound_ms: float
    is_planned: bool = True
    """Whether the planned structure has it, or other structures alone."""
    best: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    """Trials so far and the best milliseconds, at the end of each round."""
    trials: int = 0
    rounds: int = 0
    """Rounds that were granted."""
    seconds: float = 0.0
    """Seconds of the workers, those that run side by side divided by their number."""
    exhausted: bool = False
    """Whether every point was tried."""

    def end_round(self, trials: int, best_ms: float | None, seconds: float) -> None:
        """Take the state after a round."""
        self.trials, self.seconds = trials, seconds
        if best_ms is not None:
            self.best.append((trials, best_ms))

    @property
    def ms(self) -> float:
        """The best time of one run so far, or the estimate."""
        return self.best[-1][1] if self.best else self.planned_ms

    @property
    def total_ms(self) -> float:
        """The time of all runs in the payload."""
        return self.uses * self.ms

    @property
    def headroom(self) -> float:
        """The share of the time that is above the bound."""
        return max(0.0, 1.0 - self.bound_ms / self.ms) if self.ms > 0 else 0.0

    @property
    def last_gain_at(self) -> int:
        """The number of trials when the time last improved."""
        at, level = 0, float("inf")
        for trials, ms in self.best:
            if ms < level * (1 - GAIN):
                at, level = trials, ms
        return at

    @property
    def is_done(self) -> bool:
        """Whether a further round promises nothing: near the bound, or without gain.

        The second half of its trials has brought nothing, and these were not few.
        """
        if self.exhausted:
            return True
        if not self.rounds:
            return False
        if self.best and self.ms <= NEAR * self.bound_ms:
            return True
        return self.trials - self.last_gain_at >= max(PATIENCE, self.trials / 2)

    def relative_gain(self) -> float:
        """The relative improvement that is expected of the next round."""
        if not self.rounds:
            return min(PRIOR, self.headroom)
        if not self.best:
            # Nothing has worked yet, so its estimate says little.
            return PRIOR
        before = self.best[-3][1] if len(self.best) > 2 else self.best[0][1]
        spans = max(1, min(2, len(self.best) - 1))
        recent = max(0.0, before - self.ms) / self.ms / spans
        hoped = PRIOR / (self.rounds + 1)
        return min(RECENT * recent + (1 - RECENT) * hoped, self.headroom)

    def expected_gain(self, usual_seconds: float) -> float:
        """Milliseconds of the whole payload for each second of the next round."""
        seconds = self.seconds / self.rounds if self.rounds else usual_seconds
        return self.total_ms * self.relative_gain() / max(seconds, 1e-3)


def next_task(histories: Sequence[TaskHistory], free: Sequence[int]) -> int | None:
    """The task of `free` that gets the next round; None if no round promises a gain.

    First rounds come first: those of the planned structure before those of others, the
    longest task before the shorter ones. Tasks that hardly count compete from the
    beginning.
    """
    open_ones = [i for i in free if not histories[i].is_done]
    if not open_ones:
        return None
    whole = sum(history.total_ms for history in histories)
    new = [
        i
        for i in open_ones
        if not histories[i].rounds and histories[i].total_ms >= SMALL * whole
    ]
    if new:
        return max(new, key=lambda i: (histories[i].is_planned, histories[i].total_ms))
    usual = usual_seconds(histories)
    return max(open_ones, key=lambda i: histories[i].expected_gain(usual))


def usual_seconds(histories: Sequence[TaskHistory]) -> float:
    """The mean seconds of a round."""
    rounds = sum(history.rounds for history in histories)
    spent = sum(history.seconds for history in histories)
    return spent / rounds if rounds and spent else 1.0
