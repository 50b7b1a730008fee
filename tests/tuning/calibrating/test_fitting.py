"""The fit finds numbers again from times that were made with them."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.codegen.targets.calibration import (
    changed,
    from_data,
    numbers,
    to_data,
)
from tilewright.tuning.calibrating.estimates import Estimates
from tilewright.tuning.calibrating.fitting import error_of, fitted, rounded
from tilewright.tuning.calibrating.points import (
    KernelPoint,
    Measurements,
    kernel_points,
    library_points,
    rows_points,
)

H200 = TARGETS["h200"]
TRUE = {"launch": 3.1e-6, "memory.peak_share": 0.8}


def imagined(truth: dict[str, float]) -> Measurements:
    """Times of element-wise kernels on a device with other numbers, 3% off."""
    wanted = ("number", "silu*y")
    points = [p for p in kernel_points(H200, 8) if p.work.startswith(wanted)]
    made = Measurements("imagined", tuple(points), (), (), truth["launch"])
    estimates = Estimates(made, H200)
    found = estimates.seconds(changed(H200.calibration, truth), range(len(points)))
    chance = random.Random(0)
    timed = (
        replace(one, seconds=seconds * math.exp(chance.gauss(0, 0.03)))
        for one, seconds in zip(points, found, strict=True)
    )
    return replace(made, kernels=tuple(timed))


@pytest.mark.slow
def test_the_fit_finds_the_numbers_of_an_imagined_device() -> None:
    found = numbers(fitted(imagined(TRUE), H200, H200.calibration))
    start = numbers(H200.calibration)
    assert found["launch"] == rounded(TRUE["launch"])
    assert found["memory.peak_share"] == pytest.approx(0.8, rel=0.05)
    # Nothing was timed that depends on these.
    assert found["streams.finish"] == start["streams.finish"]


def test_events_around_a_kernel_are_not_its_time() -> None:
    empty = KernelPoint("number", "numbers", {"warps": 1}, 4e-6)
    found = Measurements("x", (empty,), (), (), 2.5e-6)
    assert found.overhead(found.launch) == pytest.approx(1.5e-6)
    assert Estimates(found, H200).times([0], 2.5e-6) == [pytest.approx(2.5e-6)]


def test_large_errors_count_less_than_their_square() -> None:
    assert error_of([1.0, 2.0], [1.0, 2.0]) == 0.0
    once, twice = error_of([math.exp(0.5)], [1.0]), error_of([math.exp(1.0)], [1.0])
    assert 2 * once < twice < 4 * once


def test_numbers_have_paths() -> None:
    calibration = H200.calibration
    moved = changed(calibration, {"streams.alone.4": 2.0, "launch": 1e-6})
    moved = changed(moved, {"library.matrix_tiles.64x128": 0.5, "parts.end": 1e-9})
    assert numbers(moved)["library.matrix_tiles.64x128"] == 0.5
    differing = {k for k, v in numbers(moved).items() if numbers(calibration)[k] != v}
    assert differing == {
        "launch",
        "streams.alone.4",
        "library.matrix_tiles.64x128",
        "parts.end",
    }
    assert from_data(to_data(moved)) == moved


@pytest.mark.slow
def test_measurements_are_plain_data() -> None:
    import json

    found = Measurements(
        "x",
        tuple(kernel_points(H200, 1)),
        tuple(library_points()),
        tuple(rows_points()),
    )
    text = json.dumps(found.to_data())
    assert json.dumps(Measurements.from_data(json.loads(text)).to_data()) == text
