"""The default: rank by estimates, try every structure, then learn from the times.

1. The guide estimates a sample of the space. The first trials are the best estimates:
   of all points, and of those with each option of a structural choice (a branch, a
   word, a flag). So every structure is tried before numbers are refined. More points
   are estimated while the first trials are compiled. After that, estimates of new
   points are predicted, because building them would keep the workers busy.
2. A Gaussian process over the choices learns how the times deviate from the estimates
   (`choice_process.py`). The next trials are the points with the largest expected gain.
   The candidates are random points, and neighbours, crossings and mutations of the
   best points.
3. One trial in eight is a neighbour of the best point: the model may be wrong there.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from tilewright.ir.errors import UserError
from tilewright.tuning.search.choice_process import ChoiceProcess, Prediction
from tilewright.tuning.search.encoding import is_structural
from tilewright.tuning.search.estimated_points import EstimatedPoint, EstimatedPoints
from tilewright.tuning.search.failure_model import FailureModel
from tilewright.tuning.search.strategies.base import Option, OptionValue, StrategyKind
from tilewright.tuning.search.unproposed import Unproposed

if TYPE_CHECKING:
    from tilewright.tuning.search.guide import Guide
    from tilewright.tuning.space.choices import Point, Value
    from tilewright.tuning.space.space import Space

OPTIONS = (
    Option("sample", 32, "random points that are estimated before the first trial"),
    Option("more", 96, "points that are estimated with the next ones, the best first"),
    Option("first", 1, "best estimates among the first trials, besides the structures"),
    Option("local", 8, "one trial in so many is a neighbour of the best; 0: none"),
    Option("explore", 6, "one trial in so many is a random good point; 0: none"),
    Option("known", 200, "most results that the model learns from"),
)

_AT_ONCE = 16
"""Points that the guide estimates at once, after the sample."""
_PATIENCE = 8
"""Times that the guide is asked again about points that it does not know yet."""
_POOL = 500
"""Candidates above which the slower half of them is dropped."""
_GOOD = 2.0
"""Times the best time, up to which a prediction is worth exploring."""
_BLIND = 4
"""Trials under way for each known time, above which every other trial explores."""


class Guided:
    """A search by estimates and results."""

    def __init__(
        self, space: Space, seed: int, options: dict[str, OptionValue], guide: Guide
    ) -> None:
        self._space = space
        self._left = Unproposed(space, seed)
        self._points = EstimatedPoints(space, guide)
        self._process = ChoiceProcess(self._points.encoding)
        self._failures = FailureModel(self._points.encoding)
        self._sample_size = int(options["sample"])
        self._more = int(options["more"])
        self._rate = min(0.5, 2.0 / max(1, len(space.choices)))
        self._first = int(options["first"])
        self._local = int(options["local"])
        self._explore = int(options["explore"])
        self._most_known = int(options["known"])
        self._pool: dict[str, EstimatedPoint] = {}
        """Points that were not proposed, of which most have an estimate."""
        self._awaited: list[EstimatedPoint] | None = None
        """Points that the guide was asked about and does not know yet."""
        self._polls = 0
        """How often it was asked about them again."""
        self._structures = _structures(space)
        self._pending: dict[str, EstimatedPoint] = {}
        self._times: dict[str, tuple[EstimatedPoint, float | None]] = {}
        self._asked = 0

    def ask(self, count: int) -> list[Point]:
        """The first trials while there are any; then those with the largest gains."""
        self._ask_guide()
        chosen: list[EstimatedPoint] = []
        while len(chosen) < count and (one := self._next_first()) is not None:
            self._take(one, chosen)
        missing = count - len(chosen)
        if missing and self._knows_something():
            for one in self._by_gain(missing):
                self._take(one, chosen)
        # What cannot be built, or was never sampled, comes last. As long as neither an
        # estimate nor a time is known, all points are random: on six recorded products
        # a model without data chose worse (92.9% of the best after 30, not 95.0%).
        for point in self._left.fill([], count - len(chosen)):
            self._take(self._points.get(point), chosen)
        return [one.point for one in chosen]

    def _knows_something(self) -> bool:
        return self._points.guide_knows or bool(self._ranking())

    def tell(self, point: Point, milliseconds: float | None) -> None:
        """Learn a time."""
        one = self._points.get(point)
        self._pending.pop(one.key, None)
        self._pool.pop(one.key, None)
        self._left.take(point)
        self._times[one.key] = (one, milliseconds)

    def _take(self, one: EstimatedPoint, chosen: list[EstimatedPoint]) -> None:
        self._left.take(one.point)
        self._pool.pop(one.key, None)
        self._pending[one.key] = one
        chosen.append(one)
        self._asked += 1

    # By estimates

    def _ask_guide(self) -> None:
        """Ask about a sample; later about points that are predicted to be the best."""
        if self._awaited is None:
            self._add(self._points.all(self._stratified_sample()))
            self._awaited = list(self._pool.values())
        elif self._polls < _PATIENCE and self._awaited:
            self._polls += 1
        elif self._more > 0 and self._points.guide_knows:
            self._polls = 0
            self._add(self._points.all(self._left.sample(4 * _AT_ONCE)))
            new = [one for one in self._pool.values() if not one.is_answered]
            order = np.argsort(self._points.logarithms(new), kind="stable")
            count = min(self._more, _AT_ONCE)
            self._awaited = [new[int(place)] for place in order[:count]]
            self._more -= count
        self._awaited = self._points.estimate(self._awaited)

    def _next_first(self) -> EstimatedPoint | None:
        """The next of the first trials: the best estimates of all, of each structure.

        None where there is no such trial left.
        """
        if self._first > 0:
            self._first -= 1
            return self._best_estimate(self._pool.values())
        while self._structures:
            wanted = self._structures[0]
            proposed = [
                *self._pending.values(),
                *(one for one, _ in self._times.values()),
            ]
            if not any(wanted.items() <= one.point.items() for one in proposed):
                having = [
                    o for o in self._pool.values() if wanted.items() <= o.point.items()
                ]
                best = self._best_estimate(having)
                if best is not None:
                    return best
            self._structures.pop(0)
        return None

    def _best_estimate(self, points: Iterable[EstimatedPoint]) -> EstimatedPoint | None:
        """The point with the best estimate; any point where no estimate is known."""
        usable = [one for one in points if not one.refused]
        known = [one for one in usable if one.estimate is not None]
        if known:
            return min(known, key=lambda one: one.estimate or 0.0)
        return usable[0] if usable else None

    def _stratified_sample(self) -> list[Point]:
        """Random points, and some with each structural option."""
        points = self._left.sample(self._sample_size)
        for name, choice in self._space.choices.items():
            for option in choice.options if is_structural(choice) else ():
                share = self._sample_size // (4 * len(choice.options))
                missing = share - sum(p.get(name) == option for p in points)
                if missing > 0:
                    points += self._sample_with(name, option, min(missing, 4))
        return points

    def _sample_with(self, name: str, option: Value, count: int) -> list[Point]:
        """Valid points with an option that few random points have."""
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

    def _add(self, points: Sequence[EstimatedPoint]) -> None:
        """Add points to the pool, unless they were proposed."""
        for one in points:
            if one.key not in self._times and one.key not in self._pending:
                self._pool[one.key] = one

    # By results

    def _ranking(self) -> list[tuple[float, EstimatedPoint]]:
        """The known times, fastest first."""
        found = [(ms, one) for one, ms in self._times.values() if ms is not None]
        return sorted(found, key=lambda entry: entry[0])

    def _by_gain(self, count: int) -> list[EstimatedPoint]:
        """The candidates with the largest expected gains, best first."""
        ranking = self._ranking()
        elite = [one for _, one in ranking[:5]]
        best = math.log(ranking[0][0]) if ranking else None
        self._fit()
        candidates = self._candidates(elite, count)
        if not candidates:
            return []
        prediction = self._predict(candidates)
        works = self._failures.works(self._points.codes(candidates))
        if best is None:
            # Before the first result, the best time is what the estimates promise.
            logarithms = self._points.logarithms(candidates)
            best = float(np.min(logarithms[works >= 0.5], initial=np.max(logarithms)))
        near = self._near(elite, candidates)
        explore, rng = self._explore, self._left.rng
        if len(self._pending) > _BLIND * len(ranking):
            explore = min(explore, 2)
        chosen: list[EstimatedPoint] = []
        is_open = np.ones(len(candidates), dtype=bool)
        for number in range(min(count, len(candidates))):
            turn = self._asked + number
            # Where no gain is expected, the fastest prediction is next.
            score = np.log(prediction.gains(best) + 1e-12) - 1e-3 * prediction.times
            usable = is_open
            if self._local and turn % self._local == 0 and (is_open & near).any():
                usable = is_open & near
            elif explore and turn % explore == 1:
                good = is_open & (prediction.times < best + math.log(_GOOD))
                usable = good if good.any() else is_open
                score = np.array([rng.random() for _ in candidates])
            place = int(np.argmax(np.where(usable, score + np.log(works), -np.inf)))
            is_open[place] = False
            prediction.assume(place)
            chosen.append(candidates[place])
        return chosen

    def _fit(self) -> None:
        """Fit the models of times and of failures."""
        worked = [(one, ms) for one, ms in self._times.values() if ms is not None]
        failed = [one for one, ms in self._times.values() if ms is None]
        half = self._most_known // 2
        if len(worked) > self._most_known:
            worked.sort(key=lambda entry: entry[1])
            worked = worked[:half] + self._left.rng.sample(worked[half:], half)
        points = [one for one, _ in worked]
        self._points.estimate(points)  # their trials have built them
        self._process.fit(
            self._points.codes(points),
            self._points.logarithms(points),
            np.log([ms for _, ms in worked]),
        )
        failed += self._points.refused
        if failed:
            # Those of the last proposals are near the points that are asked for next.
            some = points[-half:]
            both = self._points.codes(some + failed[-half:])
            is_failed = np.arange(len(both)) >= len(some)
            self._failures.fit(both, is_failed)

    def _predict(self, points: Sequence[EstimatedPoint]) -> Prediction:
        pending = list(self._pending.values())
        return self._process.predict(
            self._points.codes(points),
            self._points.logarithms(points),
            (self._points.codes(pending), self._points.logarithms(pending)),
        )

    def _candidates(
        self, elite: Sequence[EstimatedPoint], count: int
    ) -> list[EstimatedPoint]:
        """The pool, with new points: near the best ones, and at random."""
        for one in elite:
            self._add(self._points.neighbours(one))
        parents = [one.point for one in elite]
        if parents:
            moved = [
                self._left.cross(parents, 2)
                if number % 2
                else self._left.mutate(self._left.rng.choice(parents), self._rate, 2)
                for number in range(8)
            ]
            self._add(self._points.all(one for one in moved if one is not None))
        self._add(self._points.all(self._left.sample(8)))
        candidates = [one for one in self._pool.values() if not one.refused]
        if len(candidates) <= _POOL:
            return candidates
        order = np.argsort(self._points.logarithms(candidates), kind="stable")
        kept = [candidates[int(place)] for place in order[: _POOL // 2]]
        self._pool = {one.key: one for one in kept}
        return kept

    def _near(
        self, elite: Sequence[EstimatedPoint], candidates: Sequence[EstimatedPoint]
    ) -> np.ndarray:
        """Which candidates are neighbours of the best point that has any left."""
        for one in elite:
            keys = {other.key for other in self._points.neighbours(one)}
            found = np.array([candidate.key in keys for candidate in candidates])
            if found.any():
                return found
        return np.zeros(len(candidates), dtype=bool)


def _structures(space: Space) -> list[dict[str, Value]]:
    """What the first trials must have: each option of a structural choice."""
    return [
        {name: option}
        for name, choice in space.choices.items()
        if is_structural(choice)
        for option in choice.options
    ]


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
