"""`structured.promote`: compute on copies of the subviews that an op reads and writes.

Before:
    %a = memref.subview %A[%i, 0] [4, 96] [1, 1] : memref<100x96xf32> to ...
    linalg.matmul ins(%a, %B : ...) outs(%C : ...)

After:
    %m = memref.alloc() : memref<1536xi8>
    %v = memref.view %m[%c0][%c4, %c96] : memref<1536xi8> to memref<?x?xf32>
    %p = memref.subview %v[0, 0] [%c4, %c96] [1, 1] : memref<?x?xf32> to ...
    linalg.copy ins(%a : ...) outs(%p : ...)
    linalg.matmul ins(%p, %B : ...) outs(%C : ...)
    memref.dealloc %m : memref<1536xi8>

A tile of a partial size gets a buffer of the full size. With full tile buffers the op
computes on all of it, zeros included. With `mapping = [#gpu.memory_space<workgroup>]`
or `private` the buffer is allocated at the start of the function, in that space.

Requires: a structured op on buffers, with a subview among the operands to promote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AnyAttr, irdl_op_definition, opt_prop_def, result_def

from tilewright.ir.dialects.gpu import AddressSpace, MemorySpaceMappingAttr
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.memref import SubviewOp
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.memory.promoted_buffers import (
    Buffers,
    PlainBuffers,
    SpaceBuffers,
    full_sizes,
    promote_operands,
)


@dataclass(frozen=True)
class Plan:
    """An op, and the operands that get buffers."""

    op: StructuredOp
    positions: tuple[int, ...]
    buffers: Buffers
    full: frozenset[int] = field(default_factory=frozenset[int])
    """The operands that are computed on as full tiles."""


@irdl_op_definition
class PromoteOp(TargetOp):
    """Promote subviews; consumes the target, which is changed, and returns it."""

    name = "transform.structured.promote"

    operands_to_promote = opt_prop_def(ArrayAttr[IntegerAttr[IntegerType]])
    use_full_tile_buffers = opt_prop_def(ArrayAttr[BoolAttr])
    use_full_tiles_by_default = opt_prop_def(UnitAttr)
    use_original_subview_size = opt_prop_def(UnitAttr)
    use_alloca = opt_prop_def(UnitAttr)
    memory_space = opt_prop_def(AnyAttr())
    mapping = opt_prop_def(ArrayAttr[Attribute])
    alignment = opt_prop_def(IntegerAttr.constr(i64))
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Plan:
        """Find the subviews, and check that the buffers can be made."""
        if not isinstance(op, StructuredOp):
            raise self.broken(f"'{op.name}' is no structured op", op)
        if any(is_tensor(operand.type) for operand in op.operands):
            raise self.broken(f"'{op.name}' is on tensors", op, "bufferize first")
        wanted = self._wanted(op)
        views = {
            position: operand.owner
            for position, operand in enumerate(op.operands)
            if position in wanted and isinstance(operand.owner, SubviewOp)
        }
        if not views:
            raise self.broken("no operand to promote is a memref.subview", op)
        buffers = self._buffers(op)
        for view in views.values():
            if isinstance(buffers, SpaceBuffers) and not all(
                isinstance(size, int) for size in full_sizes(view, buffers.is_original)
            ):
                raise self.broken("the size of a buffer is not known", view)
        return Plan(op, tuple(views), buffers, self._full(op))

    def _wanted(self, op: Operation) -> Sequence[int]:
        given = self.operands_to_promote
        if given is None or not given.data:
            return range(len(op.operands))
        return [entry.value.data for entry in given]

    def _full(self, op: Operation) -> frozenset[int]:
        if self.mapping is not None:
            # The first two are partial tiles, as upstream has it.
            given = [False, False]
        else:
            flags = self.use_full_tile_buffers or ()
            given = [bool(flag.value.data) for flag in flags]
        rest = len(op.operands) - len(given)
        flags = [*given, *[self.use_full_tiles_by_default is not None] * rest]
        return frozenset(at for at, flag in enumerate(flags) if flag)

    def _buffers(self, op: Operation) -> Buffers:
        original = self.use_original_subview_size is not None
        if self.mapping is None:
            return PlainBuffers(
                original,
                self.alignment,
                self.memory_space,
                is_on_stack=self.use_alloca is not None,
            )
        spaces = [
            entry.data
            for entry in self.mapping
            if isinstance(entry, MemorySpaceMappingAttr)
        ]
        if len(self.mapping) != 1 or spaces in ([], [AddressSpace.GLOBAL]):
            raise self.broken(
                "the mapping is not one of #gpu.memory_space<workgroup>, <private>", op
            )
        return SpaceBuffers(original, spaces[0])

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Operation:
        """Copy in, compute, copy out."""
        promote_operands(plan.op, plan.positions, plan.full, plan.buffers, rewriter)
        return plan.op
