"""The number that an SSA value is known to be."""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import OpResult, SSAValue

from tilewright.ir.dialects.arith import ConstantOp


def constant_int(value: SSAValue | int) -> int | None:
    """The integer of an `arith.constant`; None for any other value."""
    if isinstance(value, int):
        return value
    # The most frequent question of all: no isinstance on ops, which goes through abc.
    if type(value) is not OpResult or type(value.op) is not ConstantOp:
        return None
    attr = value.op.properties["value"]
    return attr.value.data if isinstance(attr, IntegerAttr) else None


def constant_float(value: SSAValue) -> float | None:
    """The float of an `arith.constant`; None for any other value."""
    if not isinstance(value, OpResult) or not isinstance(value.op, ConstantOp):
        return None
    attr = value.op.properties["value"]
    return attr.value.data if isinstance(attr, FloatAttr) else None
