"""The guided search: estimates decide the first trials, times the next ones."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tilewright.tuning.search.choice_process import ChoiceProcess
from tilewright.tuning.search.encoding import Encoding
from tilewright.tuning.search.guide import Description
from tilewright.tuning.search.strategies import make_strategy
from tilewright.tuning.space.choices import Alternative, Knob, Point, canonical
from tilewright.tuning.space.space import Space

SPACE = Space(
    (
        Knob("BM", (16, 32, 64, 128, 256)),
        Knob("BN", (16, 32, 64, 128, 256)),
        Knob("stages", (1, 2, 3, 4)),
        Knob("persistent", (0, 1)),
        Alternative("loads", ("a", "b", "c"), ((), (Knob("hint", (0, 1, 2)),), ())),
    )
)


def modelled(point: Point) -> float:
    """What a cost model says: it knows the tiles, and prefers 'a'."""
    tiles = abs(math.log2(int(point["BM"]) / 64)) + abs(
        math.log2(int(point["BN"]) / 128)
    )
    return 1.0 + tiles + {"a": 0.0, "b": 0.3, "c": 0.5}[str(point["loads"])]


def real(point: Point) -> float:
    """What the device says: 'c' is best, persistent programs and stages matter too."""
    factor = {"a": 1.0, "b": 0.9, "c": 0.6}[str(point["loads"])]
    factor *= 1 + 0.1 * abs(int(point["stages"]) - 3)
    return modelled(point) * factor * (0.9 if point["persistent"] else 1.0)


class ModelGuide:
    """Estimates by `modelled`; knows nothing of tiles of 256 x 256."""

    def __init__(self) -> None:
        self.asked: list[Point] = []

    def describe(self, points: Sequence[Point]) -> list[Description | None]:
        return [None for _ in points]

    def estimate(self, points: Sequence[Point]) -> list[float | None]:
        self.asked += points
        return [math.inf if _too_large(point) else modelled(point) for point in points]


def _too_large(point: Point) -> bool:
    return point["BM"] == 256 and point["BN"] == 256


def test_first_trials_are_best_estimates_of_every_structure() -> None:
    every_point = {"sample": SPACE.count_valid()}
    strategy = make_strategy("guided", SPACE, 0, every_point, ModelGuide())
    first = strategy.ask(8)
    lowest = min(modelled(point) for point in SPACE.points())
    assert modelled(first[0]) == lowest
    assert {point["loads"] for point in first} == {"a", "b", "c"}
    assert {point["persistent"] for point in first} == {0, 1}
    tried_c = min(modelled(p) for p in first if p["loads"] == "c")
    assert tried_c == min(modelled(p) for p in SPACE.points() if p["loads"] == "c")


@pytest.mark.slow
def test_results_correct_the_estimates() -> None:
    best = min(real(point) for point in SPACE.points())
    for seed in range(3):
        strategy = make_strategy("guided", SPACE, seed, guide=ModelGuide())
        found = math.inf
        for _ in range(30):
            for point in strategy.ask(1):
                found = min(found, real(point))
                strategy.tell(point, real(point))
        assert found == best


def test_without_a_guide_it_beats_random() -> None:
    def search(name: str, seed: int) -> float:
        strategy = make_strategy(name, SPACE, seed)
        found = math.inf
        for _ in range(10):
            for point in strategy.ask(4):
                found = min(found, real(point))
                strategy.tell(point, real(point))
        return found

    assert sum(search("guided", s) for s in range(4)) < sum(
        search("random", s) for s in range(4)
    )


def test_the_guide_is_asked_once_about_a_point_and_about_few() -> None:
    guide = ModelGuide()
    strategy = make_strategy("guided", SPACE, 0, {"sample": 40, "more": 80}, guide)
    for _ in range(5):
        for point in strategy.ask(2):
            assert not _too_large(point)
            strategy.tell(point, real(point))
    keys = [canonical(point) for point in guide.asked]
    assert len(set(keys)) == len(keys)
    assert len(keys) < 80 + 5 * 6 + 10 + 16 * 7


def test_the_process_interpolates_and_knows_what_it_knows() -> None:
    encoding = Encoding(SPACE)
    rng = random.Random(0)
    points = [SPACE.sample(rng) for _ in range(120)]
    known, others = points[:90], points[90:]
    process = ChoiceProcess(encoding)

    def logs(points: list[Point], of: object) -> np.ndarray:
        assert callable(of)
        return np.log([of(point) for point in points])

    process.fit(encoding.codes(known), logs(known, modelled), logs(known, real))
    nothing = (encoding.codes([]), np.zeros(0))
    at_known = process.predict(encoding.codes(known), logs(known, modelled), nothing)
    found = process.predict(encoding.codes(others), logs(others, modelled), nothing)
    errors = np.abs(found.times - logs(others, real))
    assert float(np.mean(errors)) < 0.1
    assert float(np.mean(at_known.deviations)) < float(np.mean(found.deviations))
    # A point that is taken as measured is less unsure, and so are those like it.
    before = found.deviations.copy()
    found.assume(0)
    assert found.deviations[0] < 0.5 * before[0] or before[0] < 0.02
    assert bool(np.all(found.deviations <= before + 1e-12))


def test_no_model_is_asked_before_anything_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without an estimate and a time its points are random: no model has data."""
    fitted: list[int] = []
    fit = ChoiceProcess.fit

    def counted(self: ChoiceProcess, *given: Any) -> None:
        fitted.append(1)
        fit(self, *given)

    monkeypatch.setattr(ChoiceProcess, "fit", counted)
    strategy = make_strategy("guided", SPACE, 3)
    asked = [point for _ in range(12) for point in strategy.ask(4)]
    assert len({canonical(point) for point in asked}) == 48 and not fitted
    strategy.tell(asked[0], 1.0)
    assert len(strategy.ask(2)) == 2 and fitted
