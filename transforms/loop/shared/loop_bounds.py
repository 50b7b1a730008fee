"""What is known of a loop's bounds: constants, trip counts, values never negative."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects import affine, func, scf
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.linear import linear_form


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


def is_in_order(loop: scf.ForOp) -> bool:
    """Whether the upper bound is certainly not below the lower one."""
    lower, upper = constant_int(loop.lb), constant_int(loop.ub)
    if lower is not None and upper is not None:
        return lower <= upper
    return loop.lb is loop.ub or (lower == 0 and is_never_negative(loop.ub))


def is_never_negative(value: SSAValue) -> bool:
    """Whether a value counts something: an extent, an index, a sum of such.

    The arguments of a function are taken to be extents: nobody passes a negative one.
    """
    number = constant_int(value)
    if number is not None:
        return number >= 0
    owner = value.owner
    if isinstance(owner, Block):
        return _is_count(owner.parent_op(), value)
    if isinstance(owner, affine.ApplyOp | affine.MinOp):
        return _is_sum(owner)
    if owner.name in _OF_COUNTS:
        return all(is_never_negative(operand) for operand in owner.operands)
    return owner.name in _COUNTS


_COUNTS = {"tensor.dim", "memref.dim"}
_OF_COUNTS = {"arith.addi", "arith.muli", "arith.minsi", "arith.ceildivsi"}
"""What is never negative, always or where its operands are not."""


def _is_count(parent: Operation | None, value: SSAValue) -> bool:
    """Whether a block argument is an argument of a function or a loop's index."""
    if isinstance(parent, func.FuncOp):
        return True
    if isinstance(parent, scf.ForOp):
        return value is parent.body.block.args[0] and is_never_negative(parent.lb)
    if isinstance(parent, ForallOp) and value in parent.induction_vars:
        lower = parent.lower_bounds[parent.induction_vars.index(value)]
        return lower >= 0 if isinstance(lower, int) else is_never_negative(lower)
    return False


def _is_sum(op: affine.ApplyOp | affine.MinOp) -> bool:
    """Whether a map only adds up what is never negative."""
    if not all(is_never_negative(operand) for operand in op.operands):
        return False
    for expr in op.map.data.results:
        form = linear_form(expr)
        if form is None or min((form.constant, *form.terms.values())) < 0:
            return False
    return True
