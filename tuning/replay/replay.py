"""Runs a strategy against a recorded space.

    trace = replay(recorded, "random", seed=1, trials=100)
    trace.regret_after(30), trace.regret_at(15.0)

The strategy is asked and told as in a run: by trials, in the order of its proposals; by
seconds, as results come. Several points are under way at once. A point that was
not recorded counts as one that does not run.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.learning.learned_estimates import LearnedEstimates
from tilewright.tuning.replay.machine import SEQUENTIAL, Machine, SimulatedStages, Work
from tilewright.tuning.replay.measuring import RECORDED, Measuring, device_seconds
from tilewright.tuning.replay.recorded_examples import origin_of
from tilewright.tuning.replay.recorded_guide import RecordedGuide, build_seconds
from tilewright.tuning.replay.trace import ReplayedTrial, Stop, Trace, Watch
from tilewright.tuning.search.seeding import SeededStrategy
from tilewright.tuning.search.strategies import make_strategy
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.learning.dataset import Example
    from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
    from tilewright.tuning.search.strategies.base import OptionValue, Strategy
    from tilewright.tuning.space.choices import Point


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
    stops: Sequence[Stop] = (),
    measuring: Measuring = RECORDED,
    count_strategy: bool = False,
    known: Sequence[Example] = (),
) -> Trace:
    """Run a strategy until the trials, the simulated seconds or the points end.

    With `stops`, the replay also ends when every one of these rules would have ended
    it. `measuring` says how a point is measured.
    With `known` results of other spaces, the guide's estimates are the learned model's.
    `count_strategy` adds the processor time that the strategy takes on this machine to
    the clock of the simulated one. The trace has that time in either case.
    """
    learned = None
    if known:
        learned = LearnedEstimates(origin_of(recorded), known, adapts=False)
    stages = SimulatedStages(machine)
    stages.advance(machine.start_up)
    guide = RecordedGuide(recorded, stages, learned, patient=seconds is None)
    made = make_strategy(strategy, recorded.space, seed, options, guide)
    run = _Replay(
        recorded,
        SeededStrategy(seeds, made),
        stages,
        machine,
        _Measurements(measuring, random.Random(f"measurements of {seed}")),
        count_strategy,
    )
    if stops and all(stop.trials is not None for stop in stops):
        most = max(stop.trials or 0 for stop in stops)
        trials = most if trials is None else min(trials, most)
    return run.run(trials, seconds, [Watch(stop) for stop in stops])


@dataclass
class _Measurements:
    """Measures points, and keeps the best time so far."""

    measuring: Measuring
    rng: random.Random
    best: float | None = None

    def add(self, milliseconds: float | None) -> None:
        """A trial has ended."""
        if milliseconds is not None and (self.best is None or milliseconds < self.best):
            self.best = milliseconds


class _Replay:
    """One replay."""

    def __init__(
        self,
        recorded: RecordedSpace,
        strategy: Strategy,
        stages: SimulatedStages,
        machine: Machine,
        measurements: _Measurements,
        count_strategy: bool,
    ) -> None:
        self._recorded = recorded
        self._strategy = strategy
        self._stages = stages
        self._machine = machine
        self._measurements = measurements
        self._count_strategy = count_strategy
        self._strategy_seconds = 0.0
        self._programs: dict[str, float | None] = {}
        """The measured milliseconds of the programs so far; None: it failed."""
        self._unrecorded = 0

    def run(
        self, trials: int | None, seconds: float | None, watches: Sequence[Watch]
    ) -> Trace:
        stages, machine = self._stages, self._machine
        asked: list[Point] = []
        measured: list[float | None] = []
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
                    work, milliseconds = self._work(point)
                    asked.append(point)
                    measured.append(milliseconds)
                    stages.put(len(asked), work)
                continue
            number = None if late else stages.next_end()
            if number is None:
                break
            point, milliseconds = asked[number - 1], measured[number - 1]
            found = self._find(point)
            recorded = None if found is None else found.milliseconds
            trial = ReplayedTrial(number, stages.now, milliseconds, point, recorded)
            ended[number] = trial
            if seconds is not None:
                untold.append(trial)
            order.append(trial)
            self._measurements.add(milliseconds)
            for watch in watches:
                watch.add(trial)
            if watches and all(watch.is_met for watch in watches):
                break
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

    def _work(self, point: Point) -> tuple[Work, float | None]:
        """The seconds of a point, and what is measured.

        A program that was seen before costs its build.
        """
        found = self._find(point)
        if found is None:
            self._unrecorded += 1
            return Work(0.0, 0.0, 0.0), None
        known = canonical(point) in self._stages.built
        build = 0.0 if known else build_seconds(found)
        if found.program in self._programs:
            return Work(build, 0.0, 0.0), self._programs[found.program]
        seconds, milliseconds = device_seconds(found), None
        if found.milliseconds is not None:
            now = self._measurements
            measured = now.measuring.measure(found, now.rng, now.best)
            seconds, milliseconds = measured.seconds, measured.milliseconds
        if found.program:
            self._programs[found.program] = milliseconds
        return Work(build, found.seconds.get("compile", 0.0), seconds), milliseconds
