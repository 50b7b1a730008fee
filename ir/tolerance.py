"""Comparison of results: tolerances that follow dtype and reduction length.

Rounding the result costs a few units in its last place. Summing n products in another
order costs about the square root of n roundings of the accumulator, measured against
the size of the sums, not against the one element that happened to cancel to nearly
zero. So an element may be off by

    relative * |expected|  +  scale * rms(expected)

where both factors are the sum of the two costs. A result that lost one slice of its
reduction is off by far more, which is what the check is for.

Slack, for coarse rounding on the way, refers to the elements of a row (the last
dimension) where these are larger than the others: the first rows of causal attention
are means of few values, those after them of thousands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ir.element_types import ELEMENT_TYPES, TF32, FloatFormat
from tilewright.ir.errors import UserError

_FORMATS: dict[str, FloatFormat] = {
    "tf32": TF32,
    **{row.name: row.float_format for row in ELEMENT_TYPES if row.float_format},
}
_EXACT = frozenset(row.name for row in ELEMENT_TYPES if not row.is_float)

_CHUNK = 1 << 22
"""Elements compared at a time, so that a large result needs no large temporaries."""


@dataclass(frozen=True)
class Comparison:
    """The outcome of comparing a result with its reference."""

    ok: bool
    max_error: float
    """Largest absolute difference; infinite where one side alone is NaN or inf."""
    relative_error: float
    """`max_error` over the root mean square of the reference."""
    message: str
    """One line for a person: how large the error is, and where the worst element is."""


def unit_of(dtype: str) -> float:
    """A unit in the last place, relative to a number near 1; 0 for exact types."""
    form = _FORMATS.get(dtype)
    return 0.0 if form is None else form.epsilon


def tolerances(dtype: str, reduction: int, slack: float = 0.0) -> tuple[float, float]:
    """`(relative, scale)` for results of a dtype after sums of `reduction` terms.

    `slack` is added for results that were rounded more coarsely than their dtype.
    """
    if dtype in _EXACT:
        return 0.0, 0.0
    form = _FORMATS.get(dtype)
    if form is None:
        raise UserError(f"no tolerance is known for dtype '{dtype}'")
    rounding = form.ulps * form.epsilon
    summing = 4.0 * 2.0**-form.accumulator_bits * math.sqrt(max(reduction, 1))
    return rounding + summing + slack, rounding + summing + slack


def absolute_tolerance(
    expected: Any, dtype: str, reduction: int, slack: float = 0.0
) -> float:
    """The error that every element is allowed, whatever its own value."""
    _, scale = tolerances(dtype, reduction, slack)
    return scale * _magnitude(np.asarray(expected).reshape(-1), dtype)


def compare(
    actual: Any, expected: Any, dtype: str, reduction: int = 1, slack: float = 0.0
) -> Comparison:
    """Compare a result with its reference; `dtype` is the result's MLIR spelling."""
    got, want = np.asarray(actual), np.asarray(expected)
    if got.shape != want.shape:
        text = f"shape is {_shape(got)}, expected {_shape(want)}"
        return Comparison(False, math.inf, math.inf, text)
    if got.size == 0:
        return Comparison(True, 0.0, 0.0, "equal: there are no elements")
    relative, scale = tolerances(dtype, reduction, slack)
    flat_got, flat_want = got.reshape(-1), want.reshape(-1)
    magnitude = _magnitude(flat_want, dtype)
    worst = _Worst()
    row = want.shape[-1] if want.ndim else 1
    chunk = max(1, _CHUNK // row) * row
    for start in range(0, flat_got.size, chunk):
        window = slice(start, start + chunk)
        expects = _wide(flat_want[window], dtype)
        absolute: Any = scale * magnitude
        if slack and relative:
            absolute = absolute + slack * above_all(expects, row, magnitude)
        worst.add(start, _wide(flat_got[window], dtype), expects, relative, absolute)
    return worst.verdict(flat_got, flat_want, got.shape, magnitude)


class _Worst:
    """The largest error, and the largest share of a tolerance, over all chunks."""

    def __init__(self) -> None:
        self.max_error = 0.0
        self.bad = 0
        self.share = -1.0
        self.at = 0
        """The element that uses most of its allowance."""
        self.allowed = 0.0

    def add(
        self, start: int, got: Any, want: Any, relative: float, absolute: Any
    ) -> None:
        with np.errstate(invalid="ignore", over="ignore"):
            error = np.abs(got - want)
            allowed = absolute + relative * np.abs(want)
        # inf - inf and NaN - NaN are NaN: compare infinities and NaNs by equality.
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        finite = np.isfinite(got) & np.isfinite(want)
        error = np.where(same, 0.0, np.where(finite, error, math.inf))
        allowed = np.where(np.isfinite(allowed), allowed, 0.0)
        over = error > allowed
        self.max_error = max(self.max_error, float(error.max()))
        self.bad += int(np.count_nonzero(over))
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(error > 0.0, error / allowed, 0.0)
        index = int(share.argmax())
        if float(share[index]) > self.share:
            self.share = float(share[index])
            self.at = start + index
            self.allowed = float(allowed[index])

    def verdict(
        self, got: Any, want: Any, shape: tuple[int, ...], magnitude: float
    ) -> Comparison:
        relative = self.max_error / magnitude if magnitude > 0 else self.max_error
        place = [int(i) for i in np.unravel_index(self.at, shape)]
        worst = Worst(place, got[self.at], want[self.at], self.share)
        if self.bad == 0:
            text = describe_equal(self.max_error, relative, worst)
            return Comparison(True, self.max_error, relative, text)
        text = (
            f"{self.bad} of {got.size} elements differ; worst at {worst.values()} "
            f"(allowed error {self.allowed:.3g})"
        )
        return Comparison(False, self.max_error, relative, text)


@dataclass(frozen=True)
class Worst:
    """The element of a result that uses most of its tolerance."""

    place: Sequence[int]
    got: Any
    expected: Any
    share: float
    """Its error over the error that is allowed there."""

    def values(self) -> str:
        """Its position, its value and the expected value."""
        return (
            f"{list(self.place)}: {_number(self.got)}, expected "
            f"{_number(self.expected)}"
        )


def describe_equal(max_error: float, relative_error: float, worst: Worst) -> str:
    """The message for a result that is equal within its tolerance."""
    if max_error == 0.0:
        return "equal in every element"
    return (
        f"equal within tolerance; largest error {max_error:.3g}, "
        f"{relative_error:.2g} of the root mean square; at most "
        f"{worst.share:.0%} of the tolerance is used, at {worst.values()}"
    )


def _wide(values: Any, dtype: str) -> Any:
    """Values in a type wide enough for their difference."""
    if dtype in _EXACT or dtype == "f64":
        return values.astype(np.float64)
    return values.astype(np.float32)


def above_all(values: Any, row: int, magnitude: float) -> Any:
    """How far the root mean square of each element's row is above that of all."""
    finite = np.where(np.isfinite(values), values, 0.0).reshape(-1, row)
    rms = np.sqrt(np.mean(np.square(finite), axis=1))
    return np.repeat(np.maximum(rms - magnitude, 0.0), row)


def _magnitude(values: Any, dtype: str) -> float:
    """Root mean square of the finite values; never below the format's normal range."""
    total, count = 0.0, 0
    for start in range(0, values.size, _CHUNK):
        wide = values[start : start + _CHUNK].astype(np.float64)
        wide = wide[np.isfinite(wide)]
        total += float(np.dot(wide, wide))
        count += wide.size
    return magnitude_of(total, count, dtype)


def magnitude_of(squares: float, count: int, dtype: str) -> float:
    """The root mean square of `count` values from the sum of their squares."""
    rms = math.sqrt(squares / count) if count else 0.0
    form = _FORMATS.get(dtype)
    return rms if form is None else max(rms, form.smallest_normal)


def _number(value: Any) -> str:
    return f"{float(value):.6g}"


def _shape(array: Any) -> str:
    return "x".join(str(extent) for extent in array.shape) or "scalar"
