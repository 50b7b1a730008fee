"""Matrix products: a named op if one fits; narrow floats accumulate in f32."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import contains

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.frontend.builder.generic import (
    builder_of,
    check_tensors,
    filled,
    listed,
)
from tilewright.frontend.builder.numerics import (
    TINY_FLOATS,
    DtypeLike,
    accumulator,
    dtype_name,
)
from tilewright.frontend.builder.ops.elements import cast
from tilewright.frontend.builder.ops.views import materialized, subscript
from tilewright.frontend.builder.sizes import Shape, Size
from tilewright.frontend.builder.tensor_view import T, TensorView
from tilewright.frontend.builder.user_lines import fail
from tilewright.ir.dialects.linalg import (
    BatchMatmulOp,
    ContractOp,
    MatmulOp,
    maps_attribute,
)


def matmul(a: T, b: T, *, dtype: DtypeLike | None = None) -> T:
    """The matrix product: sums over the last axis of `a` and the second to last of `b`.

    The axes before these are batches; both operands have the same ones, or only one
    operand has them. A new axis (`b[:, None]`) stands for each batch of the other
    operand, without a copy. A tensor with one axis is a vector. Transposed operands
    (`b.T`) are read through indexing maps.

    The result has the accumulator's type, f32 for narrow floats. `dtype` rounds it in
    an op of its own; pass it to the next element-wise op instead if there is one.
    """
    if dtype is not None:
        dtype = dtype_name("matmul", dtype)
    check_tensors("matmul", a=a, b=b)
    builder = builder_of("matmul", [a, b])
    a, b = _bound(a, b), _bound(b, a)
    batch = _check(a, b)
    held = accumulator(a.dtype)
    rows, columns = a.shape[-2:-1], b.shape[-1:] if b.rank > 1 else ()
    start = filled(builder, 0, (*batch, *rows, *columns), held)
    # The loops, outermost first: batches, rows, columns, the sum.
    count = len(batch) + len(rows) + len(columns) + 1
    batches = list(range(len(batch)))
    row = [len(batch)] if rows else []
    column = [count - 2] if columns else []
    maps = [
        _map(a, [*batches[len(batch) - a.rank + 2 :], *row, count - 1], count),
        _map(b, [*batches[len(batch) - b.rank + 2 :], count - 1, *column], count),
        AffineMap(count, 0, tuple(AffineDimExpr(i) for i in range(count - 1))),
    ]
    op = _operation(a, b, start, maps)
    shape: Shape = (*batch, *rows, *columns)
    made = a.like(builder.add(op, "product"), shape, held)
    return made if dtype is None else cast(made, dtype)


def _operation(
    a: TensorView, b: TensorView, start: SSAValue, maps: Sequence[AffineMap]
) -> Operation:
    """The most specific op that has these maps."""
    given, attribute = [a.value, b.value], maps_attribute(maps)
    for op in (MatmulOp, BatchMatmulOp):
        if all(map(contains, op.CONTRACTION.maps, maps)):
            return op(given, [start], attribute)
    return ContractOp(given, [start], attribute)


def _check(a: TensorView, b: TensorView) -> Shape:
    """Refuse operands that do not fit; gives the sizes of the batches."""
    if a.rank == 0 or b.rank == 0 or a.rank == b.rank == 1:
        fail(
            f"matmul: needs a matrix: {listed([a, b])}",
            "for a sum of products write (a * b).sum(axis)",
        )
    if a.dtype != b.dtype and not {a.dtype, b.dtype} <= set(TINY_FLOATS):
        fail(
            f"matmul: operands of two types: {listed([a, b])}",
            f"cast one, as in {b.name}.cast('{a.dtype}')",
        )
    inner = b.shape[-2] if b.rank > 1 else b.shape[-1]
    if a.shape[-1] != inner:
        fail(
            f"matmul: {a.shape[-1]} columns meet {inner} rows: {listed([a, b])}",
            "the last size of the first must be the last but one of the second; "
            "x.T exchanges the last two",
        )
    batches = [_batches(operand) for operand in (a, b)]
    rank = max(map(len, batches))
    padded = [(*[None] * (rank - len(sizes)), *sizes) for sizes in batches]
    found: list[Size] = []
    for one, other in zip(*padded, strict=True):
        size = other if one is None else one
        if size is None or other not in (None, size):
            fail(
                f"matmul: the batches differ: {listed([a, b])}",
                "sizes before the last two must be equal, or be there in one only",
            )
        found.append(size)
    return tuple(found)


def _batches(tensor: TensorView) -> list[Size | None]:
    """The sizes before the last two; None for a new axis."""
    axes = tensor.axes[:-2]
    return [None if axis is None else tensor.sizes[axis] for axis in axes]


def _map(tensor: TensorView, loops: Sequence[int], count: int) -> AffineMap:
    """The indexing map of a tensor whose dimensions these loops run along."""
    loop_of = dict(zip(tensor.axes, loops, strict=True))
    dims = (AffineDimExpr(loop_of[axis]) for axis in range(len(tensor.sizes)))
    return AffineMap(count, 0, tuple(dims))


def _bound(tensor: T, other: TensorView) -> T:
    """The tensor, changed so that each loop runs along a dimension of an operand.

    A new axis may stay only among the batches, where the other operand has one. Others
    become dimensions of size 1 in memory.
    """
    new = [at - tensor.rank for at, axis in enumerate(tensor.axes) if axis is None]
    stays = [
        at for at in new if at < -2 and other.rank >= -at and other.axes[at] is not None
    ]
    if stays == new:
        return tensor
    places = range(-tensor.rank, 0)
    axes = tuple(tensor.axes[at] for at in places if at not in stays)
    key = [None if at in stays else slice(None) for at in places]
    return subscript(materialized(replace(tensor, axes=axes)), key)
