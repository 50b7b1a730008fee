"""Which points fail, and linear algebra that leaves the cores to compilers."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_info

from tilewright.tuning.search.encoding import Encoding
from tilewright.tuning.search.failure_model import FailureModel
from tilewright.tuning.search.one_thread import on_one_thread
from tilewright.tuning.space.choices import Point
from tilewright.tuning.space.space import space_of

SPACE = space_of({"BM": [16, 32, 64, 128], "stages": [1, 2, 3, 4], "warps": [4, 8]})


def test_points_beside_failures_are_unlikely_to_work() -> None:
    encoding = Encoding(SPACE)
    model = FailureModel(encoding)
    points: list[Point] = list(SPACE.points())
    assert np.all(model.works(encoding.codes(points)) == 1.0)
    known = points[::2]
    failed = np.array([_fails(point) for point in known])
    model.fit(encoding.codes(known), failed)
    others = points[1::2]
    works = model.works(encoding.codes(others))
    bad = np.array([_fails(point) for point in others])
    assert float(works[bad].max()) < float(works[~bad].min())


def test_where_every_trial_failed_other_points_may_work() -> None:
    encoding = Encoding(SPACE)
    model = FailureModel(encoding)
    known: list[Point] = [{"BM": 128, "stages": n, "warps": 8} for n in (3, 4)]
    model.fit(encoding.codes(known), np.ones(2))
    near, far = model.works(
        encoding.codes(
            [
                {"BM": 128, "stages": 4, "warps": 4},
                {"BM": 16, "stages": 1, "warps": 4},
            ]
        )
    )
    assert near < far and far > 0.5


def test_linear_algebra_takes_one_thread() -> None:
    def threads() -> set[int]:
        return {i["num_threads"] for i in threadpool_info() if i["user_api"] == "blas"}

    import scipy.linalg  # noqa: F401  # a second BLAS

    before = threads()
    assert on_one_thread(threads)() == {1}
    assert threads() == before


def _fails(point: Point) -> bool:
    return int(point["BM"]) * int(point["stages"]) > 128
