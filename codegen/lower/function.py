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

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from tilewright.codegen.analysis.atoms import Linear, Runtime
from tilewright.codegen.analysis.constants import constant_of
from tilewright.codegen.analysis.indices import Indices, representatives
from tilewright.codegen.analysis.library_calls import library_call
from tilewright.codegen.analysis.merged_grids import Merge, find_merges
from tilewright.codegen.analysis.reshapes import Reshape, reshape_of, without_casts
from tilewright.codegen.analysis.stored_calls import store_call
from tilewright.codegen.analysis.views import (
    View,
    buffer_type,
    same_window,
    strides_of,
    view_of,
)
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
from tilewright.ir.dialects.linalg import FillOp, SoftmaxOp, StructuredOp
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes import (
    LIBRARY,
    check_launch_attributes,
    launch_number,
    library_of,
)
from tilewright.ir.structured.equal_extents import SameExtents

_IGNORED = (memref.SubviewOp, memref.CastOp, memref.DeallocOp)
"""Ops outside grids that are read where they are used, or have no effect."""


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
                for old, new in self.buffers.items()
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
                sizes = [
                    self.launcher.value(self.indices.linear(size))
                    for size in op.dynamic_sizes
                ]
                made = memref.AllocOp(sizes, [], of, op.alignment)
                self._add(made, op)
                self._bind(op.memref, made.memref)
            case memref.GetGlobalOp():
                self._constant(op)
            case CopyOp():
                self._copy(op)
            case StructuredOp() | SoftmaxOp() if library_of(op) is not None:
                self._library(op)
            case FillOp() if self._call_after(op) is not None:
                # Part of the call.
                pass
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

    def _library(self, op: StructuredOp | SoftmaxOp) -> None:
        """A library call, with the fill of its output."""
        library = library_of(op)
        assert library is not None
        call = library_call(op, library)
        fills = [f for f in self._fills() if self._call_after(f) is op]
        mapper = {v: self._buffer(v, op) for v in op.operands if _is_buffer(v)}
        ops: list[Operation] = []
        for fill in fills[-1:]:
            constant = constant_of(fill.inputs[0])
            if constant is None:
                refuse(fill, "fills with a number that is no constant")
            number = arith.ConstantOp(constant)
            self._add(number, fill)
            ops.append(fill.clone({**mapper, fill.inputs[0]: number.result}))
        ops.append(op.clone(mapper))
        for inner in ops:
            inner.attributes.pop(LIBRARY, None)
        made = LibraryOp(library, ops)
        store_call(made, call, op)
        self._add(made, op)

    def _fills(self) -> list[FillOp]:
        return [op for op in self.function.body.block.ops if isinstance(op, FillOp)]

    def _call_after(self, fill: FillOp) -> Operation | None:
        """The library call that a fill is for: the next user of its buffer."""
        users = {use.operation for use in fill.outputs[0].uses}
        after = fill.next_op
        while after is not None and after not in users:
            after = after.next_op
        if not isinstance(after, StructuredOp) or library_of(after) is None:
            return None
        return after if after.outputs[0] is fill.outputs[0] else None

    def _copy(self, op: CopyOp) -> None:
        views = (view_of(value, self.indices) for value in (op.source, op.target))
        source, target = views
        if same_window(source, target):
            return
        if all(_fixed(view) for view in (source, target)):
            self._copy_window(op, source, target)
            return
        self._add(CopyOp(self._buffer(op.source, op), self._buffer(op.target, op)), op)

    def _copy_window(self, op: CopyOp, source: View, target: View) -> None:
        """A copy between windows at static offsets."""
        extents = [size.constant for (size,) in source.sizes]
        whole = [
            _starts(view) == [0] * len(view.starts)
            and tuple(extents) == buffer_type(view.base).get_shape()
            for view in (source, target)
        ]
        bases = self._buffer(source.base, op), self._buffer(target.base, op)
        if all(whole):
            self._add(CopyOp(*bases), op)
            return
        made = CopyWindowOp(
            bases[0], _starts(source), bases[1], _starts(target), extents
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


def _fixed(view: View) -> bool:
    """Whether a window has all dimensions, static offsets and static sizes."""
    rank = len(view.starts)
    return (
        view.dims == tuple(range(rank))
        and view.steps == (1,) * rank
        and all(start.is_constant for start in view.starts)
        and all(len(size) == 1 and size[0].is_constant for size in view.sizes)
    )


def _starts(view: View) -> list[int]:
    return [start.constant for start in view.starts]


def _stores(kernel: LoweredKernel) -> bool:
    """Whether a kernel stores anything."""
    return any(isinstance(op, StoreOp | DescriptorStoreOp) for op in kernel.func.walk())


def _is_buffer(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType)
