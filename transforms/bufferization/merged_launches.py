"""Brings grids that share a launch together, while their operands are tensors.

A grid with `triton.last_arriver` runs in the launch of the grid before it. The planner
tiles a reduction in parts where the reduction stands, and what combines the parts where
their last reader stands: a grid of another kernel may stand between the two.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.values import launch_attribute
from tilewright.transforms.core.walking import walked


def bring_together(block: Block) -> None:
    """Move the parts of each last arriver to it, if nothing between them reads them.

    On tensors the order of ops has no other meaning.
    """
    for op in list(block.ops):
        if not isinstance(op, ForallOp) or not launch_attribute(
            op, "triton.last_arriver"
        ):
            continue
        read = {
            value.owner
            for inner in walked(op)
            for value in inner.operands
            if isinstance(value.owner, ForallOp) and value.owner.parent is block
        }
        if len(read) != 1:
            continue
        (parts,) = read
        if not _is_read_between(parts, op):
            parts.detach()
            block.insert_op_before(parts, op)


def _is_read_between(parts: Operation, end: Operation) -> bool:
    """Whether an op between two ops of a block reads the first one."""
    readers = {use.operation for result in parts.results for use in result.uses}
    between = parts.next_op
    while between is not None and between is not end:
        if any(inner in readers for inner in walked(between)):
            return True
        between = between.next_op
    return False
