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

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects import scf, tensor
from tilewright.ir.dialects.tensor import slice_of
from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.indexing.loops import LOOP_LIKE
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.cleanup.carried_values import rebuild, yielded
from tilewright.transforms.cleanup.constants import is_poison
from tilewright.transforms.cleanup.patterns.vector.transfers import same_place
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

    def plans(self, state: TransformState) -> Sequence[Operation]:
        """The loops, innermost first."""
        return sorted(super().plans(state), key=_depth, reverse=True)

    def rewrite(self, plan: Operation, rewriter: Rewriter) -> None:
        """Hoist out of one loop; other loops than scf.for carry no tensors."""
        if isinstance(plan, scf.ForOp):
            hoist_subsets(plan, rewriter)


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


def analyze(loop: scf.ForOp) -> Plan | None:
    """The first carried tensor whose subset can be hoisted."""
    args = loop.body.block.args[1:]
    for position, (arg, value) in enumerate(zip(args, yielded(loop), strict=True)):
        write = value.owner
        if not isinstance(write, Write) or write.operands[1] is not arg:
            continue
        users = [use.operation for use in arg.uses]
        reads = [user for user in users if isinstance(user, Read)]
        if len(reads) != 1 or len(users) != 2 or value.uses.get_length() != 1:
            continue
        read = reads[0]
        place = [*read.operands[1:], *write.operands[2:]]
        invariant = all(is_defined_outside(v.owner, loop) for v in place)
        if invariant and _is_pair(read, write):
            return Plan(position, read, write)
    return None


def _is_pair(read: Read, write: Write) -> bool:
    """Whether a read and a write access the same elements under the same mask."""
    if isinstance(read, TransferReadOp) and isinstance(write, TransferWriteOp):
        # Masked-off lanes would carry old values where the loop reads padding.
        padded = read.mask is not None and not is_poison(read.padding)
        return read.mask is write.mask and not padded and same_place(read, write)
    if isinstance(read, tensor.ExtractSliceOp) and isinstance(
        write, tensor.InsertSliceOp
    ):
        same_type = read.result.type == write.source.type
        return same_type and slice_of(read) == slice_of(write)
    return False


def hoist_subsets(loop: scf.ForOp, rewriter: Rewriter) -> scf.ForOp:
    """Hoist every pair; returns the new loop."""
    while (plan := analyze(loop)) is not None:
        loop = rewrite(loop, plan, rewriter)
    return loop


def rewrite(loop: scf.ForOp, plan: Plan, rewriter: Rewriter) -> scf.ForOp:
    """Carry the subset, read it before the loop and write it after."""
    arg = loop.body.block.args[plan.position + 1]
    read, write = plan.read, plan.write
    first = read.clone()
    first.operands[0] = loop.iter_args[plan.position]
    rewriter.insert_before(loop, first)
    last = write.clone()
    subset = write.operands[0]
    write.results[0].replace_all_uses_with(arg)
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
