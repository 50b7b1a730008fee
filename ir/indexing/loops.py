"""Loops: the bounds of their indices, and how often they run."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import BlockArgument, SSAValue

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.indexing.constants import constant_int

LOOP_LIKE = (
    *("scf.for", "scf.forall", "scf.parallel", "scf.while"),
    *("affine.for", "affine.parallel"),
)
"""The ops that run their regions many times."""


@dataclass(frozen=True, slots=True)
class LoopRange:
    """The numbers or values that a loop's index runs over."""

    lower: SSAValue | int
    upper: SSAValue | int
    step: SSAValue | int


def loop_range(index: BlockArgument) -> LoopRange | None:
    """The range of the loop whose index a value is; None if it is no loop's index."""
    loop, position = index.block.parent_op(), index.index
    if isinstance(loop, ForallOp) and position < loop.rank:
        return LoopRange(
            loop.lower_bounds[position],
            loop.upper_bounds[position],
            loop.steps[position],
        )
    if loop is not None and loop.name == "scf.for" and position == 0:
        return LoopRange(*loop.operands[:3])
    return None


def constant_bounds(loop: scf.ForOp) -> tuple[int, int, int] | None:
    """Lower bound, upper bound and step, if all three are constants."""
    lower, upper, step = (constant_int(v) for v in (loop.lb, loop.ub, loop.step))
    if lower is None or upper is None or step is None or step <= 0:
        return None
    if loop.unsigned_cmp is not None and min(lower, upper) < 0:
        return None
    return lower, upper, step


def trip_count(loop: scf.ForOp) -> int | None:
    """How often a loop runs, if that is known."""
    if loop.lb is loop.ub:
        return 0
    if (bounds := constant_bounds(loop)) is None:
        return None
    lower, upper, step = bounds
    return max(0, -((lower - upper) // step))
