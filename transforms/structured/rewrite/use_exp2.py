"""`use_exp2`: compute exponentials by `exp2`, with the scale folded in. Not upstream's.

Before:
    %s = linalg.generic ... { %0 = arith.mulf %x, %scale  yield %0 }
    %m = linalg.generic ins(%s) ... { %1 = arith.maximumf %in, %acc  yield %1 }
    %e = linalg.generic ins(%s, %m) ... {
      %2 = arith.subf %in, %largest : f32
      %3 = math.exp %2 : f32

After, with c = scale * log2(e):
    %s = linalg.generic ... { yield %x }
    %m = linalg.generic ins(%s) ... { %1 = arith.maximumf %in, %acc  yield %1 }
    %e = linalg.generic ins(%s, %m) ... {
      %2 = arith.mulf %in, %c : f32
      %3 = arith.mulf %largest, %c : f32
      %4 = arith.subf %2, %3 : f32
      %5 = math.exp2 %4 : f32

A GPU has an instruction for exp2, and exp is that instruction after a multiplication.
Here the multiplication and the subtraction are one fused multiply-add, and the scale
costs nothing: a positive constant factor of all elements of a tensor moves to the ops
that read it, through maxima and minima over it. Other readers of a maximum multiply it
by the scale.

The targets stay what they are, and so do the handles to them. A target is a generic op,
or an op such as a function: then all generic ops in it are changed.

Requires: `math.exp` on f32 or f64 in the bodies of generic ops.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat, FloatAttr
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import FillOp, GenericOp, StructuredOp
from tilewright.ir.dialects.math import Exp2Op, ExpOp
from tilewright.ir.indexing.constants import constant_float
from tilewright.ir.structured.bodies import is_elementwise, yielded
from tilewright.ir.structured.reductions import reduction_of
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.cleanup.driver import erase_dead
from tilewright.transforms.core.extents import OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import InPlaceOp
from tilewright.transforms.core.walking import walked
from tilewright.transforms.structured.new_ops import empty, generic
from tilewright.transforms.structured.rewrite.constant_factors import (
    FactorRewriter,
    common_factor,
)

LOG2_E = math.log2(math.e)
EXTREMES = (
    CombiningKindFlag.MAXIMUMF,
    CombiningKindFlag.MINIMUMF,
    CombiningKindFlag.MAXNUMF,
    CombiningKindFlag.MINNUMF,
)


@dataclass(frozen=True)
class Moved:
    """A factor that leaves the op which computes a tensor for the ops that read it."""

    scaled: OpResult
    """The tensor; its op's body multiplies by the factor."""
    factor: float
    extremes: tuple[OpResult, ...]
    """The maxima and minima over it, which have the factor too."""


@dataclass(frozen=True)
class Plan:
    """The ops whose exponentials change, and the factors that move to them."""

    users: tuple[GenericOp, ...]
    moved: tuple[Moved, ...]


@irdl_op_definition
class UseExp2Op(InPlaceOp):
    """Compute exponentials by exp2; keeps the target."""

    name = "transform.tilewright.use_exp2"
    FORM: ClassVar[str] = "exp2 <target:handle>"
    SUMMARY: ClassVar[str] = "compute exponentials by exp2, with the scale folded in"

    def plans(self, state: TransformState) -> Sequence[Plan]:
        """Find the exponentials of all targets, then the factors they can take."""
        users: dict[GenericOp, None] = {}
        for target in state.payload_ops(self.target):
            users |= dict.fromkeys(self._users(target))
        moved = {
            factor.scaled: factor for op in users for factor in _factors(op, users)
        }
        return [Plan(tuple(users), tuple(moved.values()))]

    def _users(self, target: Operation) -> list[GenericOp]:
        """The generic ops in a target that compute exponentials."""
        found: list[GenericOp] = []
        for op in walked(target):
            if not isinstance(op, StructuredOp) or not (powers := _powers(op)):
                continue
            if not isinstance(op, GenericOp):
                raise self.refuse(
                    f"'{op.name}' is a named op", op, "generalize it first"
                )
            of = powers[0].result.type
            if not isinstance(of, AnyFloat) or of.bitwidth < 32:
                raise self.refuse(
                    f"the exponential is of {of}, where a rounded multiple of its "
                    "argument has too few digits",
                    op,
                    "compute it in f32",
                )
            found.append(op)
        if not found:
            raise self.refuse(
                f"'{target.name}' has no math.exp in the body of a generic op",
                target,
                "match the op that computes the exponential, before it is vectorized",
            )
        return found

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> None:
        """Move the factors to the exponentials, then replace these."""
        for moved in plan.moved:
            _move(moved, rewriter)
        for op in plan.users:
            body = FactorRewriter(op, rewriter)
            for power in _powers(op):
                argument = body.times(power.operand, LOG2_E, power)
                rewriter.replace_with(power, Exp2Op(argument, power.fastmath))
            erase_dead(op, rewriter)
            rewriter.changed(op)


