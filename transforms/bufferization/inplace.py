"""Which operands may be written in place: upstream's One-Shot analysis.

Ops are visited from the last to the first. Each tensor operand is put in place unless
some read would then see the wrong contents. A conflict is a read R of the contents that
a definition D made, with a write W to the same memory in between: D, W, R. The results
of an operand in place alias it, so later questions concern more memory.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.values import launch_attribute
from tilewright.transforms.bufferization.execution_order import outer_region, region_of
from tilewright.transforms.bufferization.op_model import (
    Alias,
    Operand,
    tensor_operands,
    uses_of,
)
from tilewright.transforms.bufferization.tensor_facts import Facts


@dataclass(frozen=True, eq=False)
class _Read:
    """A read, the definitions of what it reads, and the steps of both."""

    operand: Operand
    definitions: list[SSAValue]
    first: int
    """The step of the first definition; after all steps if there is none."""
    last: int
    """The step of the read."""


@dataclass(eq=False)
class _Family:
    """Values that share one buffer, and the accesses to it."""

    values: set[SSAValue]
    reads: list[_Read]
    writes: set[Operand] = field(default_factory=set[Operand])
    """The writes that are in place."""
    is_writable: bool = True
    conflicts: bool | None = False
    """Whether a read sees wrong contents; None if not checked yet."""


class Analysis:
    """Decides for every tensor operand of a function whether it is in place."""

    def __init__(self, facts: Facts, *, check_parallel: bool = True):
        self.facts = facts
        self._check_parallel = check_parallel
        """Whether writes of parallel iterations into one buffer are conflicts."""
        self.in_place: set[Operand] = set()
        self._families: dict[SSAValue, _Family] = {}
        self._leaving: dict[Operand, bool] = {}
        touching = [
            op for op in facts.program.post_order if next(tensor_operands(op), None)
        ]
        for op in touching:
            if facts.model(op).YIELDS:
                for operand in tensor_operands(op):
                    self._put_in_place(operand, is_checked=False)
        for op in reversed(touching):
            for operand in tensor_operands(op):
                if operand not in self.in_place and not self._is_refused(operand):
                    self._put_in_place(operand, is_checked=True)

    def aliases(self, value: SSAValue) -> set[SSAValue]:
        """All values that may share the buffer, including the value itself."""
        family = self._families.get(value)
        return {value} if family is None else family.values

    def writes_to(self, value: SSAValue) -> set[Operand]:
        """The operands that are written into the buffer of a value."""
        family = self._families.get(value)
        return set[Operand]() if family is None else family.writes

    def _family(self, value: SSAValue) -> _Family:
        if value not in self._families:
            self._families[value] = _Family(
                {value}, self._reads(value), is_writable=self.facts.writable(value)
            )
        return self._families[value]

    def _put_in_place(self, operand: Operand, *, is_checked: bool) -> None:
        """Let an operand and its results share one buffer."""
        self.in_place.add(operand)
        family = self._family(operand.value)
        for alias in self.facts.aliases(operand):
            family = self._joined(family, self._family(alias.value), is_checked)
        if self.facts.writes(operand):
            family.writes.add(operand)
            if not is_checked:
                family.conflicts = None

    def _joined(self, one: _Family, other: _Family, is_checked: bool) -> _Family:
        """Merge two families, the smaller into the larger."""
        if one is other:
            return one
        large, small = sorted((one, other), key=lambda f: len(f.values), reverse=True)
        large.values |= small.values
        large.reads += small.reads
        large.writes |= small.writes
        large.is_writable &= small.is_writable
        if large.conflicts or small.conflicts:
            large.conflicts = True
        elif not is_checked or small.conflicts is None:
            large.conflicts = None
        for value in small.values:
            self._families[value] = large
        return large

    def _is_refused(self, operand: Operand) -> bool:
        facts = self.facts
        aliases = facts.aliases(operand)
        writes_itself = facts.writes(operand)
        if not aliases and not writes_itself:
            return False  # only a read: earlier decisions hold
        values = (operand.value, *(alias.value for alias in aliases))
        families = list({id(f): f for f in map(self._family, values)}.values())
        if not writes_itself and not any(family.writes for family in families):
            return False
        if not all(family.is_writable for family in families):
            return True
        if any(self._has_conflicts(family) for family in families):
            return True
        # Each family has no conflicts of its own; pairs across families, and those of
        # the new write, are left.
        for family in families:
            others = [other for other in families if other is not family]
            writes = [write for other in others for write in other.writes]
            if writes_itself:
                writes.append(operand)
            if self._has_conflict(family.reads, writes):
                return True
        return False

    def _reads(self, value: SSAValue) -> list[_Read]:
        """The reads of a value, directly or through views."""
        facts = self.facts
        definitions = facts.definitions(value)
        first = min(map(self._step_of, definitions), default=sys.maxsize)
        return [
            _Read(use, definitions, first, facts.program.step(use.op))
            for use in uses_of(value)
            if facts.reads(use)
            or (
                not facts.writes(use)
                and any(facts.is_read(alias.value) for alias in facts.aliases(use))
            )
        ]

    # -- conflicts ---------------------------------------------------------------

    def _has_conflicts(self, family: _Family) -> bool:
        """Whether the decisions so far make a read of this buffer wrong."""
        if family.conflicts is None:
            family.conflicts = self._has_conflict(family.reads, family.writes)
        return family.conflicts

    def _has_conflict(
        self, reads: Sequence[_Read], writes: Collection[Operand]
    ) -> bool:
        if self._check_parallel and reads:
            if any(self._leaves_its_iteration(write) for write in writes):
                return True
        if any(_joins_a_reader(write.op, reads) for write in writes):
            return True
        step = self.facts.program.step
        steps = [(write, step(write.op)) for write in writes]
        for read in reads:
            for write, at in steps:
                # Most writes of a long function come before the definition or after
                # the read.
                if read.first <= at <= read.last and self._conflicts(
                    read.operand, read.definitions, write
                ):
                    return True
        return False

    def _step_of(self, value: SSAValue) -> int:
        """The step that defines a value; arguments come first."""
        owner = value.owner
        op = owner.parent_op() if isinstance(owner, Block) else owner
        return -1 if op is None else self.facts.program.step(op)

    def _leaves_its_iteration(self, write: Operand) -> bool:
        """Whether parallel iterations would write into one buffer from outside."""
        if write not in self._leaving:
            self._leaving[write] = self._is_leaving(write)
        return self._leaving[write]

    def _is_leaving(self, write: Operand) -> bool:
        facts, program = self.facts, self.facts.program
        here = program.parallel_region(write.op.parent_region())
        origins = facts.search(write.value, facts.defines, leaves=True)
        return any(
            program.parallel_region(region_of(origin)) is not here for origin in origins
        )

    def _conflicts(
        self, read: Operand, definitions: list[SSAValue], write: Operand
    ) -> bool:
        program = self.facts.program
        if self._order_counts(read, definitions, write) and (
            program.happens_before(read.op, write.op)
            or read == write
            or self.facts.are_exclusive(read.op, write.op)
            or self._is_same_element(read, write)
        ):
            return False
        if self._is_same_part(read, write):
            return False
        return any(self._is_between(write, definition) for definition in definitions)

    def _order_counts(
        self, read: Operand, definitions: list[SSAValue], write: Operand
    ) -> bool:
        """Whether the order of ops is the order in time, between definition and read.

        Not if a loop around the read and the write does not hold the definition: the
        read of the next iteration comes after the write of this one.
        """
        program = self.facts.program
        for definition in definitions:
            inner = program.repetitive_region(read.op.parent_region())
            home = program.repetitive_region(region_of(definition))
            if inner is home:
                continue
            while inner is not None:
                around = program.repetitive_region(outer_region(inner))
                if around is home:
                    break
                inner = around
            loop = None if inner is None else inner.parent_op()
            if loop is None or program.is_inside(write.op, loop):
                return False
        return True

    def _is_between(self, write: Operand, definition: SSAValue) -> bool:
        """Whether a write may come after a definition, other than the definition."""
        program = self.facts.program
        owner = definition.owner
        if isinstance(owner, Block):
            around = owner.parent_op()
            assert around is not None
            if write.op is around or not program.is_inside(write.op, around):
                return False
        elif program.happens_before(write.op, owner) or (
            write.op is not owner and program.is_inside(write.op, owner)
        ):
            return False
        aliases = self.facts.aliases(write)
        return not (len(aliases) == 1 and aliases[0].value is definition)

    def _is_same_element(self, read: Operand, write: Operand) -> bool:
        """Whether one op reads each element before it writes that element."""
        if read.op is not write.op:
            return False
        if not self.facts.model(read.op).is_elementwise(read, write):
            return False
        return self._leads_to(read.value, write.value) or self._leads_to(
            write.value, read.value
        )

    def _leads_to(self, start: SSAValue, other: SSAValue) -> bool:
        """Whether one value is the same memory as another, with the same indices."""

        def keeps_indices(value: SSAValue, operand: Operand, alias: Alias) -> bool:
            if not alias.is_equivalent:
                return False
            return operand.value.type == value.type or _is_cast(operand.op)

        return bool(
            self.facts.search(start, lambda v: v is other, follow=keeps_indices)
        )

    def _is_same_part(self, read: Operand, write: Operand) -> bool:
        """Whether an overlap is harmless because of an insertion.

        A tile is taken out of a tensor, computed in place and inserted where it was.
        The insertion does not need what it writes over, and writes what is there.
        """
        facts = self.facts
        reader = facts.model(read.op).insertion(read.op)
        if reader is not None:
            if read.index == reader.dest and self._is_part(write.value, read.op):
                return True
            if (
                read.index == reader.source
                and write == Operand(read.op, reader.dest)
                and self._is_part(read.value, read.op)
            ):
                return True
        writer = facts.model(write.op).insertion(write.op)
        if writer is None or write.index != writer.dest:
            return False
        source = write.op.operands[writer.source]
        return read.value is source and self._is_part(source, write.op)

    def _is_part(self, value: SSAValue, insertion: Operation) -> bool:
        """Whether a value always lies in the part that is overwritten."""
        model = self.facts.model(insertion)

        def matches(candidate: SSAValue) -> bool:
            return model.is_inserted_part(insertion, candidate)

        return all(map(matches, self.facts.search(value, matches, leaves=True)))


def _joins_a_reader(op: Operation, reads: Sequence[_Read]) -> bool:
    """Whether an op joins the launch of the grid before it, which has such a read.

    The last program to arrive may write while others still read.
    """
    if not isinstance(op, ForallOp) or not launch_attribute(op, "triton.last_arriver"):
        return False
    before = op.prev_op
    while before is not None and not isinstance(before, ForallOp):
        before = before.prev_op
    return before is not None and any(
        before.is_ancestor(read.operand.op) for read in reads
    )


def _is_cast(op: Operation) -> bool:
    return op.name == "tensor.cast"
