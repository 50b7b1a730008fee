"""A large space whose results are predicted from some hundred measured points.

Nobody has measured every point of a large space. Gradient boosting learns the times
and the cost model's estimates from those that were measured (`spaces/large/`), and
predicts those of all valid points. Each point also deviates from the prediction by a
fixed random share, as programs do that differ in ways the choices do not show.

A replay on such a space shows whether a search copes with its size. It does not show
the regret on a card: the best predicted point is not the best real one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
from tilewright.tuning.space.choices import Point, Value

SPREAD = 0.01
"""The standard deviation of a point from its prediction."""
LIMIT = 232_448
"""Bytes of shared memory of a block on an H200."""
SECONDS = {"transform": 0.07, "emit": 0.035, "compile": 0.4, "check": 0.004}
"""The seconds of a point by stage, as on an H200 with 16 cores that are all busy."""
LOSER, GOOD = 0.006, 0.04
"""The seconds to time a point that is slow, or within 1.3 times the best."""


def predicted_space(measured: RecordedSpace) -> RecordedSpace:
    """The space with a result for every valid point."""
    points = list(measured.space.points())
    table = _table(points)
    worked = [one for one in measured.points if one.milliseconds]
    known = _table([one.point for one in worked])
    times = _predict(known, [one.milliseconds or 0.0 for one in worked], table)
    estimated = [one for one in worked if one.estimate]
    estimates = _predict(
        _table([one.point for one in estimated]),
        [one.estimate or 0.0 for one in estimated],
        table,
    )
    times *= np.exp(np.random.default_rng(0).normal(0.0, SPREAD, len(points)))
    fits = [_shared(point) <= LIMIT for point in points]
    best = float(np.min(times[np.array(fits)]))
    rows = (
        _point(number, point, float(time), float(estimate), best)
        for number, (point, time, estimate) in enumerate(
            zip(points, times, estimates, strict=True)
        )
    )
    return replace(measured, points=tuple(rows))


def _point(
    number: int, point: Point, time: float, estimate: float, best: float
) -> RecordedPoint:
    build = {"transform": SECONDS["transform"], "emit": SECONDS["emit"]}
    if _pipeline(point, int(point["stages"]) - 1) > LIMIT:
        # The compiler need not be asked.
        return RecordedPoint(point, "pruned", f"{number}", seconds=build)
    if _shared(point) > LIMIT:
        build["compile"] = SECONDS["compile"]
        return RecordedPoint(
            point, "pruned", f"{number}", seconds=build, estimate=estimate
        )
    seconds = {**SECONDS, "time": GOOD if time <= 1.3 * best else LOSER}
    return RecordedPoint(
        point, "ok", f"{number}", time, time, time, seconds, estimate=estimate
    )


def _predict(
    known: np.ndarray, values: Sequence[float], table: np.ndarray
) -> np.ndarray:
    model = HistGradientBoostingRegressor(
        max_iter=400, learning_rate=0.05, max_leaf_nodes=12, random_state=0
    )
    model.fit(known, np.log(values))
    return np.exp(model.predict(table))


def _table(points: Sequence[Mapping[str, Value]]) -> np.ndarray:
    return np.array([_row(point) for point in points])


def _row(point: Mapping[str, Value]) -> list[float]:
    """The choices, and what depends on several of them."""
    bm, bn, warps = (int(point[name]) for name in ("BM", "BN", "warps"))
    tiles = math.ceil(3000 / bm) * math.ceil(2000 / bn)
    numbers = [
        float(value == "descriptors") if isinstance(value, str) else float(value)
        for value in point.values()
    ]
    waves = math.ceil(tiles / 132) * 132 / tiles
    return [*numbers, bm * bn / warps, float(tiles), waves, float(_shared(point))]


def _shared(point: Mapping[str, Value]) -> int:
    """Bytes of the pipeline, and of the part of a tile that a persistent one stores."""
    bm, bn = int(point["BM"]), int(point["BN"])
    stored = int(point["persistent"]) * bm * bn * 2 // int(point["parts"])
    return _pipeline(point, int(point["stages"])) + stored


def _pipeline(point: Mapping[str, Value], stages: int) -> int:
    bm, bn, bk = (int(point[name]) for name in ("BM", "BN", "BK"))
    return stages * (bm + bn) * bk * 2