def _powers(op: StructuredOp) -> list[ExpOp]:
    return [nested for nested in op.body.block.ops if isinstance(nested, ExpOp)]


def _factors(user: GenericOp, users: dict[GenericOp, None]) -> Iterator[Moved]:
    """The factors of tensors that the arguments of exponentials have terms of."""
    terms = [term for power in _powers(user) for term in _terms(power.operand)]
    for term in dict.fromkeys(terms):
        if term.index >= len(user.inputs):
            continue
        value = user.inputs[term.index]
        if isinstance(value.owner, StructuredOp) and _is_extreme(value.owner):
            value = value.owner.inputs[0]
        if (moved := _moved(value, users)) is not None:
            yield moved


def _terms(value: SSAValue) -> Iterator[BlockArgument]:
    """The elements of operands that an expression is a sum of."""
    if isinstance(value, BlockArgument):
        yield value
    elif isinstance(value.owner, arith.AddfOp | arith.SubfOp | arith.NegfOp):
        for operand in value.owner.operands:
            yield from _terms(operand)


def _moved(value: SSAValue, users: dict[GenericOp, None]) -> Moved | None:
    """The factor that can leave the op which computes a tensor; None without one."""
    op = value.owner
    if not isinstance(value, OpResult) or not isinstance(op, GenericOp):
        return None
    if not is_elementwise(op):
        return None
    factor = common_factor(yielded(op)[value.index])
    if factor == 1.0:
        return None
    extremes: list[OpResult] = []
    for use in value.uses:
        reader = use.operation
        if isinstance(reader, StructuredOp) and _is_extreme(reader) and use.index == 0:
            extremes.append(reader.results[0])
        elif not (
            isinstance(reader, GenericOp)
            and reader in users
            and use.index < len(reader.inputs)
        ):
            return None
    return Moved(value, factor, tuple(extremes))


def _is_extreme(op: StructuredOp) -> bool:
    """Whether an op is a maximum or a minimum over a tensor, and nothing else.

    It starts from zero, an infinity or NaN, which a positive factor does not change.
    """
    if len(op.inputs) != 1 or len(op.results) != 1:
        return False
    reduction = reduction_of(op, 0)
    if reduction is None or reduction.kind not in EXTREMES:
        return False
    start = op.outputs[0].owner
    number = constant_float(start.inputs[0]) if isinstance(start, FillOp) else None
    if number is None or (math.isfinite(number) and number != 0):
        return False
    return reduction.operand is op.body.block.args[0]


def _move(moved: Moved, rewriter: Rewriter) -> None:
    """Take a factor out of one body, and multiply by it where the tensor is read."""
    op = moved.scaled.owner
    assert isinstance(op, GenericOp)
    end = op.body.block.last_op
    assert end is not None
    at = moved.scaled.index
    end.operands[at] = FactorRewriter(op, rewriter).without(
        end.operands[at], moved.factor, end
    )
    erase_dead(op, rewriter)
    rewriter.changed(op)
    read = [moved.scaled, *moved.extremes]
    extremes = {extreme.op for extreme in moved.extremes}
    for use in [use for value in read for use in value.uses]:
        if use.operation not in extremes:
            _multiply(use, moved.factor, rewriter)


def _multiply(use: Use, factor: float, rewriter: Rewriter) -> None:
    """Multiply what an op reads: in its body, or by an op in front of it."""
    reader = use.operation
    if not isinstance(reader, GenericOp) or use.index >= len(reader.inputs):
        value = reader.operands[use.index]
        new = OpList()
        product = _product(value, factor, new)
        rewriter.insert_before(reader, *new.ops)
        rewriter.set_operand(reader, use.index, product)
        return
    element = reader.body.block.args[use.index]
    first = reader.body.block.first_op
    uses = list(element.uses)
    if first is None or not uses:
        return
    product = FactorRewriter(reader, rewriter).multiplied(element, factor, first)
    for one in uses:
        one.operation.operands[one.index] = product
    rewriter.changed(reader)


def _product(value: SSAValue, factor: float, new: OpList) -> SSAValue:
    """A new tensor: `value` times a constant."""
    assert is_tensor(value.type)
    of = element_type(value.type)
    assert isinstance(of, AnyFloat)
    rank = len(value.type.get_shape())
    shape = [dim_size(value, dim, new) for dim in range(rank)]
    number = new.add(arith.ConstantOp(FloatAttr(factor, of)))
    number.name_hint = "factor"
    same = AffineMap.identity(rank)
    op = generic(
        [value],
        [empty(shape, of, new)],
        [same, same],
        [],
        lambda body: [body.add("arith.mulf", body.args[0], number)],
        new,
    )
    return op.results[0]
