"""`loop.hoist_loop_invariant_subsets`: keep an accumulator in a vector.

Before:
    %r = scf.for %k = ... iter_args(%t = %init) -> (tensor<8x8xf32>) {
      %v = vector.transfer_read %t[%c0, %c0], %pad : tensor<8x8xf32>, vector<8x8xf32>
      %w = ... %v ...
      %n = vector.transfer_write %w, %t[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
      scf.yield %n : tensor<8x8xf32>
    }

After:
    %v0 = vector.transfer_read %init[%c0, %c0], %pad : ...
    %r0, %rv = scf.for %k = ... iter_args(%t = %init, %v = %v0) -> (...) {
      %w = ... %v ...
      scf.yield %t, %w : tensor<8x8xf32>, vector<8x8xf32>
    }
    %r = vector.transfer_write %rv, %r0[%c0, %c0] : ...

A pair of `tensor.extract_slice` and `tensor.insert_slice` is hoisted in the same way.

Requires: the carried tensor is read and written in the loop at one place only, the same
for both, under the same mask, and that place does not depend on the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.tensor import slice_of
from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.loops import LOOP_LIKE
from tilewright.ir.indexing.ranges import linear_of
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.cleanup.carried_values import rebuild
from tilewright.transforms.cleanup.constants import is_poison
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    same_elements,
    same_place,
    vector_of,
)
from tilewright.transforms.core.extents import Extent
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import InPlaceOp


@irdl_op_definition
class HoistLoopInvariantSubsetsOp(InPlaceOp):
    """Hoist pairs of reads and writes of a carried tensor out of loops."""

    name = "transform.loop.hoist_loop_invariant_subsets"
    FORM: ClassVar[str] = "hoist <target:handle>"
    SUMMARY: ClassVar[str] = "keep a carried tile in registers across a loop"

    def foresee(self, results: Foreseen) -> None:
        """Ops move out of the loop."""
        results.moved_out()

    def analyze(self, op: Operation) -> Operation:
        """Check that `op` is a loop."""
        if op.name not in LOOP_LIKE:
            raise self.refuse(f"'{op.name}' is not a loop", op, "match scf.for")
        return op

    def plans(self, state: TransformState) -> Sequence[tuple[Operation, bool]]:
        """The loops, innermost first, and whether subsets are trusted as upstream."""
        trusting = state.follows_upstream(self)
        loops = sorted(super().plans(state), key=_depth, reverse=True)
        return [(loop, trusting) for loop in loops]

    def rewrite(self, plan: tuple[Operation, bool], rewriter: Rewriter) -> None:
        """Hoist out of one loop; other loops than scf.for carry no tensors."""
        loop, trusting = plan
        if isinstance(loop, scf.ForOp):
            hoist_subsets(loop, rewriter, trusting=trusting)


def _depth(op: Operation) -> int:
    parent = op.parent_op()
    return 0 if parent is None else 1 + _depth(parent)


Read = TransferReadOp | tensor.ExtractSliceOp
Write = TransferWriteOp | tensor.InsertSliceOp
"""What takes a subset of a tensor (its operand 0), and what puts one back: operand 0
is put into operand 1."""


@dataclass(frozen=True)
class Plan:
    """A carried value that is read and written at one invariant place."""

    position: int
    read: Read
    write: Write


def can_hoist(loop: scf.ForOp) -> bool:
    """Whether a loop carries a tensor whose subset can be hoisted."""
    return analyze(loop) is not None


def analyze(loop: scf.ForOp, *, trusting: bool = False) -> Plan | None:
    """The first carried tensor whose subset can be hoisted.

    With `trusting`, also subsets that may be out of bounds, as upstream has it.
    """
    for position in range(len(loop.results)):
        subsets = _subsets(loop, position) or []
        for read in subsets:
            if not isinstance(read, Read) or read.parent is not loop.body.block:
                continue
            write = next((w for w in subsets if _is_pair(read, w, trusting)), None)
            if not isinstance(write, Write) or write.parent is not loop.body.block:
                continue
            place = [*read.operands[1:], *write.operands[2:]]
            invariant = all(is_defined_outside(v.owner, loop) for v in place)
            others = [op for op in subsets if op is not read and op is not write]
            if invariant and all(_is_apart(read, op) for op in others):
                return Plan(position, read, write)
    return None


def _subsets(loop: scf.ForOp, position: int) -> list[Read | Write] | None:
    """The subsets of a carried tensor that a loop and loops in it take or put back.

    None where the tensor, or a later state of it, is used as a whole.
    """
    found: list[Read | Write] = []
    value: SSAValue | None = loop.body.block.args[position + 1]
    while value is not None:
        later: list[SSAValue] = []
        for use in value.uses:
            user = use.operation
            if isinstance(user, Read) and use.index == 0:
                found.append(user)
            elif isinstance(user, Write) and use.index == 1:
                found.append(user)
                later.append(user.results[0])
            elif user is loop.body.block.last_op and use.index == position:
                later.append(value)
            elif isinstance(user, scf.ForOp) and use.index >= _BOUNDS:
                inner = _subsets(user, use.index - _BOUNDS)
                if inner is None:
                    return None
                found += inner
                later.append(user.results[use.index - _BOUNDS])
            else:
                return None
        if len(later) != 1:
            return None
        value = None if later[0] is value else later[0]
    return found


_BOUNDS = 3
"""How many operands of a loop come before the values that it carries."""


def _is_pair(read: Read, write: Operation, trusting: bool) -> bool:
    """Whether a read and a write access the same elements under the same mask."""
    if isinstance(read, TransferReadOp) and isinstance(write, TransferWriteOp):
        if read.mask is not write.mask or not same_elements(read, write):
            return False
        # Lanes that are masked off or out of bounds would carry old values where the
        # loop reads padding.
        padded = read.mask is not None and not is_poison(read.padding)
        return trusting or (not padded and same_place(read, write))
    if isinstance(read, tensor.ExtractSliceOp) and isinstance(
        write, tensor.InsertSliceOp
    ):
        same_type = read.result.type == write.source.type
        return same_type and slice_of(read) == slice_of(write)
    return False


def _is_apart(one: Read | Write, other: Read | Write) -> bool:
    """Whether two subsets of a tensor have no element in common."""
    for (start, length), (other_start, other_length) in zip(
        _box(one), _box(other), strict=True
    ):
        distance = linear_of(other_start) - linear_of(start)
        if not distance.is_constant:
            continue
        gap = distance.constant
        if (length is not None and gap >= length) or (
            other_length is not None and -gap >= other_length
        ):
            return True
    return False


def _box(op: Read | Write) -> list[tuple[Extent, int | None]]:
    """Where a subset starts along each dimension of its tensor, and how far it goes."""
    if isinstance(op, TransferReadOp | TransferWriteOp):
        lanes = dict.fromkeys(range(len(op.indices)), 1)
        for expr, size in zip(
            op.permutation_map.data.results, vector_of(op).get_shape(), strict=True
        ):
            if isinstance(expr, AffineDimExpr):
                lanes[expr.position] = size
        return list(zip(op.indices, lanes.values(), strict=True))
    offsets, sizes, strides = slice_of(op)
    lengths: list[int | None] = []
    for size, stride in zip(sizes, strides, strict=True):
        count, step = constant_int(size), constant_int(stride)
        if count is None or step is None:
            lengths.append(None)
        else:
            lengths.append((count - 1) * step + 1)
    return list(zip(offsets, lengths, strict=True))


def hoist_subsets(
    loop: scf.ForOp, rewriter: Rewriter, *, trusting: bool = False
) -> scf.ForOp:
    """Hoist every pair; returns the new loop."""
    while (plan := analyze(loop, trusting=trusting)) is not None:
        loop = rewrite(loop, plan, rewriter)
    return loop


def rewrite(loop: scf.ForOp, plan: Plan, rewriter: Rewriter) -> scf.ForOp:
    """Carry the subset, read it before the loop and write it after."""
    read, write = plan.read, plan.write
    first = read.clone()
    first.operands[0] = loop.iter_args[plan.position]
    rewriter.insert_before(loop, first)
    last = write.clone()
    subset = write.operands[0]
    write.results[0].replace_all_uses_with(write.operands[1])
    rewriter.erase(write)
    new = rebuild(
        loop,
        list(range(len(loop.results))),
        [(first.results[0], read.results[0], subset)],
        rewriter,
    )
    # Still used where the loop yields the vector that it read.
    rewriter.replace_uses(read.result, new.body.block.args[-1])
    rewriter.erase(read)
    whole = new.results[plan.position]
    last.operands[0], last.operands[1] = new.results[-1], whole
    rewriter.insert_after(new, last)
    whole.replace_uses_with_if(last.results[0], lambda use: use.operation is not last)
    return new
