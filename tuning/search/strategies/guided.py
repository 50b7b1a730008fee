"""The default: rank by a cost model, try every structure, then learn from the times.

1. The guide estimates a sample of the space, or all of a small one. The first trials
   are the best estimates: of all points, and of those with each option of a structural
   choice (a branch, a word, a flag). So every structure is tried before numbers are
   refined.
2. A Gaussian process over the choices learns how the times deviate from the estimates
   (`choice_process.py`). The next trials are the points with the largest expected gain:
   of a small space all points are candidates; of a large one the neighbours of the best
   points, their crossings, and the sample.
3. One trial in four is a neighbour of the best point: the model may be wrong about it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from tilewright.ir.errors import UserError
from tilewright.tuning.search.choice_process import ChoiceProcess, as_logarithms
from tilewright.tuning.search.encoding import Encoding, different, is_structural
from tilewright.tuning.search.strategies.base import Option, OptionValue, StrategyKind
from tilewright.tuning.search.unproposed import Unproposed
from tilewright.tuning.space.choices import canonical

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point, Value
    from tilewright.tuning.space.space import Space

OPTIONS = (
    Option("sample", 256, "points that the guide estimates before the first trial"),
    Option("first", 3, "best estimates among the first trials, besides the structures"),
    Option(
        "local", 4, "one point in so many is a neighbour of the best points; 0: none"
    ),
    Option("known", 300, "most results that the model learns from"),
)

_ESTIMATED = 3
"""New points that the guide estimates for each point that is asked for."""
_ELITE = 5
"""The best points, whose neighbours and crossings are candidates."""


class Guided:
    """A search by estimates and results."""

    def __init__(
        self, space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
    ) -> None:
        self._space = space
        self._guide = guide
        self._left = Unproposed(space, seed)
        self._encoding = Encoding(space)
        self._process = ChoiceProcess(self._encoding)
        self._sample_size = int(options["sample"])
        self._first = int(options["first"])
        self._local = int(options["local"])
        self._most_known = int(options["known"])
        self._estimates: dict[str, float | None] = {}
        self._pool: dict[str, Point] = {}
        """Points with an estimate, which are candidates at any time."""
        self._queue: list[Point] | None = None
        self._pending: dict[str, Point] = {}
        self._times: dict[str, tuple[Point, float | None]] = {}
        self._asked = 0

    def ask(self, count: int) -> list[Point]:
        """The first trials while there are any; then those with the largest gains."""
        if self._queue is None:
            self._queue = self._first_points()
        points: list[Point] = []
        while self._queue and len(points) < count:
            point = self._queue.pop(0)
            if point in self._left:
                self._take(point, points)
        if len(points) < count and self._worked():
            for point in self._by_gain(count - len(points)):
                self._take(point, points)
        if len(points) < count and not self._worked():
            for point in self._by_estimate()[: count - len(points)]:
                self._take(point, points)
        if len(points) < count:
            filled = self._left.fill([], count - len(points))
            for point in filled:
                self._take(point, points)
        return points

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Learn a time."""
        key = canonical(point)
        self._pending.pop(key, None)
        self._left.take(point)
        self._times[key] = (point, milliseconds)

    def _take(self, point: Point, points: list[Point]) -> None:
        self._left.take(point)
        self._pending[canonical(point)] = point
        self._pool.pop(canonical(point), None)
        points.append(point)
        self._asked += 1

    # The estimates

    def _first_points(self) -> list[Point]:
        """The best estimates, of all and of each structural option, in turn."""
        for point in self._stratified_sample():
            self._pool[canonical(point)] = point
        self._estimate(list(self._pool.values()))
        ranked = self._by_estimate()
        first = ranked[: max(1, self._first)]
        for name, choice in self._space.choices.items():
            if not is_structural(choice):
                continue
            for option in choice.options:
                # Labels are words; a flag's 0 is not False here.
                having = [p for p in ranked if name in p and p[name] == option]
                if having and having[0] not in first:
                    first.append(having[0])
        return first

    def _stratified_sample(self) -> list[Point]:
        """Random points, and some with each structural option."""
        points = self._left.sample(self._sample_size)
        for name, choice in self._space.choices.items():
            if not is_structural(choice):
                continue
            for option in choice.options:
                share = self._sample_size // (4 * len(choice.options))
                missing = share - sum(p.get(name) == option for p in points)
                if missing > 0:
                    points += self._sample_with(name, option, min(missing, 16))
        return different(points)

    def _sample_with(self, name: str, option: Value, count: int) -> list[Point]:
        """Valid points with an option, which few random points have."""
        found: list[Point] = []
        try:
            for _ in range(count):
                salt = self._left.rng.random()

                def rank(other: str, value: Value, salt: float = salt) -> int:
                    return random.Random(f"{salt} {other} {value}").randrange(1000)

                found += islice(self._space.points({name: option}, rank), 1)
        except UserError:
            pass  # the bounded search of the space found none
        return self._left.fresh(found)

    def _estimate(self, points: Sequence[Point]) -> None:
        """Ask the guide about points that it was not asked about."""
        new = [p for p in points if canonical(p) not in self._estimates]
        if new:
            for point, found in zip(new, self._guide.estimate(new), strict=True):
                usable = found is not None and found > 0
                self._estimates[canonical(point)] = found if usable else None

    def _by_estimate(self) -> list[Point]:
        """The estimated points, best first; those that cannot be built last."""

        def cost(point: Point) -> float:
            found = self._estimates.get(canonical(point))
            return math.inf if found is None else found

        return sorted(self._left.fresh(self._pool.values()), key=cost)

    def _logarithms(self, points: Sequence[Point]) -> np.ndarray:
        """The logarithms of the estimates; their mean where there is none."""
        known = [math.log(e) for e in self._estimates.values() if e is not None]
        mean = sum(known) / len(known) if known else 0.0
        found = [self._estimates.get(canonical(point)) for point in points]
        return as_logarithms(found, mean)

    # The model

    def _worked(self) -> list[tuple[float, Point]]:
        """The known times, fastest first."""
        found = [(t, p) for p, t in self._times.values() if t is not None]
        return sorted(found, key=lambda entry: entry[0])

    def _fit(self) -> float:
        """Fit the model; returns the best logarithm of a time."""
        worked = self._worked()
        best, worst = math.log(worked[0][0]), math.log(worked[-1][0])
        # A point that fails is as bad as the slowest that works.
        penalty = max(worst, best + 0.7)
        known = list(self._times.values())
        if len(known) > self._most_known:
            kept = sorted(known, key=lambda one: math.inf if one[1] is None else one[1])
            half = self._most_known // 2
            known = kept[:half] + self._left.rng.sample(kept[half:], half)
        points = [point for point, _ in known]
        self._estimate(points)
        times = as_logarithms([time for _, time in known], penalty)
        self._process.fit(self._encoding.codes(points), self._logarithms(points), times)
        return best

    def _by_gain(self, count: int) -> list[Point]:
        """The candidates with the largest expected gains."""
        best = self._fit()
        candidates = self._candidates(count)
        if not candidates:
            return []
        codes = self._encoding.codes(candidates)
        pending = list(self._pending.values())
        self._estimate(pending)
        prediction = self._process.predict(
            codes,
            self._logarithms(candidates),
            (self._encoding.codes(pending), self._logarithms(pending)),
        )
        near = self._near_best(candidates)
        chosen: list[Point] = []
        open_places = np.ones(len(candidates), dtype=bool)
        for number in range(min(count, len(candidates))):
            gains = prediction.gains(best)
            local = self._local and (self._asked + number) % self._local == 0
            usable = open_places & near if local else open_places
            if not usable.any():
                usable = open_places
            # Where no gain is expected, the fastest prediction is next.
            score = np.log(gains + 1e-12) - 1e-3 * prediction.times
            place = int(np.argmax(np.where(usable, score, -np.inf)))
            open_places[place] = False
            prediction.assume(place)
            chosen.append(candidates[place])
        return chosen

    def _candidates(self, count: int) -> list[Point]:
        """Points to choose from, all of them estimated."""
        elite = [point for _, point in self._worked()[:_ELITE]]
        points = list(self._pool.values())
        for point in elite:
            points += self._left.neighbours(point)
        for _ in range(2 * _ELITE if len(elite) > 1 else 0):
            crossed = self._left.cross(elite)
            if crossed is not None:
                points.append(crossed)
        points += self._left.sample(self._sample_size // 4)
        points = self._left.fresh(points)
        new = [p for p in points if canonical(p) not in self._estimates]
        if new:
            self._estimate(self._most_promising(new, _ESTIMATED * count))
        usable = [p for p in points if self._estimates.get(canonical(p)) is not None]
        for point in usable:
            self._pool.setdefault(canonical(point), point)
        if usable or not self._guide_knows():
            return usable or points
        return []

    def _guide_knows(self) -> bool:
        return any(found is not None for found in self._estimates.values())

    def _most_promising(self, points: list[Point], count: int) -> list[Point]:
        """The points that the model expects to be fastest, before their estimates.

        The estimate of a point is guessed from that of the most similar point.
        """
        if len(points) <= count or not self._guide_knows():
            return points
        known = [
            (p, e)
            for p, e in ((p, self._estimates.get(k)) for k, p in self._all_known())
            if e is not None
        ]
        codes = self._encoding.codes(points)
        other = self._encoding.codes([p for p, _ in known])
        logs = np.log([e for _, e in known])
        distances = np.sum(codes[:, None, :] != other[None, :, :], axis=2)
        guessed = logs[np.argmin(distances, axis=1)]
        empty = (self._encoding.codes([]), np.zeros(0))
        predicted = self._process.predict(codes, guessed, empty)
        order = np.argsort(predicted.times - predicted.deviations, kind="stable")
        return [points[int(place)] for place in order[:count]]

    def _all_known(self) -> list[tuple[str, Point]]:
        told = [(key, point) for key, (point, _) in self._times.items()]
        return [*self._pool.items(), *self._pending.items(), *told]

    def _near_best(self, candidates: Sequence[Point]) -> np.ndarray:
        """Which candidates are neighbours of the best points."""
        near: set[str] = set()
        for _, point in self._worked()[:_ELITE]:
            near |= {canonical(one) for one in self._space.neighbours(point)}
            if any(canonical(one) in near for one in candidates):
                break
        return np.array([canonical(one) in near for one in candidates])


def _make(
    space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
) -> Guided:
    return Guided(space, seed, options, guide)


GUIDED = StrategyKind(
    "guided",
    "estimates first, every structure, then a model of the deviations from them",
    OPTIONS,
    _make,
)
