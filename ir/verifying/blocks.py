"""Blocks: each ends with a terminator, and has none before its end."""

from __future__ import annotations

from xdsl.ir import Block, Operation
from xdsl.traits import IsTerminator, NoTerminator, SingleBlockImplicitTerminator

from tilewright.ir.dialects.unregistered import UnregisteredOp, may_end_block
from tilewright.ir.errors import UserError
from tilewright.ir.parsing.sources import place_of

_ENDS = {
    "func": "return",
    "linalg": "linalg.yield",
    "scf": "scf.yield",
    "tensor": "tensor.yield",
    "transform": "transform.yield",
}
"""The terminator of the regions of each dialect's ops."""


def check_blocks(op: Operation) -> None:
    """Check the last ops of the blocks in `op`'s own regions, and branch targets."""
    if op.successors:
        _check_successors(op)
    if isinstance(op, UnregisteredOp):
        return
    needs_end = not op.has_trait(NoTerminator)
    for region in op.regions:
        is_single = len(region.blocks) == 1
        for block in region.blocks:
            if needs_end or not is_single:
                _check_end(op, block)


def _check_end(op: Operation, block: Block) -> None:
    last = block.last_op
    if last is None:
        raise UserError(
            f"'{op.name}' op has an empty block: expect at least a terminator",
            place_of(op),
            _remedy(op),
        )
    if may_end_block(last):
        return
    # A terminator in the middle explains more than its absence at the end.
    for early in block.ops:
        if early.has_trait(IsTerminator, value_if_unregistered=False):
            raise UserError(
                f"'{early.name}' op must be the last operation in the parent block",
                place_of(early),
            )
    raise UserError(
        f"block with no terminator, it ends with '{last.name}'",
        place_of(last),
        _remedy(op),
    )


def _remedy(op: Operation) -> str | None:
    implicit = op.get_trait(SingleBlockImplicitTerminator)
    end = _ENDS.get(op.dialect_name()) if implicit is None else implicit.op_type.name
    return None if end is None else f"end it with '{end}'"


def _check_successors(op: Operation) -> None:
    block = op.parent
    if block is None or block.last_op is not op:
        fact = f"'{op.name}' op with block successors must terminate its parent block"
        raise UserError(fact, place_of(op))
    if any(successor.parent is not block.parent for successor in op.successors):
        fact = f"'{op.name}' op branches to a block of a different region"
        raise UserError(fact, place_of(op))
