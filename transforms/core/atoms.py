"""Atoms: what handles stand for before a run, and the relations between them.

An *atom* is a set of payload ops that some op of a schedule will find or make. Before a
run three things can be known about it: that it lies inside other atoms (or is one of
them), that it is part of another atom, and the kinds of its ops. A relation is recorded
only if it holds whenever the atom is not empty, so the check reports no false errors.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import SSAValue

Kinds: TypeAlias = frozenset[str]
"""Names of ops; each op of an atom has one of them."""

MODULE: Kinds = frozenset({"builtin.module"})
FUNCTION: Kinds = frozenset({"func.func"})
ISOLATED: Kinds = MODULE | FUNCTION | {"gpu.module", "gpu.func"}
"""Ops isolated from above: a value used inside is defined inside."""
STATEMENTS: Kinds = frozenset({"linalg.*", "scf.*", "tensor.*", "vector.*", "arith.*"})
"""Ops that are always inside a function."""


@dataclass(eq=False)
class Atom:
    """A set of payload ops: the value that first stood for it, and the known facts."""

    origin: SSAValue
    kinds: Kinds | None = None
    inside: list[frozenset[Atom]] = field(default_factory=list[frozenset["Atom"]])
    """For each set of the list: each op is, or lies inside, an op of the set."""
    part_of: set[Atom] = field(default_factory=set["Atom"])
    """Atoms that contain all of its ops."""
    every_one_in: Atoms | None = None
    """If it was found as every op of its kinds: where it was searched."""

    @property
    def is_isolated(self) -> bool:
        """Whether it is known to be functions or modules."""
        return self.kinds is not None and self.kinds <= ISOLATED


Atoms: TypeAlias = frozenset[Atom]
"""What a handle stands for: several atoms after a merge, or if branches differ."""

NOTHING: Atoms = frozenset()


class Knowledge:
    """Every atom of a schedule, and the relations between them."""

    def __init__(self) -> None:
        self._atoms: list[Atom] = []
        self._held_by: dict[Atom, list[tuple[Atom, Atoms]]] = {}
        """The inverse of `inside`: atoms in a set with this one, and the set."""

    def fresh(
        self,
        origin: SSAValue,
        inside: Iterable[Atoms] = (),
        kinds: Kinds | None = None,
    ) -> Atom:
        """A new atom, inside each set of `inside`."""
        atom = Atom(origin, kinds)
        self._atoms.append(atom)
        for group in inside:
            if group:
                self._hold(atom, group)
        return atom

    def _hold(self, atom: Atom, group: Atoms) -> None:
        atom.inside.append(group)
        for holder in group:
            self._held_by.setdefault(holder, []).append((atom, group))

    def around(self, atoms: Atoms) -> list[Atoms]:
        """The sets that all of `atoms` are known to lie in."""
        if len(atoms) == 1:
            (atom,) = atoms
            return list(atom.inside)
        if not atoms:
            return []
        first, *others = (self._all_around(atom) for atom in atoms)
        return [group for group in first if all(group in other for other in others)]

    def isolated_around(self, atoms: Atoms) -> list[Atoms]:
        """The functions and modules that `atoms` lie in, at any depth."""
        groups = [self._all_around(atom) for atom in atoms]
        common = [g for g in groups[0] if all(g in o for o in groups)] if groups else []
        return [group for group in common if all(a.is_isolated for a in group)]

    def put_inside(self, inner: Atoms, outer: Atoms) -> None:
        """Record that `inner` lies inside `outer`, or is it."""
        for atom in inner:
            if outer and atom not in outer:
                self._hold(atom, outer)

    def part(self, part: Atoms, whole: Atoms) -> None:
        """Record that `part` is part of `whole`."""
        self.put_inside(part, whole)
        if len(whole) == 1:
            for atom in part - whole:
                atom.part_of |= whole

    def lies_in(self, inner: Atom, outer: Atoms) -> bool:
        """Whether `inner` is known to lie inside `outer`, or to be it."""
        return inner in self._covered(outer)

    def is_part(self, part: Atom, whole: Atoms) -> bool:
        """Whether `part` is known to be part of `whole`, not merely inside it."""
        seen, queue = {part}, [part]
        while queue:
            atom = queue.pop()
            if atom in whole:
                return True
            queue += atom.part_of - seen
            seen |= atom.part_of
        return False

    def taken_with(self, gone: Atoms) -> Iterator[Atom]:
        """All atoms that lose an op with these: those inside them, and their wholes."""
        inside = self._covered(gone)
        covered = [atom for atom in self._atoms if atom in inside]
        taken: dict[Atom, None] = dict.fromkeys(covered)
        queue = list(covered)
        while queue:
            for whole in queue.pop().part_of:
                if whole not in taken:
                    taken[whole] = None
                    queue.append(whole)
        return iter(taken)

    def of_kind(self, kinds: Kinds, outer: Atoms) -> Iterator[Atom]:
        """The atoms inside `outer` whose ops are all of these kinds."""
        inside = self._covered(outer)
        for atom in self._atoms:
            if atom.kinds is None or not all(is_one(k, kinds) for k in atom.kinds):
                continue
            if atom in inside:
                yield atom

    def every(self, kinds: Kinds, outer: Atoms) -> Iterator[Atom]:
        """The atoms that contain every op of these kinds in `outer`."""
        for atom in self._atoms:
            if atom.kinds == kinds and atom.every_one_in == outer:
                yield atom

    def forget_every(self) -> None:
        """Forget that atoms contain every op of a kind: new functions were made."""
        for atom in self._atoms:
            atom.every_one_in = None

    def moved_out_of(self, outer: Atoms) -> None:
        """Forget what lies in `outer` and in loops inside it: ops may have moved."""
        inside = self._covered(outer)
        self._held_by.clear()
        for atom in self._atoms:
            groups, atom.inside = atom.inside, []
            for group in groups:
                if any(a.is_isolated for a in group) or not group <= inside:
                    self._hold(atom, group)

    def _covered(self, outer: Atoms) -> set[Atom]:
        """The atoms that are known to lie inside `outer`, or belong to it."""
        covered, queue = set(outer), list(outer)
        while queue:
            for atom, group in self._held_by.get(queue.pop(), ()):
                if atom not in covered and group <= covered:
                    covered.add(atom)
                    queue.append(atom)
        return covered

    def _all_around(self, atom: Atom) -> list[Atoms]:
        """Every set that an atom lies in, at any depth."""
        found: dict[Atoms, None] = {}
        queue = deque(atom.inside)
        while queue:
            group = queue.popleft()
            if group not in found:
                found[group] = None
                if len(group) == 1:
                    queue += next(iter(group)).inside
        return list(found)


def is_one(kind: str, kinds: Kinds) -> bool:
    """Whether an op's name is among names; `linalg.*` matches many."""
    return any(
        kind == name or (name.endswith("*") and kind.startswith(name[:-1]))
        for name in kinds
    )
