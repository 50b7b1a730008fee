"""Matmuls of a matrix with one number everywhere, as the first state of a loop.

All rows of the result are equal: the sums along the other matrix, times the number.
They are computed once, and repeated.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import SSAValue

from tilewright.frontend.builder.numerics import computed_in, is_float
from tilewright.frontend.builder.ops.reductions import reduce
from tilewright.frontend.builder.ops.views import broadcast_to
from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.dialects.linalg import FillOp
from tilewright.ir.dialects.tensor import CollapseShapeOp, ExpandShapeOp


def product_of_filled(x: Tensor, y: Tensor) -> Tensor | None:
    """The matmul of two matrices in the accumulator's type, if one has one number."""
    if x.rank != 2 or y.rank != 2 or not is_float(x.dtype):
        return None
    shape = (x.shape[0], y.shape[1])
    for filled, other, axis in ((x, y, 0), (y, x, 1)):
        number = _number(filled.value)
        if number is not None:
            kind = computed_in(x.dtype)

            def term(one: Scalar, by: float = number, kind: str = kind) -> Scalar:
                return one.cast(kind) * by

            sums = reduce("sum", other, axis=axis, of=term, keepdims=True)
            return broadcast_to(sums, shape)
    return None


def _number(value: SSAValue) -> float | None:
    """The number that a tensor was filled with, behind reshapes."""
    while isinstance(value.owner, CollapseShapeOp | ExpandShapeOp):
        value = value.owner.operands[0]
    if not isinstance(value.owner, FillOp):
        return None
    constant = value.owner.inputs[0].owner
    number = constant.value if isinstance(constant, ConstantOp) else None
    return number.value.data if isinstance(number, FloatAttr) else None
