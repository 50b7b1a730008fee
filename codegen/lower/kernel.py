"""One grid becomes one kernel.

**Before** (buffer level)

    scf.forall (%i, %j) in (4, 4) {
      %subview = memref.subview %a[...] ...
      %x = vector.transfer_read %subview[%c0, %c0], %pad ...
      ...
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}

**After** (kernel level)

    kernel.func @f(%a_ptr: !kernel.ptr<f16>, ...) ... {
      %tile_m = kernel.program_id 1
      %offs_m = ...
      %a = kernel.load %a_tile ...
    }

**Requires** a grid mapped to blocks; tiles with extents that are powers of two;
only the ops of `codegen/lower/ops.py` inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.codegen.analysis.descriptors import Descriptors
from tilewright.codegen.analysis.hazards import Hazards
from tilewright.codegen.analysis.indices import Atom, Indices, Linear, Runtime
from tilewright.codegen.analysis.merged_grids import Merge
from tilewright.codegen.analysis.tiles import kept_dims
from tilewright.codegen.analysis.unused_attributes import refuse_idle
from tilewright.codegen.analysis.views import Access
from tilewright.codegen.kernel.accesses import AccessBuilder
from tilewright.codegen.kernel.axes import Axes
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.kernel.cache_hints import CacheHints
from tilewright.codegen.kernel.dead_code import remove_dead
from tilewright.codegen.kernel.launch_axes import LaunchGrid, launch_grid
from tilewright.codegen.kernel.parameters import Parameters
from tilewright.codegen.kernel.size_requirements import (
    Requirement,
    countable,
    requirements_of,
    row_pitch,
)
from tilewright.codegen.lower import ops as lower_ops
from tilewright.codegen.lower.grid_facts import analyse, name_sizes
from tilewright.codegen.lower.index_tiles import Places, materialize
from tilewright.codegen.lower.merged_grid import analyse_merge, lower_merge
from tilewright.codegen.lower.tile_numbers import (
    lower_tiles,
    offset_vectors,
    tile_indices,
)
from tilewright.codegen.refusal import IN_REGISTERS, refuse
from tilewright.ir.dialects import memref, scf
from tilewright.ir.dialects.kernel import FuncOp, ReturnOp, shape_of
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.vector import ContractOp
from tilewright.ir.launch_attributes import STAGES, launch_attribute, launch_number


@dataclass(frozen=True)
class LoweredKernel:
    """A kernel and how to launch it."""

    func: FuncOp
    buffers: tuple[SSAValue, ...]
    """The buffers of the function, in the order of the kernel's parameters."""
    scalars: tuple[Runtime, ...]
    """What the caller brings, in the order of the parameters behind the buffers."""
    tiles: tuple[Linear, ...]
    """Extents of the tile grid, outermost first."""
    grid: tuple[tuple[Linear, ...], ...]
    """Programs along the launch axes, each a product."""
    requirements: tuple[Requirement, ...]
    persistent: int
    num_warps: int
    num_stages: int
    notes: tuple[str, ...]


