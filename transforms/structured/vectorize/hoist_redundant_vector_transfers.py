"""`hoist_redundant_vector_transfers`: carry a vector in registers through a loop.

Before:
    scf.for %k = %c0 to %n step %c8 {
      %v = vector.transfer_read %a[%c0, %c0], %pad : memref<64x64xf32>, vector<8xf32>
      %w = ... %v ...
      vector.transfer_write %w, %a[%c0, %c0] : vector<8xf32>, memref<64x64xf32>
    }

After:
    %v0 = vector.transfer_read %a[%c0, %c0], %pad : ...
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%v = %v0) -> (vector<8xf32>) {
      %w = ... %v ...
      scf.yield %w : vector<8xf32>
    }
    vector.transfer_write %r, %a[%c0, %c0] : ...

What is only read goes in front of the loop. Invariant code is moved out of loops first,
and nests are taken from the inside out, until nothing is left to hoist.

Requires: a function. A pair is hoisted where nothing else in the loop may touch what it
touches; with `verify_non_zero_trip` only out of loops that are known to run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, result_def
from xdsl.utils.hints import isa

from tilewright.ir.dialects import affine, func
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.loops import trip_count
from tilewright.transforms.cleanup.apply_licm import hoist_invariant, is_defined_outside
from tilewright.transforms.cleanup.carried_values import Loop, rebuild
from tilewright.transforms.cleanup.constants import is_poison
from tilewright.transforms.cleanup.patterns.vector.transfers import (
    is_in_bounds,
    same_elements,
    same_place,
)
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.core.walking import inside_out
from tilewright.transforms.loop.shared.affine_loops import constant_trips
from tilewright.transforms.loop.shared.buffer_accesses import (
    Access,
    accesses_in,
    origin_of,
)


@irdl_op_definition
class HoistRedundantVectorTransfersOp(TargetOp):
    """Hoist transfers on buffers out of loops; consumes and returns the functions."""

    name = "transform.structured.hoist_redundant_vector_transfers"

    verify_non_zero_trip = opt_prop_def(UnitAttr)
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def foresee(self, results: Foreseen) -> None:
        """Ops move out of loops."""
        results.moved_out(stay=False)

    def analyze(self, op: Operation) -> func.FuncOp:
        """Check that `op` is a function."""
        if not isinstance(op, func.FuncOp):
            raise self.broken(f"'{op.name}' is no function", op, "match func.func")
        return op

    def plans(self, state: TransformState) -> Sequence[tuple[func.FuncOp, bool]]:
        """The functions, and whether accesses are trusted to be in bounds."""
        trusting = state.follows_upstream(self)
        functions = [self.analyze(op) for op in state.payload_ops(self.target)]
        if trusting:
            for op in (op for function in functions for op in function.walk()):
                if _may_be_out_of_bounds(op):
                    state.run.warnings.append(self.refuse(_DOUBT, op))
        return [(function, trusting) for function in functions]

    def rewrite(
        self, plan: tuple[func.FuncOp, bool], rewriter: Rewriter
    ) -> func.FuncOp:
        """Hoist in one function until nothing is left to hoist."""
        function, trusting = plan
        only_if_run = self.verify_non_zero_trip is not None
        hoist_transfers(function, rewriter, only_if_run=only_if_run, trusting=trusting)
        return function


_DOUBT = "the access may be out of bounds or masked, which is taken to change nothing"


def _may_be_out_of_bounds(op: Operation) -> bool:
    """Whether a pair of this read and a write is hoisted only as upstream does it."""
    if not isinstance(op, TransferReadOp) or not isinstance(op.parent_op(), Loop):
        return False
    in_doubt = not is_in_bounds(op) or op.mask is not None
    writes = [use.operation for use in op.source.uses]
    return in_doubt and any(
        isinstance(write, TransferWriteOp) and write.parent is op.parent
        for write in writes
    )


@dataclass(frozen=True)
class Plan:
    """An invariant read of a loop, and the write that puts its vector back, if any."""

    loop: Loop
    read: TransferReadOp
    write: TransferWriteOp | None


def hoist_transfers(
    root: Operation,
    rewriter: Rewriter,
    *,
    only_if_run: bool = False,
    trusting: bool = False,
) -> None:
    """Hoist out of the loops in `root`, innermost first.

    With `trusting`, also accesses that may be out of bounds.
    """
    found_pair = True
    while found_pair:
        for op in inside_out(root):
            if isinstance(op, Loop | ForallOp):
                hoist_invariant(op, rewriter)
        found_pair = _hoist_once(root, rewriter, only_if_run, trusting)


def _hoist_once(
    root: Operation, rewriter: Rewriter, only_if_run: bool, trusting: bool
) -> bool:
    """Hoist reads up to and including the first pair; returns whether there was one."""
    for op in inside_out(root):
        plan = analyze(op, only_if_run=only_if_run, trusting=trusting)
        if plan is not None:
            rewrite(plan, rewriter)
            if plan.write is not None:
                return True
    return False


def analyze(op: Operation, *, only_if_run: bool, trusting: bool = False) -> Plan | None:
    """The plan for a transfer, if it can be hoisted."""
    loop = op.parent_op()
    if not isinstance(op, TransferReadOp) or not isinstance(loop, Loop):
        return None
    if not isa(op.source.type, MemRefType):
        return None
    if not all(is_defined_outside(value.owner, loop) for value in op.operands):
        return None
    if only_if_run and not _trips(loop):
        return None
    others = [
        access
        for access in accesses_in(loop)
        if access.buffer in (None, origin_of(op.source)) and access.op is not op
    ]
    if not any(access.writes for access in others):
        return Plan(loop, op, None)
    if trusting and origin_of(op.source) is not op.source:
        return None  # upstream does not carry parts of views
    write = next((a.op for a in others if _is_pair(op, a.op, loop, trusting)), None)
    if not isinstance(write, TransferWriteOp):
        return None
    if all(a.op is write or _is_apart(a, write) for a in others):
        return Plan(loop, op, write)
    return None


def _trips(loop: Loop) -> int | None:
    if isinstance(loop, affine.ForOp):
        return constant_trips(loop)
    return trip_count(loop)


def _is_pair(
    read: TransferReadOp, other: Operation, loop: Loop, trusting: bool
) -> bool:
    """Whether a later op of the iteration writes to the place that was read."""
    if not isinstance(other, TransferWriteOp) or other.parent_op() is not loop:
        return False
    if other.source is not read.source:
        return False
    if read.mask is not other.mask or not same_elements(read, other):
        return False
    # Lanes that are masked off or out of bounds would carry old values where the loop
    # reads padding.
    padded = read.mask is not None and not is_poison(read.padding)
    if not trusting and (padded or not same_place(read, other)):
        return False
    return _depends(other.vector, read, loop)


def _depends(value: SSAValue, read: TransferReadOp, loop: Loop) -> bool:
    """Whether the loop computes a value from the vector that was read."""
    seen: set[Operation] = set()
    pending = [value.owner]
    while pending:
        owner = pending.pop()
        if not isinstance(owner, Operation) or owner in seen:
            continue
        if not loop.is_ancestor(owner):
            continue
        if owner is read:
            return True
        seen.add(owner)
        pending += [v.owner for nested in owner.walk() for v in nested.operands]
    return False


def _is_apart(access: Access, write: TransferWriteOp) -> bool:
    """Whether an access is known not to overlap a write."""
    other = access.op
    if not isinstance(other, TransferReadOp | TransferWriteOp):
        return False
    vector = other.vector if isinstance(other, TransferWriteOp) else other.result
    if other.source is not write.source or vector.type != write.vector.type:
        return False
    if other.permutation_map != write.permutation_map:
        return False
    (own,) = [a for a in accesses_in(write) if a.op is write]
    for offset, mine, size in zip(access.offsets, own.offsets, own.sizes, strict=True):
        place, place_of_mine = constant_int(offset), constant_int(mine)
        extent = constant_int(size)
        if place is None or place_of_mine is None or extent is None:
            continue
        if abs(place - place_of_mine) >= max(extent, 1):
            return True
    return False


def rewrite(plan: Plan, rewriter: Rewriter) -> None:
    """Read before the loop, and, where there is a write, carry the vector."""
    loop, read, write = plan.loop, plan.read, plan.write
    if write is None:
        rewriter.move_before(read, loop)
        return
    first = read.clone()
    rewriter.insert_before(loop, first)
    last, carried = write.clone(), write.vector
    rewriter.erase(write)
    keep = list(range(len(loop.results)))
    extra = [(first.result, read.result, carried)]
    new = rebuild(loop, keep, extra, rewriter)
    # Still used where the loop yields the vector that it read.
    rewriter.replace_uses(read.result, new.body.block.args[-1])
    rewriter.erase(read)
    last.operands[0] = new.results[-1]
    rewriter.insert_after(new, last)
