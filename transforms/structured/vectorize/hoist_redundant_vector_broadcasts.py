"""`hoist_redundant_vector_broadcasts`: carry a lane, not the vector that repeats it.

Before:
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%v = %v0) -> (vector<8xf32>) {
      %x = vector.extract %v[0] : f32 from vector<8xf32>
      %y = ... %x ...
      %w = vector.broadcast %y : f32 to vector<8xf32>
      scf.yield %w : vector<8xf32>
    }

After:
    %x0 = vector.extract %v0[0] : f32 from vector<8xf32>
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%x = %x0) -> (f32) {
      %y = ... %x ...
      scf.yield %y : f32
    }
    %r = vector.broadcast %s : f32 to vector<8xf32>

Invariant code is moved out of loops first, and all is done again until nothing moves.

Requires: a function. A loop that may have no iterations keeps a vector whose lanes may
differ, unless the script is to do what upstream does: then there is a warning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.vector import BroadcastOp, ExtractOp
from tilewright.ir.indexing.loops import trip_count
from tilewright.ir.types import vector_type
from tilewright.transforms.cleanup.apply_licm import hoist_invariant, is_defined_outside
from tilewright.transforms.cleanup.carried_values import yielded
from tilewright.transforms.cleanup.constants import uniform
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.state import TransformState
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.core.walking import inside_out


@dataclass(frozen=True)
class Plan:
    """A loop that carries a vector of which it reads one part, and repeats that."""

    loop: scf.ForOp
    position: int
    extract: ExtractOp
    broadcast: BroadcastOp

    @property
    def is_exact(self) -> bool:
        """Whether the result is the same if the loop has no iterations."""
        init = self.loop.iter_args[self.position]
        source = init.owner
        repeats = (
            isinstance(source, BroadcastOp)
            and source.source.type == self.broadcast.source.type
        )
        unused = self.loop.results[self.position].first_use is None
        runs = bool(trip_count(self.loop))
        return runs or unused or repeats or uniform(init) is not None


@dataclass(frozen=True)
class Hoisting:
    """A function, and whether loops that may not run are rewritten too."""

    function: Operation
    state: TransformState | None


@irdl_op_definition
class HoistRedundantVectorBroadcastsOp(TargetOp):
    """Hoist extracts and broadcasts of carried vectors; returns the functions."""

    name = "transform.structured.hoist_redundant_vector_broadcasts"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def foresee(self, results: Foreseen) -> None:
        """Ops move out of loops."""
        results.moved_out(stay=False)

    def analyze(self, op: Operation) -> Operation:
        """Any op may hold the loops."""
        return op

    def plans(self, state: TransformState) -> Sequence[Hoisting]:
        """The functions, and how much of a doubt is allowed."""
        trusting = state if state.follows_upstream(self) else None
        return [
            Hoisting(self.analyze(op), trusting)
            for op in state.payload_ops(self.target)
        ]

    def rewrite(self, plan: Hoisting, rewriter: Rewriter) -> Operation:
        """Hoist until nothing is left to hoist."""
        while True:
            for op in inside_out(plan.function):
                if isinstance(op, scf.ForOp | ForallOp):
                    hoist_invariant(op, rewriter)
            found = self._next(plan)
            if found is None:
                return plan.function
            rewrite(found, rewriter)

    def _next(self, hoisting: Hoisting) -> Plan | None:
        for op in inside_out(hoisting.function):
            plan = analyze(op)
            if plan is None:
                continue
            if plan.is_exact:
                return plan
            if hoisting.state is not None:
                doubt = (
                    "a loop that may have no iterations carries lanes that may differ"
                )
                hoisting.state.run.warnings.append(self.refuse(doubt, plan.loop))
                return plan
        return None


def analyze(op: Operation) -> Plan | None:
    """The plan for an extract from a carried vector, if it can be hoisted."""
    loop = op.parent_op()
    if not isinstance(op, ExtractOp) or not isinstance(loop, scf.ForOp):
        return None
    carried = op.vector
    if not isinstance(carried, BlockArgument) or carried.owner is not loop.body.block:
        return None
    position = carried.index - 1
    broadcast = yielded(loop)[position].owner
    if not isinstance(broadcast, BroadcastOp) or not carried.has_one_use():
        return None
    if not broadcast.vector.has_one_use() or broadcast.source.type != op.result.type:
        return None
    if not all(is_defined_outside(v.owner, loop) for v in op.dynamic_position):
        return None
    return Plan(loop, position, op, broadcast)


def rewrite(plan: Plan, rewriter: Rewriter) -> None:
    """Extract before the loop, carry what was extracted, and repeat it afterwards."""
    loop, at, block = plan.loop, plan.position, plan.loop.body.block
    part, value = plan.extract, plan.broadcast.source
    first = part.clone()
    first.operands[0] = loop.iter_args[at]
    rewriter.insert_before(loop, first)
    rewriter.replace_uses(part.result, block.insert_arg(part.result.type, at + 1))
    rewriter.erase(part)
    block.erase_arg(block.args[at + 2])
    last = block.last_op
    assert last is not None
    rewriter.set_operand(last, at, value)
    repeated = BroadcastOp(value, vector_type(plan.broadcast.vector))
    rewriter.erase(plan.broadcast)
    inits = [*loop.iter_args[:at], first.result, *loop.iter_args[at + 1 :]]
    bounds = loop.lb, loop.ub, loop.step
    new = scf.ForOp(*bounds, inits, loop.detach_region(0))
    new.properties, new.attributes = loop.properties.copy(), loop.attributes.copy()
    new.location = loop.location
    rewriter.insert_before(loop, new)
    repeated.operands[0] = new.results[at]
    rewriter.insert_before(loop, repeated)
    results = [*new.results[:at], repeated.vector, *new.results[at + 1 :]]
    rewriter.replace(loop, results, stands_for=new)
