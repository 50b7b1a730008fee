"""A group that reduces once: producers, one reduction, and readers of its result.

The producers are inlined into the reduction, so that one op reads memory. Its reduced
loops are collapsed to one. What comes after the reduction runs along its parallel
loops.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr

from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Group, Place
from tilewright.planning.sketches.collapsed import Collapsed
from tilewright.planning.writing.lines import Lines

FEWER = 16
"""A result with this many times fewer elements than what is reduced may be computed
twice."""


@dataclass(frozen=True, eq=False)
class Reduced:
    """A reduction, what is inlined into it, and what reads it."""

    collapsed: Collapsed
    reduction: OpFacts
    producers: tuple[OpFacts, ...]
    """The nearest one last."""
    fills: tuple[OpFacts, ...]
    readers: tuple[OpFacts, ...]
    """The sink last; empty if the reduction is the sink."""

    @cached_property
    def extents(self) -> list[int]:
        """The extents of the reduction's collapsed loops."""
        return self.collapsed.extents(self.reduction)

    @cached_property
    def reduced_loops(self) -> list[int]:
        """The collapsed loops that reduce."""
        starts = self.collapsed.starts(self.reduction)
        return [
            number
            for number, start in enumerate(starts)
            if start in self.reduction.reduced
        ]

    @property
    def length(self) -> int:
        """The elements that one result is computed from."""
        return math.prod(self.extents[loop] for loop in self.reduced_loops)

    @property
    def results(self) -> int:
        """The number of results."""
        return math.prod(self.extents) // max(self.length, 1)

    @cached_property
    def inner_loop(self) -> int | None:
        """The loop along which the elements of the widest input lie side by side.

        Where each input lacks a loop, as in `(a[:, :, None] + b).amax(1)`, it is the
        last loop, if that is kept and an input lies along it.
        """
        loops = self.collapsed.loops(self.reduction)
        streams = [s for s in self.collapsed.reads if s.inner in loops]
        if not streams:
            return None
        widest = max(streams, key=lambda s: s.operand.bytes)
        last = len(loops) - 1
        if (
            widest.operand.elements < math.prod(self.extents)
            and last not in self.reduced_loops
            and any(s.inner == loops[last] for s in streams)
        ):
            return last
        return None if widest.inner is None else loops.index(widest.inner)

    @property
    def read_width(self) -> int:
        """The bytes of the narrowest element that is read along the reduction."""
        return min(self._read_widths, default=4)

    @property
    def read_bytes(self) -> int:
        """The bytes that are read for one element of the reduction."""
        return sum(self._read_widths) or 4

    @cached_property
    def _read_widths(self) -> list[int]:
        """The bytes of an element of each input that is as large as the reduction."""
        return [
            s.operand.element.byte_width
            for s in self.collapsed.reads
            if s.operand.elements * 2 > math.prod(self.extents)
        ]

    @property
    def is_open(self) -> bool:
        """Whether a size is known only at run time."""
        return any(facts.open_loops for facts in self.collapsed.group.ops)

    def write_one_op(self, lines: Lines) -> None:
        """Inline the producers and collapse the loops."""
        name = self.reduction.name
        for facts in reversed(self.producers):
            lines.inline(facts.name, name)
        for facts in (*self.fills, self.reduction, *self.readers):
            self.collapsed.write_op(lines, facts)


def reduced(group: Group) -> Reduced | None:
    """A group as one reduction, if that is what it is."""
    if len(group.reductions) != 1 or group.contractions or group.also_sinks:
        return None
    (reduction,) = group.reductions
    if reduction.role != Role.REDUCTION or len(reduction.op.results) != 1:
        return None
    producers: list[OpFacts] = []
    readers: list[OpFacts] = []
    fills: list[OpFacts] = []
    before = _before(group, reduction)
    for facts in group.ops:
        if facts is reduction:
            continue
        if facts.role == Role.FILL and facts.op.results[0] in reduction.op.outputs:
            fills.append(facts)
        elif facts in before:
            producers.append(facts)
        else:
            readers.append(facts)
    for facts in producers:
        read_later = any(
            use.operation is reader.op
            for reader in readers
            for result in facts.op.results
            for use in result.uses
        )
        # A small one is computed here and again for its other readers, and so is one
        # that other kernels compute again.
        kept = facts in group.leaving or read_later
        is_small = facts.written_bytes * FEWER < reduction.read_bytes
        if (kept and not is_small) or len(facts.op.results) != 1:
            return None
    axes = {group.axis(reduction, loop) for loop in reduction.reduced}
    if not axes <= _read_axes(group, (reduction, *producers)):
        return None  # the sum of a broadcast: no input would tell its length
    for facts in readers:
        if any(group.axis(facts, loop) in axes for loop in range(len(facts.extents))):
            return None
        if facts.role == Role.FILL:
            return None
    if group.sink is not reduction and not readers:
        return None
    return Reduced(
        Collapsed(group, frozenset(producers)),
        reduction,
        tuple(producers),
        tuple(fills),
        tuple(readers),
    )


def _read_axes(group: Group, ops: Sequence[OpFacts]) -> set[Place]:
    """The axes along which ops read what other ops compute, or arguments."""
    made = {result for facts in ops for result in facts.op.results}
    return {
        group.axis(facts, expr.position)
        for facts in ops
        for value, map_ in zip(facts.op.inputs, facts.op.maps, strict=False)
        if value not in made
        for expr in map_.results
        if isinstance(expr, AffineDimExpr)
    }


def _before(group: Group, reduction: OpFacts) -> set[OpFacts]:
    """The ops whose results a reduction reads, directly or through others."""
    made: dict[SSAValue, OpFacts] = {
        result: f for f in group.ops for result in f.op.results
    }
    found: set[OpFacts] = set()
    pending = [reduction]
    while pending:
        for value in pending.pop().op.inputs:
            facts = made.get(value)
            if facts is not None and facts not in found:
                found.add(facts)
                pending.append(facts)
    return found


def works_of(group: Group) -> list[Reduced]:
    """One reduction for each sink; none if they differ in their loops.

    They may share producers, which are inlined into each, and nothing else.
    """
    if not group.also_sinks:
        work = reduced(group)
        return [] if work is None else [work]
    if group.contractions:
        return []
    found: list[Reduced] = []
    for ops in (_behind(group, sink) for sink in group.sinks):
        work = reduced(Group(ops, group.places, leaving=group.leaving & set(ops)))
        if work is None:
            return []
        found.append(work)
    counted = Counter(facts for work in found for facts in work.collapsed.group.ops)
    own = [f for work in found for f in (work.reduction, *work.fills, *work.readers)]
    alike = {(tuple(w.extents), tuple(w.reduced_loops), w.inner_loop) for w in found}
    if any(counted[facts] > 1 for facts in own) or len(counted) != len(group.ops):
        return []
    return found if len(alike) == 1 else []


def _behind(group: Group, sink: OpFacts) -> list[OpFacts]:
    """The ops of a group that a sink is computed from, and the sink."""
    found = {sink.op: sink}
    for facts in sorted(group.ops, key=lambda f: -f.number):
        if any(use.operation in found for r in facts.op.results for use in r.uses):
            found[facts.op] = facts
    return sorted(found.values(), key=lambda f: f.number)
