"""Views: transposes, slices, concatenation and broadcasts.

A transpose or a new axis only changes how later ops index the value. A part of a tensor
is a `tensor.extract_slice`. A view that is returned becomes a `linalg.transpose`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import EllipsisType
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from tilewright.frontend.builder.generic import (
    builder_of,
    check_tensors,
    emit,
    listed,
    trace,
)
from tilewright.frontend.builder.ops.dimension_groups import expanded
from tilewright.frontend.builder.ops.elements import elementwise
from tilewright.frontend.builder.ops.loop_order import order_of, viewed
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.sizes import Shape, Size, broadcast, shown, tensor_type
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import TransposeOp
from tilewright.ir.dialects.tensor import InsertSliceOp

Key: TypeAlias = slice | None | EllipsisType


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
    return expanded(replace(x, axes=tuple(range(len(x.sizes)))), x.shape, groups)


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


def window(x: T, axis: int, start: Sequence[Size], size: Size, step: int = 1) -> T:
    """Some elements along a dimension that may be open.

    The first is at the sum of `start`, whose numbers may be negative. The caller knows
    that the part lies inside.
    """
    owner = x.axes[axis]
    assert owner is not None and step > 0
    return _sliced(x, {owner: _Part(x.builder.total(start), size, step)})


@dataclass(frozen=True)
class _Part:
    """Some elements along a dimension."""

    start: int | SSAValue
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
    users = [use.operation for use in x.value.uses]
    made = next((one for one in users if _is_same(one, op)), None)
    if made is None:
        return replace(x, value=x.builder.add(op, "part"), sizes=sizes)
    op.erase()
    return replace(x, value=made.results[0], sizes=sizes)


def _is_same(other: Operation, op: tensor.ExtractSliceOp) -> bool:
    """Whether a part was made before: kernels that read one part share its loads."""
    return (
        isinstance(other, tensor.ExtractSliceOp)
        and other is not op
        and tuple(other.operands) == tuple(op.operands)
        and other.properties == op.properties
    )


def concatenate(tensors: Sequence[T], axis: int, total: Size | None = None) -> T:
    """Join tensors along an axis: each is inserted at its offset.

    `total` is the size of the result along the axis, which must be given if it is open.
    """
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
        return viewed(concatenate(turned, order.index(axis % rank), total), order)
    parts = [materialized(part) for part in tensors]
    first = parts[0]
    at = axis % first.rank
    for part in parts:
        if (
            part.rank != first.rank
            or part.dtype != first.dtype
            or part.shape[:at] != first.shape[:at]
            or part.shape[at + 1 :] != first.shape[at + 1 :]
        ):
            fail(
                f"concatenate: shapes do not fit along axis {axis}: {listed(tensors)}",
                "all other sizes and the types must be equal",
            )
    before: list[Size] = [part.shape[at] for part in parts]
    if total is None:
        total = sum(size for size in before if isinstance(size, int))
        if any(isinstance(size, str) for size in before):
            fail(
                f"concatenate: a size along axis {axis} is open: {listed(tensors)}",
                "give the size of the result",
            )
    shape: Shape = (*first.shape[:at], total, *first.shape[at + 1 :])
    whole = builder.empty(shape, first.dtype)
    for place, part in enumerate(parts):
        offset = builder.total(before[:place])
        extents = [s if isinstance(s, int) else builder.size(s) for s in part.shape]
        offsets = [offset if dim == at else 0 for dim in range(part.rank)]
        op = InsertSliceOp(part.value, whole, offsets, extents, [1] * part.rank)
        whole = builder.add(op, "joined")
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
