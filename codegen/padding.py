"""What lanes hold that a mask turns off, so that they need not be chosen again.

A reduction over a partial tile takes its neutral element in the lanes that are off. A
load can give that itself, where the payload leaves open what it reads there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, SSAValue

from tilewright.codegen.operands import constant_of
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith, ub, vector
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import element_of

if TYPE_CHECKING:
    from tilewright.codegen.lower_kernel import KernelLowering

Number = FloatAttr | IntegerAttr


def padding_of(op: vector.TransferReadOp, *, zero_only: bool) -> Attribute:
    """What masked lanes read: where that is open, what their readers want."""
    constant = constant_of(op.padding)
    if constant is not None:
        return constant
    if not isinstance(op.padding.owner, ub.PoisonOp):
        refuse(op, "padding that is not a constant")
    of = element_of(op.result.type)
    wanted = None if zero_only or op.mask is None else _wanted(op.result, op.mask)
    number = 0.0 if wanted is None else wanted
    if isinstance(of, IntegerType):
        return IntegerAttr(int(number), of)
    assert isinstance(of, AnyFloat)
    return FloatAttr(number, of)


def holds_padding(lowering: KernelLowering, op: SelectOp) -> bool:
    """Whether a choice by a mask gives the lanes that are off what they hold anyway."""
    constant = constant_of(op.false_value)
    if constant is None or not isinstance(
        op.condition.owner, vector.CreateMaskOp | vector.ConstantMaskOp
    ):
        return False
    held = _held(lowering, op.true_value, op.condition)
    return held is not None and _same(held, constant.value.data)


def _wanted(value: SSAValue, mask: SSAValue) -> float | int | None:
    """The number that a choice by the mask puts into the lanes that are off."""
    for use in value.uses:
        user = use.operation
        if isinstance(user, SelectOp) and user.condition is mask and use.index == 1:
            constant = constant_of(user.false_value)
            # Only what every type has: a cast may stand between the two.
            if constant is not None and constant.value.data in (
                0,
                float("inf"),
                float("-inf"),
            ):
                return constant.value.data
    for use in value.uses:
        if isinstance(use.operation, arith.ExtFOp):
            found = _wanted(use.operation.result, mask)
            if found is not None:
                return found
    return None


def _held(
    lowering: KernelLowering, value: SSAValue, mask: SSAValue
) -> float | int | None:
    """The number in every lane of a value that the mask turns off, if it is known."""
    match op := value.owner:
        case vector.TransferReadOp() if op.mask is mask:
            padding = lowering.paddings.get(op)
            is_plain = op.permutation_map.data.is_minor_identity()
            if isinstance(padding, FloatAttr | IntegerAttr) and is_plain:
                return padding.value.data
        case arith.ExtFOp():
            return _held(lowering, op.input, mask)
        case SelectOp() if op.condition is mask:
            constant = constant_of(op.false_value)
            return None if constant is None else constant.value.data
        case _:
            pass
    return None


def _same(first: float | int, second: float | int) -> bool:
    """Whether two numbers are the same, zeros with their signs."""
    return first == second and str(float(first)) == str(float(second))
