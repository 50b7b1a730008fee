"""Runs a strategy against a recorded space.

    trace = replay(recorded, "random", seed=1, trials=100)
    trace.regret_after(30), trace.regret_at(15.0)

The strategy is asked and told as in a run: by trials, in the order of its proposals; by
seconds, as results come. Several points are under way at once. A point that was
not recorded counts as one that does not run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.learning.learned_estimates import LearnedEstimates
from tilewright.tuning.replay.machine import SEQUENTIAL, Machine, SimulatedStages, Work
from tilewright.tuning.replay.recorded_examples import origin_of
from tilewright.tuning.replay.recorded_guide import RecordedGuide, build_seconds
from tilewright.tuning.search.seeding import SeededStrategy
from tilewright.tuning.search.strategies import make_strategy
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.learning.dataset import Example
    from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
    from tilewright.tuning.search.strategies.base import OptionValue, Strategy
    from tilewright.tuning.space.choices import Point

_MEASURED = ("check", "warm-up", "time")
"""The stages that keep the device busy."""


@dataclass(frozen=True)
class ReplayedTrial:
    """A trial of a replay."""

    number: int
    """In the order of proposals, from 1."""
    seconds: float
    """When it ended."""
    milliseconds: float | None
    point: Point


@dataclass(frozen=True)
class Trace:
    """The trials of a replay, in the order in which they ended."""

    trials: tuple[ReplayedTrial, ...]
    best_known: float
    """The milliseconds of the best recorded point."""
    unrecorded: int
    """Points that were proposed and are not in the recording."""
    strategy_seconds: float
    """Processor time that the strategy took."""

    def best_after(self, trials: int) -> float | None:
        """The best time among the first proposals."""
        return _best(t.milliseconds for t in self.trials if t.number <= trials)

    def best_at(self, seconds: float) -> float | None:
        """The best time at a moment."""
        return _best(t.milliseconds for t in self.trials if t.seconds <= seconds)

    def regret_after(self, trials: int) -> float | None:
        """By how much that is slower than the best known, as a share of it."""
        return self._regret(self.best_after(trials))

    def regret_at(self, seconds: float) -> float | None:
        """The regret at a moment."""
        return self._regret(self.best_at(seconds))

    def seconds_to(self, regret: float) -> float | None:
        """When the regret was first at most this; None if it never was."""
        limit = self.best_known * (1 + regret)
        reached = (
            trial.seconds
            for trial in self.trials
            if trial.milliseconds is not None and trial.milliseconds <= limit
        )
        return min(reached, default=None)

    def _regret(self, best: float | None) -> float | None:
        return None if best is None else best / self.best_known - 1.0


def replay(
    recorded: RecordedSpace,
    strategy: str,
    *,
    seed: int = 0,
    options: Mapping[str, OptionValue] | None = None,
    seeds: Sequence[Point] = (),
    machine: Machine = SEQUENTIAL,
    trials: int | None = None,
    seconds: float | None = None,
    count_strategy: bool = True,
    known: Sequence[Example] = (),
) -> Trace:
    """Run a strategy until the trials, the simulated seconds or the points end.

    With `known` results of other spaces, the guide's estimates are the learned model's.
    `count_strategy` adds the processor time of the strategy to the clock, so that the
    seconds differ a little from one replay to the next.
    """
    learned = None
    if known:
        learned = LearnedEstimates(origin_of(recorded), known, adapts=False)
    stages = SimulatedStages(machine)
    stages.advance(machine.start_up)
    guide = RecordedGuide(recorded, stages, learned, patient=seconds is None)
    made = make_strategy(strategy, recorded.space, seed, options, guide)
    seeded = SeededStrategy(seeds, made)
    return _Replay(recorded, seeded, stages, machine, count_strategy).run(
        trials, seconds
    )


class _Replay:
    """One replay."""

    def __init__(
        self,
        recorded: RecordedSpace,
        strategy: Strategy,
        stages: SimulatedStages,
        machine: Machine,
        count_strategy: bool,
    ) -> None:
        self._recorded = recorded
        self._strategy = strategy
        self._stages = stages
        self._machine = machine
        self._count_strategy = count_strategy
        self._strategy_seconds = 0.0
        self._programs: set[str] = set()
        self._unrecorded = 0

    def run(self, trials: int | None, seconds: float | None) -> Trace:
        stages, machine = self._stages, self._machine
        asked: list[Point] = []
        ended: dict[int, ReplayedTrial] = {}
        order: list[ReplayedTrial] = []
        untold: list[ReplayedTrial] = []
        told = 0
        exhausted = False
        while True:
            wanted = machine.asked_at_once
            if trials is not None:
                wanted = min(wanted, trials - len(asked))
            needed = len(asked) + wanted - machine.outstanding
            if seconds is None:
                ready = all(number in ended for number in range(told + 1, needed + 1))
            else:
                ready = stages.outstanding < machine.outstanding
            late = seconds is not None and stages.now > seconds
            if wanted > 0 and ready and not exhausted and not late:
                if seconds is None:
                    untold = [ended[number] for number in range(told + 1, needed + 1)]
                    told = max(told, needed)
                for trial in untold:
                    self._tell(trial)
                untold = []
                points = self._ask(wanted)
                exhausted = not points
                for point in points:
                    asked.append(point)
                    stages.put(len(asked), self._work(point))
                continue
            number = None if late else stages.next_end()
            if number is None:
                break
            point = asked[number - 1]
            found = self._find(point)
            milliseconds = None if found is None else found.milliseconds
            trial = ReplayedTrial(number, stages.now, milliseconds, point)
            ended[number] = trial
            if seconds is not None:
                untold.append(trial)
            order.append(trial)
        return Trace(
            tuple(order),
            self._recorded.best.milliseconds or 0.0,
            self._unrecorded,
            self._strategy_seconds,
        )

    def _ask(self, count: int) -> list[Point]:
        start = time.process_time()
        points = self._strategy.ask(count)
        self._spent(time.process_time() - start)
        return points

    def _tell(self, trial: ReplayedTrial) -> None:
        start = time.process_time()
        self._strategy.tell(trial.point, trial.milliseconds)
        self._spent(time.process_time() - start)

    def _spent(self, seconds: float) -> None:
        self._strategy_seconds += seconds
        if self._count_strategy:
            self._stages.advance(self._stages.now + seconds)

    def _find(self, point: Point) -> RecordedPoint | None:
        return self._recorded.by_point.get(canonical(point))

    def _work(self, point: Point) -> Work:
        """The seconds of a point; a program that was seen before costs its build."""
        found = self._find(point)
        if found is None:
            self._unrecorded += 1
            return Work(0.0, 0.0, 0.0)
        seconds = found.seconds
        known = canonical(point) in self._stages.built
        build = 0.0 if known else build_seconds(found)
        if found.program in self._programs:
            return Work(build, 0.0, 0.0)
        if found.program:
            self._programs.add(found.program)
        measure = sum(seconds.get(stage, 0.0) for stage in _MEASURED)
        return Work(build, seconds.get("compile", 0.0), measure)


def _best(times: Iterable[float | None]) -> float | None:
    return min((one for one in times if one is not None), default=None)
