"""Views as index arithmetic: where an element of a view is in the tensor behind it.

    slice       y[i]    = x[offset + stride * i]
    expansion   y[i, j] = x[i * n + j]
    collapse    y[i]    = x[i floordiv n, i mod n]

An index is an affine expression. Its dims are loops of the reader, with known extents,
and its symbols are values in the reader's body. `concats.py` has pads and concats, with
conditions on an index. Rolls, flips, windows and gathers are element-wise ops: their
bodies compute indices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
)

from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    ExpandShapeOp,
    ExtractSliceOp,
    dropped_dims,
    groups_of,
)
from tilewright.ir.indexing.intervals import interval
from tilewright.ir.indexing.normal_form import (
    constant,
    divisor_of,
    floordiv,
    modulo,
    number_of,
    plus,
    times,
)
from tilewright.ir.types import is_tensor, tensor_type

Indices = tuple[AffineExpr, ...]
"""Where an element is: an expression for each dimension."""
View = ExtractSliceOp | ExpandShapeOp | CollapseShapeOp


def view_of(value: SSAValue) -> View | None:
    """The view of known sizes, offsets and strides that a tensor is."""
    view = value.owner
    if not isinstance(view, View):
        return None
    shapes = tensor_type(view.operands[0]).get_shape(), tensor_type(value).get_shape()
    numbers = [size for shape in shapes for size in shape]
    if isinstance(view, ExtractSliceOp):
        numbers += view.static_offsets.get_values()
        numbers += view.static_strides.get_values()
    return None if DYNAMIC_INDEX in numbers else view


def behind_views(value: SSAValue) -> SSAValue:
    """The tensor that a value is a view of, or the value itself."""
    while is_tensor(value.type) and (view := view_of(value)) is not None:
        value = view.operands[0]
    return value


def indices_behind(
    view: View, at: Indices, extents: Sequence[int], *, units: bool = False
) -> Indices:
    """The indices, in the tensor behind a view, of its element at some indices.

    `extents` are those of the loops that the dims of an index stand for. The index of a
    dimension of size 1 is 0; with `units` it is part of the expressions.
    """
    if isinstance(view, ExtractSliceOp):
        return _behind_slice(view, at)
    source = tensor_type(view.operands[0]).get_shape()
    groups = groups_of(view.reassociation)
    if isinstance(view, ExpandShapeOp):
        shape = tensor_type(view.result).get_shape()
        return tuple(
            _joined([at[dim] for dim in dims], [shape[dim] for dim in dims], units)
            for dims in groups
        )
    found: list[AffineExpr] = []
    for index, dims in zip(at, groups, strict=True):
        found += _apart(index, [source[dim] for dim in dims], extents)
    return tuple(found)


def reshaped_indices(source: Sequence[int], target: Sequence[int]) -> Indices:
    """The indices under a target shape of an element at the loops of a source shape."""
    found: list[AffineExpr] = []
    loop = 0
    rest = list(target)
    while rest:
        # The fewest dimensions of both shapes that have the same elements.
        loops, sizes = [loop], [rest.pop(0)]
        while math.prod(source[n] for n in loops) != math.prod(sizes):
            if math.prod(source[n] for n in loops) < math.prod(sizes):
                loops.append(loops[-1] + 1)
            else:
                sizes.append(rest.pop(0))
        loop = loops[-1] + 1
        if loop == len(source):
            sizes, rest = sizes + rest, []
        own = [AffineDimExpr(n) for n in loops]
        found += _apart(_joined(own, [source[n] for n in loops]), sizes, source)
    return tuple(found)


def _behind_slice(view: ExtractSliceOp, at: Indices) -> Indices:
    sizes, own = view.static_sizes.get_values(), iter(at)
    dropped = dropped_dims(sizes, tensor_type(view.result).get_shape()) or ()
    starts, steps = view.static_offsets.get_values(), view.static_strides.get_values()
    return tuple(
        constant(start)
        if dim in dropped
        else plus(scaled(next(own), step), constant(start))
        for dim, (start, step) in enumerate(zip(starts, steps, strict=True))
    )


def _joined(
    at: Sequence[AffineExpr], sizes: Sequence[int], units: bool = False
) -> AffineExpr:
    """The index of an element of dimensions that are one."""
    found = constant(0)
    for index, size in zip(at, sizes, strict=True):
        if size != 1 or units:
            whole = whole_index(found, index, size)
            found = plus(scaled(found, size), index) if whole is None else whole
    return found


def whole_index(outer: AffineExpr, inner: AffineExpr, size: int) -> AffineExpr | None:
    """The index of two dimensions as one, if both are parts of one index.

    `x floordiv (n * s) + r` and `x mod (n * s) floordiv n`, where `s` is the size of
    the inner dimension, are `x floordiv n + r * s`.
    """
    terms = terms_of(outer)
    for place, term in enumerate(terms):
        if not isinstance(term, AffineBinaryOpExpr):
            continue
        by = number_of(term.rhs)
        if term.kind != AffineBinaryOpKind.FloorDiv or by is None or by % size:
            continue
        unit = constant(by // size)
        if floordiv(modulo(term.lhs, term.rhs), unit) == inner:
            found = floordiv(term.lhs, unit)
            for other in (*terms[:place], *terms[place + 1 :]):
                found = plus(found, scaled(other, size))
            return found
    return None


def _apart(
    index: AffineExpr, sizes: Sequence[int], extents: Sequence[int]
) -> list[AffineExpr]:
    """The indices along dimensions that were one."""
    found: list[AffineExpr] = []
    for dim, size in enumerate(sizes):
        inner = math.prod(sizes[dim + 1 :])
        if size == 1:
            found.append(constant(0))
        elif inner == 1:
            found.append(index)
        else:
            quotient, index = _divided(index, inner, extents)
            found.append(quotient)
    return found


def _divided(
    expr: AffineExpr, by: int, extents: Sequence[int]
) -> tuple[AffineExpr, AffineExpr]:
    """The quotient and the remainder of an index, which is not negative."""
    whole, rest, divisor = constant(0), constant(0), constant(by)
    for term in terms_of(expr):
        if divisor_of(term) % by == 0:
            whole = plus(whole, floordiv(term, divisor))
        else:
            rest = plus(rest, term)
    low, high = interval(rest, [(0, extent - 1) for extent in extents])
    if low is not None and high is not None and 0 <= low and high < by:
        return whole, rest
    return plus(whole, floordiv(rest, divisor)), modulo(rest, divisor)


def scaled(expr: AffineExpr, by: int) -> AffineExpr:
    """A sum times a number, as a sum."""
    found = constant(0)
    for term in terms_of(expr):
        found = plus(found, times(term, constant(by)))
    return found


def terms_of(expr: AffineExpr) -> list[AffineExpr]:
    """The terms of a sum."""
    if isinstance(expr, AffineBinaryOpExpr) and expr.kind == AffineBinaryOpKind.Add:
        return [*terms_of(expr.lhs), *terms_of(expr.rhs)]
    return [expr]
