"""Whether a loop's bounds are in order: its upper bound is not below its lower one."""

from __future__ import annotations

from xdsl.ir import Block, SSAValue

from tilewright.ir.dialects import func, scf
from tilewright.ir.indexing.intervals import UNKNOWN, Interval
from tilewright.ir.indexing.ranges import Ranges, linear_of


def is_in_order(loop: scf.ForOp) -> bool:
    """Whether the upper bound is certainly not below the lower one."""
    distance = _RANGES.least(linear_of(loop.ub) - linear_of(loop.lb))
    return distance is not None and distance >= 0


def _argument(value: SSAValue) -> Interval:
    """An argument of a function is an extent or an index: nobody passes a negative."""
    owner = value.owner
    is_argument = isinstance(owner, Block) and isinstance(
        owner.parent_op(), func.FuncOp
    )
    return (0, None) if is_argument else UNKNOWN


_RANGES = Ranges(_argument)
