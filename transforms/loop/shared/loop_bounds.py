"""What is known of a loop's bounds: whether they are in order, and how far apart."""

from __future__ import annotations

from xdsl.ir import Block, SSAValue

from tilewright.ir.dialects import func, scf
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.intervals import UNKNOWN, Interval
from tilewright.ir.indexing.loops import trip_count
from tilewright.ir.indexing.ranges import Ranges, linear_of
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.core.state import TransformState


def known_trips(loop: scf.ForOp) -> int | None:
    """How often a loop runs, if its bounds are numbers or a number apart."""
    trips, step = trip_count(loop), constant_int(loop.step)
    if trips is not None or step is None or step < 1 or loop.unsigned_cmp is not None:
        return trips
    distance = linear_of(loop.ub) - linear_of(loop.lb)
    return max(0, -(-distance.constant // step)) if distance.is_constant else None


def is_in_order(loop: scf.ForOp) -> bool:
    """Whether the upper bound is certainly not below the lower one."""
    distance = _RANGES.least(linear_of(loop.ub) - linear_of(loop.lb))
    return distance is not None and distance >= 0


def is_trusted(user: TransformOp, state: TransformState, loop: scf.ForOp) -> bool:
    """Whether a loop is taken for one that runs, as upstream does; warns of it."""
    if not state.follows_upstream(user):
        return False
    doubt = "the loop may have no iterations, which is taken to be impossible"
    state.run.warnings.append(user.refuse(doubt, loop))
    return True


def _argument(value: SSAValue) -> Interval:
    """An argument of a function is an extent or an index: nobody passes a negative."""
    owner = value.owner
    is_argument = isinstance(owner, Block) and isinstance(
        owner.parent_op(), func.FuncOp
    )
    return (0, None) if is_argument else UNKNOWN


_RANGES = Ranges(_argument)
