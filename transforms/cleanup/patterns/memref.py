"""Buffers: self-copies."""

from __future__ import annotations

from xdsl.ir import Operation

from tilewright.transforms.cleanup.patterns.driver import pattern_on
from tilewright.transforms.rewriter import Rewriter


@pattern_on("memref.copy")
def copy_to_itself(op: Operation, rewriter: Rewriter) -> None:
    """Copying a buffer onto itself."""
    if op.operands[0] is op.operands[1]:
        rewriter.erase(op)


PATTERNS = (copy_to_itself,)
