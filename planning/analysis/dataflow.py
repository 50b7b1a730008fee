"""The structured ops of a payload and the dependences between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import func
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.structured.equal_extents import Extents
from tilewright.ir.types import is_tensor
from tilewright.planning.analysis.facts import OpFacts, facts_of


@dataclass(frozen=True, eq=False)
class Use:
    """A result that a structured op reads."""

    reader: OpFacts
    position: int
    """The operand's position in the reader."""


@dataclass(frozen=True, eq=False)
class Analysis:
    """The facts of every structured op of a payload, and what depends on what."""

    ops: tuple[OpFacts, ...]
    """In program order."""
    by_op: dict[Operation, OpFacts]
    structured: int
    """The number of structured ops, with those on buffers, which have no facts."""

    @cached_property
    def plannable(self) -> tuple[OpFacts, ...]:
        """The ops that a kernel can be planned for, without those that nobody reads.

        They work on tensors, outside of any loop.
        """
        return tuple(f for f in reversed(self._live.values()) if _is_plannable(f))

    @cached_property
    def _live(self) -> dict[Operation, OpFacts]:
        """The ops whose results are read in the end, the last one first."""
        live: dict[Operation, OpFacts] = {}
        for facts in reversed(self.ops):
            readers = [use.operation for r in facts.op.results for use in r.uses]
            is_read = any(op in live or op not in self.by_op for op in readers)
            if is_read or not facts.op.results:
                live[facts.op] = facts
        return live

    def producer(self, value: SSAValue) -> OpFacts | None:
        """The structured op that computes a value."""
        owner = value.owner
        return self.by_op.get(owner) if isinstance(owner, Operation) else None

    def producers(self, facts: OpFacts) -> Iterator[tuple[int, OpFacts]]:
        """The structured ops that an op reads from, with the operand's position."""
        for position, value in enumerate(facts.op.operands):
            made = self.producer(value)
            if made is not None:
                yield position, made

    def uses(self, facts: OpFacts) -> Sequence[Use]:
        """Where plannable ops read the results, operand by operand."""
        return self._reads[facts].uses

    def escapes(self, facts: OpFacts) -> bool:
        """Whether a result is read by something else: a return, a slice, a loop."""
        return self._reads[facts].escapes

    def readers(self, facts: OpFacts) -> Sequence[OpFacts]:
        """The plannable ops that depend on an op directly.

        They read its results as they are, or what slices, reshapes and other ops
        without a kernel make of them.
        """
        return self._reads[facts].readers

    def gatherers(self, facts: OpFacts) -> Sequence[OpFacts]:
        """The plannable ops that read the results at computed indices."""
        return self._reads[facts].gatherers

    @cached_property
    def _reads(self) -> dict[OpFacts, _Reads]:
        plannable: dict[Operation, OpFacts] = {f.op: f for f in self.plannable}
        unread = self.by_op.keys() - self._live.keys()
        return {facts: _reads_of(facts, plannable, unread) for facts in self.ops}


@dataclass(frozen=True)
class _Reads:
    """Everything that reads the results of one op."""

    uses: tuple[Use, ...]
    escapes: bool
    readers: tuple[OpFacts, ...]
    gatherers: tuple[OpFacts, ...]


def _reads_of(
    facts: OpFacts,
    plannable: Mapping[Operation, OpFacts],
    unread: Set[Operation],
) -> _Reads:
    """What reads the results of an op, but for ops that nobody reads."""
    uses: list[Use] = []
    others: list[Operation] = []
    for result in facts.op.results:
        for use in result.uses:
            reader = plannable.get(use.operation)
            if reader is not None:
                uses.append(Use(reader, use.index))
            elif use.operation not in unread:
                others.append(use.operation)
    readers = {use.reader: None for use in uses}
    gatherers: dict[OpFacts, None] = {}
    seen: set[Operation] = set()
    pending = list(others)
    while pending:
        op = _outermost(pending.pop())
        if op in seen:
            continue
        seen.add(op)
        if op in plannable:
            gatherers[plannable[op]] = None
            continue
        for result in op.results:
            for use in result.uses:
                reader = plannable.get(use.operation)
                if reader is not None:
                    readers[reader] = None
                else:
                    pending.append(use.operation)
    readers |= gatherers
    return _Reads(tuple(uses), bool(others), tuple(readers), tuple(gatherers))


def _outermost(op: Operation) -> Operation:
    """The op of the function's body that an op is in."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        op, parent = parent, parent.parent_op()
    return op


def _is_plannable(facts: OpFacts) -> bool:
    is_outside = isinstance(facts.op.parent_op(), func.FuncOp)
    return is_outside and bool(facts.op.results) and not facts.is_empty


Shapes = Sequence[Sequence[int]]
"""The shapes of a function's arguments."""


def analyse(
    payload: ModuleOp,
    is_taken: Callable[[str], bool] = lambda name: False,
    shapes: Shapes | None = None,
) -> Analysis:
    """Describe every structured op of a payload.

    Ops get names from the payload, but none that `is_taken`. `shapes` of the arguments
    give the extents that the types leave open.
    """
    names = _Names(is_taken)
    given = _given_extents(payload, shapes)
    found: list[OpFacts] = []
    structured = [op for op in payload.walk() if isinstance(op, StructuredOp)]
    for number, op in enumerate(structured):
        if all(map(_is_on_tensors, op.operands)):
            found.append(facts_of(op, number, names.name(op), given(op)))
    by_op: dict[Operation, OpFacts] = {facts.op: facts for facts in found}
    return Analysis(tuple(found), by_op, len(structured))


def _given_extents(
    payload: ModuleOp, shapes: Shapes | None
) -> Callable[[StructuredOp], list[int | None]]:
    """A function from an op to the extents of its loops, as far as they are known."""
    if shapes is None:
        return lambda op: []
    equal = Extents(payload)

    def extents(op: StructuredOp) -> list[int | None]:
        return [
            shapes[extent[0]][extent[1]] if isinstance(extent, tuple) else extent
            for extent in equal.loops(op)
        ]

    return extents


def _is_on_tensors(value: SSAValue) -> bool:
    """Whether a value is a tensor or a scalar, and no buffer."""
    return is_tensor(value.type) or not hasattr(value.type, "memory_space")


class _Names:
    """Names of ops, each given once."""

    def __init__(self, is_taken: Callable[[str], bool]) -> None:
        self.is_taken = is_taken
        self.given: set[str] = set()

    def name(self, op: StructuredOp) -> str:
        """A name from the op's result, or from its kind."""
        hint = op.results[0].name_hint if op.results else None
        base = re.sub(r"[^A-Za-z0-9_]", "_", hint or op.name.split(".")[-1])
        base = base.strip("_") or "op"
        if base[0].isdigit() or self.is_taken(f"{base}_2"):
            base = f"op_{base}"
        name, number = base, 1
        while name in self.given or self.is_taken(name):
            number += 1
            name = f"{base}_{number}"
        self.given.add(name)
        return name
