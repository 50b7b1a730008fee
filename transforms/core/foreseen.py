"""What the results of transform ops will point at, as far as it is known before a run.

Each op says so itself, in its method `foresee`: a match finds ops inside its target,
tiling puts the tiled op inside its loops, a split gives parts. The results of an op
without a rule of its own are only known to lie in the same module; those of ops that
rewrite their target in place lie in everything that their target lay in.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from xdsl.dialects.transform import (
    OperationType,
    TransformHandleType,
    TransformParamHandleType,
)
from xdsl.ir import SSAValue

from tilewright.transforms.core.atoms import (
    MODULE,
    NOTHING,
    Atom,
    Atoms,
    Kinds,
    Knowledge,
)

if TYPE_CHECKING:
    from tilewright.transforms.core.base import TransformOp

Handles: TypeAlias = dict[SSAValue, Atoms]

LOOP: Kinds = frozenset({"scf.for"})
GRID: Kinds = frozenset({"scf.forall"})

_STAYS = ("transform.structured.", "transform.loop.", "transform.tilewright.")
"""Prefixes of the ops that rewrite their target in place."""


class KnownBefore(Protocol):
    """What a check of an op may ask before a run."""

    def kind(self, handle: SSAValue) -> str | None:
        """The name of the ops that a handle points at."""
        ...

    def values(self, param: SSAValue | None) -> list[int]:
        """The values that a parameter may have, if the schedule lists them."""
        ...


class Foreseen:
    """Binds the results of one op to the atoms that it will find or make."""

    def __init__(
        self,
        op: TransformOp,
        known: Knowledge,
        handles: Handles,
        dead: Container[Atom] = (),
    ):
        self.op = op
        self.known = known
        self.handles = handles
        self.dead = dead

    def of(self, value: SSAValue) -> Atoms:
        """The atoms of an operand."""
        return self.handles.get(value, NOTHING)

    def make(
        self,
        result: SSAValue,
        inside: Iterable[Atoms] = (),
        kinds: Kinds | None = None,
    ) -> Atoms:
        """Bind a result to a new atom."""
        if isinstance(result.type, OperationType):
            kinds = frozenset({result.type.operation.data})
        atoms = frozenset([self.known.fresh(result, self._alive(inside), kinds)])
        self.handles[result] = atoms
        return atoms

    def _alive(self, groups: Iterable[Atoms]) -> list[Atoms]:
        return [g for g in groups if not any(atom in self.dead for atom in g)]

    # -- rules that several ops share ----------------------------------------------

    def new_ops(self, *, stay: bool | None = None) -> None:
        """Results are new ops; where they `stay`, they lie around as the target did."""
        op, known = self.op, self.known
        given = [atoms for operand in op.operands if (atoms := self.of(operand))]
        around: Sequence[Atoms] = ()
        if given and (op.name.startswith(_STAYS) if stay is None else stay):
            around = known.around(given[0])
        elif given:
            modules = known.isolated_around(given[0]) + [given[0]]
            around = [m for m in modules if all(a.kinds == MODULE for a in m)]
        for result in op.results:
            if _is_handle(result):
                self.make(result, around)

    def same(self) -> None:
        """The result is what all operands point at."""
        (result,) = self.op.results
        atoms = (self.of(operand) for operand in self.op.operands)
        self.handles[result] = NOTHING.union(*atoms)

    def parts(self, *, certain: bool = True) -> None:
        """Each result is part of the operand, where it is `certain` to point at ops."""
        whole = self.of(self.op.operands[0])
        for result in self.op.results:
            part = self.make(result, [whole], kinds_of(whole))
            if certain:
                self.known.part(part, whole)

    def in_the_same_function(self) -> None:
        """The result is in the function of the operand, perhaps outside its loops."""
        (result,) = self.op.results
        self.make(result, self.known.isolated_around(self.of(self.op.operands[0])))

    def tiled(
        self, op: SSAValue, loops: Iterable[SSAValue], kinds: Kinds | None = None
    ) -> None:
        """`op` is a tile of the first operand, inside `loops` of a kind."""
        target = self.of(self.op.operands[0])
        around = self.known.around(target)
        for loop in loops:
            around = [self.make(loop, around, kinds), *around]
        self.make(op, around, tile_kinds(target))

    def moved_out(self, *, stay: bool | None = None) -> None:
        """Ops may have moved out of the first operand's loops."""
        self.known.moved_out_of(self.of(self.op.operands[0]))
        self.new_ops(stay=stay)

    def new_functions(self, *, stay: bool | None = None) -> None:
        """Functions were made or went away."""
        self.known.forget_every()
        self.new_ops(stay=stay)


def kinds_of(atoms: Atoms) -> Kinds | None:
    """The kinds of all of these atoms, if all are known."""
    kinds = [atom.kinds for atom in atoms]
    if not kinds or None in kinds:
        return None
    return frozenset[str]().union(*(kind for kind in kinds if kind is not None))


def tile_kinds(atoms: Atoms) -> Kinds | None:
    """The kinds of tiles of these atoms: the same for structured ops."""
    kinds = kinds_of(atoms)
    odd = {"linalg.pack", "linalg.unpack", "linalg.softmax"}
    if kinds is None or any(not k.startswith("linalg.") or k in odd for k in kinds):
        return None
    return kinds


def _is_handle(value: SSAValue) -> bool:
    return isinstance(value.type, TransformHandleType) and not isinstance(
        value.type, TransformParamHandleType
    )
