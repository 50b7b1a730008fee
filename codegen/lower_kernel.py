"""One grid becomes one kernel.

**Before** (buffer level)

    scf.forall (%i, %j) in (4, 4) {
      %subview = memref.subview %a[...] ...
      %x = vector.transfer_read %subview[%c0, %c0], %pad ...
      ...
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}

**After** (kernel level)

    kernel.func @f(%a: !kernel.ptr<f16>, ...) ... {
      %tile_m = kernel.program_id 1
      %offs_m = ...
      %x = kernel.load %a_tile ...
    }

**Requires** a static grid mapped to blocks; tiles with extents that are powers of two;
only the ops of `codegen/lower_ops.py` inside.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import scf, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.codegen import lower_ops
from tilewright.codegen.accesses import AccessBuilder
from tilewright.codegen.axes import Axes, letter_order
from tilewright.codegen.builder import Builder
from tilewright.codegen.descriptors import (
    block_shape,
    is_vector_like,
    require_descriptor,
)
from tilewright.codegen.grid import LaunchGrid, launch_grid
from tilewright.codegen.hazards import Hazards
from tilewright.codegen.indices import Indices
from tilewright.codegen.names import reader_name
from tilewright.codegen.refusal import refuse
from tilewright.codegen.views import Access, access_of
from tilewright.ir.dialects.kernel import (
    DescriptorType,
    FullOp,
    FuncOp,
    GroupedTileOp,
    PointerType,
    ProgramIdOp,
    ReturnOp,
    shape_of,
    tile_of,
)
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.vector import ContractOp
from tilewright.ir.launch_attributes import default_of, launch_attribute


@dataclass(frozen=True)
class LoweredKernel:
    """A kernel and how to launch it."""

    func: FuncOp
    buffers: tuple[SSAValue, ...]
    """The buffers of the function, in the order of the kernel's parameters."""
    grid: tuple[int, ...]
    num_warps: int
    num_stages: int
    notes: tuple[str, ...]


