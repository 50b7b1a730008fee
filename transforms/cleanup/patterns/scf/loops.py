"""Patterns on scf.for: constant carried values, unused results, single trips."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.ir.dialects import scf
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import is_tensor
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.carried_values import rebuild, yielded
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.shapes import cast_to, is_more_static, shape_of
from tilewright.transforms.core.rewriter import Rewriter


@pattern(scf.ForOp)
def drop_carried(op: scf.ForOp, rewriter: Rewriter) -> None:
    """Drop carried values that never change, are not used, or are repeated."""
    keep: list[int] = []
    known: dict[tuple[SSAValue, SSAValue], int] = {}
    args, values = op.body.block.args[1:], yielded(op)
    for position, (arg, init, value, result) in enumerate(
        zip(args, op.iter_args, values, op.results, strict=True)
    ):
        if value is arg or value is init:
            rewriter.replace_uses(arg, init)
            rewriter.replace_uses(result, init)
        elif arg.first_use is None and result.first_use is None:
            pass
        elif (twin := known.get((init, value))) is not None:
            rewriter.replace_uses(arg, args[twin])
            rewriter.replace_uses(result, op.results[twin])
        else:
            known[init, value] = position
            keep.append(position)
    if len(keep) != len(args):
        rebuild(op, keep, (), rewriter)


@pattern(scf.ForOp)
def inline_single_trip(op: scf.ForOp, rewriter: Rewriter) -> None:
    """Replace a loop that runs once by its body, one that never runs by its inits."""
    lower, upper, step = (constant_int(v) for v in (op.lb, op.ub, op.step))
    if op.lb is op.ub:
        rewriter.replace(op, list(op.iter_args))
        return
    if lower is None or upper is None:
        return
    if lower >= upper:
        rewriter.replace(op, list(op.iter_args))
    elif step is not None and lower + step >= upper:
        _inline(op, rewriter)


def _inline(op: scf.ForOp, rewriter: Rewriter) -> None:
    block = op.body.block
    for arg, value in zip(block.args, (op.lb, *op.iter_args), strict=True):
        rewriter.replace_uses(arg, value)
    values = yielded(op)
    for nested in list(block.ops):
        if not isinstance(nested, scf.YieldOp):
            rewriter.move_before(nested, op)
    rewriter.replace(op, values)


@pattern(scf.ForOp)
def drop_empty(op: scf.ForOp, rewriter: Rewriter) -> None:
    """Drop a loop that only yields values from outside and runs at least once."""
    block = op.body.block
    lower, upper = constant_int(op.lb), constant_int(op.ub)
    if block.first_op is not block.last_op or lower is None or upper is None:
        return
    values = yielded(op)
    if lower < upper and not any(value.owner is block for value in values):
        rewriter.replace(op, values)


@pattern(scf.ForOp)
def carry_what_was_cast(op: scf.ForOp, rewriter: Rewriter) -> None:
    """Carry a tensor before a cast that only makes extents dynamic."""
    for position, init in enumerate(op.iter_args):
        cast = owner_named(init, "tensor.cast")
        if cast is None or op.results[position].uses.get_length() != 1:
            continue
        source = cast.operands[0]
        if not is_tensor(source.type) or source.type == init.type:
            continue
        if is_more_static(shape_of(source), shape_of(init)):
            _retype(op, position, source, rewriter)
            return


def _retype(op: scf.ForOp, position: int, init: SSAValue, rewriter: Rewriter) -> None:
    """Carry a tensor under another type; casts keep the old type elsewhere."""
    block, old = op.body.block, op.results[position]
    first, last = block.first_op, block.last_op
    assert first is not None and last is not None
    arg = block.args[position + 1]
    new_arg = block.insert_arg(init.type, position + 1)
    new_arg.name_hint = arg.name_hint
    inside = cast_to(new_arg, old.type)
    outside = cast_to(last.operands[position], init.type)
    rewriter.insert_before(last, outside)
    rewriter.insert_before(first, inside)
    rewriter.replace_uses(arg, inside.results[0])
    block.erase_arg(arg)
    rewriter.set_operand(last, position, outside.results[0])
    inits = list(op.iter_args)
    inits[position] = init
    bounds = op.lb, op.ub, op.step
    new = scf.ForOp(*bounds, inits, op.detach_region(0))
    new.attributes = op.attributes.copy()
    new.location = op.location
    after = cast_to(new.results[position], old.type)
    rewriter.insert_before(op, new, after)
    values = list[SSAValue](new.results)
    values[position] = after.results[0]
    rewriter.replace(op, values, stands_for=new)


CARRIED = (drop_carried,)


PATTERNS = (drop_carried, inline_single_trip, drop_empty, carry_what_was_cast)
