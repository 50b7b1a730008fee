"""What handles stand for before a run: atoms, and what is known between them.

An *atom* is the payload that some op of a schedule will find or make, seen by nobody
yet. Three things can be known: it lies inside other atoms (or is one of them), it is a
part of another, and of which kind its ops are. Only what is certain whenever the atom
is not empty is noted, so that nothing is reported that would have been fine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import SSAValue

Kinds: TypeAlias = frozenset[str]
"""Names of ops, each op of an atom is one of them."""

MODULE: Kinds = frozenset({"builtin.module"})
FUNCTION: Kinds = frozenset({"func.func"})
ISOLATED: Kinds = MODULE | FUNCTION | {"gpu.module", "gpu.func"}
"""Ops that no value crosses: what is used in one is defined in it."""
STATEMENTS: Kinds = frozenset({"linalg.*", "scf.*", "tensor.*", "vector.*", "arith.*"})
"""Ops that stand in functions only."""


@dataclass(eq=False)
class Atom:
    """Some payload: the value that first stood for it, and what is known of it."""

    origin: SSAValue
    kinds: Kinds | None = None
    inside: list[frozenset[Atom]] = field(default_factory=list[frozenset["Atom"]])
    """Each op lies inside, or is, an op of one of these; for each set of the list."""
    part_of: set[Atom] = field(default_factory=set["Atom"])
    """Atoms that have each of its ops too."""
    every_one_in: Atoms | None = None
    """Where it is every op of its kinds, if that is how it was found."""

    @property
    def is_isolated(self) -> bool:
        """Whether it is known to be functions or modules."""
        return self.kinds is not None and self.kinds <= ISOLATED


Atoms: TypeAlias = frozenset[Atom]
"""What a handle stands for: several after a merge, or where branches differ."""

NOTHING: Atoms = frozenset()


class Knowledge:
    """Every atom of a schedule, and the relations between them."""

    def __init__(self) -> None:
        self._atoms: list[Atom] = []
        self._held_by: dict[Atom, list[tuple[Atom, Atoms]]] = {}
        """The atoms that lie in a set with this one, and the set: `inside` reversed."""

    def fresh(
        self,
        origin: SSAValue,
        inside: Iterable[Atoms] = (),
        kinds: Kinds | None = None,
    ) -> Atom:
        """Payload nobody has stood for yet, inside what each of `inside` stands for."""
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
        """What the payload of `atoms` lies in: what each of them is known to lie in."""
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
        """Note that what `inner` stands for lies inside `outer`, or is it."""
        for atom in inner:
            if outer and atom not in outer:
                self._hold(atom, outer)

    def part(self, part: Atoms, whole: Atoms) -> None:
        """Note that `part` is some of what `whole` stands for."""
        self.put_inside(part, whole)
        if len(whole) == 1:
            for atom in part - whole:
                atom.part_of |= whole

    def lies_in(self, inner: Atom, outer: Atoms) -> bool:
        """Whether `inner` is known to lie inside `outer`, or to be it."""
        return inner in self._covered(outer)

    def is_part(self, part: Atom, whole: Atoms) -> bool:
        """Whether `part` is known to be some of `whole`, not merely inside it."""
        seen, queue = {part}, [part]
        while queue:
            atom = queue.pop()
            if atom in whole:
                return True
            queue += atom.part_of - seen
            seen |= atom.part_of
        return False

    def taken_with(self, gone: Atoms) -> Iterator[Atom]:
        """All atoms that lose an op with these: themselves, what is inside, wholes."""
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
        """The atoms inside `outer` all of whose ops are of these kinds."""
        inside = self._covered(outer)
        for atom in self._atoms:
            if atom.kinds is None or not all(is_one(k, kinds) for k in atom.kinds):
                continue
            if atom in inside:
                yield atom

    def every(self, kinds: Kinds, outer: Atoms) -> Iterator[Atom]:
        """The atoms that are every op of these kinds in `outer`."""
        for atom in self._atoms:
            if atom.kinds == kinds and atom.every_one_in == outer:
                yield atom

    def forget_every(self) -> None:
        """From here on there may be more ops of any kind: functions were made."""
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
        """The atoms that are known to lie inside `outer`, or to be of it."""
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
    """Whether an op's name is among names, of which `linalg.*` stands for many."""
    return any(
        kind == name or (name.endswith("*") and kind.startswith(name[:-1]))
        for name in kinds
    )
