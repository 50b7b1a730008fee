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
        parts = _parts_of(op, block)
        if parts is not None and not _is_read_between(parts, op):
            parts.detach()
            block.insert_op_before(parts, op)


def _parts_of(last: ForallOp, block: Block) -> ForallOp | None:
    """The grid whose parts a last arriver combines: the latest one that it may join.

    It may read results of other kernels, too, such as the scale of a norm.
    """
    read = {
        value.owner
        for inner in walked(last)
        for value in inner.operands
        if isinstance(value.owner, ForallOp) and value.owner.parent is block
    }
    fitting = {grid for grid in read if _ends_alike(grid, last)}
    return max(fitting or read, key=block.get_operation_index, default=None)


def _ends_alike(parts: ForallOp, last: ForallOp) -> bool:
    """Whether a grid has the loops of a last arriver behind loops of its own."""
    own, first = list(last.upper_bounds), list(parts.upper_bounds)
    return len(first) > len(own) and first[len(first) - len(own) :] == own


def _is_read_between(parts: Operation, end: Operation) -> bool:
    """Whether an op between two ops of a block reads the first one."""
    readers = {use.operation for result in parts.results for use in result.uses}
    between = parts.next_op
    while between is not None and between is not end:
        if any(inner in readers for inner in walked(between)):
            return True
        between = between.next_op
    return False
