"""The value of masked-off lanes, which a `select` by the same mask need not set again.

A reduction over a partial tile needs its neutral element in masked-off lanes. If the
payload leaves their value open (poison), the load can provide it. An accumulator then
combines with the neutral element, and needs no `select` to stay unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeGuard

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith, scf, ub, vector
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import element_of
from tilewright.ir.dtypes import WITHOUT_INFINITY
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.structured.combiners import kind_of, neutral_float

Paddings = Mapping[Operation, Attribute]
"""The value that masked-off lanes of each load read."""


def padding_of(op: vector.TransferReadOp, *, zero_only: bool) -> Attribute:
    """The value of masked-off lanes of a load; if it is open, as readers need it."""
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
    if of in WITHOUT_INFINITY and math.isinf(number):
        number = 0.0  # the type has no infinities; the `select` stays
    return FloatAttr(number, of)


def holds_padding(op: SelectOp, paddings: Paddings) -> bool:
    """Whether a select by a mask is redundant: it does not change masked-off lanes."""
    if not isinstance(op.condition.owner, vector.CreateMaskOp | vector.ConstantMaskOp):
        return False
    if (update := _masked_update(op)) is not None:
        value, neutral = update
        held = _held(value, op.condition, paddings)
        return held is not None and held == neutral
    constant = constant_of(op.false_value)
    held = _held(op.true_value, op.condition, paddings)
    return (
        constant is not None and held is not None and _same(held, constant.value.data)
    )


def _masked_update(op: SelectOp) -> tuple[SSAValue, float | int] | None:
    """The value that an accumulator combines with under a mask, and its neutral one.

    For `select(mask, acc + x, acc)`, these are x and 0.
    """
    accumulator, combined = op.false_value, op.true_value.owner
    if not isinstance(combined, _COMBINERS) or accumulator not in combined.operands:
        return None
    left, right = combined.operands
    value = right if left is accumulator else left
    if isinstance(combined, arith.AddfOp) and _may_be_negative_zero(accumulator):
        return None
    kind = kind_of(combined)
    number = None if kind is None else neutral_float(kind)
    return None if number is None else (value, number)


_COMBINERS = (arith.MaximumfOp, arith.MinimumfOp, arith.AddfOp)


def _may_be_negative_zero(accumulator: SSAValue) -> bool:
    """Whether adding 0 may change it; a sum that started with 0 is never -0."""
    if not isinstance(accumulator, BlockArgument):
        return True
    loop = accumulator.block.parent_op()
    if not isinstance(loop, scf.ForOp) or accumulator.index == 0:
        return True
    start = constant_of(loop.iter_args[accumulator.index - 1])
    return start is None or not _same(start.value.data, 0.0)


def _wanted(value: SSAValue, mask: SSAValue) -> float | int | None:
    """The number that readers of a value need in masked-off lanes."""
    for use in value.uses:
        user = use.operation
        if _is_choice(user, mask) and use.index == 1:
            constant = constant_of(user.false_value)
            # A cast may be in between, so every type must have the number.
            if constant is not None and _is_in_every_type(constant.value.data):
                return constant.value.data
        if isinstance(user, _COMBINERS):
            for choice in user.results[0].uses:
                found = _wanted_by_choice(choice.operation, value, mask)
                if found is not None:
                    return found
    for use in value.uses:
        if isinstance(use.operation, arith.ExtFOp):
            found = _wanted(use.operation.result, mask)
            if found is not None:
                return found
    return None


def _is_in_every_type(number: float | int) -> bool:
    """Whether every float type can represent a number: 0, infinities and NaN."""
    return number == 0 or not math.isfinite(number)


def _wanted_by_choice(
    op: Operation, value: SSAValue, mask: SSAValue
) -> float | int | None:
    if not _is_choice(op, mask):
        return None
    update = _masked_update(op)
    return update[1] if update is not None and update[0] is value else None


def _held(value: SSAValue, mask: SSAValue, paddings: Paddings) -> float | int | None:
    """The number in all masked-off lanes of a value, if it is known."""
    match op := value.owner:
        case vector.TransferReadOp() if op.mask is not None and _is_off(op.mask, mask):
            padding = paddings.get(op)
            is_plain = op.permutation_map.data.is_minor_identity()
            if isinstance(padding, FloatAttr | IntegerAttr) and is_plain:
                return padding.value.data
        case vector.GatherOp() if any(_is_off(one, mask) for one in _joined(op.mask)):
            constant = constant_of(op.pass_thru)
            return None if constant is None else constant.value.data
        case arith.ExtFOp():
            return _held(op.input, mask, paddings)
        case arith.AddfOp() | arith.MulfOp():
            left, right = (_held(operand, mask, paddings) for operand in op.operands)
            # Only zeros, which no type rounds.
            if left is not None and right is not None:
                if _same(left, 0.0) and _same(right, 0.0):
                    return 0.0
        case arith.TruncFOp():
            held = _held(op.input, mask, paddings)
            return held if held is not None and _is_in_every_type(held) else None
        case SelectOp() if _is_off(op.condition, mask):
            constant = constant_of(op.false_value)
            return None if constant is None else constant.value.data
        case _:
            pass
    return None


def _joined(mask: SSAValue) -> list[SSAValue]:
    """The masks of which one is the conjunction; only lanes on in all are on."""
    if not isinstance(mask.owner, arith.AndIOp):
        return [mask]
    return [one for side in mask.owner.operands for one in _joined(side)]


def _is_choice(op: Operation, mask: SSAValue) -> TypeGuard[SelectOp]:
    """Whether an op selects by a mask whose lanes that are off are off in `mask`."""
    return isinstance(op, SelectOp) and _is_off(mask, op.condition)


def _is_off(mask: SSAValue, wherever: SSAValue) -> bool:
    """Whether all lanes that are off in `wherever` are off in `mask`, too.

    A mask of rows and columns turns off more lanes than a mask of the columns alone.
    """
    if mask is wherever:
        return True
    sizes, others = _sizes(mask), _sizes(wherever)
    if sizes is None or others is None or mask.type != wherever.type:
        return False
    assert isinstance(mask.type, VectorType)
    return all(
        size == other or other == extent
        for size, other, extent in zip(
            sizes, others, mask.type.get_shape(), strict=True
        )
    )


def _sizes(mask: SSAValue) -> list[SSAValue | int] | None:
    """The number of lanes that are on in each dimension; None if it is not known."""
    match op := mask.owner:
        case vector.CreateMaskOp():
            known = [constant_int(size) for size in op.mask_dim_sizes]
            pairs = zip(op.mask_dim_sizes, known, strict=True)
            return [size if number is None else number for size, number in pairs]
        case vector.ConstantMaskOp():
            return list(op.sizes)
        case _:
            return None


def _same(first: float | int, second: float | int) -> bool:
    """Whether two numbers are equal, including the sign of zero; NaN equals NaN."""
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return first == second and str(float(first)) == str(float(second))
