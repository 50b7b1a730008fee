"""Finds uses of consumed handles before a run, in every branch.

Each handle stands for atoms (`transforms/core/atoms.py`). Consuming a handle kills its
atoms, the atoms inside them, and those that share ops with them; a handle with a dead
atom may not be used. Included sequences are followed at each include, with the handles
of the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeAlias

from xdsl.dialects.transform import NamedSequenceOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.errors import Note, UserError
from tilewright.ir.text import place_of
from tilewright.schedules.language.verbs.vocabulary import verb_of
from tilewright.transforms.control.alternatives import AlternativesOp as TryOp
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.foreach import ForeachOp
from tilewright.transforms.control.sequence import (
    IncludeOp,
    SequenceOp,
    YieldOp,
    declares_consumed,
)
from tilewright.transforms.core.atoms import MODULE, NOTHING, Atom, Atoms, Knowledge
from tilewright.transforms.core.base import (
    OperationType,
    TransformOp,
    TransformValueHandleType,
)
from tilewright.transforms.core.foreseen import Foreseen, kinds_of
from tilewright.transforms.interpreter import ENTRY

_MOST_INCLUDES = 64
"""Includes that are followed from one sequence; sequences that include each other
twice are 2^n of them, and each is checked on its own as well."""


def check_handles(
    sequence: NamedSequenceOp, sequences: Mapping[str, NamedSequenceOp]
) -> list[UserError]:
    """The errors of one sequence: uses of handles whose payload was consumed."""
    flow = _Flow(sequences)
    is_entry = sequence.sym_name.data == ENTRY
    for argument in sequence.body.block.args:
        kinds = MODULE if is_entry and argument.index == 0 else None
        if isinstance(argument.type, OperationType):
            kinds = frozenset({argument.type.operation.data})
        atom = flow.known.fresh(argument, [flow.root], kinds)
        flow.handles[argument] = frozenset([atom])
        if is_entry and argument.index == 0:
            flow.root = flow.handles[argument]
    flow.visit(sequence.body.block, {}, _Where())
    return list(flow.errors.values())


@dataclass(frozen=True)
class _Where:
    """How a run came to an op: the includes and the branch, for messages."""

    branch: str | None = None
    includes: tuple[IncludeOp, ...] = ()


@dataclass(frozen=True)
class _Death:
    consumer: Operation
    handle: SSAValue
    """The operand it consumed."""
    where: _Where


_Dead: TypeAlias = dict[Atom, _Death]


class _Flow:
    """Follows a run: what handles stand for, and which atoms are dead."""

    def __init__(self, sequences: Mapping[str, NamedSequenceOp]):
        self.errors: dict[tuple[Operation, SSAValue], UserError] = {}
        self.known = Knowledge()
        self.handles: dict[SSAValue, Atoms] = {}
        self.root: Atoms = NOTHING
        self._sequences = sequences
        self._includes = 0

    def visit(
        self, block: Block, dead: _Dead, where: _Where
    ) -> tuple[_Dead, Sequence[SSAValue]]:
        """Visit a block; gives the atoms dead at its end, and what it yields."""
        dead = dict(dead)
        for op in block.ops:
            self._check(op, dead, where)
            if isinstance(op, YieldOp):
                return dead, op.operands
            if isinstance(op, AlternativesOp):
                dead = self._choose(op, dead, where)
            elif isinstance(op, TryOp):
                dead = self._try(op, dead, where)
            elif isinstance(op, ForeachOp):
                dead = self._foreach(op, dead, where)
            elif isinstance(op, SequenceOp):
                dead = self._sequence(op, dead, where)
            elif isinstance(op, IncludeOp):
                dead = self._include(op, dead, where)
            elif isinstance(op, TransformOp):
                for handle in op.consumed_handles():
                    self._kill(handle, dead, op, where)
                op.foresee(Foreseen(op, self.known, self.handles, dead))
        return dead, ()

    # -- ops that run others -----------------------------------------------------

    def _choose(self, op: AlternativesOp, dead: _Dead, where: _Where) -> _Dead:
        after = dict(dead)
        yields: list[Sequence[SSAValue]] = []
        for label, region in zip(op.labels, op.alternatives, strict=True):
            branch = f"branch '{label}' of '{op.alternatives_name.data}'"
            ended, yielded = self.visit(
                region.block, dead, replace(where, branch=branch)
            )
            after = ended | after
            yields.append(yielded)
        self._join(op.results, yields, after)
        return after

    def _try(self, op: TryOp, dead: _Dead, where: _Where) -> _Dead:
        """Visit the branches of a `try`: all atoms in its scope are consumed."""
        scope = self.root if op.scope is None else self._atoms(op.scope)
        after = dict(dead)
        yields: list[Sequence[SSAValue]] = []
        for number, region in enumerate(op.alternatives):
            self.handles[region.block.args[0]] = scope
            branch = f"branch {number} of 'alternatives'"
            ended, yielded = self.visit(
                region.block, dead, replace(where, branch=branch)
            )
            yields.append(yielded)
            if op.scope is None:
                after = ended | after
        if op.scope is not None:
            self._kill(op.scope, after, op, where)
        self._join(op.results, yields, after)
        return after

    def _foreach(self, op: ForeachOp, dead: _Dead, where: _Where) -> _Dead:
        """Visit the body of a `foreach` once: an argument is part of its target."""
        for argument, target in zip(op.body.block.args, op.targets, strict=True):
            whole = self._atoms(target)
            part = self.known.fresh(argument, [whole], kinds_of(whole))
            self.known.part(frozenset([part]), whole)
            self.handles[argument] = frozenset([part])
        dead, yielded = self.visit(op.body.block, dead, where)
        # The atoms of the arguments are part of the targets, whose uses are reported.
        for argument in op.body.block.args:
            for atom in self.handles[argument]:
                dead.pop(atom, None)
        for handle in op.consumed_handles():
            self._kill(handle, dead, op, where)
        self._join(op.results, [yielded], dead)
        return dead

    def _sequence(self, op: SequenceOp, dead: _Dead, where: _Where) -> _Dead:
        given = [value for value in (op.root, *op.extra_bindings) if value is not None]
        atoms = [self._atoms(value) for value in given] or [self.root]
        for argument, stands_for in zip(op.body.block.args, atoms, strict=False):
            self.handles[argument] = stands_for
        dead, yielded = self.visit(op.body.block, dead, where)
        for result, value in zip(op.results, yielded, strict=False):
            self.handles[result] = self._atoms(value)
        return dead

    def _include(self, op: IncludeOp, dead: _Dead, where: _Where) -> _Dead:
        callee = self._sequences[op.target.string_value()]
        self._includes += 1
        if self._includes > _MOST_INCLUDES:
            return self._passed_over(op, callee, dead, where)
        parameters = callee.body.block.args
        for parameter, argument in zip(parameters, op.args, strict=False):
            self.handles[parameter] = self._atoms(argument)
        inner = _Where(includes=(*where.includes, op))
        dead, yielded = self.visit(callee.body.block, dead, inner)
        for position, argument in enumerate(op.args):
            if declares_consumed(callee, position):
                self._kill(argument, dead, op, where)
        yielded_atoms = [self._atoms(value) for value in yielded]
        for result, atoms in zip(op.results, yielded_atoms, strict=False):
            self.handles[result] = atoms
        return dead

    def _passed_over(
        self, op: IncludeOp, callee: NamedSequenceOp, dead: _Dead, where: _Where
    ) -> _Dead:
        """An include that is not followed consumes what its sequence declares."""
        for position, argument in enumerate(op.args):
            if declares_consumed(callee, position):
                self._kill(argument, dead, op, where)
        for result in op.results:
            self.handles[result] = NOTHING
        return dead

    def _join(
        self,
        results: Sequence[SSAValue],
        yields: Sequence[Sequence[SSAValue]],
        after: _Dead,
    ) -> None:
        """Bind results to what any branch yields."""
        for position, result in enumerate(results):
            values = [
                yielded[position] for yielded in yields if position < len(yielded)
            ]
            atoms = NOTHING.union(*(self._atoms(value) for value in values))
            if not atoms & after.keys():
                self.handles[result] = atoms
                continue
            # A yielded handle is alive, even if another branch consumed it.
            around = self.known.isolated_around(atoms)
            alive = [group for group in around if not group & after.keys()]
            atom = self.known.fresh(result, alive, kinds_of(atoms))
            self.handles[result] = frozenset([atom])

    # -- consuming and using -----------------------------------------------------

    def _atoms(self, value: SSAValue) -> Atoms:
        return self.handles.get(value, NOTHING)

    def _kill(
        self, handle: SSAValue, dead: _Dead, consumer: Operation, where: _Where
    ) -> None:
        death = _Death(consumer, handle, where)
        for atom in self.known.taken_with(self._atoms(handle)):
            dead.setdefault(atom, death)

    def _check(self, op: Operation, dead: _Dead, where: _Where) -> None:
        for operand in op.operands:
            # One error for each use, even if a sequence is included twice.
            if (op, operand) in self.errors:
                continue
            for atom in self._atoms(operand):
                if (death := dead.get(atom)) is not None:
                    error = self._use_after(op, operand, atom, death, where)
                    self.errors[op, operand] = error
                    break

    def _use_after(
        self,
        op: Operation,
        operand: SSAValue,
        atom: Atom,
        death: _Death,
        where: _Where,
    ) -> UserError:
        name, consumer = _name(operand), verb_of(death.consumer)
        consumed = self._atoms(death.handle)
        at = ""
        if death.where.branch is not None and death.where.branch != where.branch:
            at = f" in {death.where.branch}"
        remedy = "use it before, or match again"
        if self._atoms(operand) == consumed:
            fact = f"{name} was consumed by '{consumer}'{at}"
            if death.consumer.results:
                remedy = "use the handle it returned, or match again"
        elif self._is_inside(operand, atom, consumed):
            fact = f"{name} lies inside what '{consumer}' consumed{at}"
        else:
            fact = f"{name} points at an op that '{consumer}' consumed{at}"
        notes = [
            Note(
                f"{_name(death.handle)} was consumed here by '{consumer}'",
                place_of(death.consumer),
            ),
            *_included(death.where, where),
            _origin(operand, atom),
            *_included(where, _Where()),
        ]
        return UserError(f"{verb_of(op)}: {fact}", place_of(op), remedy, notes)

    def _is_inside(self, operand: SSAValue, atom: Atom, consumed: Atoms) -> bool:
        """Whether a handle lies inside the consumed ops, or is a value of them."""
        if not self.known.lies_in(atom, consumed):
            return False
        if isinstance(operand.type, TransformValueHandleType):
            return True
        return not self.known.is_part(atom, consumed)


def _included(where: _Where, seen_from: _Where) -> Iterator[Note]:
    """Notes for the includes that led to `where` and not to `seen_from`."""
    pairs = zip(where.includes, seen_from.includes, strict=False)
    shared = len(list(takewhile(lambda pair: pair[0] is pair[1], pairs)))
    for include in reversed(where.includes[shared:]):
        callee = include.target.string_value()
        yield Note(f"in '{callee}', included here", place_of(include))


def _name(value: SSAValue) -> str:
    return f"'{value.name_hint}'" if value.name_hint else "the handle"


def _origin(operand: SSAValue, atom: Atom) -> Note:
    """A note on where a handle was made."""
    owner = operand.owner
    if isinstance(owner, Operation):
        made = f"{_name(operand)} was made here by '{verb_of(owner)}'"
        return Note(made, place_of(owner))
    around = owner.parent_op()
    place = place_of(around) if around is not None else None
    if isinstance(atom.origin.owner, Operation):
        made = f"what {_name(operand)} stands for was made here"
        return Note(made, place_of(atom.origin.owner))
    return Note(f"{_name(operand)} is an argument of this", place)
