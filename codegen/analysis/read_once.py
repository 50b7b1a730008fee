"""Buffers of which a grid reads every element at most once, as far as indices show.

Their cache lines are of no use after the load: with `triton.read_once` the cache evicts
them first, and keeps what others will read again. A buffer counts as read once if one
tile of it is read, at a place that depends on all indices of the grid and of the loops
around the read. Tiles may still overlap; a hint to the cache need not be proved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.elements.atoms import Atom
from tilewright.codegen.analysis.elements.views import Access
from tilewright.ir.dialects import scf, vector


def buffers_read_once(
    accesses: Mapping[Operation, Access],
    programs: Collection[Atom],
    atom_of: Callable[[SSAValue], Atom],
) -> set[SSAValue]:
    """The buffers that are read once.

    `programs` are the indices that distinguish the programs of a grid, and `atom_of`
    answers with the atom of a loop's variable.
    """
    readers: dict[SSAValue, list[Access]] = {}
    for op, access in accesses.items():
        if isinstance(op, vector.TransferReadOp):
            readers.setdefault(access.base, []).append(access)
    return {
        base
        for base, (access, *others) in readers.items()
        if all(_is_same(access, other) for other in others)
        and _changes(access) >= {*programs, *_around(access.op, atom_of)}
    }


def _is_same(one: Access, other: Access) -> bool:
    """Whether two ops read the same tile, which is loaded once."""
    return (
        one.op.parent is other.op.parent
        and one.starts == other.starts
        and one.lanes == other.lanes
        and one.shape == other.shape
    )


def _changes(access: Access) -> set[Atom]:
    """The indices that the place of an access depends on."""
    return {atom for start in access.starts for atom in start.terms}


def _around(op: Operation, atom_of: Callable[[SSAValue], Atom]) -> Iterator[Atom]:
    """The variables of the loops around an op, inside its grid."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, scf.ForallOp):
        if isinstance(parent, scf.ForOp):
            atom = atom_of(parent.body.block.args[0])
            if atom.high > atom.low:
                yield atom
        parent = parent.parent_op()
