"""Sequential loops: values that do not change, results nobody reads, single trips."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from tilewright.transforms.cleanup.patterns.constants import constant_int
from tilewright.transforms.cleanup.patterns.driver import pattern
from tilewright.transforms.rewriter import Rewriter


def yielded(loop: scf.ForOp) -> tuple[SSAValue, ...]:
    """The values a loop's body hands to the next iteration."""
    last = loop.body.block.last_op
    assert isinstance(last, scf.YieldOp)
    return tuple(last.operands)


def rebuild(
    loop: scf.ForOp,
    keep: Sequence[int],
    extra: Sequence[tuple[SSAValue, SSAValue, SSAValue]],
    rewriter: Rewriter,
) -> scf.ForOp:
    """Replace a loop by one with other carried values; the new loop.

    `keep` are the positions of carried values that stay. Each of `extra` is a new one:
    its initial value, the value in the body that its block argument replaces, and the
    value yielded. Results of the old loop that are dropped must have no uses left.
    """
    old_block = loop.body.block
    terminator = old_block.last_op
    assert terminator is not None
    inits = [loop.iter_args[i] for i in keep] + [init for init, _, _ in extra]
    block = Block(arg_types=[old_block.args[0].type, *(v.type for v in inits)])
    old_block.args[0].replace_all_uses_with(block.args[0])
    for position, index in enumerate(keep):
        old = old_block.args[index + 1]
        block.args[position + 1].name_hint = old.name_hint
        old.replace_all_uses_with(block.args[position + 1])
    for position, (_, inside, _) in enumerate(extra):
        inside.replace_all_uses_with(block.args[len(keep) + position + 1])
    values = yielded(loop)
    new_yield = scf.YieldOp(
        *(values[i] for i in keep), *(value for _, _, value in extra)
    )
    rewriter.erase(terminator)
    for op in list(old_block.ops):
        op.detach()
        block.add_op(op)
    block.add_op(new_yield)
    new = scf.ForOp(loop.lb, loop.ub, loop.step, inits, Region(block))
    new.attributes = loop.attributes.copy()
    new.location = loop.location
    rewriter.insert_before(loop, new)
    for position, index in enumerate(keep):
        old_result = loop.results[index]
        if old_result.name_hint is not None:
            new.results[position].name_hint = old_result.name_hint
        old_result.replace_all_uses_with(new.results[position])
    rewriter.replace(loop, _unused(loop, new, keep), stands_for=new)
    return new


def _unused(loop: scf.ForOp, new: scf.ForOp, keep: Sequence[int]) -> list[SSAValue]:
    """One replacement value per old result: its successor, or its initial value."""
    return [
        new.results[keep.index(i)] if i in keep else loop.iter_args[i]
        for i in range(len(loop.results))
    ]


@pattern(scf.ForOp)
def drop_invariant(op: scf.ForOp, rewriter: Rewriter) -> None:
    """A carried value that every iteration hands on unchanged is its initial value."""
    last = op.body.block.last_op
    carried = zip(
        op.body.block.args[1:], op.iter_args, yielded(op), op.results, strict=True
    )
    for position, (arg, init, value, result) in enumerate(carried):
        if value is not arg and value is not init:
            continue
        rewriter.replace_uses(result, init)
        if arg.uses.get_length() > int(value is arg):
            # Its own yield stays as it is: drop_unused takes both away.
            arg.replace_uses_with_if(
                init,
                lambda use, own=position: (use.operation, use.index) != (last, own),
            )
            rewriter.changed()


@pattern(scf.ForOp)
def drop_unused(op: scf.ForOp, rewriter: Rewriter) -> None:
    """A carried value that only feeds itself, and whose result nobody reads."""
    values = yielded(op)
    keep = [
        index
        for index, (arg, result) in enumerate(
            zip(op.body.block.args[1:], op.results, strict=True)
        )
        if result.uses.get_length()
        or any(use.operation is not op.body.block.last_op for use in arg.uses)
        or any(v is arg for j, v in enumerate(values) if j != index)
    ]
    if len(keep) != len(op.results):
        rebuild(op, keep, (), rewriter)


@pattern(scf.ForOp)
def inline_single_trip(op: scf.ForOp, rewriter: Rewriter) -> None:
    """A loop that runs once is its body; one that never runs is its initial values."""
    bounds = [constant_int(v) for v in (op.lb, op.ub, op.step)]
    lower, upper, step = bounds
    if lower is None or upper is None or step is None:
        return
    if lower >= upper:
        rewriter.replace(op, list(op.iter_args))
        return
    if lower + step < upper:
        return
    block = op.body.block
    for arg, value in zip(block.args, (op.lb, *op.iter_args), strict=True):
        arg.replace_all_uses_with(value)
    values = yielded(op)
    for nested in list(block.ops):
        if not isinstance(nested, scf.YieldOp):
            rewriter.move_before(nested, op)
    rewriter.replace(op, values)


CARRIED = (drop_invariant, drop_unused)
PATTERNS = (*CARRIED, inline_single_trip)