class KernelLowering:
    """Lowers the body of one grid."""

    def __init__(self, grid: ForallOp, name: str, names: dict[SSAValue, str]):
        self.grid = grid
        self.name = name
        self.names = names
        self.indices = Indices()
        self.axes = Axes()
        self.entry = Block()
        self.builder = Builder(self.axes, self.entry)
        self.access_builder = AccessBuilder(self.builder)
        self.hazards = Hazards()
        self.values: dict[SSAValue, SSAValue] = {}
        self.accesses: dict[Operation, Access] = {}
        self.notes: list[str] = []
        self.stages: list[int] = []
        self.use_descriptors = bool(launch_attribute(grid, "triton.descriptors"))
        self._parameters: dict[object, SSAValue] = {}
        self._buffers: list[SSAValue] = []

    def lower(self) -> LoweredKernel:
        """Analyse the grid, then build the kernel."""
        layout = launch_grid(self.grid)
        for value, extent in zip(self.grid.induction_vars, layout.tiles, strict=True):
            self.indices.define(value, 0, max(extent - 1, 0), 0)
        self._analyse(self.grid.body.block, 1)
        self.axes.choose_letters(
            op for op in self.grid.walk() if isinstance(op, ContractOp)
        )
        self._name_sizes()
        self._tile_indices(layout)
        self._offset_vectors()
        self.lower_block(self.grid.body.block)
        self.builder.add(ReturnOp())
        if self.use_descriptors and not self._has_descriptor():
            refuse(
                self.grid,
                "'triton.descriptors' changes nothing here: no tile has two dimensions",
                "leave the attribute off this grid",
            )
        _remove_dead(self.entry)
        func = FuncOp(
            self.name, self.axes.constants, layout.tiles, layout.group,
            Region(self.entry),
        )
        func.location = self.grid.location
        _drop_unread_constants(func)
        num_warps = launch_attribute(self.grid, "triton.num_warps")
        return LoweredKernel(
            func,
            tuple(self._buffers),
            layout.programs,
            default_of("triton.num_warps") if num_warps is None else num_warps,
            max(self.stages, default=1),
            tuple(self.notes),
        )

    # Analysis: what is accessed, which dimensions run together.

    def _analyse(self, block: Block, level: int) -> None:
        for op in block.ops:
            if isinstance(op, vector.TransferReadOp | vector.TransferWriteOp):
                access = access_of(op, self.indices)
                self.accesses[op] = access
                tile = op.results[0] if op.results else op.operands[0]
                self.axes.add_access(access, tile)
            if isinstance(op, scf.ForOp):
                lower = self.indices.linear(op.lb)
                upper = self.indices.linear(op.ub)
                step = self.indices.linear(op.step)
                if not step.is_constant or step.constant < 1:
                    refuse(op, "the loop's step is not a positive constant")
                high = upper.high - 1
                if lower.is_constant and upper.is_constant:
                    trips = -(-(upper.constant - lower.constant) // step.constant)
                    high = lower.constant + (trips - 1) * step.constant
                atom = self.indices.define(
                    op.body.block.args[0], lower.low, max(high, lower.low), level
                )
                self.axes.add_loop(atom)
                self._analyse(op.body.block, level + 1)
            self.axes.add_op(op)

    def _name_sizes(self) -> None:
        """Give extents of buffers and tiles their names before any is read."""
        for access in self.accesses.values():
            sizes = access.buffer.get_shape()
            for dim, lane in enumerate(access.lanes):
                self.axes.extent(access.op, dim, sizes[dim])
                if lane is not None:
                    letter = self.axes.letter_of(access.op, dim)
                    self.axes.block(letter, access.shape[lane])

    def _tile_indices(self, layout: LaunchGrid) -> None:
        """Compute the index of the program's tile, one value a grid loop."""
        atoms = [self.indices.linear(v).terms[0][0] for v in self.grid.induction_vars]
        letters = [self.axes.letter_of_atom(atom) for atom in atoms]
        hints = [f"tile_{letter.lower()}" if letter else "tile" for letter in letters]
        builder = self.builder
        if layout.axes is not None:
            values = [builder.add(ProgramIdOp(axis)) for axis in layout.axes]
        elif layout.group > 1:
            rows, columns = layout.tiles
            names = [f"TILES_{letter or n}" for n, letter in enumerate(letters)]
            op = GroupedTileOp(
                builder.add(ProgramIdOp(0), hint="pid"),
                builder.named(self.axes.other(names[0], rows), rows),
                builder.named(self.axes.other(names[1], columns), columns),
                builder.named(
                    self.axes.other(f"GROUP_{letters[0] or 0}", layout.group),
                    layout.group,
                ),
            )
            builder.add(op)
            values = list(op.results)
        else:
            values = self._unravel(layout.tiles)
        for atom, value, hint in zip(atoms, values, hints, strict=True):
            value.name_hint = hint
            builder.atoms[atom] = value

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

    def _unravel(self, tiles: tuple[int, ...]) -> list[SSAValue]:
        from xdsl.dialects import arith

        builder = self.builder
        rest = builder.add(ProgramIdOp(0), hint="pid")
        values: list[SSAValue] = []
        for extent in reversed(tiles[1:]):
            count = builder.integer(extent)
            values.append(builder.add(arith.RemSIOp(rest, count)))
            rest = builder.add(arith.FloorDivSIOp(rest, count))
        return [rest, *reversed(values)]

    # Building.

    def lower_block(self, block: Block) -> None:
        """Lower the ops of a block into the present scope."""
        for op in block.ops:
            if not isinstance(op, InParallelOp | scf.YieldOp):
                lower_ops.lower_op(self, op)

    def value(self, payload: SSAValue) -> SSAValue:
        """The kernel value of a payload value; constants are made where needed."""
        found = self.values.get(payload)
        if found is None:
            found = lower_ops.lower_constant(self, payload)
        return found

    def initial(self, payload: SSAValue, like: SSAValue) -> SSAValue:
        """Where a loop-carried value starts; a constant becomes a tile of its own."""
        constant = lower_ops.constant_of(payload)
        if payload in self.values or constant is None:
            return self.value(payload)
        of = tile_of(*lower_ops.element_and_shape(payload.type))
        return self.builder.add(FullOp(constant, of, self.extents(like)))

    def extents(self, value: SSAValue) -> list[str]:
        """Names of a payload tile's extents; empty where a number must do."""
        return [
            self.axes.block(self.axes.letter_of_lane(value, dim), size) or ""
            for dim, size in enumerate(shape_of(value.type))
        ]

    def pointer(self, base: SSAValue) -> SSAValue:
        """The kernel's parameter for a buffer, as a pointer."""
        of = PointerType(self.accesses_type(base))
        return self._parameter(("pointer", base), base, of, f"{self.names[base]}_ptr")

    def descriptor(self, access: Access) -> SSAValue:
        """The kernel's parameter for a buffer, as a descriptor of this block."""
        from xdsl.dialects.builtin import VectorType

        block = block_shape(access)
        of = DescriptorType(VectorType(access.buffer.element_type, list(block)))
        return self._parameter(
            ("descriptor", access.base, block),
            access.base,
            of,
            f"{self.names[access.base]}_desc",
        )

    def accesses_type(self, base: SSAValue) -> Attribute:
        """The element type of a buffer."""
        return base.type.element_type  # pyright: ignore

    def through_descriptor(self, access: Access, other: Attribute | None) -> bool:
        """Whether an access goes through a descriptor; refused where it must and cannot."""
        if not self.use_descriptors:
            return False
        if is_vector_like(access):
            note = (
                f"{self.names[access.base]}: a tile of one dimension stays a pointer "
                "access"
            )
            if note not in self.notes:
                self.notes.append(note)
            return False
        require_descriptor(access, other)
        return True

    def _parameter(
        self, key: object, base: SSAValue, of: Attribute, hint: str
    ) -> SSAValue:
        parameter = self._parameters.get(key)
        if parameter is None:
            parameter = self.entry.insert_arg(of, len(self.entry.args))
            parameter.name_hint = hint
            self._parameters[key] = parameter
            self._buffers.append(base)
        return parameter

    def _has_descriptor(self) -> bool:
        return any(isinstance(arg.type, DescriptorType) for arg in self.entry.args)

    def lower_loop(self, op: scf.ForOp) -> None:
        """A loop: its body in a scope of its own, what it starts from just before it."""
        builder, indices = self.builder, self.indices
        from tilewright.codegen.builder import Scope
        from xdsl.dialects.builtin import i32

        types = [tile_of(*lower_ops.element_and_shape(v.type)) for v in op.iter_args]
        body = Block(arg_types=[i32, *types])
        (atom, _), = indices.linear(op.body.block.args[0]).terms
        letter = self.axes.letter_of_atom(atom)
        body.args[0].name_hint = letter.lower() if letter else "step"
        builder.atoms[atom] = body.args[0]
        for payload, argument in zip(
            op.body.block.args[1:], body.args[1:], strict=True
        ):
            argument.name_hint = reader_name(payload.name_hint) or "acc"
            self.values[payload] = argument
        builder.scopes.append(Scope(body))
        self.hazards.enter()
        self.lower_block(op.body.block)
        self.hazards.leave(atom, indices.linear(op.step).constant)
        terminator = op.body.block.last_op
        assert isinstance(terminator, scf.YieldOp)
        results = [self.value(value) for value in terminator.arguments]
        builder.add(scf.YieldOp(*results))
        builder.scopes.pop()
        bounds = [self._bound(value, atom) for value in (op.lb, op.ub, op.step)]
        initial = [
            self.initial(value, result)
            for value, result in zip(op.iter_args, op.res, strict=True)
        ]
        loop = scf.ForOp(*bounds, initial, body)
        stages = self._stages(op)
        if stages is not None:
            loop.attributes["triton.num_stages"] = IntegerAttr(stages, i64)
            self.stages.append(stages)
        builder.add(loop, like=op)
        for payload, result in zip(op.res, loop.res, strict=True):
            result.name_hint = "acc"
            self.values[payload] = result

    def _bound(self, value: SSAValue, atom: object) -> SSAValue:
        from tilewright.codegen.indices import Atom

        form = self.indices.linear(value)
        assert isinstance(atom, Atom)
        name = self.axes.size_name(self.axes.letter_of_atom(atom), form.constant)
        if form.is_constant and name is not None and form.constant != 0:
            return self.builder.named(name, form.constant)
        return self.builder.scalar(form)

    def _stages(self, op: scf.ForOp) -> int | None:
        """The pipeline depth; a loop with a dot has one even where none was asked for."""
        asked = launch_attribute(op, "triton.num_stages")
        if asked is not None:
            return asked
        has_dot = any(isinstance(inner, ContractOp) for inner in op.body.block.ops)
        return default_of("triton.num_stages") if has_dot else None


def _remove_dead(block: Block) -> None:
    """Drop ops without effect whose results nobody reads."""
    for op in reversed(list(block.ops)):
        for region in op.regions:
            for inner in region.blocks:
                _remove_dead(inner)
        if op.results and not any(result.uses for result in op.results):
            from xdsl.traits import is_side_effect_free

            if is_side_effect_free(op):
                op.detach()
                op.erase()


def _drop_unread_constants(func: FuncOp) -> None:
    """Keep the named sizes that something reads."""
    from xdsl.dialects.builtin import DictionaryAttr

    from tilewright.ir.dialects.kernel import named_sizes

    read = {name for op in func.body.walk() for name, _ in named_sizes(op)}
    func.properties["constants"] = DictionaryAttr(
        {key: value for key, value in func.constants.data.items() if key in read}
    )


_ = DenseIntOrFPElementsAttr
