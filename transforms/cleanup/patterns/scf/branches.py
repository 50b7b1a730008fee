"""Patterns on scf.if: decide, empty or merge it, or make it a select; on cf.assert."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, Region, SSAValue

from tilewright.ir.dialects import scf
from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.constants import filled, uniform
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.core.rewriter import Rewriter


def yielded(region: Region) -> tuple[SSAValue, ...]:
    """The values that a branch yields."""
    last = region.blocks.last.last_op if region.blocks.last is not None else None
    return () if last is None else tuple(last.operands)


@pattern(scf.IfOp)
def take_branch(op: scf.IfOp, rewriter: Rewriter) -> None:
    """Replace an if with a known condition by that branch, or by nothing."""
    if (known := constant_int(op.cond)) is None:
        return
    inline_branch(op, op.true_region if known else op.false_region, rewriter)


def inline_branch(op: scf.IfOp, region: Region, rewriter: Rewriter) -> None:
    """Replace an if by the ops of one of its branches."""
    values = yielded(region)
    for block in region.blocks:
        for nested in list(block.ops):
            if not isinstance(nested, scf.YieldOp):
                rewriter.move_before(nested, op)
    rewriter.replace(op, values)


def _rebuild(
    op: scf.IfOp, keep: Sequence[int], values: Sequence[SSAValue], rewriter: Rewriter
) -> None:
    """Rebuild with only some of the results; `values` replace the others."""
    for region in (op.true_region, op.false_region):
        last = region.block.last_op
        assert last is not None
        last.operands = [last.operands[position] for position in keep]
    types = [op.results[position].type for position in keep]
    false_region, true_region = op.detach_region(1), op.detach_region(0)
    new = scf.IfOp(op.cond, types, true_region, false_region, op.attributes.copy())
    new.location = op.location
    rewriter.insert_before(op, new)
    results = iter(new.results)
    successors = [
        next(results) if position in keep else values[position]
        for position in range(len(op.results))
    ]
    rewriter.replace(op, successors, stands_for=new)


@pattern(scf.IfOp)
def drop_unread(op: scf.IfOp, rewriter: Rewriter) -> None:
    """Drop results that are not used."""
    keep = [i for i, result in enumerate(op.results) if result.first_use is not None]
    if len(keep) != len(op.results):
        # A dropped result is not used: any value of its type will do.
        _rebuild(op, keep, yielded(op.true_region), rewriter)


@pattern(scf.IfOp)
def select_instead(op: scf.IfOp, rewriter: Rewriter) -> None:
    """Replace results whose two values come from outside by selects."""
    if not op.results:
        return
    keep: list[int] = []
    values: list[SSAValue] = []
    selects: list[Operation] = []
    pairs = zip(yielded(op.true_region), yielded(op.false_region), strict=True)
    for position, (yes, no) in enumerate(pairs):
        if op.is_ancestor(yes.owner) or op.is_ancestor(no.owner):
            keep.append(position)
            values.append(yes)
        elif yes is no:
            values.append(yes)
        else:
            select = make("arith.select", [op.cond, yes, no], [yes.type])
            select.location = op.location
            selects.append(select)
            values.append(select.results[0])
    if len(keep) == len(op.results):
        return
    rewriter.insert_before(op, *selects)
    _rebuild(op, keep, values, rewriter)


@pattern(scf.IfOp)
def know_condition(op: scf.IfOp, rewriter: Rewriter) -> None:
    """Replace the condition inside its branches by true or false."""
    for region, number in ((op.true_region, 1), (op.false_region, 0)):
        inside = [use for use in op.cond.uses if region.is_ancestor(use.operation)]
        if not inside:
            continue
        known = ConstantOp(filled(number, i1))
        rewriter.insert_before(op, known)
        for use in inside:
            rewriter.set_operand(use.operation, use.index, known.result)


@pattern(scf.IfOp)
def yield_condition(op: scf.IfOp, rewriter: Rewriter) -> None:
    """Replace a result that is true in one branch, false in the other."""
    if not op.results:
        return
    pairs = zip(yielded(op.true_region), yielded(op.false_region), strict=True)
    for result, (yes, no) in zip(op.results, pairs, strict=True):
        if result.type != i1 or result.first_use is None:
            continue
        if (uniform(yes), uniform(no)) == (-1, 0):
            rewriter.replace_uses(result, op.cond)
        elif (uniform(yes), uniform(no)) == (0, -1):
            true = ConstantOp(filled(1, i1))
            inverse = make("arith.xori", [op.cond, true.result], [i1])
            rewriter.insert_before(op, true, inverse)
            rewriter.replace_uses(result, inverse.results[0])


@pattern(scf.IfOp)
def drop_empty_else(op: scf.IfOp, rewriter: Rewriter) -> None:
    """Drop an else branch that does nothing."""
    block = op.false_region.blocks.first
    if block is None or op.results or block.first_op is not block.last_op:
        return
    last = block.last_op
    assert last is not None
    rewriter.erase(last)
    op.false_region.erase_block(block)
    rewriter.changed(op)


def _is_inverse(value: SSAValue, of: SSAValue) -> bool:
    inner = owner_named(value, "arith.xori")
    return (
        inner is not None
        and inner.operands[0] is of
        and uniform(inner.operands[1]) == -1
    )


@pattern(scf.IfOp)
def merge_with_previous(op: scf.IfOp, rewriter: Rewriter) -> None:
    """Merge two ifs in a row with the same or the opposite condition."""
    before = op.prev_op
    if not isinstance(before, scf.IfOp):
        return
    if before.cond is op.cond:
        branches = [op.true_region, op.false_region]
    elif _is_inverse(op.cond, before.cond) or _is_inverse(before.cond, op.cond):
        branches = [op.false_region, op.true_region]
    else:
        return
    regions: list[Region] = []
    for first, second in zip(
        (before.true_region, before.false_region), branches, strict=True
    ):
        for result, value in zip(before.results, yielded(first), strict=False):
            for use in list(result.uses):
                if second.is_ancestor(use.operation):
                    rewriter.set_operand(use.operation, use.index, value)
        regions.append(_joined(first, second))
    types = [*before.result_types, *op.result_types]
    new = scf.IfOp(before.cond, types, regions[0], regions[1])
    new.location = before.location
    rewriter.insert_before(op, new)
    count = len(before.results)
    rewriter.replace(op, new.results[count:], stands_for=new)
    rewriter.replace(before, new.results[:count], stands_for=new)


def _joined(first: Region, second: Region) -> Region:
    """One branch that does the work of two, one after the other."""
    blocks = [r.detach_block(0) for r in (first, second) if r.blocks.first is not None]
    if not blocks:
        return Region()
    block = blocks[0]
    for other in blocks[1:]:
        one, two = block.last_op, other.last_op
        assert one is not None and two is not None
        values = [*one.operands, *two.operands]
        one.detach()
        one.erase()
        for nested in list(other.ops):
            nested.detach()
            block.add_op(nested)
        two.operands = values
    return Region(block)


@pattern(scf.IfOp)
def merge_nested(op: scf.IfOp, rewriter: Rewriter) -> None:
    """Merge an if with the only op inside it, another if."""
    inner = op.true_region.block.first_op
    if op.results or op.false_region.blocks.first is not None:
        return
    if (
        not isinstance(inner, scf.IfOp)
        or inner.next_op is not op.true_region.block.last_op
    ):
        return
    if inner.results or inner.false_region.blocks.first is not None:
        return
    both = make("arith.andi", [op.cond, inner.cond], [i1])
    block = inner.true_region.detach_block(0)
    new = scf.IfOp(both.results[0], [], Region(block))
    rewriter.replace_with(op, both, new)


@pattern_on("cf.assert")
def drop_assertion(op: Operation, rewriter: Rewriter) -> None:
    """Drop an assertion that always holds."""
    if constant_int(op.operands[0]):
        rewriter.erase(op)


PATTERNS = (
    take_branch,
    drop_assertion,
    drop_unread,
    select_instead,
    know_condition,
    yield_condition,
    drop_empty_else,
    merge_with_previous,
    merge_nested,
)
