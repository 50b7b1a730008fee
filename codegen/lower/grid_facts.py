"""The analysis of a grid: its accesses, its axes and the names of sizes.

The analysis is complete before the kernel is built: the name of a tile's extent depends
on all accesses along its axis, and the need for a mask on the ranges of all indices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import Block, Operation, SSAValue

from tilewright.codegen.analysis.elements.atoms import Atom, Runtime
from tilewright.codegen.analysis.elements.data_indices import is_data_index
from tilewright.codegen.analysis.elements.indices import Indices
from tilewright.codegen.analysis.elements.reshapes import memory_of
from tilewright.codegen.analysis.elements.views import Access, access_of
from tilewright.codegen.analysis.merged_grids import Merge, check_merge
from tilewright.codegen.analysis.spare_elements import may_write_spare
from tilewright.codegen.kernel.axes import Axes
from tilewright.codegen.kernel.launch_axes import LaunchGrid, launch_grid
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import scf, vector
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.vector import ContractOp


@dataclass(frozen=True)
class GridFacts:
    """The analysis of a grid, which does not change while its kernel is built."""

    grid: ForallOp
    names: Mapping[SSAValue, str]
    """The names of the function's buffers and numbers."""
    indices: Indices
    layout: LaunchGrid
    home: int
    """The loop level at which the program's tile is known: 1 in a loop over tiles."""
    axes: Axes
    accesses: Mapping[Operation, Access]
    merge: Merge | None
    """The second grid of the launch, which the last program of each tile computes."""
    partial: frozenset[SSAValue]
    """The buffers through which programs exchange partial results."""

    def atom_of(self, index: SSAValue) -> Atom:
        """The atom of a grid index or a loop variable in index arithmetic."""
        return _atom_of(self.indices, index)

    @cached_property
    def stored(self) -> frozenset[SSAValue]:
        """The memory that the programs store to."""
        return frozenset(
            memory_of(access.base)
            for op, access in self.accesses.items()
            if isinstance(op, vector.TransferWriteOp)
        )

    def distinguishing_atoms(self) -> list[Atom]:
        """The grid indices with more than one value, which distinguish programs."""
        forms = [self.indices.linear(index) for index in self.grid.induction_vars]
        atoms = [atom for form in forms for atom in form.terms]
        return [atom for atom in atoms if atom.high > atom.low]


def analyse_grid(
    grid: ForallOp,
    names: Mapping[SSAValue, str],
    same: Mapping[Runtime, Runtime | int],
    merge: Merge | None,
) -> GridFacts:
    """Read a grid, and the grid that is merged with it.

    `same` maps extents that are known to be equal to one representative.
    """
    indices = Indices(same)
    layout = launch_grid(grid, indices)
    home = 1 if layout.persistent else 0
    for value, extent in zip(grid.induction_vars, layout.tiles, strict=True):
        high, is_open = max(extent.high - 1, 0), not extent.is_constant
        indices.define(value, 0, high, home, is_open=is_open)
    reader = _Reader(indices)
    reader.block(grid.body.block, home + 1)
    partial: frozenset[SSAValue] = frozenset()
    if merge is not None:
        partial = reader.merge(merge, home + 2)
    reader.axes.choose_letters(op for op in grid.walk() if isinstance(op, ContractOp))
    reader.name_sizes(names)
    return GridFacts(
        grid, names, indices, layout, home, reader.axes, reader.accesses, merge, partial
    )


class _Reader:
    """Collects the accesses, loops and axes of the ops of a grid."""

    def __init__(self, indices: Indices):
        self.indices = indices
        self.axes = Axes()
        self.accesses: dict[Operation, Access] = {}
        self.loops: list[scf.ForOp] = []

    def block(self, block: Block, level: int) -> None:
        """Read the ops of a block at loop level `level`."""
        for op in block.ops:
            if isinstance(op, vector.TransferReadOp | vector.TransferWriteOp):
                access = access_of(op, self.indices)
                if isinstance(op, vector.TransferWriteOp):
                    access = may_write_spare(access)
                self.accesses[op] = access
                tile = op.results[0] if op.results else op.operands[0]
                self.axes.add_access(access, tile)
            if is_data_index(op):
                self.indices.define_data(op, level - 1)
            if isinstance(op, scf.ForOp):
                self._loop(op, level)
            if isinstance(op, scf.IfOp):
                for side in op.regions:
                    for inner in side.blocks:
                        self.block(inner, level + 1)
            self.axes.add_op(op)

    def _loop(self, op: scf.ForOp, level: int) -> None:
        lower, upper = self.indices.bound(op.lb), self.indices.bound(op.ub)
        step = self.indices.linear(op.step)
        if not step.is_constant or step.constant < 1:
            refuse(op, "the loop's step is not a positive constant")
        high = upper.high - 1
        if lower.is_constant and upper.is_constant:
            trips = -(-(upper.constant - lower.constant) // step.constant)
            high = lower.constant + (trips - 1) * step.constant
        self.loops.append(op)
        index = op.body.block.args[0]
        is_open = lower.is_open or upper.is_open
        high = max(high, lower.low)
        self.indices.define(index, lower.low, high, level, is_open=is_open)
        self.block(op.body.block, level + 1)

    def merge(self, merge: Merge, level: int) -> frozenset[SSAValue]:
        """Read the second grid, whose indices are those of the first.

        Returns the buffers through which programs exchange partial results.
        """
        for index, partner in merge.partners.items():
            self.indices.same(index, partner)
        for index in merge.zeros:
            self.indices.set_constant(index, 0)
        self.block(merge.grid.body.block, level)
        split = [
            _atom_of(self.indices, index)
            for loop, index in enumerate(merge.parts.induction_vars)
            if loop not in merge.loops
        ]
        return check_merge(merge, self.accesses, split)

    def name_sizes(self, names: Mapping[SSAValue, str]) -> None:
        """Name the extents of buffers and tiles, before any name is used."""
        axes = self.axes
        for access in self.accesses.values():
            for dim in range(len(access.lanes)):
                letter = axes.letter_of(access.op, dim)
                size = access.sizes[dim]
                if size.is_constant:
                    axes.extent(access.op, dim, size.constant)
                elif len(size.terms) == 1:
                    axes.name_size(next(iter(size.terms)), letter, names)
        # Matrices first: `BLOCK_N` is the extent of their tiles, also beside longer
        # vectors of the same axis.
        for access in sorted(self.accesses.values(), key=lambda a: len(a.shape) < 2):
            for dim, lane in enumerate(access.lanes):
                if lane is not None:
                    axes.block(axes.letter_of(access.op, dim), access.shape[lane])
        for access in self.accesses.values():
            for start in access.starts:
                for atom, coefficient in start.terms.items():
                    axes.step(axes.letter_of_atom(atom), coefficient)
        for loop in self.loops:
            step = self.indices.linear(loop.step).constant
            atom = _atom_of(self.indices, loop.body.block.args[0])
            axes.step(axes.letter_of_atom(atom), step)


def _atom_of(indices: Indices, index: SSAValue) -> Atom:
    (atom,) = indices.linear(index).terms
    return atom
