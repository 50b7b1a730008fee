"""`memref.multibuffer`: give consecutive iterations of a loop buffers of their own.

Before:
    %tmp = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %c16 step %c4 {
      memref.copy %in, %tmp : ...
    }

After:
    %tmp = memref.alloc() : memref<2x4xf32>
    scf.for %i = %c0 to %c16 step %c4 {
      %n = affine.apply affine_map<(d0) -> ((d0 floordiv 4) mod 2)>(%i)
      %s = memref.subview %tmp[%n, 0] [1, 4] [1, 1] : memref<2x4xf32> to ...
      memref.copy %in, %s : ...
    }

Requires: a static `memref.alloc` that is used in one loop and, without `skip_analysis`,
overwritten by a `memref.copy` there before anything reads it. A buffer with a use
outside of loops is skipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, UnitAttr, i64
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects import memref, scf
from tilewright.ir.indexing.loops import LoopRange, loop_range
from tilewright.ir.indexing.normal_form import constant, floordiv, modulo
from tilewright.ir.types import buffer_type
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.patterns.memref.buffers import window
from tilewright.transforms.cleanup.shapes import Slice, known
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp, check_handle
from tilewright.transforms.memref.retyping import retype_uses

LOOPS = (scf.ForOp, scf.ForallOp, scf.ParallelOp)


@dataclass(frozen=True)
class Plan:
    """A buffer, and the body of the loop that gets several."""

    alloc: memref.AllocOp
    index: BlockArgument
    bounds: LoopRange


@irdl_op_definition
class MultiBufferOp(TargetOp):
    """Multiply the buffers of the target; consumes it, returns the new allocations."""

    name = "transform.memref.multibuffer"
    TARGET_KIND: ClassVar[str] = "memref.alloc"

    factor = prop_def(IntegerAttr.constr(i64))
    skip_analysis = opt_prop_def(UnitAttr)
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def verify_(self) -> None:
        """Check the type of the handle, and the number of buffers."""
        check_handle(self.target.type, self.TARGET_KIND)
        if self.factor.value.data <= 0:
            raise VerifyException(
                f"the factor must be positive, not {self.factor.value.data}"
            )

    def analyze(self, op: Operation) -> Plan | None:
        """Find the loop; None for a buffer that is skipped."""
        if not isinstance(op, memref.AllocOp):
            raise self.refuse(f"'{op.name}' is not memref.alloc", op)
        users = [use.operation for use in op.memref.uses]
        inside = [u for u in users if not isinstance(u, memref.DeallocOp)]
        if any(_loop_around(user) is None for user in inside):
            return None
        if DYNAMIC_INDEX in buffer_type(op.memref).get_shape():
            raise self.refuse("the buffer has a dynamic size", op)
        loop = self._find_loop(op, users)
        index = loop.regions[0].block.args[:1]
        if isinstance(loop, scf.ForallOp | scf.ParallelOp):
            index = loop.regions[0].block.args
        if len(index) != 1 or (found := loop_range(index[0])) is None:
            raise self.refuse("the loop has more than one index", loop)
        if loop.is_ancestor(op):
            raise self.refuse(
                "the buffer is allocated in the loop",
                op,
                "allocate it before the loop",
            )
        return Plan(op, index[0], found)

    def _find_loop(self, op: memref.AllocOp, users: list[Operation]) -> Operation:
        for user in users:
            loop = _loop_around(user)
            if loop is None:
                continue
            if self.skip_analysis is not None:
                others = [u for u in users if not isinstance(u, memref.DeallocOp)]
                if all(loop.is_ancestor(other) for other in others):
                    return loop
            elif _overwrites(user, op.memref) and _dominates(user, users):
                return loop
        raise self.refuse(
            "an iteration may read what another one left in the buffer",
            op,
            "copy into the whole buffer first, or say skip_analysis",
        )

    def rewrite(self, plan: Plan | None, rewriter: Rewriter) -> list[Operation]:
        """Allocate more, and let each iteration use its part."""
        if plan is None:
            return []
        alloc, old = plan.alloc, buffer_type(plan.alloc.memref)
        factor = self.factor.value.data
        shape = [factor, *old.get_shape()]
        kind = MemRefType(old.element_type, shape, memory_space=old.memory_space)
        new = memref.AllocOp([], [], kind, alloc.alignment)
        new.attributes |= alloc.attributes
        rewriter.insert_before(alloc, new)
        number, ops = _iteration(plan, factor)
        zeros, ones = (0,) * (len(shape) - 1), (1,) * len(shape)
        place = Slice((number, *zeros), (1, *shape[1:]), ones)
        part = window(new.memref, place, left_out=(0,))
        first = plan.index.block.first_op
        assert first is not None
        rewriter.insert_before(first, *ops, part)
        for use in list(alloc.memref.uses):
            if isinstance(use.operation, memref.DeallocOp):
                rewriter.set_operand(use.operation, use.index, new.memref)
        retype_uses(alloc.memref, part.results[0], rewriter)
        rewriter.replace(alloc, [new.memref], new)
        return [new]


def _iteration(plan: Plan, factor: int) -> tuple[SSAValue | int, list[Operation]]:
    """The number of an iteration, modulo the number of buffers."""
    index, lower, step = (AffineExpr.dimension(i) for i in range(3))
    number = modulo(floordiv(index - lower, step), constant(factor))
    bounds = [known(plan.bounds.lower), known(plan.bounds.step)]
    return applied(number, [plan.index, *bounds])


def _loop_around(op: Operation) -> Operation | None:
    loop = op.parent_op()
    while loop is not None and not isinstance(loop, LOOPS):
        loop = loop.parent_op()
    return loop


def _overwrites(op: Operation, buffer: SSAValue) -> bool:
    return isinstance(op, memref.CopyOp) and op.target is buffer


def _dominates(op: Operation, users: list[Operation]) -> bool:
    return all(user is op or _runs_after(op, user) for user in users)


def _runs_after(first: Operation, op: Operation) -> bool:
    around: Operation | None = op
    while around is not None and around.parent is not first.parent:
        around = around.parent_op()
    return around is not None and first.is_before_in_block(around)
