"""Views and shapes: transposes, slices, reshapes and concatenation.

A transpose or a new axis only changes how later ops index the value. A part of a tensor
is a `tensor.extract_slice`, another shape a `tensor.collapse_shape` and a
`tensor.expand_shape`. A view that is returned becomes a `linalg.transpose`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import EllipsisType
from typing import TypeAlias

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.utils.hints import isa

from tilewright.frontend.builder.generic import (
    builder_of,
    check_tensors,
    emit,
    listed,
    trace,
)
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.loop_order import order_of, viewed
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.sizes import (
    Shape,
    Size,
    broadcast,
    divides,
    product,
    shown,
    static,
    tensor_type,
)
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import TransposeOp
from tilewright.ir.dialects.tensor import InsertSliceOp

Key: TypeAlias = slice | None | EllipsisType
Groups: TypeAlias = Sequence[Sequence[int]]
"""Which dimensions of the longer shape make up each dimension of the shorter."""


def transpose(x: T, order: Sequence[int]) -> T:
    """The dimensions in another order; appends no op."""
    if sorted(order) != list(range(x.rank)):
        fail(
            f"transpose: {shown(order)} is not an order of the {x.rank} dimensions of "
            f"{listed([x])}",
            f"name each of 0 to {x.rank - 1} once",
        )
    return replace(x, axes=tuple(x.axes[axis] for axis in order))


def materialized(x: T) -> T:
    """The tensor without its view: transposed in memory, with its new axes."""
    real = [axis for axis in x.axes if axis is not None]
    if real != sorted(real):
        sizes = tuple(x.sizes[axis] for axis in real)
        empty = x.builder.empty(sizes, x.dtype)
        op = TransposeOp(x.value, empty, real)
        value = x.builder.add(op, "transposed")
        moved = {axis: position for position, axis in enumerate(real)}
        axes = tuple(None if axis is None else moved[axis] for axis in x.axes)
        x = replace(x, value=value, sizes=sizes, axes=axes)
    if None not in x.axes:
        return x
    if not x.sizes:
        # xDSL's expand_shape does not take a single number.
        return elementwise(_expanded_number, x)
    groups: list[list[int]] = [[] for _ in x.sizes]
    for position in range(x.rank):
        # A new axis belongs to the dimension after it; the last ones to the last.
        owner = next((a for a in x.axes[position:] if a is not None), len(x.sizes) - 1)
        groups[owner].append(position)
    return _expanded(replace(x, axes=tuple(range(len(x.sizes)))), x.shape, groups)


def _expanded_number(x: Scalar) -> Scalar:
    return x


def subscript(x: T, key: Sequence[Key]) -> T:
    """`x[:, None, 2:5]`: None adds a dimension, a slice takes a part of one."""
    given = sum(1 for one in key if isinstance(one, slice))
    if given > x.rank or sum(1 for one in key if one is Ellipsis) > 1:
        fail(f"too many subscripts for {listed([x])}")
    rest = [slice(None)] * (x.rank - given)
    if Ellipsis not in key:
        key = (*key, Ellipsis)
    axes: list[int | None] = []
    parts: dict[int, _Part] = {}
    remaining = iter(x.axes)
    for one in (k for item in key for k in (rest if item is Ellipsis else [item])):
        if one is None:
            axes.append(None)
            continue
        if not isinstance(one, slice):
            fail(
                f"{one!r} is not a subscript for {listed([x])}",
                "use slices such as 2:5, None and ...",
            )
        axis = next(remaining)
        axes.append(axis)
        if one != slice(None):
            parts |= _part(x, axis, one)
    value = _sliced(x, parts) if parts else x
    return replace(value, axes=tuple(axes))


def _part(x: TensorView, axis: int | None, part: slice) -> dict[int, _Part]:
    size = 1 if axis is None else x.sizes[axis]
    step: object = 1 if part.step is None else part.step
    forward = isinstance(step, int) and step > 0
    if isinstance(size, str) or axis is None or not forward:
        fail(
            f"cannot take [{part.start}:{part.stop}:{part.step}] of {listed([x])}",
            "take whole dimensions, or parts of known sizes in steps of 1 or more",
        )
    start, stop, stride = part.indices(size)
    if stop <= start:
        fail(f"[{part.start}:{part.stop}] of size {size} is empty: {listed([x])}")
    return {axis: _Part(start, -(-(stop - start) // stride), stride)}


@dataclass(frozen=True)
class _Part:
    """Some elements along a dimension."""

    start: int
    size: Size
    step: int


def _sliced(x: T, cut: dict[int, _Part]) -> T:
    """A part of the value, along the dimensions that are cut."""
    parts = [cut.get(axis, _Part(0, size, 1)) for axis, size in enumerate(x.sizes)]
    sizes = tuple(part.size for part in parts)
    op = tensor.ExtractSliceOp(
        x.value,
        [part.start for part in parts],
        [s if isinstance(s, int) else x.builder.size(s) for s in sizes],
        [part.step for part in parts],
        tensor_type(sizes, x.dtype),
    )
    return replace(x, value=x.builder.add(op, "part"), sizes=sizes)


def concatenate(tensors: Sequence[T], axis: int) -> T:
    """Join tensors along an axis: each is inserted at its offset."""
    if not tensors:
        fail("concatenate: there are no tensors")
    check_tensors("concatenate", **{f"part {i}": x for i, x in enumerate(tensors)})
    builder = builder_of("concatenate", tensors)
    rank = tensors[0].rank
    if not -rank <= axis < rank:
        fail(f"concatenate: there is no axis {axis} in {listed(tensors)}")
    orders = {order_of(part) for part in tensors if part.rank == rank}
    order = next(iter(orders)) if len(orders) == 1 else None
    if order is not None:
        turned = [transpose(part, order) for part in tensors]
        return viewed(concatenate(turned, order.index(axis % rank)), order)
    parts = [materialized(part) for part in tensors]
    first = parts[0]
    at = axis % first.rank
    total = 0
    for part in parts:
        size = part.shape[at] if part.rank == first.rank else None
        if (
            not isinstance(size, int)
            or part.dtype != first.dtype
            or part.shape[:at] != first.shape[:at]
            or part.shape[at + 1 :] != first.shape[at + 1 :]
        ):
            fail(
                f"concatenate: shapes do not fit along axis {axis}: {listed(tensors)}",
                "all other sizes and the types must be equal",
            )
        total += size
    shape: Shape = (*first.shape[:at], total, *first.shape[at + 1 :])
    whole = builder.empty(shape, first.dtype)
    offset = 0
    for part in parts:
        extents = [s if isinstance(s, int) else builder.size(s) for s in part.shape]
        offsets = [offset if dim == at else 0 for dim in range(part.rank)]
        op = InsertSliceOp(part.value, whole, offsets, extents, [1] * part.rank)
        whole = builder.add(op, "joined")
        size = part.shape[at]
        assert isinstance(size, int)
        offset += size
    return first.like(whole, shape, first.dtype)


def broadcast_to(x: T, shape: Shape) -> T:
    """The tensor repeated along its dimensions of size 1, and along new ones in front.

    One op, which copies. Ops that broadcast their operands do not need it.
    """
    if x.shape == shape:
        return x
    if broadcast([x.shape, shape]) != shape:
        fail(f"broadcast_to: {listed([x])} does not broadcast to {shown(shape)}")

    def element(given: Mapping[str, ScalarLike]) -> ScalarLike:
        return given["x"]

    traced = replace(trace("broadcast", element, {"x": x}), loops=shape)
    traced.body.argument("out", x.dtype)
    op = emit(traced, [traced.scalar(x.dtype)], [x.builder.empty(shape, x.dtype)])
    op.results[0].name_hint = "broadcast"
    return x.like(op.results[0], shape, x.dtype)


def split_axis(x: T, axis: int, sizes: tuple[int, int]) -> T:
    """One dimension as two: an expand of the value, its view kept."""
    owner = x.axes[axis]
    assert owner is not None and x.sizes[owner] == math.prod(sizes)
    groups = [
        [dim, dim + 1] if dim == owner else [dim + (dim > owner)]
        for dim in range(len(x.sizes))
    ]
    whole: Shape = (*x.sizes[:owner], *sizes, *x.sizes[owner + 1 :])
    axes: list[int | None] = []
    for one in x.axes:
        moved = one + (one > owner) if one is not None else None
        axes.extend([owner, owner + 1] if one == owner else [moved])
    flat = replace(x, axes=tuple(range(len(x.sizes))))
    return replace(_expanded(flat, whole, groups), axes=tuple(axes))


def drop_axis(x: T, axis: int) -> T:
    """A tensor without a dimension of size 1: a collapse of the value, its view kept.

    The tensor has another dimension in memory, or the dimension is a new axis.
    """
    at = axis % x.rank
    rest = (*x.axes[:at], *x.axes[at + 1 :])
    owner = x.axes[at]
    if owner is None:
        return replace(x, axes=rest)
    assert x.sizes[owner] == 1 and len(x.sizes) > 1
    # With the dimension after it: the elements of a slice stay a run.
    into = min(owner, len(x.sizes) - 2)
    groups = [
        [dim, dim + 1] if dim == into else [dim + (dim > into)]
        for dim in range(len(x.sizes) - 1)
    ]
    sizes = (*x.sizes[:owner], *x.sizes[owner + 1 :])
    axes = tuple(a - (a > owner) if a is not None else None for a in rest)
    flat = replace(x, axes=tuple(range(len(x.sizes))))
    return replace(_collapsed(flat, sizes, groups), axes=axes)


def reshape(x: T, shape: Sequence[Size]) -> T:
    """The same numbers in the same order: at most a collapse and an expand.

    A transposed tensor stays one where the dimensions that are joined follow each other
    in memory. Dimensions of size 1 are new axes, which no op has loops along.
    """
    wanted = _wanted(x, shape)
    units = [dim for dim, size in enumerate(wanted) if size == 1]
    if units and len(units) < len(wanted):
        rest = reshape(x, [size for size in wanted if size != 1])
        axes = iter(rest.axes)
        view = [None if size == 1 else next(axes) for size in wanted]
        return replace(rest, axes=tuple(view))
    if None in x.axes and x.axes.count(None) < x.rank:
        kept = [axis for axis in x.axes if axis is not None]
        return reshape(replace(x, axes=tuple(kept)), wanted)
    groups = groups_of(x.shape, wanted)
    if groups is not None and not is_plain(x):
        seen = _reshaped_view(x, wanted, *groups)
        if seen is not None:
            return seen
    x = _before_reshapes(materialized(x), wanted)
    groups = groups_of(x.shape, wanted)
    if groups is None:
        fail(
            f"reshape: {listed([x])} does not hold the elements of {shown(wanted)}",
            "sizes that are not numbers must stay as they are",
        )
    sources, targets = groups
    middle: Shape = tuple(product(x.shape[dim] for dim in group) for group in sources)
    if len(middle) != x.rank:
        x = _collapsed(x, middle, sources)
    return x if len(middle) == len(wanted) else _expanded(x, wanted, targets)


def _before_reshapes(x: T, wanted: Shape) -> T:
    """The tensor that reshapes made this one of, if it can have the shape at once.

    Dimensions that were only joined on the way stay apart.
    """
    made = x.value.owner
    if not isinstance(made, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        return x
    kind = made.operands[0].type
    assert isa(kind, TensorType)
    sizes = kind.get_shape()
    if DYNAMIC_INDEX in sizes or groups_of(tuple(sizes), wanted) is None:
        return x
    return _before_reshapes(x.like(made.operands[0], tuple(sizes), x.dtype), wanted)


def is_plain(x: TensorView) -> bool:
    """Whether a tensor is its value, without a view."""
    return x.axes == tuple(range(len(x.sizes)))


def _reshaped_view(x: T, shape: Shape, sources: Groups, targets: Groups) -> T | None:
    """A transposed tensor under another shape, its value reshaped in its own order.

    None where a group of dimensions lies apart in memory, or out of order.
    """
    owned: list[tuple[list[int], Sequence[int]]] = []
    for source, target in zip(sources, targets, strict=True):
        owners = [axis for axis in (x.axes[dim] for dim in source) if axis is not None]
        if not owners or owners != list(range(owners[0], owners[0] + len(owners))):
            return None
        owned.append((owners, target))
    placed = sorted(range(len(owned)), key=lambda at: owned[at][0])
    inner = [owned[at] for at in placed]
    sizes: Shape = tuple(shape[dim] for _, target in inner for dim in target)
    whole = reshape(replace(x, axes=tuple(range(len(x.sizes)))), sizes)
    order = [dim for _, target in inner for dim in target]
    return replace(whole, axes=tuple(order.index(dim) for dim in range(len(shape))))


def _wanted(x: TensorView, shape: Sequence[Size]) -> Shape:
    """The shape, with the size in place of a -1."""
    if list(shape).count(-1) != 1:
        return tuple(shape)
    names = [size for size in x.shape if isinstance(size, str)]
    missing = [name for name in names if name not in shape]
    if missing:
        return tuple(missing[0] if size == -1 else size for size in shape)
    total = math.prod(size for size in x.shape if isinstance(size, int))
    rest = math.prod(s for s in shape if isinstance(s, int) and s != -1)
    return tuple(total // rest if size == -1 else size for size in shape)


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


def _collapsed(x: T, shape: Shape, groups: Groups) -> T:
    op = tensor.CollapseShapeOp.build(
        operands=[x.value],
        properties={"reassociation": _reassociation(groups)},
        result_types=[tensor_type(shape, x.dtype)],
    )
    return x.like(x.builder.add(op, "collapsed"), shape, x.dtype)


def _expanded(x: T, shape: Shape, groups: Groups) -> T:
    op = tensor.ExpandShapeOp(
        x.value,
        [x.builder.size(size) for size in shape if isinstance(size, str)],
        _reassociation(groups),
        [static(size) for size in shape],
        tensor_type(shape, x.dtype),
    )
    return x.like(x.builder.add(op, "expanded"), shape, x.dtype)


def _reassociation(groups: Groups) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr(
        [ArrayAttr([IntegerAttr(dim, i64) for dim in group]) for group in groups]
    )
