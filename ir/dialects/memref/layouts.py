"""A buffer's layout as strides and an offset, however its type writes the layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    NoneAttr,
    ShapedType,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)
from xdsl.utils.hints import isa

Extent: TypeAlias = int | None
"""A number, or None where it is known only when the program runs."""


@dataclass(frozen=True)
class Layout:
    """Element (i, j, ...) lies at `offset + i * strides[0] + j * strides[1] + ...`."""

    strides: tuple[Extent, ...]
    offset: Extent


def layout_of(of: MemRefType[Attribute]) -> Layout | None:
    """A buffer's strides and offset; None for a layout that is not strided."""
    match of.layout:
        case NoneAttr():
            return Layout(tuple(ShapedType.strides_for_shape(of.get_shape())), 0)
        case StridedLayoutAttr():
            return Layout(tuple(of.layout.get_strides()), of.layout.get_offset())
        case AffineMapAttr() if len(of.layout.data.results) == 1:
            return _linear(of.layout.data.results[0], of.get_num_dims())
        case _:
            return None


def contents_of(of: Attribute) -> tuple[Attribute, Attribute]:
    """The element type and memory space of a ranked or unranked buffer."""
    if isa(of, UnrankedMemRefType[Attribute]):
        return of.element_type, of.memory_space
    assert isa(of, MemRefType[Attribute])
    return of.element_type, of.memory_space


def symbols_of(of: MemRefType[Attribute]) -> int:
    """The number of symbols that an allocation binds: those of the layout."""
    match of.layout:
        case AffineMapAttr():
            return of.layout.data.num_symbols
        case StridedLayoutAttr():
            numbers = (*of.layout.get_strides(), of.layout.get_offset())
            return sum(number is None for number in numbers)
        case _:
            return 0


def sizes_of(of: MemRefType[Attribute]) -> tuple[Extent, ...]:
    """A buffer's shape, None where a size is dynamic."""
    return tuple(None if size == DYNAMIC_INDEX else size for size in of.get_shape())


def times(a: Extent, b: Extent) -> Extent:
    """A product; None if a factor is None."""
    return None if a is None or b is None else a * b


def plus(a: Extent, b: Extent) -> Extent:
    """A sum; None if a term is None."""
    return None if a is None or b is None else a + b


def strided(
    of: MemRefType[Attribute], sizes: Sequence[Extent], layout: Layout
) -> MemRefType[Attribute]:
    """The type of a view of the same memory with these sizes and this layout."""
    return MemRefType(
        of.element_type,
        [DYNAMIC_INDEX if size is None else size for size in sizes],
        StridedLayoutAttr(layout.strides, layout.offset),
        of.memory_space,
    )


def may_be(one: Extent, other: Extent) -> bool:
    """Whether two numbers can be equal: one is unknown, or both are the same."""
    return one is None or other is None or one == other


_Term: TypeAlias = tuple[int | None, Extent]
"""A dimension (None for the offset) and its factor."""


def _linear(expr: AffineExpr, rank: int) -> Layout | None:
    terms = _terms(expr)
    if terms is None:
        return None
    strides: list[Extent] = [0] * rank
    offset: Extent = 0
    for dim, factor in terms:
        if dim is None:
            offset = plus(offset, factor)
        else:
            strides[dim] = plus(strides[dim], factor)
    return Layout(tuple(strides), offset)


def _terms(expr: AffineExpr) -> list[_Term] | None:
    match expr:
        case AffineConstantExpr():
            return [(None, expr.value)]
        case AffineSymExpr():
            return [(None, None)]
        case AffineDimExpr():
            return [(expr.position, 1)]
        case AffineBinaryOpExpr() if expr.kind == AffineBinaryOpKind.Add:
            left, right = _terms(expr.lhs), _terms(expr.rhs)
            return None if left is None or right is None else [*left, *right]
        case AffineBinaryOpExpr() if expr.kind == AffineBinaryOpKind.Mul:
            left, right = _terms(expr.lhs), _terms(expr.rhs)
            if left is None or right is None:
                return None
            # One factor has no dimensions: affine maps have no other products.
            if any(dim is not None for dim, _ in right):
                left, right = right, left
            factor: Extent = 0
            for _, value in right:
                factor = plus(factor, value)
            return [(dim, times(value, factor)) for dim, value in left]
        case _:
            return None
