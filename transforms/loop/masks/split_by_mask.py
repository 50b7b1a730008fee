"""`split_by_mask`: cut a loop where its masks begin or end. Not upstream's.

Before:
    %r = scf.for %j = %c0 to %end step %c64 iter_args(%acc = %a) -> (...) {
      %p = linalg.generic ...   // select(j + jj <= i + ii, x, 0)
      ...
    }

After:
    %w = scf.for %j = %c0 to %i step %c64 iter_args(%acc = %a) -> (...) {
      %p = linalg.generic ...   // x
      ...
    }
    %r = scf.for %j = %i to %end step %c64 iter_args(%acc = %w) -> (...) {
      %p = linalg.generic ...   // select(j + jj <= i + ii, x, 0)
      ...
    }

A window cuts tiles at both ends: a masked loop comes before the other one, too. In the
loop without masks, the sizes of tiles that are always whole become numbers.

Requires: a loop with a constant step, and a condition on indices in the body of a
structured op, linear in the loop's index, that holds throughout some of the tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import scf
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.indexing.ranges import Form, linear_of
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.loop.masks.conditions import conditions_in
from tilewright.transforms.loop.masks.guards import drop_guards
from tilewright.transforms.loop.masks.iterations import (
    Grid,
    Inequality,
    at_least,
    inequality,
    loop_grid,
    lower_bounds,
    upper_bounds,
    winners,
    written,
)
from tilewright.transforms.loop.masks.matches import Search
from tilewright.transforms.loop.masks.selects import (
    decisions,
    full_where,
    simplify,
    unmasked_where,
)
from tilewright.transforms.loop.masks.tile_data import TileData
from tilewright.transforms.loop.shared.loop_bodies import set_range
from tilewright.transforms.loop.shared.targets import index_loop


@irdl_op_definition
class SplitByMaskOp(TargetOp):
    """Split loops; consumes them, returns the loops without and with masks."""

    name = "transform.tilewright.split_by_mask"
    FORM: ClassVar[str] = "split_by_mask <target:handle>"
    SUMMARY: ClassVar[str] = "cut a loop into parts without masks and parts with them"

    whole = result_def(TransformOpHandleType)
    masked = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Plan:
        """Find the iterations in which conditions hold throughout the tile."""
        loop = index_loop(self, op)
        grid = loop_grid(loop)
        if grid is None:
            raise self.refuse("the step is not a constant", loop, "tile by a number")
        search = Search(TileData(loop), for_all=True)
        try:
            return self._planned(search, grid)
        except SilenceableFailure:
            search.drop()
            raise

    def _planned(self, search: Search, grid: Grid) -> Plan:
        loop = search.data.loop
        forms = dict.fromkeys(unmasked_where(search))
        facts = [form for form in forms if inequality(form, loop) is not None]
        if not facts:
            masks = [compared for _, compared in conditions_in(loop)]
            raise self.refuse(
                "no condition in the loop is linear in the loop's index and values "
                "from outside of the loop",
                masks[0] if masks else loop,
            )
        full = [form for form in full_where(loop) if inequality(form, loop) is not None]
        plan = Plan(loop, grid, search, tuple(dict.fromkeys([*facts, *full])))
        new_ops = OpList()
        starts, ends = plan.starts(new_ops), plan.ends(new_ops)
        is_empty = any(at_least(start, end) for start in starts for end in ends)
        new_ops.drop()
        if is_empty:
            raise self.refuse(
                "the condition cuts the tile of every iteration",
                loop,
                "choose smaller tiles, or leave the loop as it is",
            )
        return plan

    def rewrite(
        self, plan: Plan, rewriter: Rewriter
    ) -> tuple[Sequence[scf.ForOp], Sequence[scf.ForOp]]:
        """Put up to three loops in the place of one."""
        loop, new_ops = plan.loop, OpList()
        starts, ends = plan.starts(new_ops), plan.ends(new_ops)
        are_ordered = all(at_least(end, start) for end in ends for start in starts)
        start = new_ops.index(written(starts, new_ops, greatest=True))
        whole = loop.clone()
        parts = {whole: plan.facts}
        if not _is_begun(starts, lower_bounds(loop)):
            head = loop.clone()
            stop = [linear_of(start)]
            if not all(at_least(u, s) for u in upper_bounds(loop) for s in starts):
                stop += upper_bounds(loop)
            set_range(head, upper=new_ops.index(written(stop, new_ops, greatest=False)))
            # Before the whole tiles start, what ends them holds.
            parts = {head: plan.facts_of(upper=True) if are_ordered else (), **parts}
        end = new_ops.index(written(ends, new_ops, greatest=False))
        if not _is_done(ends, upper_bounds(loop)):
            if not are_ordered:
                # Whole tiles that would end before they start are none.
                both = [linear_of(start), linear_of(end)]
                end = new_ops.index(written(both, new_ops, greatest=True))
            tail = loop.clone()
            set_range(tail, lower=end)
            parts[tail] = plan.facts_of(upper=False)
        set_range(whole, lower=start, upper=end)
        for before, after in pairwise(parts):
            set_range(after, inits=before.results)
        search = plan.search
        found = {part: list(decisions(search, facts)) for part, facts in parts.items()}
        rewriter.insert_before(loop, *search.data.new_ops.ops)
        search.insert(rewriter)
        rewriter.insert_before(loop, *new_ops.ops, *parts)
        rewriter.replace(loop, list(parts)[-1].results, stands_for=whole)
        for part in parts:
            simplify(part, found[part], rewriter)
        search.erase_unused(rewriter)
        drop_guards(whole, rewriter)
        return [whole], [part for part in parts if part is not whole]


@dataclass(frozen=True)
class Plan:
    """A loop, its indices, and the forms that are not negative where no tile is cut."""

    loop: scf.ForOp
    grid: Grid
    search: Search
    facts: tuple[Form, ...]

    def starts(self, new_ops: OpList) -> list[Form]:
        """The forms whose greatest is the first index of a whole tile."""
        bounds = [b for b in self._inequalities() if not b.is_upper]
        found = [self.grid.start(bound).written(new_ops) for bound in bounds]
        return winners([*lower_bounds(self.loop), *found], greatest=True)

    def ends(self, new_ops: OpList) -> list[Form]:
        """The forms whose least is the end of the whole tiles."""
        bounds = [b for b in self._inequalities() if b.is_upper]
        found = [self.grid.end(bound).written(new_ops) for bound in bounds]
        # An end lies less than a step after the last index for which the bound holds.
        least = [b.rest + self.grid.step for b in bounds if b.factor == -1]
        others = [
            form
            for form in upper_bounds(self.loop)
            if not any(at_least(form, other) for other in least)
        ]
        return winners([*found, *others], greatest=False)

    def facts_of(self, *, upper: bool) -> tuple[Form, ...]:
        """The forms that bound the index from above, or those from below."""
        found = zip(self.facts, self._inequalities(), strict=True)
        return tuple(fact for fact, bound in found if bound.is_upper is upper)

    def _inequalities(self) -> list[Inequality]:
        found = [inequality(fact, self.loop) for fact in self.facts]
        return [bound for bound in found if bound is not None]


def _is_begun(starts: Sequence[Form], lower: Sequence[Form]) -> bool:
    """Whether the greatest of `starts` is certainly not after that of `lower`."""
    return all(any(at_least(one, start) for one in lower) for start in starts)


def _is_done(ends: Sequence[Form], upper: Sequence[Form]) -> bool:
    """Whether the least of `ends` is certainly not before that of `upper`."""
    return all(any(at_least(end, one) for one in upper) for end in ends)