class KernelLowering:
    """What is known of one grid while its kernel is built; the parts share it."""

    def __init__(
        self,
        grid: ForallOp,
        name: str,
        names: dict[SSAValue, str],
        same: Mapping[Runtime, Runtime | int],
        merge: Merge | None = None,
        counters: SSAValue | None = None,
    ):
        self.grid = grid
        self.name = name
        self.names = names
        self.merge = merge
        """The grid that the last programs of this one do, tile by tile."""
        self.counters = counters
        """The buffer in which programs count themselves in."""
        self.partial: frozenset[SSAValue] = frozenset()
        """The buffers through which programs hand on their parts."""
        self.indices = Indices(same)
        self.axes = Axes()
        self.entry = Block()
        self.builder = Builder(self.axes, self.entry)
        self.builder.wide = bool(launch_attribute(grid, "triton.wide_offsets"))
        self.access_builder = AccessBuilder(self.builder)
        self.parameters = Parameters(grid, self.entry, self.builder, self.axes, names)
        self.descriptors = Descriptors(grid, names)
        self.hints = CacheHints(grid)
        self.hazards = Hazards()
        self.values: dict[SSAValue, SSAValue] = {}
        """The kernel value of each payload value lowered so far."""
        self.orders: dict[SSAValue, list[int]] = {}
        """The order of the dimensions of tiles that were loaded transposed."""
        self.places: dict[SSAValue, Places] = {}
        """The tiles of indices that are computed where something reads them."""
        self.paddings: dict[Operation, Attribute] = {}
        """What the masked lanes of loads read."""
        self.accesses: dict[Operation, Access] = {}
        self.loops: list[scf.ForOp] = []

    def lower(self) -> LoweredKernel:
        """Analyse the grid, then build the kernel."""
        _refuse_memory(self.grid)
        layout = launch_grid(self.grid, self.indices)
        home = self.builder.home = 1 if layout.persistent else 0
        for value, extent in zip(self.grid.induction_vars, layout.tiles, strict=True):
            high, is_open = max(extent.high - 1, 0), not extent.is_constant
            self.indices.define(value, 0, high, home, is_open=is_open)
        analyse(self, self.grid.body.block, home + 1)
        if self.merge is not None:
            analyse_merge(self, self.merge, home + 2)
        self.axes.choose_letters(
            op for op in self.grid.walk() if isinstance(op, ContractOp)
        )
        name_sizes(self)
        if layout.persistent:
            lower_tiles(self, layout)
        else:
            self.lower_tile(layout, None)
        self.builder.add(ReturnOp())
        refuse_idle(self.grid, self.entry, self.accesses.values())
        self.hints.check(self.names[access.base] for access in self.accesses.values())
        return self._assemble(layout)

    def _assemble(self, layout: LaunchGrid) -> LoweredKernel:
        """The finished kernel, without what lowering made ahead and nothing reads."""
        stages = _most_stages(self.entry)
        remove_dead(self.entry)
        self.parameters.finish()
        func = FuncOp(
            self.name,
            self.axes.constants,
            [e.constant if e.is_constant else DYNAMIC_INDEX for e in layout.tiles],
            layout.group,
            Region(self.entry),
            launch_number(self.grid, "triton.store_parts"),
        )
        func.location = self.grid.location
        return LoweredKernel(
            func,
            tuple(self.parameters.buffers),
            tuple(self.parameters.numbers),
            layout.tiles,
            layout.programs,
            self._requirements(layout),
            layout.persistent,
            launch_number(self.grid, "triton.num_warps"),
            stages,
            tuple(self.descriptors.notes),
        )

    def _requirements(self, layout: LaunchGrid) -> tuple[Requirement, ...]:
        """What sizes must be for this kernel."""
        found = requirements_of(
            self.accesses.values(), self.names, wide=self.builder.wide
        )
        pitches = [
            requirement
            for access in self.descriptors.accesses
            for requirement in row_pitch(access, self.names[access.base], layout.tiles)
        ]
        counts = countable(layout.tiles, self.name) if self.builder.wide else ()
        return (*found, *pitches, *counts)

    def lower_tile(self, layout: LaunchGrid, number: SSAValue | None) -> None:
        """The work of one tile; `number` is the tile's, where a loop counts them."""
        tile_indices(self, layout, number)
        offset_vectors(self)
        self.lower_block(self.grid.body.block)
        self.hazards.between_programs(self._grid_indices())
        if self.merge is not None:
            assert self.counters is not None
            lower_merge(self, self.merge, self.counters)

    def _grid_indices(self) -> list[Atom]:
        """The indices that tell programs apart, those of one value left out."""
        forms = [self.indices.linear(index) for index in self.grid.induction_vars]
        atoms = [atom for form in forms for atom in form.terms]
        return [atom for atom in atoms if atom.high > atom.low]

    def lower_block(self, block: Block) -> None:
        """Lower the ops of a block into the present scope."""
        for op in block.ops:
            if not isinstance(op, InParallelOp | scf.YieldOp):
                lower_ops.lower_op(self, op)

    def value(self, payload: SSAValue) -> SSAValue:
        """The kernel value of a payload value; constants are made where needed."""
        found = self.values.get(payload)
        if found is not None:
            return found
        if payload in self.places:
            return materialize(self, payload)
        return lower_ops.lower_from_outside(self, payload)

    def extents(self, value: SSAValue) -> list[str]:
        """Names of a payload tile's extents; empty where a number must do."""
        sizes = shape_of(value.type)
        return [
            self.axes.block(self.axes.letter_of_lane(value, dim), sizes[dim]) or ""
            for dim in kept_dims(value.type)
        ]


def _most_stages(entry: Block) -> int:
    """The greatest pipeline depth of the loops, which the launch names."""
    depths = (op.attributes.get(STAGES) for op in entry.walk())
    numbers = (d.value.data for d in depths if isinstance(d, IntegerAttr))
    return max(numbers, default=1)


def _refuse_memory(grid: ForallOp) -> None:
    """Before all else: a tile is a value of the program, it has no memory of its own.

    An op that is not vectorized works on memory, for which bufferization may have made
    a buffer: the op is the cause to name. Nothing could read the sizes and views of
    such a buffer.
    """
    structured = [op for op in grid.walk() if isinstance(op, StructuredOp)]
    if structured:
        others = ", ".join(f"'{op.name}'" for op in structured[1:])
        refuse(
            structured[0],
            "not vectorized, and a program works on vectors only"
            + (f" ({others} neither)" if others else ""),
            "vectorize it before 'bufferize'",
        )
    for op in grid.walk():
        if isinstance(op, memref.AllocOp | memref.AllocaOp):
            refuse(op, "a buffer is allocated inside a grid", IN_REGISTERS)
