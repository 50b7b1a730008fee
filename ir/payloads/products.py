"""Matrix products: the named op where there is one, with f32 sums for narrow types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import GenericOp, IteratorTypeAttr, MatmulOp, YieldOp
from tilewright.ir.payloads.blame import fail
from tilewright.ir.payloads.elements import cast
from tilewright.ir.payloads.generic import filled, listed, same_payload
from tilewright.ir.payloads.numerics import TINY_FLOATS, accumulator, check_dtype
from tilewright.ir.payloads.scalar import Body
from tilewright.ir.payloads.sizes import Shape

if TYPE_CHECKING:
    from tilewright.ir.payloads.tensor import Tensor


def matmul(a: Tensor, b: Tensor, *, dtype: str | None = None) -> Tensor:
    """The product over the last axis of `a` and the last but one of `b`.

    Axes before those are batches: equal in both, or in one of the two only. A tensor of
    one axis is a vector. Transposed operands (`b.T`) are read through indexing maps.

    The result has the accumulator's type, f32 for narrow floats; `dtype` rounds it in
    an op of its own, so give it to the element-wise op that follows if there is one.
    """
    if dtype is not None:
        check_dtype("matmul", dtype)
    payload = same_payload("matmul", [a, b])
    a, b = (_without_new_axes(operand) for operand in (a, b))
    batch = _check(a, b)
    held = accumulator(a.dtype)
    rows, columns = a.shape[-2:-1], b.shape[-1:] if b.rank > 1 else ()
    start = filled(payload, 0, (*batch, *rows, *columns), held)
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
    made = payload.tensor(payload.add(op, "product"), shape, held)
    return made if dtype is None else cast(made, dtype)


def _operation(
    a: Tensor, b: Tensor, start: SSAValue, maps: Sequence[AffineMap]
) -> Operation:
    """The most particular op there is for these maps."""
    attributes = ArrayAttr([AffineMapAttr(map) for map in maps])
    if a.rank == b.rank == 2:
        return MatmulOp([a.value, b.value], [start], attributes)
    body = Body(a.payload, maps[0].num_dims)
    held = accumulator(a.dtype)
    left, right = body.argument("a", a.dtype), body.argument("b", b.dtype)
    total = body.argument("acc", held) + left.cast(held) * right.cast(held)
    body.block.add_op(YieldOp(total.value))
    parallel = [IteratorTypeAttr.parallel()] * (maps[0].num_dims - 1)
    return GenericOp(
        [a.value, b.value],
        [start],
        Region(body.block),
        attributes,
        [*parallel, IteratorTypeAttr.reduction()],
        [start.type],
    )


def _check(a: Tensor, b: Tensor) -> Shape:
    """Refuse what does not fit; the sizes of the batches."""
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
    short, long = sorted((a.shape[:-2], b.shape[:-2]), key=len)
    if short != long[len(long) - len(short) :]:
        fail(
            f"matmul: the batches differ: {listed([a, b])}",
            "sizes before the last two must be equal, or be there in one only",
        )
    return long


def _map(tensor: Tensor, loops: Sequence[int], count: int) -> AffineMap:
    """How the loops reach a tensor whose dimensions they run along, view included."""
    order = sorted(range(tensor.rank), key=lambda dim: tensor.axes[dim] or 0)
    return AffineMap(count, 0, tuple(AffineDimExpr(loops[dim]) for dim in order))


def _without_new_axes(tensor: Tensor) -> Tensor:
    return tensor.materialized() if None in tensor.axes else tensor
