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
only the ops of `codegen/lower_ops.py` inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from tilewright.codegen import lower_ops
from tilewright.codegen.accesses import AccessBuilder
from tilewright.codegen.axes import Axes, letter_order
from tilewright.codegen.builder import Builder, Scope
from tilewright.codegen.cache_hints import CacheHints
from tilewright.codegen.cleanup import drop_unread_constants, remove_dead
from tilewright.codegen.descriptors import (
    block_shape,
    is_vector_like,
    require_descriptor,
)
from tilewright.codegen.grid import LaunchGrid, launch_grid
from tilewright.codegen.hazards import Hazards
from tilewright.codegen.indices import Atom, Indices, Linear, Runtime
from tilewright.codegen.lower_index import Places, materialize
from tilewright.codegen.merge import Merge, check_merge
from tilewright.codegen.names import reader_name
from tilewright.codegen.operands import constant_of
from tilewright.codegen.refusal import refuse
from tilewright.codegen.requirements import (
    Requirement,
    requirements_of,
    row_pitch,
)
from tilewright.codegen.scalars import passed_type
from tilewright.codegen.store_parts import split_stores
from tilewright.codegen.tiles import kept_dims, tile_type
from tilewright.codegen.views import Access, access_of, buffer_type
from tilewright.ir.dialects import arith, scf, vector
from tilewright.ir.dialects.kernel import (
    ArriveOp,
    CastOp,
    CompareOp,
    DescriptorType,
    DotOp,
    FullOp,
    FuncOp,
    GroupedTileOp,
    NumProgramsOp,
    OffsetOp,
    PointerType,
    ProgramIdOp,
    ReturnOp,
    StoreOp,
    shape_of,
)
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.vector import ContractOp
from tilewright.ir.launch_attributes import (
    default_of,
    launch_attribute,
    launch_number,
)

