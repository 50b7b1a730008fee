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
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from tilewright.codegen.analysis.elements.atoms import Given, Linear, Runtime
from tilewright.codegen.analysis.elements.indices import representatives
from tilewright.codegen.analysis.elements.views import strides_of
from tilewright.codegen.analysis.libraries.groups import library_groups
from tilewright.codegen.analysis.merged_grids import Merge, find_merges
from tilewright.codegen.lower.copies import lower_copy
from tilewright.codegen.lower.entry import only_function
from tilewright.codegen.lower.equal_grids import EqualGrids
from tilewright.codegen.lower.kernel import LoweredKernel, lower_kernel
from tilewright.codegen.lower.launcher_block import LauncherBlock
from tilewright.codegen.lower.library_call import lower_library_call
from tilewright.codegen.lower.lowered import Lowered
from tilewright.codegen.lower.program_names import (
    KernelNames,
    OpNames,
    buffer_names,
    size_names,
)
from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.escape import identifier, plain_name
from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.kernel import (
    AtomicAddOp,
    CountersOp,
    DescriptorStoreOp,
    LaunchOp,
    StoreOp,
)
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.launch_attributes.values import (
    check_launch_attributes,
    launch_number,
)
from tilewright.ir.structured.equal_extents import SameExtents
from tilewright.ir.types import buffer_type

_IGNORED = (memref.SubviewOp, memref.CastOp, memref.DeallocOp)
"""Ops outside grids that are read where they are used, or have no effect."""


