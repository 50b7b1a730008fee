"""Scans: structured ops whose results run along a reduction loop.

A scan has one reduction loop. Each *carried* output combines a value with itself in
every iteration, as in a reduction. The other outputs run along the loop and have what
the body computes from the totals so far. The loop has to run in order: it can be cut
into steps, but its iterations cannot change places.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.bodies import yielded
from tilewright.ir.structured.loops import nest_of, runs_along_reductions
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.reductions import Reduction, reduction_of


@dataclass(frozen=True)
class Scan:
    """How a scan carries its totals."""

    loop: int
    """The reduction loop, which the totals run along."""
    carried: dict[int, Reduction]
    """How each carried output combines, by its number."""


def is_scan(op: StructuredOp) -> bool:
    """Whether a result runs along a reduction loop, so that its order counts."""
    return runs_along_reductions(nest_of(op))


def reads_totals(op: StructuredOp) -> bool:
    """Whether a result that runs along a reduction loop depends on running totals.

    If not, the results along the loop are element-wise, and the others are reductions.
    """
    nest = nest_of(op)
    values = yielded(op)
    along = [
        bool(set(nest.reduced) & set(named_loops(map_))) for map_ in nest.output_maps
    ]
    for output, map_ in enumerate(nest.output_maps):
        is_read = op.body.block.args[nest.inputs + output].uses.get_length()
        if along[output] and is_read and len(named_loops(map_)) != nest.rank:
            return True
    arguments = op.body.block.args[nest.inputs :]
    totals = [
        total
        for pair, runs in zip(zip(values, arguments, strict=True), along, strict=True)
        if not runs
        for total in pair
    ]
    return any(
        _needs(value, total)
        for value, runs in zip(values, along, strict=True)
        if runs
        for total in totals
    )


def scan_of(op: StructuredOp) -> Scan | None:
    """The scan that an op is; None if it is none, or carries in another way."""
    nest = nest_of(op)
    if not runs_along_reductions(nest) or len(nest.reduced) != 1:
        return None
    carried: dict[int, Reduction] = {}
    for output, map_ in enumerate(nest.output_maps):
        if nest.reduced[0] in named_loops(map_):
            if op.body.block.args[nest.inputs + output].uses.get_length():
                return None
            continue
        reduction = reduction_of(op, output)
        if reduction is None or _needs(reduction.operand, yielded(op)[output]):
            return None
        carried[output] = reduction
    return Scan(nest.reduced[0], carried)


def _needs(value: SSAValue, total: SSAValue) -> bool:
    """Whether a value of a body is computed from a total."""
    if value is total:
        return True
    if isinstance(value, BlockArgument):
        return False
    owner = value.owner
    assert isinstance(owner, Operation)
    return any(_needs(operand, total) for operand in owner.operands)
