"""Allocations that end with their block go on the stack: `memref.alloc_to_alloca`."""

from __future__ import annotations

from math import prod
from typing import Any

from tilewright.ir.dialects.memref import AllocaOp, AllocOp, DeallocOp
from tilewright.ir.types import buffer_type
from tilewright.transforms.cleanup.constants import INDEX_BITS
from tilewright.transforms.cleanup.driver import Pattern, pattern
from tilewright.transforms.cleanup.group_ops import NO_LIMIT
from tilewright.transforms.core.rewriter import Rewriter


def alloc_to_alloca(size_limit: int) -> tuple[Pattern, ...]:
    """The pattern, for buffers of fewer bytes, as upstream has it."""

    @pattern(AllocOp)
    def allocate_on_stack(op: AllocOp, rewriter: Rewriter) -> None:
        """A static buffer that is deallocated in the block where it is allocated."""
        kind = buffer_type(op.memref)
        if not kind.has_static_shape():
            return
        if size_limit != NO_LIMIT:
            of: Any = kind.element_type
            bits = getattr(of, "bitwidth", INDEX_BITS)
            if prod(kind.get_shape()) * -(-bits // 8) >= size_limit:
                return
        for use in op.memref.uses:
            end = use.operation
            if isinstance(end, DeallocOp) and end.parent is op.parent:
                rewriter.erase(end)
                new = AllocaOp(op.dynamic_sizes, op.symbol_operands, kind)
                rewriter.replace_with(op, new)
                return

    return (allocate_on_stack,)
