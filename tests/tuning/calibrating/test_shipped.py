"""Measured times hold every number of the shipped calibration, and the fit of them.

If a test fails here after a change of a cost model, fit the numbers again: `python -m
tilewright.tuning.calibrating.shipped`.
"""

from __future__ import annotations

import math
from functools import cache

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.codegen.targets.calibration import changed, numbers
from tilewright.tuning.calibrating.estimates import Estimates
from tilewright.tuning.calibrating.fitting import PRIOR, error_of
from tilewright.tuning.calibrating.shipped import (
    at_start,
    kept_numbers,
    replayed,
    shipped_measurements,
)

START = at_start("h200")
IN_USE = TARGETS["h200"].calibration
NAMES = [name for name in numbers(IN_USE) if name != "launch"]
PARTS = sorted({name.partition(".")[0] for name in NAMES})
NOTICED = 0.001
"""What a changed number has to add to the errors: all of them together are near 30."""
STEP = 0.1
"""The step of a quick replay, as a logarithm."""


@cache
def estimates() -> Estimates:
    return Estimates(shipped_measurements("h200"), START)


def error(name: str, factor: float = 1.0) -> float:
    """The errors of the points that depend on a number, if that is multiplied."""
    made = estimates()
    points = made.readers[name.partition(".")[0]]
    value = numbers(IN_USE)[name] * factor
    times = made.times(points, IN_USE.launch)
    found = made.seconds(changed(IN_USE, {name: value}), points)
    return error_of(found, times)


def loss(name: str, factor: float = 1.0) -> float:
    """What the fit makes as small as it can."""
    moved = math.log(numbers(IN_USE)[name] * factor / numbers(START.calibration)[name])
    return error(name, factor) + PRIOR * moved * moved


@pytest.mark.sampled(50)
@pytest.mark.parametrize("part", PARTS)
def test_a_number_that_is_off_by_2_is_noticed(part: str) -> None:
    """Estimates of the measured kernels are worse if a number is doubled or halved."""
    unheld = [
        name
        for name in (n for n in NAMES if n.startswith(f"{part}."))
        if max(error(name, f) for f in (2.0, 0.5)) <= error(name) + NOTICED
    ]
    assert not unheld


@pytest.mark.sampled(16)
@pytest.mark.parametrize("part", PARTS)
def test_no_step_of_the_fit_improves_a_fitted_number(part: str) -> None:
    """And the fit would bring back one that is off by 2, up or down."""
    kept = kept_numbers("h200")
    for name in (n for n in NAMES if n.startswith(f"{part}.")):
        if name.startswith(kept):
            assert numbers(IN_USE)[name] == numbers(START.calibration)[name], name
            continue
        now = loss(name)
        for step in (math.exp(STEP), math.exp(-STEP)):
            assert loss(name, step) > now - NOTICED, name
        for factor in (2.0, 0.5):
            assert loss(name, factor) > now + NOTICED, name


def test_the_launch_is_near_the_empty_kernel() -> None:
    """Its time has that of the events besides, which the H200's file does not tell."""
    times = shipped_measurements("h200")
    empty = min(one.seconds for one in times.kernels if one.work == "number")
    assert empty / 2 < IN_USE.launch <= empty
    for factor in (2.0, 0.5):
        assert not empty / 2 < factor * IN_USE.launch <= empty


def test_the_fit_is_nearer_to_the_times() -> None:
    """Half of the kernels are within 15% of their first estimates, and then 12%."""
    made = estimates()
    points = range(484)
    off: list[float] = []
    for calibration in (START.calibration, IN_USE):
        found = made.seconds(calibration, points)
        times = made.times(points, calibration.launch)
        pairs = zip(found, times, strict=True)
        off.append(sorted(abs(math.log(a / b)) for a, b in pairs)[len(points) // 2])
    assert off[0] < 0.15 and off[1] < 0.12 and off[1] < off[0]


@pytest.mark.slow
def test_the_fit_gives_the_shipped_numbers() -> None:
    assert numbers(replayed("h200")) == pytest.approx(numbers(IN_USE), rel=1e-9)


def test_half_of_the_estimates_by_tiles_are_within_27_percent() -> None:
    """`plan` and `run` tell these; `docs/devices.md` says how near they are."""
    made = estimates()
    points = made.readers["kernels"]
    pairs = zip(
        made.seconds(IN_USE, points),
        made.times(points, IN_USE.launch),
        strict=True,
    )
    off = sorted(abs(math.log(a / b)) for a, b in pairs)
    assert len(off) > 400
    assert off[len(off) // 2] < math.log(1.27)
