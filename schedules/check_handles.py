"""Use after consume, found before a run: in every branch, through merges and includes.

Each handle stands for some payload nobody has seen yet, an *atom*. A merge stands for
the atoms of its operands, alternatives for what a branch may yield. Consuming a handle
kills its atoms and all that was matched inside them; a handle with a dead atom is dead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.errors import Note, UserError
from tilewright.ir.text import place_of
from tilewright.schedules.verbs import verb_of
from tilewright.transforms.base import TransformOp, TransformOpHandleType
from tilewright.transforms.control.sequence import IncludeOp, YieldOp, declares_consumed
from tilewright.transforms.control.tune import AlternativesOp
from tilewright.transforms.handles.match import MatchOp
from tilewright.transforms.handles.merge_handles import MergeHandlesOp


def check_handles(
    sequence: NamedSequenceOp, sequences: Mapping[str, NamedSequenceOp]
) -> list[UserError]:
    """Every use of a handle that was consumed before, in one sequence."""
    flow = _Flow(sequences)
    for argument in sequence.body.block.args:
        flow.fresh(argument, ())
    flow.visit(sequence.body.block, {}, None)
    return flow.errors


@dataclass(frozen=True)
class _Death:
    consumer: Operation
    branch: str | None
    """The branch it happened in, as errors name it."""


class _Flow:
    """What handles stand for, and what is dead."""

    def __init__(self, sequences: Mapping[str, NamedSequenceOp]):
        self.errors: list[UserError] = []
        self._sequences = sequences
        self._atoms: dict[SSAValue, frozenset[int]] = {}
        self._around: list[frozenset[int]] = []
        """For each atom, the atoms it lies inside."""

    def fresh(self, value: SSAValue, around: Iterable[int]) -> None:
        """Let a handle stand for payload of its own, inside `around`."""
        self._atoms[value] = frozenset([len(self._around)])
        self._around.append(frozenset(around))

    def visit(
        self, block: Block, dead: dict[int, _Death], branch: str | None
    ) -> tuple[dict[int, _Death], Sequence[SSAValue]]:
        """Run through a block; what is dead at its end, and what it yields."""
        dead = dict(dead)
        for op in block.ops:
            self._check(op, dead, branch)
            if isinstance(op, YieldOp):
                return dead, op.operands
            if isinstance(op, AlternativesOp):
                dead = self._alternatives(op, dead)
                continue
            for handle in self._consumed(op):
                self._kill(handle, dead, _Death(op, branch))
            self._results(op)
        return dead, ()

    def _alternatives(
        self, op: AlternativesOp, dead: dict[int, _Death]
    ) -> dict[int, _Death]:
        after = dict(dead)
        atoms: list[set[int]] = [set() for _ in op.results]
        for label, region in zip(op.labels, op.alternatives, strict=True):
            branch = f"branch '{label}' of '{op.alternatives_name.data}'"
            ended, yielded = self.visit(region.block, dead, branch)
            after = ended | after
            for found, value in zip(atoms, yielded, strict=True):
                # What this branch passes out is alive, whatever another did to it.
                found |= self._atoms.get(value, frozenset())
        for result, found in zip(op.results, atoms, strict=True):
            if found.isdisjoint(after):
                self._atoms[result] = frozenset(found)
            else:
                self.fresh(result, self._around_all(found))
        return after

    def _consumed(self, op: Operation) -> Sequence[SSAValue]:
        if isinstance(op, IncludeOp):
            callee = self._sequences[op.target.string_value()]
            return [
                argument
                for position, argument in enumerate(op.args)
                if declares_consumed(callee, position)
            ]
        return op.consumed_handles() if isinstance(op, TransformOp) else ()

    def _kill(self, handle: SSAValue, dead: dict[int, _Death], death: _Death) -> None:
        gone = self._atoms.get(handle, frozenset())
        for atom, around in enumerate(self._around):
            if atom in gone or around & gone:
                dead.setdefault(atom, death)

    def _results(self, op: Operation) -> None:
        operands = [self._atoms.get(value, frozenset()) for value in op.operands]
        inside: set[int] = set()
        for atoms in operands:
            inside |= self._around_all(atoms)
            if isinstance(op, MatchOp):
                inside |= atoms
        for result in op.results:
            if not isinstance(result.type, TransformOpHandleType):
                continue
            if isinstance(op, MergeHandlesOp):
                self._atoms[result] = frozenset[int]().union(*operands)
            else:
                self.fresh(result, inside)

    def _around_all(self, atoms: Iterable[int]) -> set[int]:
        return {outer for atom in atoms for outer in self._around[atom]}

    def _check(
        self, op: Operation, dead: Mapping[int, _Death], branch: str | None
    ) -> None:
        for operand in op.operands:
            for atom in self._atoms.get(operand, frozenset()):
                if (death := dead.get(atom)) is not None:
                    self.errors.append(_use_after(op, operand, death, branch))
                    return


def _use_after(
    op: Operation, operand: SSAValue, death: _Death, branch: str | None
) -> UserError:
    name = f"'{operand.name_hint}'" if operand.name_hint else "the handle"
    where = f" in {death.branch}" if death.branch not in (None, branch) else ""
    return UserError(
        f"{verb_of(op)}: {name} was consumed by '{verb_of(death.consumer)}'{where}",
        place_of(op),
        "use the handle it returned, or match again"
        if death.consumer.results
        else "use it before, or match again",
        [Note("consumed here", place_of(death.consumer))],
    )
