"""Several reductions of one tensor across its rows, in one pass.

The sum and the sum of squares of each column read the same elements. Each reduction is
written as if it were alone (`columns.py`); then their grids become one, and so do the
loops inside, which load each element once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.dataflow import Analysis
from tilewright.planning.analysis.facts import OpFacts
from tilewright.planning.grouping.group import Group
from tilewright.planning.sketches.base import Sketch
from tilewright.planning.sketches.columns import Columns, SharedColumns, part_counts
from tilewright.planning.sketches.reduced import Reduced, reduced
from tilewright.planning.writing.lines import Lines
from tilewright.planning.writing.terms import text


def sketches(analysis: Analysis, group: Group, target: Target) -> Sequence[Sketch]:
    """The sketches of a group with several sinks that reduce alike."""
    works = _works(group)
    if not works:
        return ()
    first = works[0]
    if len(first.reduced_loops) != 1 or any(work.is_open for work in works):
        return ()
    if first.inner_loop in first.reduced_loops and first.results > 1:
        return ()
    alike = {(tuple(w.extents), tuple(w.reduced_loops), w.inner_loop) for w in works}
    if len(alike) > 1:
        return ()
    shared = [
        SharedSiblings(group, target, works, n) for n in part_counts(first, target)
    ]
    found: list[Sketch] = [sketch for sketch in shared if not sketch.has_rest]
    if first.results > 1:
        found.append(Siblings(group, target, works))
    return found


def _works(group: Group) -> list[Reduced]:
    """One reduction for each sink; none if they share more than inlined producers."""
    if not group.also_sinks or group.contractions:
        return []
    found: list[Reduced] = []
    for ops in (_behind(group, sink) for sink in group.sinks):
        work = reduced(Group(ops, group.places, leaving=group.leaving & set(ops)))
        if work is None:
            return []
        found.append(work)
    counted = Counter(facts for work in found for facts in work.collapsed.group.ops)
    for work in found:
        own = {work.reduction, *work.fills, *work.readers}
        if any(counted[facts] > 1 for facts in own):
            return []
    return found if len(counted) == len(group.ops) else []


def _behind(group: Group, sink: OpFacts) -> list[OpFacts]:
    """The ops of a group that a sink is computed from, and the sink."""
    found = {sink.op: sink}
    for facts in sorted(group.ops, key=lambda f: -f.number):
        if any(use.operation in found for r in facts.op.results for use in r.uses):
            found[facts.op] = facts
    return sorted(found.values(), key=lambda f: f.number)


def _ends(works: Sequence[object]) -> list[str]:
    """The ends of the names of each reduction's handles."""
    return ["", *(f"_{number}" for number in range(2, len(works) + 1))]


def _join_loops(lines: Lines, ends: Sequence[str]) -> None:
    """Make the loops of a grid one."""
    lines.do("match", text("scf.for"), "in", "grid", to=("loops",))
    lines.do("split_handle", "loops", to=[f"loop{end}" for end in ends])
    for end in ends[1:]:
        lines.merge_into("loop", f"loop{end}")


class Siblings(Columns):
    """A program computes a tile of each result in one pass."""

    summary = "a program for a tile of all results"

    def __init__(self, group: Group, target: Target, works: Sequence[Reduced]):
        super().__init__(group, target, works[0])
        self.each = [Columns(group, target, work) for work in works]

    def write(self, lines: Lines) -> None:
        """Write each reduction by itself, then make their grids and loops one."""
        ends = _ends(self.each)
        for end, sketch in zip(ends, self.each, strict=True):
            sketch.write_tiles(lines, f"grid{end}")
        for end in ends[1:]:
            lines.merge_into("grid", f"grid{end}")
        if self.has_steps:
            _join_loops(lines, ends)
        lines.launch()


class SharedSiblings(SharedColumns):
    """Programs share tiles of several results, which they compute in one pass."""

    summary = "programs share tiles of all results; the last one combines their parts"

    def __init__(
        self, group: Group, target: Target, works: Sequence[Reduced], parts: int
    ):
        super().__init__(group, target, works[0], parts)
        self.each = [SharedColumns(group, target, work, parts) for work in works]

    def write(self, lines: Lines) -> None:
        """Write each reduction by itself, then make their grids and loops one."""
        ends = _ends(self.each)
        for end, sketch in zip(ends, self.each, strict=True):
            sketch.write_split(lines, end)
        for end, sketch in zip(ends, self.each, strict=True):
            sketch.write_parts(lines, end)
        for end in ends[1:]:
            lines.merge_into("last", f"last{end}")
            lines.merge_into("grid", f"grid{end}")
        if self.has_steps:
            _join_loops(lines, ends)
        lines.launch()
        lines.do("last_arriver", "last")
