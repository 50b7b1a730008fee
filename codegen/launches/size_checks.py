"""Sizes as numbers, and a launcher's checks of sizes without running it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from tilewright.codegen.launches.plan import Dim, Extent, LaunchPlan
from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Expression,
    Literal,
    Name,
)

_COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "le": operator.le,
    "ge": operator.ge,
    "eq": operator.eq,
}

Shapes = Sequence[Sequence[int]]
"""The shape of each argument; none where all sizes are known."""


def size_value(extent: Extent, sizes: Mapping[Expression, int]) -> int:
    """The value of an extent, for these values of sizes and of arguments' extents."""
    match extent:
        case int():
            return extent
        case Literal():
            return int(extent.text)
        case Name() | Dim():
            return sizes[extent]
        case Binary():
            left, right = (size_value(one, sizes) for one in extent.parts)
            return _COMPUTED[extent.operator](left, right)
        case Call(function="max"):
            return max(size_value(one, sizes) for one in extent.arguments)
        case _:
            raise AssertionError(f"{extent} is no size")


def sizes_of(plan: LaunchPlan, shapes: Shapes) -> dict[Expression, int]:
    """The values of all extents of arguments, and of the sizes that are variables."""
    found: dict[Expression, int] = {
        Dim(argument, dim): size
        for argument, shape in zip(plan.arguments, shapes, strict=False)
        for dim, size in enumerate(shape)
    }
    return found | {Name(size.name): found[size.extent] for size in plan.sizes}


def refused_sizes(plan: LaunchPlan | None, shapes: Shapes) -> str | None:
    """The message with which a launcher refuses these shapes; None if it takes them."""
    if plan is None:
        return None
    sizes = sizes_of(plan, shapes)
    for need in plan.requirements:
        left, right = size_value(need.left, sizes), size_value(need.right, sizes)
        if not _HOLDS[need.predicate](left, right):
            return need.message.format(left, right)
    return None
