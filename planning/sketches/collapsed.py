"""A group with its loops collapsed: neighbouring loops that run as one in every op.

A tensor of shape [B, S, H] that is only added to another one is a row of B * S * H
elements; with a bias of H elements it is a matrix of B * S rows. Sketches tile the
loops that are left, which are the fewest that the group's operands allow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import Operation

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.collapsing import can_join
from tilewright.planning.analysis.facts import Operand, OpFacts, Role
from tilewright.planning.analysis.memory_runs import may_merge
from tilewright.planning.grouping.group import Group, Place
from tilewright.planning.writing.lines import Lines


@dataclass(frozen=True)
class Stream:
    """A tensor that the kernel reads or writes in memory, by collapsed axes."""

    operand: Operand
    axes: tuple[Place | None, ...]
    """The axis along each dimension, outermost first, without those of extent 1."""

    @property
    def inner(self) -> Place | None:
        """The axis along which its elements lie side by side."""
        return self.axes[-1] if self.axes else None


@dataclass(frozen=True, eq=False)
class Collapsed:
    """A group, its axes in runs that are one loop each."""

    group: Group
    inlined: frozenset[OpFacts] = frozenset()
    """Ops that become part of their readers' bodies before loops are collapsed."""

    @cached_property
    def joined(self) -> frozenset[tuple[Place, Place]]:
        """Pairs of axes, outer and inner, that run as one."""
        if any(len(facts.open_loops) > 1 for facts in self.group.ops):
            return frozenset()  # a view may leave one size open
        elsewhere = _needed_elsewhere(self.group) - self.inlined
        pairs: dict[tuple[Place, Place], bool] = {}
        for facts in self.group.ops:
            for inner in range(1, len(facts.extents)):
                pair = self._axis(facts, inner - 1), self._axis(facts, inner)
                fine = can_join(facts.op, inner) and facts not in elsewhere
                fine = fine and self._lies_so(facts, inner)
                pairs[pair] = pairs.get(pair, True) and fine
        found = {pair for pair, fine in pairs.items() if fine}
        return frozenset(pair for pair in found if self._is_side_by_side(pair))

    def _lies_so(self, facts: OpFacts, inner: int) -> bool:
        """Whether no operand has a gap in memory between a loop and the one before."""
        inside = {other.op for other in self.group.ops}
        for at, operand in enumerate(facts.operands):
            if inner not in operand.loops:
                continue
            dim = operand.loops.index(inner)
            value = operand.value
            if at >= len(facts.inputs):
                value = facts.op.results[at - len(facts.inputs)]
            if value.owner in inside and value.owner is not facts.op:
                continue
            if dim and not may_merge(value, dim):
                return False
        return True

    def _axis(self, facts: OpFacts, loop: int) -> Place:
        return self.group.axis(facts, loop)

    def _is_side_by_side(self, pair: tuple[Place, Place]) -> bool:
        """Whether each op has both axes, one after the other, or neither."""
        for facts in self.group.ops:
            axes = [self._axis(facts, loop) for loop in range(len(facts.extents))]
            if (pair[0] in axes) != (pair[1] in axes):
                return False
            if pair[0] in axes and axes.index(pair[1]) != axes.index(pair[0]) + 1:
                return False
        return True

    def lengths(self, facts: OpFacts) -> list[int]:
        """The runs of an op's loops."""
        found: list[int] = []
        for loop in range(len(facts.extents)):
            pair = (
                (self._axis(facts, loop - 1), self._axis(facts, loop)) if loop else None
            )
            if pair in self.joined:
                found[-1] += 1
            else:
                found.append(1)
        return found

    def starts(self, facts: OpFacts) -> list[int]:
        """The first loop of each run of an op's loops."""
        lengths = self.lengths(facts)
        return [sum(lengths[:number]) for number in range(len(lengths))]

    def loops(self, facts: OpFacts) -> list[Place]:
        """The axes of an op's collapsed loops: the first axis of each run."""
        return [self._axis(facts, start) for start in self.starts(facts)]

    def extents(self, facts: OpFacts) -> list[int]:
        """The extents of an op's collapsed loops."""
        found: list[int] = []
        loop = 0
        for length in self.lengths(facts):
            found.append(math.prod(facts.extents[loop : loop + length]))
            loop += length
        return found

    @cached_property
    def reads(self) -> list[Stream]:
        """The tensors that the kernel reads from memory."""
        made = {result for facts in self.group.ops for result in facts.op.results}
        found: dict[tuple[object, tuple[Place | None, ...]], Stream] = {}
        for facts in self.group.ops:
            for operand in facts.operands:
                if operand.is_read and operand.value not in made:
                    stream = self._stream(facts, operand)
                    found.setdefault((operand.value, stream.axes), stream)
        return list(found.values())

    @cached_property
    def writes(self) -> list[Stream]:
        """The tensors that the kernel writes."""
        stored = {self.group.sink, *self.group.leaving}
        return [
            self._stream(facts, output)
            for facts in self.group.ops
            for output in facts.outputs
            if facts in stored
        ]

    def _stream(self, facts: OpFacts, operand: Operand) -> Stream:
        axes: list[Place | None] = []
        heads = self._heads(facts)
        for loop in operand.loops:
            if loop is None:
                axes.append(None)
            elif facts.extents[loop] > 1 and heads[loop] not in axes[-1:]:
                axes.append(heads[loop])
        return Stream(operand, tuple(axes))

    def head(self, facts: OpFacts, loop: int) -> Place:
        """The axis of the run that a loop of an op is in."""
        return self._heads(facts)[loop]

    def _heads(self, facts: OpFacts) -> list[Place]:
        """The axis of the run of each loop."""
        axes = self.loops(facts)
        return [
            axis
            for axis, length in zip(axes, self.lengths(facts), strict=True)
            for _ in range(length)
        ]

    @property
    def moved(self) -> int:
        """The bytes that the kernel reads and writes, each tensor once."""
        return sum(stream.operand.bytes for stream in [*self.reads, *self.writes])

    def write(self, lines: Lines) -> None:
        """Write the statements that inline and collapse."""
        own = [facts for facts in self.group.ops if facts not in self.inlined]
        for reader in own:
            read = set(reader.op.inputs)
            for facts in sorted(self.inlined, key=lambda each: -each.number):
                if facts.op.results[0] in read:
                    read |= set(facts.op.inputs)
                    lines.inline(facts.name, reader.name)
        for facts in own:
            self.write_op(lines, facts)

    def write_op(self, lines: Lines, facts: OpFacts) -> None:
        """Write the statement that collapses the loops of one op."""
        lengths = self.lengths(facts)
        if max(lengths, default=1) > 1:
            by = ("by", lengths) if len(lengths) > 1 else ()
            lines.rewrite("collapse", facts.name, *by)


