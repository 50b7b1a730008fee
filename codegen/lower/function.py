"""Buffer level to kernel level: a function becomes kernels and a launcher.

**Before**

    func.func @f(%a: memref<512x512xf16>, ...) -> memref<512x512xf16> {
      %alloc = memref.alloc() : memref<512x512xf16>
      scf.forall (%i, %j) in (4, 4) { ... } {mapping = [#gpu.block<y>, #gpu.block<x>]}
      return %alloc : memref<512x512xf16>
    }

**After**

    kernel.func @f_kernel(%a_ptr: !kernel.ptr<f16>, ...) ... { ... }
    func.func @f(%a: memref<512x512xf16>, ...) -> memref<512x512xf16> {
      %out = memref.alloc() : memref<512x512xf16>
      kernel.launch @f_kernel(%a, ..., %out) grid [4, 4] warps 4 stages 3 ...
      return %out : memref<512x512xf16>
    }

Extents that are known only at run time, and scalar arguments of the function, become
numbers of the launcher. It checks them and passes them to the kernels that need them
(`host_sizes.py`).

**Requires** one function of one block; buffers without layouts, or with static strides;
grids mapped to blocks; beside them only allocations, copies, constants and index
arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from tilewright.codegen.analysis.elements.atoms import Linear, Runtime
from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.indices import Indices, representatives
from tilewright.codegen.analysis.elements.reshapes import (
    Reshape,
    memory_of,
    reshape_of,
    without_casts,
)
from tilewright.codegen.analysis.elements.views import (
    View,
    buffer_type,
    same_window,
    strides_of,
    view_of,
)
from tilewright.codegen.analysis.libraries.groups import (
    LibraryGroup,
    library_groups,
)
from tilewright.codegen.analysis.libraries.stored_calls import store_call
from tilewright.codegen.analysis.merged_grids import Merge, find_merges
from tilewright.codegen.lower.called_windows import called_window, window_op
from tilewright.codegen.lower.entry import only_function
from tilewright.codegen.lower.host_sizes import Launcher
from tilewright.codegen.lower.kernel import LoweredKernel, lower_kernel
from tilewright.codegen.lower.lowered import Lowered
from tilewright.codegen.lower.program_names import buffer_names, kernel_names
from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.escape import identifier, plain_name
from tilewright.ir.dialects import arith, func, memref
from tilewright.ir.dialects.kernel import (
    CopyWindowOp,
    CountersOp,
    DescriptorStoreOp,
    LaunchOp,
    LibraryOp,
    StoreOp,
)
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes import (
    LIBRARY,
    check_launch_attributes,
    launch_number,
)
from tilewright.ir.structured.bodies import captured_values
from tilewright.ir.structured.equal_extents import SameExtents

_IGNORED = (memref.SubviewOp, memref.CastOp, memref.DeallocOp)
"""Ops outside grids that are read where they are used, or have no effect."""


_RESHAPES = (memref.ExpandShapeOp, memref.CollapseShapeOp)


def lower(module: ModuleOp, same: SameExtents = ()) -> Lowered:
    """Lower the one function of a module at the buffer level.

    `same` are groups of arguments' extents that are known to be equal.
    """
    check_launch_attributes(module)
    function = only_function(module)
    names = buffer_names(function)
    constants = [op for op in module.ops if isinstance(op, memref.GlobalOp)]
    known = representatives(function, same)
    return _FunctionLowering(function, names, constants, known).lower()


class _FunctionLowering:
    def __init__(
        self,
        function: func.FuncOp,
        names: dict[SSAValue, str],
        constants: list[memref.GlobalOp],
        same: Mapping[Runtime, Runtime | int],
    ):
        self.function = function
        self.names = names
        self.constants = constants
        self.same = same
        self.indices = Indices(same)
        self.tiles: dict[str, tuple[Linear, ...]] = {}
        self.kernels: list[Operation] = []
        self.notes: list[str] = []
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.merges: dict[Operation, Merge] = {}
        self.joined: dict[Operation, Operation] = {}
        """For each grid that is merged with another, the other grid."""
        self.counters: dict[Operation, CountersOp] = {}
        self.calls = library_groups(function.body.block)
        self.replaced: list[tuple[SSAValue, SSAValue]] = []
        """Buffers of the launcher that others have taken the place of."""
        source = function.body.block
        self.block = Block(arg_types=[arg.type for arg in source.args])
        for old, new in zip(source.args, self.block.args, strict=True):
            self._bind(old, new)
        self.launcher = Launcher(self.block, self.buffers)

    def lower(self) -> Lowered:
        grids = [op for op in self.function.body.block.ops if isinstance(op, ForallOp)]
        self.merges = find_merges(self.function.body.block)
        self.joined = {merge.grid: parts for parts, merge in self.merges.items()}
        grids = [grid for grid in grids if grid not in self.joined]
        entry = identifier(plain_name(self.function.sym_name.data))
        called = kernel_names(entry, grids)
        kernels: dict[Operation, LoweredKernel] = {
            grid: self._kernel(grid, called[grid]) for grid in grids
        }
        # A kernel that stores nothing is left out.
        kernels = {grid: made for grid, made in kernels.items() if _stores(made)}
        self._keep(list(kernels.values()))
        self._sizes(list(kernels.values()))
        for op in self.function.body.block.ops:
            self._lower_op(op, kernels)
        if self.calls.groups:
            self._drop_unused()
        launcher = func.FuncOp(entry, self.function.function_type, Region(self.block))
        launcher.location = self.function.location
        constants = [op.clone() for op in self.constants]
        module = ModuleOp([*constants, *self.kernels, launcher])
        return Lowered(
            module,
            tuple(self.notes),
            self.tiles,
            {
                new: self.indices.extents(old)
                for old, new in (*self.replaced, *self.buffers.items())
                if isinstance(old.type, MemRefType)
            },
            self.function,
        )

    def _kernel(self, grid: ForallOp, name: str) -> LoweredKernel:
        merge = self.merges.get(grid)
        counters = None if merge is None else self._counters(merge)
        return lower_kernel(grid, name, self.names, self.same, merge, counters)

    def _keep(self, kernels: Sequence[LoweredKernel]) -> None:
        for kernel in kernels:
            self.kernels.append(kernel.func)
            self.notes += kernel.notes
            self.tiles[kernel.func.sym_name.data] = kernel.tiles

    def _sizes(self, kernels: Sequence[LoweredKernel]) -> None:
        """Begin with the sizes that the kernels take, and the checks of sizes."""
        for kernel in kernels:
            numbers = kernel.func.body.block.args[len(kernel.buffers) :]
            for key, parameter in zip(kernel.scalars, numbers, strict=True):
                value = self.launcher.runtime(key)
                value.name_hint = value.name_hint or parameter.name_hint
        self.launcher.require_same(self.same, self.function)
        wanted = [need for kernel in kernels for need in kernel.requirements]
        self.launcher.require(wanted, self.function)

    def _lower_op(
        self, op: Operation, kernels: Mapping[Operation, LoweredKernel]
    ) -> None:
        match op:
            case ForallOp() if op in self.merges:
                pass  # Launched together with the grid that it is merged with.
            case ForallOp():
                kernel = kernels.get(self.joined.get(op, op))
                if kernel is not None:
                    self._grid(op, kernel)
            case memref.AllocOp():
                of = buffer_type(op.memref)
                strides_of(of, op)
                sizes = self._open_sizes(op.memref)
                made = memref.AllocOp(sizes, [], of, op.alignment)
                self._add(made, op)
                self._bind(op.memref, made.memref)
            case memref.GetGlobalOp():
                self._constant(op)
            case _ if op in self.calls.absorbed:
                pass  # Computed by the call in another place.
            case _ if op in self.calls.groups:
                self._library(self.calls.groups[op])
            case CopyOp():
                self._copy(op)
            case func.ReturnOp():
                self._add(
                    func.ReturnOp(*(self._buffer(v, op) for v in op.operands)), op
                )
            case _ if isinstance(op, _IGNORED) or is_side_effect_free(op):
                # Read by the grids that need it.
                pass
            case _:
                refuse(
                    op,
                    "stands outside of any grid",
                    "tile it onto blocks with tile_using_forall, then vectorize",
                )

    def _constant(self, op: memref.GetGlobalOp) -> None:
        """A constant of the module, passed to kernels as a buffer."""
        made = op.clone()
        self._add(made, op)
        self._bind(op.memref, made.memref)

    def _grid(self, op: ForallOp, kernel: LoweredKernel) -> None:
        if op in self.counters:
            self._add(self.counters[op], op)
        launch = LaunchOp(
            kernel.func.sym_name.data,
            [self._buffer(base, op) for base in kernel.buffers],
            [self._programs(factors) for factors in kernel.grid],
            kernel.num_warps,
            kernel.num_stages,
            kernel.persistent,
            launch_number(op, "triton.stream"),
            [self.launcher.runtime(key) for key in kernel.scalars],
        )
        self._add(launch, op)

    def _programs(self, factors: Sequence[Linear]) -> SSAValue | int:
        """The number of programs along an axis."""
        known = math.prod(form.constant for form in factors if form.is_constant)
        unknown = [form for form in factors if not form.is_constant]
        if not unknown:
            return known
        return self.launcher.product(
            [*unknown, *([Linear({}, known)] if known != 1 else [])]
        )

    def _counters(self, merge: Merge) -> SSAValue:
        """A counter for each tile of the second grid."""
        extents = merge.grid.upper_bounds
        made = CountersOp(math.prod(e for e in extents if isinstance(e, int)))
        self.counters[merge.grid] = made
        self.names[made.buffer] = "counters"
        self._bind(made.buffer, made.buffer)
        return made.buffer

    def _library(self, group: LibraryGroup) -> None:
        """A library call: the ops that it computes, and where it reads and writes."""
        op, product, fill = group.op, group.product, group.fill
        called = [op] if product is None else [product, op]
        # A softmax has no body.
        bodies = [each for each in called if isinstance(each, StructuredOp)]
        buffers = [value for each in called for value in each.operands]
        mapper: dict[SSAValue, SSAValue] = {}
        ops: list[Operation] = []
        if product is not None:
            # No kernel and no call writes this buffer; it says what the call computes.
            old = without_casts(product.outputs[0])
            made = memref.AllocOp(self._open_sizes(old), [], buffer_type(old))
            made.memref.name_hint = "product"
            mapper |= dict.fromkeys((old, product.outputs[0]), made.memref)
            ops.append(made)
        for value in buffers:
            if _is_buffer(value) and value not in mapper:
                mapper[value] = self._called(value, group)
        output = op.operands[-1]
        if group.needs_output:
            renewed = self._renewed(without_casts(output), op)
        else:
            # Of f32, the product and the op after it may share one buffer.
            renewed = self._buffer(output, op)
        if fill is not None:
            constant = constant_of(fill.inputs[0])
            if constant is None:
                refuse(fill, "fills with a number that is no constant")
            number = arith.ConstantOp(constant)
            self._add(number, fill)
            start = renewed if product is None else mapper[product.outputs[0]]
            filled = {fill.inputs[0]: number.result, fill.outputs[0]: start}
            ops.append(fill.clone(filled))
        for each in bodies:
            for value in captured_values(each):
                if value not in mapper:
                    mapper[value] = self._captured(value, each)
        ops += [each.clone(mapper) for each in called]
        ops[-1].operands[len(op.operands) - 1] = renewed
        for inner in ops:
            inner.attributes.pop(LIBRARY, None)
        call = LibraryOp(group.library, ops)
        store_call(call, group.call, buffers)
        self._add(call, op)

    def _called(self, value: SSAValue, group: LibraryGroup) -> SSAValue:
        """A buffer that a call reads or writes, or a window of one that it reads."""
        window = called_window(value, group.call, self.indices)
        if window is None:
            return self._buffer(value, group.op)
        made = window_op(window, self._buffer(window.base, group.op), value)
        self._add(made, group.op)
        return made.result

    def _captured(self, value: SSAValue, op: Operation) -> SSAValue:
        """A constant that the body of an op reads, in the launcher."""
        if not isinstance(value.owner, arith.ConstantOp):
            refuse(op, "reads a number from outside that is no constant")
        made = value.owner.clone()
        self._add(made, op)
        return made.results[0]

    def _renewed(self, old: SSAValue, like: Operation) -> SSAValue:
        """A new buffer for what a call writes while it reads the old one.

        The call writes every element: from here on the new buffer is the old one.
        """
        made = memref.AllocOp(self._open_sizes(old), [], buffer_type(old))
        self._add(made, like)
        for value in [v for v in self.buffers if memory_of(v) is old]:
            self.replaced.append((value, self.buffers.pop(value)))
        self._bind(old, made.memref)
        return made.memref

    def _open_sizes(self, buffer: SSAValue) -> list[SSAValue]:
        """The sizes of an allocation that are known only at run time."""
        alloc = buffer.owner
        if not isinstance(alloc, memref.AllocOp):
            return []
        sizes = (self.indices.linear(size) for size in alloc.dynamic_sizes)
        return [self.launcher.value(size) for size in sizes]

    def _drop_unused(self) -> None:
        """Drop the buffers that only replaced ops used."""
        for op in reversed(list(self.block.ops)):
            makes = isinstance(op, (memref.AllocOp, *_RESHAPES))
            if makes and not op.results[0].uses:
                op.detach()
                op.erase()

    def _copy(self, op: CopyOp) -> None:
        views = (view_of(value, self.indices) for value in (op.source, op.target))
        source, target = views
        if same_window(source, target):
            return
        windows = _window(op.source, source), _window(op.target, target)
        if windows[0] is not None and windows[1] is not None:
            self._copy_window(op, windows[0], windows[1])
            return
        self._add(CopyOp(self._buffer(op.source, op), self._buffer(op.target, op)), op)

    def _copy_window(self, op: CopyOp, source: _Window, target: _Window) -> None:
        """A copy between windows at static offsets."""
        bases = self._buffer(source.base, op), self._buffer(target.base, op)
        if source.is_whole and target.is_whole:
            self._add(CopyOp(*bases), op)
            return
        made = CopyWindowOp(
            bases[0], source.starts, bases[1], target.starts, source.extents
        )
        self._add(made, op)

    def _buffer(self, value: SSAValue, op: Operation) -> SSAValue:
        value = without_casts(value)
        if value not in self.buffers:
            reshape = reshape_of(value)
            if reshape is None:
                refuse(op, "a part of a buffer is used as a whole outside of any grid")
            self._reshape(reshape)
        return self.buffers[value]

    def _reshape(self, op: Reshape) -> None:
        """A whole buffer in another shape: a view that the launcher makes."""
        source = self._buffer(op.src, op)
        operands = [source]
        if isinstance(op, memref.ExpandShapeOp):
            operands += [
                self.launcher.value(self.indices.linear(size))
                for size in op.output_shape
            ]
        made = type(op).create(
            operands=operands,
            result_types=[op.result.type],
            properties=dict(op.properties),
        )
        self._add(made, op)
        self._bind(op.result, made.results[0])

    def _add(self, made: Operation, like: Operation) -> None:
        made.location = like.location
        self.block.add_op(made)

    def _bind(self, old: SSAValue, new: SSAValue) -> None:
        self.buffers[old] = new
        new.name_hint = self.names[old]


@dataclass(frozen=True)
class _Window:
    """A part of a buffer at static offsets."""

    base: SSAValue
    starts: list[int]
    extents: list[int]

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole buffer."""
        shape = buffer_type(self.base).get_shape()
        return not any(self.starts) and tuple(self.extents) == shape


def _window(value: SSAValue, view: View) -> _Window | None:
    """The window that a value is; None if its place is known only at run time."""
    if _fixed(view):
        starts = [start.constant for start in view.starts]
        return _Window(view.base, starts, [size.constant for (size,) in view.sizes])
    plain = without_casts(value)
    shape = buffer_type(plain).get_shape()
    if reshape_of(plain) is None or DYNAMIC_INDEX in shape:
        return None
    return _Window(plain, [0] * len(shape), list(shape))


def _fixed(view: View) -> bool:
    """Whether a window has all dimensions, static offsets and static sizes."""
    rank = len(view.starts)
    return (
        view.dims == tuple(range(rank))
        and view.steps == (1,) * rank
        and all(start.is_constant for start in view.starts)
        and all(len(size) == 1 and size[0].is_constant for size in view.sizes)
    )


def _stores(kernel: LoweredKernel) -> bool:
    """Whether a kernel stores anything."""
    return any(isinstance(op, StoreOp | DescriptorStoreOp) for op in kernel.func.walk())


def _is_buffer(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType)
