"""Let ops after a forall read the result of a producer that was fused into it."""

from __future__ import annotations

from xdsl.ir import Operation, OpResult, Region, SSAValue

from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    ExpandShapeOp,
    ParallelInsertSliceOp,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.fuse.producer_tile import Tile


def add_fused_result(
    producer: Operation,
    result: OpResult,
    tile: Tile,
    containing: Operation,
    rewriter: Rewriter,
) -> Operation:
    """Add the producer's result to the loop, and let later ops read it there."""
    for use in list(result.uses):
        _move_view_behind(use.operation, containing, rewriter)
    after = [use for use in result.uses if _comes_after(use.operation, containing)]
    if not after or not isinstance(containing, ForallOp):
        return containing
    if not isinstance(producer, GenericOp):
        return containing
    # Iterations that accumulate into one tile would see each other's sums.
    starts_from = producer.body.block.args[len(producer.inputs) + result.index]
    if starts_from.uses and not _has_own_tiles(containing, tile):
        return containing
    whole = producer.outputs[result.index]
    block = containing.body.block
    argument = block.insert_arg(whole.type, len(block.args))
    terminator = containing.terminator.region.block
    insert = ParallelInsertSliceOp(
        tile.tiled.values[result.index], argument, *tile.part.slice
    )
    first = terminator.first_op
    assert first is not None, "a forall with results hands something back"
    terminator.insert_op_before(insert, first)
    from tilewright.transforms.structured.tile.coverage import tiles_cover

    if not tiles_cover(containing, argument, whole, rewriter.equal_extents):
        terminator.erase_op(insert)
        block.erase_arg(argument)
        return containing
    outputs = [*containing.outputs, whole]
    for output, shared in zip(outputs, containing.shared_outs, strict=True):
        for use in list(output.uses):
            inside = containing.is_ancestor(use.operation)
            if inside and use.operation is not containing:
                use.operation.operands[use.index] = shared
    body = Region()
    containing.body.move_blocks(body)
    new = ForallOp(
        containing.lower_bounds,
        containing.upper_bounds,
        containing.steps,
        outputs,
        body,
        containing.mapping,
        dict(containing.attributes),
    )
    new.location = containing.location
    rewriter.insert_before(containing, new)
    for use in after:
        use.operation.operands[use.index] = new.results[-1]
    rewriter.replace(containing, new.results[:-1], stands_for=new)
    return new


def _has_own_tiles(forall: ForallOp, tile: Tile) -> bool:
    """Whether the offsets of a tile depend on every index of the loop."""
    seen: set[SSAValue] = set()
    waiting = [offset for offset in tile.part.offsets if isinstance(offset, SSAValue)]
    while waiting:
        value = waiting.pop()
        if value not in seen:
            seen.add(value)
            if isinstance(value, OpResult):
                waiting += value.op.operands
    return all(
        index in seen or count == 1
        for index, count in zip(forall.induction_vars, forall.upper_bounds, strict=True)
    )


def _move_view_behind(view: Operation, loop: Operation, rewriter: Rewriter) -> None:
    """Move a reshape before a loop behind it, if only ops behind the loop read it."""
    if not isinstance(view, ExpandShapeOp | CollapseShapeOp):
        return
    if view.parent is not loop.parent or _comes_after(view, loop):
        return
    for use in list(view.results[0].uses):
        _move_view_behind(use.operation, loop, rewriter)
    behind = loop.next_op
    assert behind is not None, "a block has a terminator"
    if all(_comes_after(use.operation, loop) for use in view.results[0].uses):
        rewriter.move_before(view, behind)


def _comes_after(op: Operation, loop: Operation) -> bool:
    """Whether an op, or the op around it, comes after a loop in its block."""
    block = loop.parent
    assert block is not None
    ancestor = block.find_ancestor_op_in_block(op)
    return (
        ancestor is not None
        and ancestor is not loop
        and (loop.is_before_in_block(ancestor))
    )
