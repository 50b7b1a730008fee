"""Two grids in one launch: the program that finishes last merges the parts of a tile.

A reduction cut into parts runs as two grids: one computes partial results, one adds
them up. With `triton.last_arriver` on the second, the programs of the first do its
work: each increments a counter of its tile once its part is stored, and the program
that finds all parts stored runs the body of the second grid for that tile.

    scf.forall (%s, %i, %j) in (4, 8, 8) { ... store partial[%s, tile (%i, %j)] }
    scf.forall (%i, %j) in (8, 8) { ... load partial[:, tile (%i, %j)] ... }

**Requires**: the second grid follows the first at once; its loops are the last loops of
the first, with the same extents, or it has a single tile; it reads only those results
of the first grid that programs with the same indices have written; it writes nothing
that the first touches. A third grid with the attribute, as two equal first grids leave
it once they are one, is a launch of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from tilewright.codegen.analysis.elements.atoms import Atom, Linear
from tilewright.codegen.analysis.elements.reshapes import memory_of
from tilewright.codegen.analysis.elements.views import Access
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import memref, vector
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.table import LAUNCH_ATTRIBUTES, Host
from tilewright.ir.launch_attributes.values import launch_attribute

ATTRIBUTE = "triton.last_arriver"
_REMEDY = f"leave '{ATTRIBUTE}' off: the two grids become two launches"


@dataclass(frozen=True)
class Merge:
    """The loops of the first grid that correspond to those of the second."""

    parts: ForallOp
    grid: ForallOp
    loops: tuple[int, ...]
    """For each loop of the second grid, the loop of the first; empty if the second grid
    is a single tile, which all programs of the first work on."""

    @property
    def partners(self) -> Mapping[SSAValue, SSAValue]:
        """The first grid's index for each index of the second."""
        if not self.loops:
            return {}
        return {
            index: self.parts.induction_vars[loop]
            for index, loop in zip(self.grid.induction_vars, self.loops, strict=True)
        }

    @property
    def zeros(self) -> tuple[SSAValue, ...]:
        """The indices of a second grid that is a single tile."""
        return () if self.loops else tuple(self.grid.induction_vars)

    @property
    def arrivals(self) -> int:
        """How many programs of the first grid work on one tile of the second."""
        return math.prod(
            extent
            for loop, extent in enumerate(self.parts.upper_bounds)
            if loop not in self.loops and isinstance(extent, int)
        )


def plan_merge(parts: ForallOp | None, grid: ForallOp) -> Merge:
    """Match the loops of the second grid with the last loops of the first."""
    if parts is None:
        refuse(
            grid,
            f"'{ATTRIBUTE}' on a grid that does not follow another one",
            _REMEDY,
        )
    others = [
        row.name
        for row in LAUNCH_ATTRIBUTES
        if row.name in grid.attributes and Host.GRID in row.hosts
    ]
    others.remove(ATTRIBUTE)
    if others:
        refuse(
            grid,
            f"'{others[0]}' on a grid that has no launch of its own",
            "set it on the grid before",
        )
    own, first = grid.upper_bounds, parts.upper_bounds
    if not all(isinstance(extent, int) for extent in (*own, *first)):
        refuse(
            grid,
            f"'{ATTRIBUTE}' on grids of a size known only at run time",
            _REMEDY,
        )
    start = len(first) - len(own)
    if start < 1 or list(first[start:]) != list(own):
        if all(extent == 1 for extent in own):
            return Merge(parts, grid, ())
        refuse(
            grid,
            f"its extents {_listed(own)} are not the last of {_listed(first)}, the "
            "grid that it shall join",
            "tile both alike, with the parts outermost in the first",
        )
    return Merge(parts, grid, tuple(range(start, len(first))))


def find_merges(block: Block) -> dict[Operation, Merge]:
    """The grids of a function that another grid joins, each with that grid."""
    merges: dict[Operation, Merge] = {}
    before: Operation | None = None
    joined: set[Operation] = set()
    for op in block.ops:
        if isinstance(op, ForallOp) and launch_attribute(op, ATTRIBUTE):
            if before not in joined:
                parts = before if isinstance(before, ForallOp) else None
                merge = plan_merge(parts, op)
                merges[merge.parts] = merge
                joined.add(op)
        if not isinstance(op, memref.AllocOp) and not is_side_effect_free(op):
            before = op
    return merges


def check_merge(
    merge: Merge,
    accesses: Mapping[Operation, Access],
    split_atoms: Iterable[Atom],
) -> frozenset[SSAValue]:
    """The buffers through which programs hand their parts to the last one.

    `split_atoms` are the indices of the first grid that the second does not have. Grids
    that cannot be merged are refused.
    """
    split = set(split_atoms)
    own = [accesses[op] for op in merge.parts.walk() if op in accesses]
    joined = [accesses[op] for op in merge.grid.walk() if op in accesses]
    written = {access.base: access for access in own if _is_write(access)}
    touched = {memory_of(access.base) for access in own}
    shared: set[SSAValue] = set()
    for access in joined:
        if _is_write(access):
            if memory_of(access.base) in touched:
                refuse(
                    access.op,
                    "writes a buffer that other programs of the launch may still use",
                    _REMEDY,
                )
        elif (part := written.get(access.base)) is not None:
            _check_read(access, part, split)
            shared.add(access.base)
        else:
            _refuse_other_shape(access, written)
    if not shared:
        refuse(merge.grid, "reads nothing that the grid before has written", _REMEDY)
    if sum(_is_write(access) and access.base in shared for access in own) > len(shared):
        refuse(merge.parts, "writes its partial results in several places", _REMEDY)
    return frozenset(shared)


def _refuse_other_shape(read: Access, written: Iterable[SSAValue]) -> None:
    """Refuse a read of a buffer that the first grid writes in another shape."""
    memory = memory_of(read.base)
    if any(memory_of(base) is memory for base in written):
        refuse(
            read.op, "reads what the grid before has written in another shape", _REMEDY
        )


def _check_read(read: Access, write: Access, split: set[Atom]) -> None:
    """Refuse a read of elements that programs with other indices write."""
    if read.steps != write.steps or any(step != 1 for step in write.steps):
        refuse(read.op, "parts that are written or read in steps", _REMEDY)
    for dim, (start, wanted) in enumerate(zip(write.starts, read.starts, strict=True)):
        if all(atom in split for atom in start.terms) and start.terms:
            continue  # along the parts: all of them have arrived
        if any(atom in split for atom in start.terms):
            refuse(read.op, "parts are mixed with tiles along a dimension", _REMEDY)
        room = _extent(write, dim) - _extent(read, dim)
        ahead: Linear = wanted - start
        if ahead.low < 0 or ahead.high > room:
            refuse(
                read.op,
                f"reads more along dimension {dim} than the programs of its tile have "
                "written",
                "tile both grids alike",
            )


def _extent(access: Access, dim: int) -> int:
    lane = access.lanes[dim]
    return 1 if lane is None else access.shape[lane]


def _is_write(access: Access) -> bool:
    return isinstance(access.op, vector.TransferWriteOp)


def _listed(extents: Iterable[object]) -> str:
    return f"({', '.join(map(str, extents))})"
