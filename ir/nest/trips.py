"""How often a loop runs; the mean, if that differs from program to program."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import ConstexprOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.ranges import PROVEN, linear_of


def known_int(value: SSAValue | int) -> int | None:
    """The number that a value is, at the kernel level too."""
    if not isinstance(value, int) and isinstance(value.owner, ConstexprOp):
        return value.owner.value.value.data
    return constant_int(value)


def mean_trips(loop: scf.ForOp) -> int | None:
    """The trips of a loop, half of the most and the least where they vary."""
    noted = loop.attributes.get("kernel.mean_trips")
    if isinstance(noted, IntegerAttr):
        return noted.value.data
    lower, upper, step = (known_int(v) for v in (loop.lb, loop.ub, loop.step))
    if step is None or step <= 0:
        return None
    if lower is not None and upper is not None:
        return max(0, -(-(upper - lower) // step))
    span = linear_of(loop.ub) - linear_of(loop.lb)
    least, most = PROVEN.least(span), PROVEN.greatest(span)
    if least is None or most is None:
        return None
    return -(-((max(least, 0) + max(most, 0)) // 2) // step)
