"""`apply_cse`: compute each expression once.

Before:
    %a = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)
    %b = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)

After:
    %a = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)      // %b's users read %a

Two ops are merged if they have the same name, operands, attributes, result types and
equal bodies. The operands of a commutative op may come in either order, except inside
bodies. Two reads of memory are merged if nothing in between may write. Dead code is
dropped.

Requires: nothing. Ops that write, and ops of several blocks, are left alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import irdl_op_definition

from tilewright.ir.dialects.unregistered import may_be_isolated
from tilewright.ir.structured.combiners import kind_of
from tilewright.transforms.cleanup.driver import erase_dead
from tilewright.transforms.cleanup.effects import (
    HARMLESS,
    READS,
    is_terminator,
    kinds_of_effects,
)
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import InPlaceOp


@irdl_op_definition
class ApplyCseOp(InPlaceOp):
    """Eliminate common subexpressions inside the target."""

    name = "transform.apply_cse"
    FORM: ClassVar[str] = "cse <target:handle>"
    SUMMARY: ClassVar[str] = "remove common subexpressions"

    KEYWORD: ClassVar[str | None] = "to"

    def rewrite(self, plan: Operation, rewriter: Rewriter) -> None:
        """Run CSE inside one op."""
        eliminate_common(plan, rewriter)


def eliminate_common(root: Operation, rewriter: Rewriter) -> bool:
    """Run CSE and DCE inside `root`; return whether anything changed."""
    before = rewriter.changes
    erase_dead(root, rewriter)
    cleaned = rewriter.changes
    _Elimination(rewriter).visit_regions(root)
    if rewriter.changes != cleaned:
        erase_dead(root, rewriter)
    return rewriter.changes != before


class _Elimination:
    """One walk, with a table of the ops seen so far by what they compute.

    A block sees the entries of the blocks around it. Its own entries are removed at its
    end, so nothing is copied and the walk is linear.
    """

    def __init__(self, rewriter: Rewriter):
        self._rewriter = rewriter
        self._known: dict[Hashable, list[Operation]] = {}
        self._added: list[Hashable] = []
        self._writes = 0
        """The number of ops seen so far that may write."""
        self._read_at: dict[Operation, int] = {}

    def visit_regions(self, op: Operation) -> None:
        """Visit the ops inside an op; an isolated one sees no entries from outside."""
        outer = self._known
        if may_be_isolated(op):
            self._known = {}
        for region in op.regions:
            for block in region.blocks:
                self._visit(block)
        self._known = outer

    def _visit(self, block: Block) -> None:
        mark = len(self._added)
        for op in list(block.ops):
            if op.regions:
                self.visit_regions(op)
            self._visit_op(op)
        while len(self._added) > mark:
            self._known[self._added.pop()].pop()

    def _visit_op(self, op: Operation) -> None:
        if is_terminator(type(op)):
            return
        kinds = kinds_of_effects(op)
        if kinds == READS:
            self._visit_read(op)
            return
        if kinds is None or not kinds <= HARMLESS:
            self._writes += 1
            return
        if kinds:
            return
        if op.results and all(len(region.blocks) <= 1 for region in op.regions):
            key = _key(op)
            same = self._find(op, key)
            if same is None:
                self._remember(op, key)
            else:
                self._rewriter.replace(op, same.results, stands_for=same)

    def _visit_read(self, op: Operation) -> None:
        key = _key(op)
        same = self._find(op, key)
        if (
            same is not None
            and same.parent is op.parent
            and self._read_at[same] == self._writes
        ):
            self._rewriter.replace(op, same.results, stands_for=same)
            return
        self._remember(op, key)
        self._read_at[op] = self._writes

    def _find(self, op: Operation, key: Hashable) -> Operation | None:
        """The latest op that computes the same."""
        for other in reversed(self._known.get(key, ())):
            if _is_same(op, other):
                return other
        return None

    def _remember(self, op: Operation, key: Hashable) -> None:
        self._known.setdefault(key, []).append(op)
        self._added.append(key)


def _operands(op: Operation) -> tuple[SSAValue, ...]:
    if kind_of(op) is not None:  # every combiner is commutative
        return tuple(sorted(op.operands, key=id))
    return tuple(op.operands)


def _key(op: Operation) -> Hashable:
    """A key that is equal for all ops that compute the same."""
    properties = op.properties
    return (op.name, _operands(op), frozenset(properties.items()), _outer_values(op))


def _outer_values(op: Operation) -> frozenset[SSAValue]:
    """The values from outside that a body reads.

    Grids in a chain agree on everything else, and comparing each with all before it
    takes quadratic time.
    """
    if not op.regions:
        return frozenset()
    read, made = set[SSAValue](), set[SSAValue]()
    for region in op.regions:
        for block in region.blocks:
            made.update(block.args)
    for nested in op.walk():
        if nested is op:
            continue
        read.update(nested.operands)
        made.update(nested.results)
        for region in nested.regions:
            for block in region.blocks:
                made.update(block.args)
    return frozenset(read - made)


def _is_same(op: Operation, other: Operation) -> bool:
    """Whether two ops with one key compute the same."""
    return (
        op.result_types == other.result_types
        and op.attributes == other.attributes
        and _same_regions(op.regions, other.regions, {})
    )


def _same_regions(
    ours: Sequence[Region], theirs: Sequence[Region], twins: dict[SSAValue, SSAValue]
) -> bool:
    """Whether bodies compute the same; `twins` maps values of one to the other."""
    for region, other in zip(ours, theirs, strict=True):
        if len(region.blocks) != len(other.blocks):
            return False
        for block, twin in zip(region.blocks, other.blocks, strict=True):
            if not _same_blocks(block, twin, twins):
                return False
    return True


def _same_blocks(block: Block, other: Block, twins: dict[SSAValue, SSAValue]) -> bool:
    if [arg.type for arg in block.args] != [arg.type for arg in other.args]:
        return False
    twins.update(zip(block.args, other.args, strict=True))
    mine, its = list(block.ops), list(other.ops)
    return len(mine) == len(its) and all(
        _same_inside(a, b, twins) for a, b in zip(mine, its, strict=True)
    )


def _same_inside(
    op: Operation, other: Operation, twins: dict[SSAValue, SSAValue]
) -> bool:
    """Whether two ops inside compared bodies compute the same."""
    if (
        op.name != other.name
        or op.properties != other.properties
        or op.attributes != other.attributes
        or op.result_types != other.result_types
        or len(op.operands) != len(other.operands)
        or len(op.regions) != len(other.regions)
    ):
        return False
    mapped = [twins.get(operand, operand) for operand in op.operands]
    if mapped != list(other.operands):
        return False
    twins.update(zip(op.results, other.results, strict=True))
    return _same_regions(op.regions, other.regions, twins)
