"""Nodes of conditions, and the bounds of their values.

Bounds decide many comparisons: `a + b <= 0` is false where `a` and `b` are both at
least 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from tilewright.transforms.control.choices.formulas import divide
from tilewright.tuning.space.solving.domains import Bound

_HUGE = 1 << 256
"""Larger bounds are taken as infinite: they are of no use, and no float holds them."""


class Node:
    """A condition or a number; equal nodes are the same object."""

    __slots__ = ("kind", "parts", "mask", "low", "high", "depth", "serial")

    def __init__(
        self,
        kind: str,
        parts: tuple[Any, ...],
        mask: int,
        bounds: tuple[Bound, Bound],
        depth: int,
        serial: int,
    ) -> None:
        self.kind = kind
        self.parts = parts
        self.mask = mask
        """The choices that it depends on, as bits."""
        self.low, self.high = bounds
        self.depth = depth
        self.serial = serial


def clamped(low: Bound, high: Bound) -> tuple[Bound, Bound]:
    """Bounds that are not tighter, and small enough to compute with infinity.

    A lower bound is never plus infinity: otherwise the difference of two huge numbers
    would seem to be huge, too.
    """
    return (
        -inf if low < -_HUGE else min(low, _HUGE),
        inf if high > _HUGE else max(high, -_HUGE),
    )


def times(a: Bound, b: Bound) -> Bound:
    """A product in which 0 times infinity is 0."""
    return 0 if a == 0 or b == 0 else a * b


def scaled(factor: int, node: Node) -> tuple[Bound, Bound]:
    """The bounds of a multiple of a number."""
    if abs(factor) > _HUGE:
        return -inf, inf
    low, high = times(factor, node.low), times(factor, node.high)
    return clamped(min(low, high), max(low, high))


def bounds_of(kind: str, given: Sequence[Node]) -> tuple[Bound, Bound]:
    """The bounds of an operation, from those of its operands."""
    if kind == "ite":
        return min(given[1].low, given[2].low), max(given[1].high, given[2].high)
    if kind == "abs":
        return 0, max(abs(given[0].low), abs(given[0].high))
    if kind == "xor":
        return 0, 1
    if kind == "%":
        return 0, max(abs(given[1].low), abs(given[1].high), 1) - 1
    if kind == "/" and given[1].low == given[1].high > 0 and abs(given[0].low) != inf:
        low, high, by = given[0].low, given[0].high, int(given[1].low)
        return divide(int(low), by), high if high == inf else divide(int(high), by)
    return -inf, inf
