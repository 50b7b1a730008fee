"""Fitting the numbers of a calibration to measured times.

One number after the other is moved to where the errors of the estimates are least, in
some rounds with ever smaller steps. An error is the logarithm of estimate over time;
large ones count less than by their square, since some kernels are slow for reasons that
no model has. A number that few times depend on stays near its start. The launch is not
fitted: it is measured, as what one more kernel takes that does nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.calibration import Calibration, changed, numbers
from tilewright.tuning.calibrating.estimates import Estimates
from tilewright.tuning.calibrating.points import Measurements

STEPS = (0.2, 0.1, 0.05, 0.02)
"""The steps of the rounds, as logarithms of a number over another."""
USUAL_ERROR = 0.2
"""Errors up to about this count by their square."""
PRIOR = 2.0
"""How much the square of a number's move counts, beside those of errors."""

Report = Callable[[str, int, int], None]


def error_of(estimates: Sequence[float], times: Sequence[float]) -> float:
    """The sum of the errors of estimates."""
    total = 0.0
    for estimate, time in zip(estimates, times, strict=True):
        off = math.log(estimate / time) / USUAL_ERROR
        total += math.sqrt(1 + off * off) - 1
    return total * USUAL_ERROR**2


def fitted(
    measured: Measurements,
    target: Target,
    start: Calibration,
    report: Report = lambda what, done, total: None,
    steps: Sequence[float] = STEPS,
    kept: Iterable[str] = (),
) -> Calibration:
    """The calibration that is fitted to measurements, from a start.

    Numbers whose paths begin with one of `kept` stay as they are.
    """
    estimates = Estimates(measured, target)
    found, done = start, 0
    if measured.launch:
        found = changed(start, {"launch": rounded(measured.launch)})
    names = [name for name in numbers(start) if not name.startswith(("launch", *kept))]
    for step in steps:
        for name in names:
            report("fitting", done, len(names) * len(steps))
            done += 1
            found = _moved(found, start, name, step, estimates)
    return found


def _moved(
    found: Calibration,
    start: Calibration,
    name: str,
    step: float,
    estimates: Estimates,
) -> Calibration:
    """A calibration with one number moved by up to four steps, if that is better."""
    first, now = numbers(start)[name], numbers(found)[name]
    points = estimates.readers.get(name.partition(".")[0], [])
    times = estimates.times(points, found.launch)

    def loss(candidate: Calibration, value: float) -> float:
        moved = math.log(value / first)
        off = error_of(estimates.seconds(candidate, points), times)
        return off + PRIOR * moved * moved

    best, least = found, loss(found, now)
    for direction in (math.exp(step), math.exp(-step)):
        value, was = now, least
        for _ in range(4):
            value = rounded(value * direction)
            candidate = changed(found, {name: value})
            reached = loss(candidate, value)
            if reached >= least - 1e-9:
                break
            best, least = candidate, reached
        if least < was:
            break
    return best


def rounded(value: float) -> float:
    """A number with the digits that are kept."""
    return float(f"{value:.3g}")