def lower(
    module: ModuleOp, same: SameExtents = (), op_names: OpNames | None = None
) -> Lowered:
    """Lower the one function of a module at the buffer level.

    `same` are groups of arguments' extents that are known to be equal. Kernels are
    called by the `op_names` of what they compute.
    """
    check_launch_attributes(module)
    function = only_function(module)
    names = buffer_names(function)
    constants = [op for op in module.ops if isinstance(op, memref.GlobalOp)]
    known = representatives(function, same)
    return _FunctionLowering(function, names, constants, known).lower(op_names or {})


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
        self.launcher = LauncherBlock(function.body.block, names, same)
        self.tiles: dict[str, tuple[Linear, ...]] = {}
        self.kernels: list[Operation] = []
        self.notes: list[str] = []
        self.equal = EqualGrids()
        self.merges: dict[Operation, Merge] = {}
        self.joined: dict[Operation, Operation] = {}
        """For each grid that is merged with another, the other grid."""
        self.counters: dict[Operation, CountersOp] = {}
        self.calls = library_groups(function.body.block)

    def lower(self, op_names: OpNames) -> Lowered:
        grids = [op for op in self.function.body.block.ops if isinstance(op, ForallOp)]
        self.merges = find_merges(self.function.body.block)
        self.joined = {merge.grid: parts for parts, merge in self.merges.items()}
        grids = [grid for grid in grids if grid not in self.joined]
        entry = identifier(plain_name(self.function.sym_name.data))
        called = KernelNames(entry, grids, op_names)
        kernels: dict[Operation, LoweredKernel] = {
            grid: self._kernel(grid, called) for grid in grids
        }
        # A kernel that stores nothing is left out.
        kernels = {grid: made for grid, made in kernels.items() if _stores(made)}
        self._keep(list(kernels.values()))
        sizes = self._size_names(list(kernels.values()), entry)
        self._sizes(list(kernels.values()), sizes)
        for op in self.function.body.block.ops:
            self._lower_op(op, kernels)
        if self.calls.groups:
            self.launcher.drop_unused()
        launcher = func.FuncOp(
            entry, self.function.function_type, Region(self.launcher.block)
        )
        launcher.location = self.function.location
        constants = [op.clone() for op in self.constants]
        module = ModuleOp([*constants, *self.kernels, launcher])
        return Lowered(
            module,
            tuple(self.notes),
            self.tiles,
            {
                new: self.launcher.indices.extents(old)
                for old, new in (
                    *self.launcher.replaced,
                    *self.launcher.buffers.items(),
                )
                if isinstance(old.type, MemRefType)
            },
            sizes,
            self.function,
        )

    def _kernel(self, grid: ForallOp, called: KernelNames) -> LoweredKernel:
        merge = self.merges.get(grid)
        if merge is not None:
            counters, name = self._counters(merge), called.name(grid)
            return lower_kernel(grid, name, self.names, self.same, merge, counters)
        return self.equal.kernel_of(
            grid, lambda: lower_kernel(grid, called.name(grid), self.names, self.same)
        )

    def _keep(self, kernels: Sequence[LoweredKernel]) -> None:
        for kernel in {each.func: each for each in kernels}.values():
            self.kernels.append(kernel.func)
            self.notes += kernel.notes
            self.tiles[kernel.func.sym_name.data] = kernel.tiles

    def _size_names(
        self, kernels: Sequence[LoweredKernel], entry: str
    ) -> dict[Given, str]:
        shapes = [
            self.launcher.indices.extents(argument)
            for argument in self.function.body.block.args
            if isinstance(argument.type, MemRefType)
        ]
        wanted = (
            (key, parameter.name_hint)
            for kernel in kernels
            for key, parameter in zip(
                kernel.scalars,
                kernel.func.body.block.args[len(kernel.buffers) :],
                strict=True,
            )
        )
        return size_names(wanted, shapes, {entry, *self.names.values()})

    def _sizes(
        self, kernels: Sequence[LoweredKernel], names: Mapping[Given, str]
    ) -> None:
        """Begin with the sizes that the kernels take, and the checks of sizes."""
        for kernel in kernels:
            for key in kernel.scalars:
                value = self.launcher.sizes.runtime(key)
                value.name_hint = value.name_hint or names.get(key)
        self.launcher.sizes.require_same(self.same, self.function)
        wanted = [need for kernel in kernels for need in kernel.requirements]
        self.launcher.sizes.require(wanted, self.function)

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
                sizes = self.launcher.open_sizes(op.memref)
                made = memref.AllocOp(sizes, [], of, op.alignment)
                self.launcher.add(made, op)
                self.launcher.bind(op.memref, made.memref)
            case memref.GetGlobalOp():
                self._constant(op)
            case _ if op in self.calls.absorbed:
                pass  # Computed by the call in another place.
            case _ if op in self.calls.groups:
                lower_library_call(self.calls.groups[op], self.launcher)
            case CopyOp():
                lower_copy(op, self.launcher)
            case func.ReturnOp():
                self.launcher.add(
                    func.ReturnOp(*(self.launcher.buffer(v, op) for v in op.operands)),
                    op,
                )
            case _ if isinstance(op, _IGNORED) or is_side_effect_free(op):
                # Read by the grids that need it.
                pass
            case _:
                refuse(
                    op,
                    "stands outside of any grid",
                    "tile it onto blocks, then vectorize it",
                )

    def _constant(self, op: memref.GetGlobalOp) -> None:
        """A constant of the module, passed to kernels as a buffer."""
        made = op.clone()
        self.launcher.add(made, op)
        self.launcher.bind(op.memref, made.memref)

    def _grid(self, op: ForallOp, kernel: LoweredKernel) -> None:
        if op in self.counters:
            self.launcher.add(self.counters[op], op)
        launch = LaunchOp(
            kernel.func.sym_name.data,
            [self.launcher.buffer(base, op) for base in kernel.buffers],
            [self._programs(factors) for factors in kernel.grid],
            kernel.num_warps,
            kernel.num_stages,
            kernel.persistent,
            launch_number(op, "triton.stream"),
            [self.launcher.sizes.runtime(key) for key in kernel.scalars],
        )
        self.launcher.add(launch, op)

    def _programs(self, factors: Sequence[Linear]) -> SSAValue | int:
        """The number of programs along an axis."""
        known = math.prod(form.constant for form in factors if form.is_constant)
        unknown = [form for form in factors if not form.is_constant]
        if not unknown:
            return known
        return self.launcher.sizes.product(
            [*unknown, *([Linear({}, known)] if known != 1 else [])]
        )

    def _counters(self, merge: Merge) -> SSAValue:
        """A counter for each tile of the second grid."""
        extents = merge.grid.upper_bounds
        made = CountersOp(math.prod(e for e in extents if isinstance(e, int)))
        self.counters[merge.grid] = made
        self.names[made.buffer] = "counters"
        self.launcher.bind(made.buffer, made.buffer)
        return made.buffer


def _stores(kernel: LoweredKernel) -> bool:
    """Whether a kernel stores anything."""
    stores = StoreOp | DescriptorStoreOp | AtomicAddOp
    return any(isinstance(op, stores) for op in kernel.func.walk())
