"""The numbers that constants of the payload hold, scalar or in every lane."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.refusal import refuse
from tilewright.ir.dense_constants import is_splat
from tilewright.ir.dialects import arith, vector


def constant_of(value: SSAValue) -> FloatAttr | IntegerAttr | None:
    """The number a payload value is, or has in every lane."""
    while isinstance(value.owner, vector.BroadcastOp):
        value = value.owner.source
    return constant_of_op(value.owner) if isinstance(value.owner, Operation) else None


def constant_of_op(op: Operation) -> FloatAttr | IntegerAttr | None:
    """The number an `arith.constant` holds, scalar or in every lane."""
    if not isinstance(op, arith.ConstantOp):
        return None
    value = op.value
    if isinstance(value, DenseIntOrFPElementsAttr):
        if not is_splat(value):
            refuse(
                op, "a constant tile with different elements", "pass it as an argument"
            )
        return next(iter(value.iter_attrs()))
    return value if isinstance(value, FloatAttr | IntegerAttr) else None  # pyright: ignore
