"""`bufferization.buffer_loop_hoisting`: allocate before a loop, not in it.

Before:
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<8xf32>
      ...
    }

After:
    %a = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %n step %c1 {
      ...
    }

An allocation leaves all loops around it that neither compute its sizes nor yield it.
It stays in parallel loops, whose iterations must not share it. The payload must not
deallocate inside the loops.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition
from xdsl.traits import IsTerminator

from tilewright.ir.dialects import affine, scf
from tilewright.ir.dialects.memref import AllocaOp, AllocOp
from tilewright.transforms.cleanup.apply_licm import is_defined_outside
from tilewright.transforms.core.foreseen import Foreseen
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import InPlaceOp
from tilewright.transforms.core.walking import walked
from tilewright.transforms.loop.shared.buffer_accesses import is_view


@irdl_op_definition
class BufferLoopHoistingOp(InPlaceOp):
    """Move allocations inside the target out of loops."""

    name = "transform.bufferization.buffer_loop_hoisting"

    def foresee(self, results: Foreseen) -> None:
        """Allocations move out of loops."""
        results.moved_out()

    def rewrite(self, root: Operation, rewriter: Rewriter) -> None:
        """Move every allocation as far out as it may go."""
        for op in walked(root):
            if not isinstance(op, AllocOp | AllocaOp):
                continue
            if (loop := _outermost(op)) is not None:
                rewriter.move_before(op, loop)


def _outermost(alloc: Operation) -> Operation | None:
    """The outermost loop that an allocation may leave."""
    found: Operation | None = None
    loop = alloc.parent_op()
    while isinstance(loop, scf.ForOp | affine.ForOp):
        outside = all(is_defined_outside(v.owner, loop) for v in alloc.operands)
        if not outside or _leaves(alloc.results[0], loop):
            break
        found, loop = loop, loop.parent_op()
    return found


def _leaves(buffer: SSAValue, loop: Operation) -> bool:
    """Whether an iteration hands a buffer, or a view of it, to what comes after."""
    todo = [buffer]
    while todo:
        for use in todo.pop().uses:
            user = use.operation
            if user.has_trait(IsTerminator):
                if user.parent_op() is loop:
                    return True
                around = user.parent_op()
                todo += () if around is None else around.results
            elif is_view(user):
                todo += user.results
    return False