_LOOP_HINTS = ("triton.unroll", "triton.flatten", "triton.single_accumulator")


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
    """Lowers the body of one grid."""

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
        self.merge = merge
        """The grid that the last programs of this one do, tile by tile."""
        self.counters = counters
        """The buffer in which programs count themselves in."""
        self.partial: frozenset[SSAValue] = frozenset()
        """The buffers through which programs hand on their parts."""
        self.name = name
        self.names = names
        self.indices = Indices(same)
        self.axes = Axes()
        self.entry = Block()
        self.builder = Builder(self.axes, self.entry)
        self.access_builder = AccessBuilder(self.builder)
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
        self.stored: dict[Operation, list[str]] = {}
        """The names of the extents of what each store stores."""
        self.hints = CacheHints(grid)
        self.notes: list[str] = []
        self._stages: list[int] = []
        self._use_descriptors = bool(launch_attribute(grid, "triton.descriptors"))
        self._parameters: dict[object, SSAValue] = {}
        self._buffers: list[SSAValue] = []
        self._scalars: list[Runtime] = []
        self._described: dict[Operation, Access] = {}
        """Accesses through descriptors."""
        self.builder.parameter = self._size_parameter
        self.builder.wide = bool(launch_attribute(grid, "triton.wide_offsets"))

    def lower(self) -> LoweredKernel:
        """Analyse the grid, then build the kernel."""
        layout = launch_grid(self.grid, self.indices)
        home = self.builder.home = 1 if layout.persistent else 0
        for value, extent in zip(self.grid.induction_vars, layout.tiles, strict=True):
            self.indices.define(value, 0, max(extent.high - 1, 0), home)
        self._analyse(self.grid.body.block, home + 1)
        if self.merge is not None:
            self._analyse_merge(self.merge, home + 2)
        self.axes.choose_letters(
            op for op in self.grid.walk() if isinstance(op, ContractOp)
        )
        self._name_sizes()
        if layout.persistent:
            self._lower_tiles(layout)
        else:
            self._lower_tile(layout, None)
        self.builder.add(ReturnOp())
        self._check_descriptors()
        self.hints.check(self.names[access.base] for access in self.accesses.values())
        self._check_precision()
        self._check_width()
        remove_dead(self.entry)
        self._drop_unread_parameters()
        self._order_sizes()
        func = FuncOp(
            self.name,
            self.axes.constants,
            [e.constant if e.is_constant else DYNAMIC_INDEX for e in layout.tiles],
            layout.group,
            Region(self.entry),
        )
        func.location = self.grid.location
        drop_unread_constants(func)
        return LoweredKernel(
            func,
            tuple(self._buffers),
            tuple(self._scalars),
            layout.tiles,
            layout.programs,
            self._requirements(),
            layout.persistent,
            launch_number(self.grid, "triton.num_warps"),
            max(self._stages, default=1),
            tuple(self.notes),
        )

    def _lower_tile(self, layout: LaunchGrid, number: SSAValue | None) -> None:
        """The work of one tile; `number` is the tile's, where a loop counts them."""
        self._tile_indices(layout, number)
        self._offset_vectors()
        self.lower_block(self.grid.body.block)
        if self.merge is not None:
            self._lower_merge(self.merge)
        parts = launch_number(self.grid, "triton.store_parts")
        if parts > 1:
            block = self.builder.scopes[-1].block
            split_stores(
                self.grid, block, parts, self._extents_of_part, self._descriptor_like
            )

    def _lower_tiles(self, layout: LaunchGrid) -> None:
        """A loop over the program's tiles: its own number, and every so many on."""
        builder = self.builder
        body = Block(arg_types=[i32])
        body.args[0].name_hint = "tile"
        builder.scopes.append(Scope(body))
        self._lower_tile(layout, body.args[0])
        builder.add(scf.YieldOp())
        builder.scopes.pop()
        first = builder.add(ProgramIdOp(0), hint="pid")
        count = self._count("TILES", layout.tiles)
        step = builder.add(NumProgramsOp(0))
        loop = scf.ForOp(first, count, step, [], body)
        if launch_number(self.grid, "triton.flatten"):
            loop.attributes["triton.flatten"] = IntegerAttr(1, i64)
        # The work of a program is told tile by tile.
        loop.attributes["kernel.max_trips"] = IntegerAttr(1, i64)
        builder.add(loop, like=self.grid)

    # A second grid in the same launch.

    def _analyse_merge(self, merge: Merge, level: int) -> None:
        for index, partner in merge.partners.items():
            self.indices.same(index, partner)
        self._analyse(merge.grid.body.block, level)
        split = [
            self._atom(index)
            for loop, index in enumerate(self.grid.induction_vars)
            if loop not in merge.loops
        ]
        self.partial = check_merge(merge, self.accesses, split)

    def _lower_merge(self, merge: Merge) -> None:
        """Count the program in; the last one of a tile does the second grid's work."""
        builder = self.builder
        assert self.counters is not None
        tile: SSAValue | None = None
        for loop in merge.loops:
            index = builder.atoms[self._atom(self.grid.induction_vars[loop])]
            if tile is not None:
                extent = self.grid.upper_bounds[loop]
                assert isinstance(extent, int), "checked when the merge was planned"
                tile = builder.times(tile, builder.integer(extent), builder.home)
            tile = index if tile is None else builder.plus(tile, index, builder.home)
        assert tile is not None
        pointer = self._parameter(
            "counters", self.counters, PointerType(i32), "counters_ptr"
        )
        counter = builder.add(OffsetOp(pointer, tile), hint="counter")
        before = builder.add(ArriveOp(counter), like=merge.grid, hint="arrived")
        count = merge.arrivals
        last = builder.named(self.axes.other("PARTS", count), count)
        is_last = builder.add(
            CompareOp("eq", before, builder.minus(last, builder.integer(1), 0))
        )
        body = Block()
        builder.scopes.append(Scope(body))
        hazards, self.hazards = self.hazards, Hazards()
        self.lower_block(merge.grid.body.block)
        self.hazards = hazards
        builder.add(StoreOp(counter, builder.integer(0)))
        builder.add(scf.YieldOp())
        builder.scopes.pop()
        branch = scf.IfOp(is_last, [], [body])
        branch.attributes["kernel.one_of"] = IntegerAttr(count, i64)
        builder.add(branch, like=merge.grid)

    # Analysis: what is accessed, which dimensions run together.

    def _analyse(self, block: Block, level: int) -> None:
        for op in block.ops:
            if isinstance(op, vector.TransferReadOp | vector.TransferWriteOp):
                access = access_of(op, self.indices)
                self.accesses[op] = access
                tile = op.results[0] if op.results else op.operands[0]
                self.axes.add_access(access, tile)
            if isinstance(op, scf.ForOp):
                self._analyse_loop(op, level)
            self.axes.add_op(op)

    def _analyse_loop(self, op: scf.ForOp, level: int) -> None:
        lower, upper, step = (self.indices.linear(v) for v in (op.lb, op.ub, op.step))
        if not step.is_constant or step.constant < 1:
            refuse(op, "the loop's step is not a positive constant")
        high = upper.high - 1
        if lower.is_constant and upper.is_constant:
            trips = -(-(upper.constant - lower.constant) // step.constant)
            high = lower.constant + (trips - 1) * step.constant
        self.indices.define(
            op.body.block.args[0], lower.low, max(high, lower.low), level
        )
        self._analyse(op.body.block, level + 1)

    def _name_sizes(self) -> None:
        """Give extents of buffers and tiles their names before any is read."""
        for access in self.accesses.values():
            for dim, lane in enumerate(access.lanes):
                letter = self.axes.letter_of(access.op, dim)
                size = access.sizes[dim]
                if size.is_constant:
                    self.axes.extent(access.op, dim, size.constant)
                elif len(size.terms) == 1:
                    self._name_size(size.terms[0][0], letter)
                if lane is not None:
                    self.axes.block(letter, access.shape[lane])

    def _name_size(self, atom: Atom, wanted: str) -> str:
        """Name a number that the caller brings: an extent after its axis."""
        while atom.quotient is not None and len(atom.quotient.dividend.terms) == 1:
            atom = atom.quotient.dividend.terms[0][0]
        key = atom.runtime
        if key is None:
            return wanted
        if key.dim is None:
            wanted = self.names[key.argument]
        return self.axes.name_runtime(atom, wanted)

    # The program's place in the grid.

    def _tile_indices(self, layout: LaunchGrid, number: SSAValue | None) -> None:
        """Compute the index of the program's tile, one value a grid loop."""
        atoms = [self._atom(value) for value in self.grid.induction_vars]
        letters = [self.axes.letter_of_atom(atom) for atom in atoms]
        hints = [f"tile_{letter.lower()}" if letter else "tile" for letter in letters]
        builder = self.builder
        if layout.axes is not None:
            values = [builder.add(ProgramIdOp(axis)) for axis in layout.axes]
        else:
            if number is None:
                number = builder.add(ProgramIdOp(0), hint="pid")
            values = (
                self._grouped(number, layout, letters)
                if layout.group > 1
                else self._unravelled(number, layout.tiles, letters)
            )
        for atom, value, hint in zip(atoms, values, hints, strict=True):
            value.name_hint = hint
            builder.atoms[atom] = value

    def _grouped(
        self, number: SSAValue, layout: LaunchGrid, letters: list[str | None]
    ) -> list[SSAValue]:
        builder, axes = self.builder, self.axes
        *outer, rows, columns = layout.tiles
        names = [letter or str(loop) for loop, letter in enumerate(letters)][-2:]
        indices: list[SSAValue] = []
        if outer:
            tiles = self._plain_count("TILES_OF_ONE", (rows, columns))
            rest = builder.add(arith.FloorDivSIOp(number, tiles))
            indices = self._unravelled(rest, tuple(outer), letters[: len(outer)])
            number = builder.add(arith.RemSIOp(number, tiles), hint="place_in_batch")
        op = GroupedTileOp(
            number,
            self._count(f"TILES_{names[0]}", (rows,)),
            self._count(f"TILES_{names[1]}", (columns,)),
            builder.named(axes.other(f"GROUP_{names[0]}", layout.group), layout.group),
        )
        builder.add(op)
        return [*indices, *op.results]

    def _count(self, name: str, extents: tuple[Linear, ...]) -> SSAValue:
        """How many tiles there are: a named constant, or computed outside loops."""
        builder = self.builder
        if all(extent.is_constant for extent in extents):
            count = math.prod(extent.constant for extent in extents)
            return builder.named(self.axes.other(name, count), count)

        def compute() -> SSAValue:
            total = builder.scalar(extents[0])
            for extent in extents[1:]:
                total = builder.times(total, builder.scalar(extent), 0)
            return total

        total = builder.once(("count", extents), 0, compute)
        if isinstance(total.owner, Operation):
            total.name_hint = name.lower()
        return total

    def _plain_count(self, name: str, extents: tuple[Linear, ...]) -> SSAValue:
        """How many tiles there are, as a number where it is known."""
        if all(extent.is_constant for extent in extents):
            return self.builder.integer(math.prod(e.constant for e in extents))
        return self._count(name, extents)

    def _unravelled(
        self, rest: SSAValue, tiles: tuple[Linear, ...], letters: list[str | None]
    ) -> list[SSAValue]:
        builder = self.builder
        values: list[SSAValue] = []
        for extent, letter in reversed(list(zip(tiles, letters, strict=True))[1:]):
            if extent == Linear((), 1):
                values.append(builder.integer(0))
                continue
            name = f"TILES_{letter}" if letter else "TILES"
            count = self._plain_count(name, (extent,))
            values.append(builder.add(arith.RemSIOp(rest, count)))
            rest = builder.add(arith.FloorDivSIOp(rest, count))
        return [rest, *reversed(values)]

    def _offset_vectors(self) -> None:
        """Start with the index vectors, rows before columns; unread ones go again."""
        places = [
            (self.axes.letter_of(access.op, dim), access, dim)
            for access in self.accesses.values()
            for dim, lane in enumerate(access.lanes)
            if lane is not None
        ]
        for _, access, dim in sorted(places, key=lambda place: letter_order(place[0])):
            self.access_builder.offsets(access, dim)

    def _atom(self, value: SSAValue) -> Atom:
        ((atom, _),) = self.indices.linear(value).terms
        return atom

    # Values.

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

    # Loops.

    def lower_loop(self, op: scf.ForOp) -> None:
        """A loop: its body in a scope of its own, its initial values just before it."""
        builder = self.builder
        source = op.body.block
        types = [tile_type(value.type) for value in op.iter_args]
        body = Block(arg_types=[i32, *types])
        atom = self._atom(source.args[0])
        letter = self.axes.letter_of_atom(atom)
        body.args[0].name_hint = letter.lower() if letter else "step"
        builder.atoms[atom] = body.args[0]
        for payload, argument in zip(source.args[1:], body.args[1:], strict=True):
            argument.name_hint = reader_name(payload.name_hint) or "acc"
            self.values[payload] = argument
        builder.scopes.append(Scope(body))
        self.hazards.enter()
        self.lower_block(source)
        self.hazards.leave(atom, self.indices.linear(op.step).constant)
        terminator = source.last_op
        assert isinstance(terminator, scf.YieldOp)
        builder.add(scf.YieldOp(*[self.value(value) for value in terminator.arguments]))
        builder.scopes.pop()
        lower = builder.scalar(self.indices.linear(op.lb))
        upper = self._size(op.ub, lambda size: self.axes.extent_name(letter, size))
        step = self._size(op.step, lambda size: self.axes.block_name(letter, size))
        initial = [
            self._initial(value, result)
            for value, result in zip(op.iter_args, op.res, strict=True)
        ]
        loop = scf.ForOp(lower, upper, step, initial, body)
        self._annotate(loop, op)
        builder.add(loop, like=op)
        for payload, result in zip(op.res, loop.res, strict=True):
            self.values[payload] = result

    def _initial(self, payload: SSAValue, like: SSAValue) -> SSAValue:
        """Where a loop-carried value starts; a constant becomes a tile of its own."""
        constant = constant_of(payload)
        if payload in self.values or constant is None:
            return self.value(payload)
        return self.builder.add(
            FullOp(constant, tile_type(payload.type), self.extents(like))
        )

    def _size(self, value: SSAValue, name_of: Callable[[int], str | None]) -> SSAValue:
        """A loop's bound or step, by name where the size has one."""
        form = self.indices.linear(value)
        name = name_of(form.constant) if form.is_constant else None
        if name is None:
            return self.builder.scalar(form)
        return self.builder.named(name, form.constant)

    def _annotate(self, loop: scf.ForOp, op: scf.ForOp) -> None:
        """The pipeline depth, always on a loop with a dot; the trips, if they vary."""
        stages = launch_attribute(op, "triton.num_stages")
        if stages is None and any(isinstance(o, ContractOp) for o in op.body.block.ops):
            stages = default_of("triton.num_stages")
        if stages is not None:
            loop.attributes["triton.num_stages"] = IntegerAttr(stages, i64)
            self._stages.append(stages)
        for name in _LOOP_HINTS:
            value = launch_number(op, name)
            if value != default_of(name):
                loop.attributes[name] = IntegerAttr(value, i64)
        lower, upper, step = (self.indices.linear(v) for v in (op.lb, op.ub, op.step))
        if not lower.is_constant or not upper.is_constant:
            span = upper - lower
            if not span.is_given:
                trips = -(-span.high // step.constant)
                loop.attributes["kernel.max_trips"] = IntegerAttr(max(trips, 0), i64)

    # Parameters.

    def pointer(self, base: SSAValue) -> SSAValue:
        """The kernel's parameter for a buffer, as a pointer."""
        of = PointerType(buffer_type(base).element_type)
        return self._parameter(("pointer", base), base, of, f"{self.names[base]}_ptr")

    def descriptor(self, access: Access) -> SSAValue:
        """The kernel's parameter for a buffer, as a descriptor of this block."""
        block = block_shape(access)
        of = DescriptorType(VectorType(access.buffer.element_type, list(block)))
        key = ("descriptor", access.base, block)
        return self._parameter(key, access.base, of, f"{self.names[access.base]}_desc")

    def _descriptor_like(self, descriptor: SSAValue, block: Sequence[int]) -> SSAValue:
        """The parameter for the same buffer in blocks of another shape."""
        (base,) = [
            base
            for parameter, base in zip(self.entry.args, self._buffers, strict=False)
            if parameter is descriptor
        ]
        of = DescriptorType(VectorType(buffer_type(base).element_type, list(block)))
        key = ("descriptor", base, tuple(block))
        return self._parameter(key, base, of, descriptor.name_hint or "buffer_desc")

    def _extents_of_part(self, store: Operation, width: int) -> tuple[str, str]:
        """The names of a stored tile's height and of the width of its parts."""
        *_, rows, columns = self.stored[store]
        letter = columns.removeprefix("BLOCK_") or "N"
        return rows, self.axes.other(f"PART_{letter}", width)

    def may_use_descriptor(self, access: Access) -> bool:
        """Whether descriptors are asked for, and the tile has the dimensions."""
        return self._use_descriptors and not is_vector_like(access)

    def through_descriptor(self, access: Access, other: Attribute | None) -> bool:
        """Whether a descriptor makes the access; refused where it must and cannot."""
        if not self._use_descriptors or access.base in self.partial:
            # Stores through descriptors may still be under way when a program arrives.
            return False
        if is_vector_like(access):
            name = self.names[access.base]
            note = f"{name}: a tile of one dimension stays a pointer access"
            if note not in self.notes:
                self.notes.append(note)
            return False
        require_descriptor(access, other)
        self._described[access.op] = access
        return True

    def _parameter(
        self, key: object, base: SSAValue, of: Attribute, hint: str
    ) -> SSAValue:
        parameter = self._parameters.get(key)
        if parameter is None:
            # Pointers and descriptors come first, then numbers.
            parameter = self.entry.insert_arg(of, len(self._buffers))
            parameter.name_hint = hint
            self._parameters[key] = parameter
            self._buffers.append(base)
        return parameter

    def _size_parameter(self, atom: Atom) -> SSAValue:
        """The kernel's parameter for a number that indices are computed from."""
        key = atom.runtime
        assert key is not None
        if key.dim is None:
            return self.scalar(key.argument)
        letter = self.axes.letter_of_atom(atom)
        wanted = letter or f"{self.names[key.argument]}_{key.dim}"
        return self._number(key, i32, self._name_size(atom, wanted))

    def scalar(self, argument: SSAValue) -> SSAValue:
        """The kernel's parameter for a scalar of the payload, and what it holds."""
        of = argument.type
        name = self.names[argument]
        if isinstance(of, IndexType):
            return self._number(Runtime(argument), i32, name)
        passed = passed_type(of)
        if passed is None:
            refuse(
                self.grid,
                f"takes a scalar of type {of}, which Triton would pass as 32 bits",
                "pass a tensor of rank 0",
            )
        parameter = self._number(Runtime(argument), passed, name)
        if passed == of:
            return parameter
        return self.builder.once(
            ("scalar", argument),
            0,
            lambda: self.builder.add(CastOp(parameter, of), 0, name),
        )

    def _number(self, key: Runtime, of: Attribute, hint: str) -> SSAValue:
        parameter = self._parameters.get(key)
        if parameter is None:
            parameter = self.entry.insert_arg(of, len(self.entry.args))
            parameter.name_hint = hint
            self._parameters[key] = parameter
            self._scalars.append(key)
        return parameter

    def _drop_unread_parameters(self) -> None:
        """Whole blocks that nothing stores any more, sizes that nothing needs."""
        for parameter in list(self.entry.args):
            if not parameter.uses:
                position = parameter.index
                if position < len(self._buffers):
                    del self._buffers[position]
                else:
                    del self._scalars[position - len(self._buffers)]
                self.entry.erase_arg(parameter)

    def _order_sizes(self) -> None:
        """Sizes as a reader expects them, rows before columns; then other numbers."""
        first = len(self._buffers)
        old = list(self.entry.args[first:])
        pairs = sorted(zip(self._scalars, old, strict=True), key=_place)
        self._scalars = [key for key, _ in pairs]
        for _, parameter in pairs:
            moved = self.entry.insert_arg(parameter.type, len(self.entry.args))
            moved.name_hint = parameter.name_hint
            parameter.replace_all_uses_with(moved)
        for parameter in old:
            self.entry.erase_arg(parameter)

    def _requirements(self) -> tuple[Requirement, ...]:
        """What sizes must be for this kernel."""
        found = requirements_of(
            self.accesses.values(), self.names, wide=self.builder.wide
        )
        pitches = [
            requirement
            for access in self._described.values()
            for requirement in row_pitch(access, self.names[access.base])
        ]
        return (*found, *pitches)

    def _check_width(self) -> None:
        if self.builder.wide and all(
            DYNAMIC_INDEX not in access.buffer.get_shape()
            for access in self.accesses.values()
        ):
            refuse(
                self.grid,
                "'triton.wide_offsets' changes nothing here: all sizes are known",
                "leave the attribute off this grid",
            )

    def _check_precision(self) -> None:
        is_set = "triton.dot_precision" in self.grid.attributes
        if is_set and not any(
            isinstance(op, DotOp) and op.input_precision is not None
            for op in self.entry.walk()
        ):
            refuse(
                self.grid,
                "'triton.dot_precision' changes nothing here: no dot of f32 operands",
                "leave the attribute off this grid",
            )

    def _check_descriptors(self) -> None:
        if self._use_descriptors and not any(
            isinstance(argument.type, DescriptorType) for argument in self.entry.args
        ):
            refuse(
                self.grid,
                "'triton.descriptors' changes nothing here: no tile has two dimensions",
                "leave the attribute off this grid",
            )


def _place(pair: tuple[Runtime, SSAValue]) -> tuple[int, str]:
    key, parameter = pair
    if key.dim is None and isinstance(key.argument, BlockArgument):
        return 100 + key.argument.index, ""
    return letter_order(parameter.name_hint or "size")
