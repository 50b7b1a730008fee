"""Allocations that end with their block go on the stack: `memref.alloc_to_alloca`."""

from __future__ import annotations

from tilewright.ir.dialects.memref import AllocaOp, AllocOp, DeallocOp
from tilewright.ir.types import buffer_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.rewriter import Rewriter


@pattern(AllocOp)
def allocate_on_stack(op: AllocOp, rewriter: Rewriter) -> None:
    """A static buffer that is deallocated in the block where it is allocated."""
    kind = buffer_type(op.memref)
    if not kind.has_static_shape():
        return
    for use in op.memref.uses:
        if isinstance(use.operation, DeallocOp) and use.operation.parent is op.parent:
            rewriter.erase(use.operation)
            new = AllocaOp(op.dynamic_sizes, op.symbol_operands, kind)
            rewriter.replace_with(op, new)
            return


PATTERNS = (allocate_on_stack,)
