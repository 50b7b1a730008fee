"""Comparisons of constants are decided as the interpreter computes them."""

from __future__ import annotations

import operator

import pytest

from tilewright.transforms.cleanup.patterns.arith.choices import holds_for_floats

PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
ORDERS = {
    **{"eq": operator.eq, "gt": operator.gt, "ge": operator.ge},
    **{"lt": operator.lt, "le": operator.le, "ne": operator.ne},
}


@pytest.mark.parametrize("by", range(16))
@pytest.mark.parametrize(("a", "b"), [(1.0, 0.0), (0.0, 1.0), (2.0, 2.0)])
def test_ordered_numbers(by: int, a: float, b: float) -> None:
    name = PREDICATES[by]
    expected = ORDERS[name[1:]](a, b) if name[1:] in ORDERS else name in ("ord", "true")
    assert holds_for_floats(by, a, b) == expected


@pytest.mark.parametrize("by", range(16))
def test_nan_is_unordered(by: int) -> None:
    assert holds_for_floats(by, float("nan"), 1.0) == (by >= 8)
