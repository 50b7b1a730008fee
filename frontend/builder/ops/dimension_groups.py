"""Groups of dimensions that are one dimension of another shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tilewright.frontend.builder.sizes import (
    Shape,
    Size,
    divides,
    product,
    static,
    tensor_type,
)
from tilewright.frontend.builder.tensor_view import T
from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.tensor.shapes import reassociation_of

Groups: TypeAlias = Sequence[Sequence[int]]
"""Which dimensions of the longer shape make up each dimension of the shorter."""


def groups_of(source: Shape, target: Shape) -> tuple[Groups, Groups] | None:
    """Runs of dimensions of both shapes that have equally many elements."""
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(source) and j < len(target):
        left, right = [i], [j]
        one, two = source[i], target[j]
        i, j = i + 1, j + 1
        while one != two:
            if i < len(source) and _is_less(one, two):
                one, left, i = product((one, source[i])), [*left, i], i + 1
            elif j < len(target) and _is_less(two, one):
                two, right, j = product((two, target[j])), [*right, j], j + 1
            else:
                return None
        groups.append((left, right))
    if any(size != 1 for size in (*source[i:], *target[j:])):
        return None
    if groups:
        groups[-1][0].extend(range(i, len(source)))
        groups[-1][1].extend(range(j, len(target)))
    return [left for left, _ in groups], [right for _, right in groups]


def _is_less(one: Size, two: Size) -> bool:
    """Whether a group of dimensions needs more of them to reach another's size."""
    if isinstance(one, int) and isinstance(two, int):
        return one < two
    return divides(one, two)


def collapsed(x: T, shape: Shape, groups: Groups) -> T:
    """A tensor with each group of its dimensions as one."""
    op = tensor.CollapseShapeOp.build(
        operands=[x.value],
        properties={"reassociation": reassociation_of(groups)},
        result_types=[tensor_type(shape, x.dtype)],
    )
    return x.like(x.builder.add(op, "collapsed"), shape, x.dtype)


def expanded(x: T, shape: Shape, groups: Groups) -> T:
    """A tensor with each of its dimensions as a group of several."""
    op = tensor.ExpandShapeOp(
        x.value,
        [x.builder.size(size) for size in shape if isinstance(size, str)],
        reassociation_of(groups),
        [static(size) for size in shape],
        tensor_type(shape, x.dtype),
    )
    return x.like(x.builder.add(op, "expanded"), shape, x.dtype)
