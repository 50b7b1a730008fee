"""Matrix products: the named op where there is one, with f32 sums for narrow types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import MatmulOp
from tilewright.ir.payloads.blame import fail
from tilewright.ir.payloads.elements import cast
from tilewright.ir.payloads.generic import filled, listed, same_payload
from tilewright.ir.payloads.numerics import TINY_FLOATS, accumulator

if TYPE_CHECKING:
    from tilewright.ir.payloads.tensor import Tensor


def matmul(a: Tensor, b: Tensor, *, dtype: str | None = None) -> Tensor:
    """The product over the last axis of `a` and the last but one of `b`.

    The result has the accumulator's type, f32 for narrow floats; `dtype` rounds it in
    an op of its own, so give it to the element-wise op that follows if there is one.
    Transposed operands (`b.T`) are read through the op's indexing maps.
    """
    payload = same_payload("matmul", [a, b])
    a, b = (_without_new_axes(operand) for operand in (a, b))
    _check(a, b)
    held = accumulator(a.dtype)
    shape = (a.shape[0], b.shape[1])
    start = filled(payload, 0.0, shape, held)
    maps = [_map(a, (0, 2), 3), _map(b, (2, 1), 3), AffineMap.identity(3)]
    maps[2] = AffineMap(3, 0, (AffineDimExpr(0), AffineDimExpr(1)))
    op = MatmulOp(
        [a.value, b.value], [start], ArrayAttr([AffineMapAttr(map) for map in maps])
    )
    made = payload.tensor(payload.add(op, "product"), shape, held)
    return made if dtype is None else cast(made, dtype)


def _check(a: Tensor, b: Tensor) -> None:
    if a.rank != 2 or b.rank != 2:
        fail(f"matmul: not matrices: {listed([a, b])}")
    if a.dtype != b.dtype and not {a.dtype, b.dtype} <= set(TINY_FLOATS):
        fail(
            f"matmul: operands of two types: {listed([a, b])}",
            f"cast one: '{b.name}.cast(\"{a.dtype}\")'",
        )
    if a.shape[-1] != b.shape[-2]:
        fail(
            f"matmul: {a.shape[-1]} columns meet {b.shape[-2]} rows: {listed([a, b])}",
            "the last size of the first must be the last but one of the second; "
            "x.T exchanges the last two",
        )


def _map(tensor: Tensor, loops: Sequence[int], count: int) -> AffineMap:
    """How the loops reach a tensor whose dimensions they run along, view included."""
    order = sorted(range(tensor.rank), key=lambda dim: tensor.axes[dim] or 0)
    return AffineMap(count, 0, tuple(AffineDimExpr(loops[dim]) for dim in order))


def _without_new_axes(tensor: Tensor) -> Tensor:
    return tensor.materialized() if None in tensor.axes else tensor
