"""The learned model: it corrects the cost model, from few results and from others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from support.tuning.records import SETTING, record
from support.tuning.samples import matmul
from tilewright.codegen.targets import target_named
from tilewright.tuning.learning.dataset import Example, Origin, examples_of, load
from tilewright.tuning.learning.features import ESTIMATE, describe_program
from tilewright.tuning.learning.learned_estimates import LearnedEstimates
from tilewright.tuning.learning.model import TimeModel
from tilewright.tuning.learning.quality import Fold, folds, rank_quality, spearman
from tilewright.tuning.results.database import Database
from tilewright.tuning.space.choices import Point

H200 = target_named("h200")
TILES = (32, 64, 128, 256)


def narrow_is_slow(point: Mapping[str, int]) -> float:
    """An error of the cost model that the learned one should find."""
    return 3.0 if point["BN"] < 128 else 1.0


def examples(
    size: int,
    device: str = "card",
    error: Callable[[Mapping[str, int]], float] = narrow_is_slow,
) -> list[Example]:
    """Products of one size with several tiles; each time is off by the error."""
    origin = Origin(f"{size} on {device}", "product", device, "tiles.tw")
    found: list[Example] = []
    for bm, bn, stages in itertools.product(TILES, TILES, (2, 3, 4)):
        point = {"BM": bm, "BN": bn, "stages": stages}
        features = describe_program(matmul(size, bm=bm, bn=bn, stages=stages), H200)
        time = features[ESTIMATE] * error(point) * 1.5
        found.append(Example(origin, point, features, time))
    return found


@pytest.mark.slow
def test_other_shapes_teach_the_model() -> None:
    known = examples(512) + examples(2048)
    new = examples(1024)
    model = LearnedEstimates(new[0].origin, known)
    assert model.is_learned
    guessed = model.estimate([e.point for e in new], [e.features for e in new])
    times = [e.milliseconds for e in new]
    analytic = [e.features[ESTIMATE] for e in new]
    assert spearman(guessed, times) > 0.95 > spearman(analytic, times) + 0.05
    # The estimates of the known shapes were 1.5 times too low, and more.
    assert all(0.6 < g / t < 1.6 for g, t in zip(guessed, times, strict=True))


def test_results_of_the_run_itself_teach_it() -> None:
    every = examples(1024)
    shown, asked = every[::2], every[1::2]
    points, features = [e.point for e in asked], [e.features for e in asked]
    model = LearnedEstimates(every[0].origin)
    assert not model.is_learned
    before = model.estimate(points, features)
    assert before == [e.features[ESTIMATE] for e in asked]
    for example in shown:
        model.add(example.point, example.features, example.milliseconds)
    after = model.estimate(points, features)
    times = [e.milliseconds for e in asked]
    assert spearman(after, times) > spearman(before, times) + 0.05
    assert after == model.estimate(points, features)


def test_a_model_that_does_not_adapt_keeps_its_scale() -> None:
    every = examples(1024)
    points, features = [e.point for e in every], [e.features for e in every]
    model = LearnedEstimates(every[0].origin, adapts=False)
    before = model.estimate(points, features)
    for example in every:
        model.add(example.point, example.features, example.milliseconds)
    assert model.estimate(points, features) == before


def test_a_choice_without_a_feature_is_learned() -> None:
    every = examples(1024, error=lambda point: 1.0)
    doubled = [
        Example(e.origin, {**e.point, "tail": tail}, e.features, e.milliseconds * slow)
        for e in every
        for tail, slow in (("fused", 1.0), ("apart", 2.0))
    ]
    model = LearnedEstimates(every[0].origin, doubled)
    both: list[Point] = [
        {**every[9].point, "tail": tail} for tail in ("fused", "apart")
    ]
    fused, apart = model.estimate(both, [every[9].features] * 2)
    assert apart > 1.3 * fused


def test_examples_of_a_results_file(tmp_path: Path) -> None:
    features = describe_program(matmul(), H200)
    with Database(tmp_path / "results.db") as database:
        database.record(record(2.0, program="a", point={"BM": 1}, features=features))
        database.record(record(3.0, program="b", point={"BM": 2}))
        old = {**features, "version": 0.0}
        database.record(record(3.0, program="c", point={"BM": 3}, features=old))
        failed = record(None, program="d", point={"BM": 4}, features=features)
        database.record(failed)
        (found,) = load(database, SETTING, measured=True)
        assert (found.point, found.milliseconds) == ({"BM": 1}, 2.0)
        assert found.features == features
        assert found.origin == Origin.of(SETTING)
        assert load(database, SETTING, measured=False) == []
        assert examples_of(database.list()) == [found]


def test_rankings() -> None:
    times = [float(n) for n in range(1, 41)]
    assert rank_quality(times, times).correlation == pytest.approx(1)
    assert rank_quality(times, times).regret == (0, 0, 0, 0)
    backwards = rank_quality(times[::-1], times)
    assert backwards.correlation == pytest.approx(-1)
    assert backwards.regret == (39, 35, 30, 10)
    assert spearman([1.0, 1.0, 2.0], [1.0, 1.0, 5.0]) == pytest.approx(1)


@pytest.mark.slow
def test_folds_hold_out_what_they_say() -> None:
    known = examples(512) + examples(1024) + examples(512, "other card")
    by_shape: list[Fold] = list(folds(known, "shape"))
    assert [fold.origin.space for fold in by_shape] == [
        "512 on card",
        "1024 on card",
        "512 on other card",
    ]
    assert all(fold.trained_on == 96 for fold in by_shape)
    assert all(f.learned.correlation > f.analytic.correlation for f in by_shape)
    assert [fold.trained_on for fold in folds(known, "device")] == [48, 48, 96]
    assert list(folds(known, "family")) == []
    assert [f.programs for f in folds(known, "most")] == [24, 24, 24]


def test_few_other_payloads_teach_little() -> None:
    known = examples(512)
    new = [
        Example(Origin("new", "another", "card"), {}, e.features, e.milliseconds)
        for e in examples(1024)
    ]
    asked = [{}] * len(new), [e.features for e in new]
    spread: list[float] = []
    for count in (1, 8):
        taught = [
            Example(Origin(f"{n}", f"{n}", "card"), e.point, e.features, e.milliseconds)
            for n in range(count)
            for e in known
        ]
        found = LearnedEstimates(new[0].origin, taught).estimate(*asked)
        ratios = [f / e.features[ESTIMATE] for f, e in zip(found, new, strict=True)]
        spread.append(max(ratios) / min(ratios))
    assert 1.2 < spread[0] < spread[1] < 3.2


def test_columns_with_many_values_are_binned() -> None:
    every = examples(1024)
    noisy = [
        Example(
            e.origin,
            {**e.point, "copy": copy},
            {**e.features, "traffic.l2": e.features["traffic.l2"] + 1e-3 * n + copy},
            e.milliseconds,
        )
        for copy in range(4)
        for n, e in enumerate(every)
    ]
    model = TimeModel(every[0].origin)
    model.fit(noisy)
    guessed = model.predict([e.features for e in noisy], [e.point for e in noisy])
    assert spearman(guessed, [e.milliseconds for e in noisy]) > 0.9