def collapsed_alone(group: Group) -> Collapsed:
    """A group whose ops that other kernels compute again are no obstacle.

    Such an op keeps its loops for the other kernels. Here it is inlined into its
    readers if that lets more loops run as one.
    """
    plain = Collapsed(group)
    inlined = Collapsed(group, _computed_again(group))
    return inlined if len(inlined.joined) > len(plain.joined) else plain


def _computed_again(group: Group) -> frozenset[OpFacts]:
    """The element-wise ops that other kernels compute too, read by structured ops."""
    return frozenset(
        facts
        for facts in _needed_elsewhere(group) - group.leaving
        if facts.role in (Role.ELEMENTWISE, Role.MOVEMENT)
        and len(facts.op.results) == 1
        and all(
            isinstance(use.operation, StructuredOp) for use in facts.op.results[0].uses
        )
    )


def _needed_elsewhere(group: Group) -> set[OpFacts]:
    """The fused ops that other kernels read, or compute too, with their loops.

    A kernel that computes an op again computes what it reads as well.
    """
    known: dict[Operation, OpFacts] = {facts.op: facts for facts in group.ops}
    found: set[OpFacts] = set()
    for facts in sorted(group.fused, key=lambda each: -each.number):
        for use in (use for result in facts.op.results for use in result.uses):
            reader = known.get(use.operation)
            if reader is None or (reader in found and reader not in group.leaving):
                found.add(facts)
    return found
