"""The launch plan of a module at the kernel level: ops of the launcher as steps."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.codegen.emit.gluon.kernel import is_specialized
from tilewright.codegen.emit.library_calls import library_call, returned_outputs, window
from tilewright.codegen.emit.sizes import SIZE_OPS, Sizes
from tilewright.codegen.kernel.modules import kernels_of, launcher_of
from tilewright.codegen.launches.plan import (
    Allocate,
    Buffer,
    Copy,
    Descriptor,
    Extent,
    Launch,
    LaunchPlan,
    MakeConstant,
    MakeCounters,
    Number,
    OpenSize,
    Operand,
    Pointer,
    Record,
    Requirement,
    Step,
    View,
    Wait,
)
from tilewright.codegen.source.host_helpers import HOST_HELPERS
from tilewright.codegen.source.kernel_helpers import HELPERS
from tilewright.codegen.source.names import Names
from tilewright.codegen.source.python_text import Literal
from tilewright.ir.dialects import func, memref
from tilewright.ir.dialects.kernel import (
    CopyWindowOp,
    CountersOp,
    DescriptorType,
    FuncOp,
    LaunchOp,
    LibraryOp,
    RecordOp,
    RequireOp,
    WaitOp,
    shape_of,
)
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.dtypes import element
from tilewright.ir.text import place_of


def launch_plan(module: ModuleOp) -> LaunchPlan:
    """The plan of a module's launcher."""
    return _Planner(module).plan()


class _Planner:
    def __init__(self, module: ModuleOp):
        self._kernels = kernels_of(module)
        self._function = launcher_of(module)
        self._block = self._function.body.block
        self._globals = [op for op in module.ops if isinstance(op, memref.GlobalOp)]
        self._names: dict[SSAValue, str] = {}
        self._operands: dict[SSAValue, Operand] = {}
        """Each buffer, or the window of one, as libraries take it."""
        self._buffers: list[Buffer] = []
        self._steps: list[Step] = []
        self._requirements: list[Requirement] = []
        self._results: tuple[str, ...] = ()

    def plan(self) -> LaunchPlan:
        """Name all values, then go through the ops."""
        entry = self._function.sym_name.data
        free = Names({*self._kernels, *HELPERS, *HOST_HELPERS, entry, "_wait"})
        makers = {op.sym_name.data: free.fresh(_maker(op)) for op in self._globals}
        sizes: list[OpenSize] = []
        named = [*self._block.args]
        for op in self._block.ops:
            if isinstance(op, memref.DimOp):
                named += [op.result] if op.result.name_hint else []
            elif not isinstance(op, memref.SubviewOp | LibraryOp):
                named += [v for v in op.results if isinstance(v.type, MemRefType)]
                named += [op.event] if isinstance(op, RecordOp) else []
        for value in named:
            self._names[value] = free.fresh(value.name_hint or "buffer")
            self._operands[value] = Operand(self._names[value])
        self._sizes = Sizes(self._block, self._names)
        for value in named:
            if isinstance(value.owner, memref.DimOp):
                extent = self._sizes.extent(value.owner)
                sizes.append(OpenSize(self._names[value], extent))
            elif isinstance(value.type, MemRefType):
                of, shape = element(value.type).name, self._sizes.shape(value)
                self._buffers.append(Buffer(self._names[value], of, shape))
        returned = returned_outputs(self._block)
        for op in self._block.ops:
            self._op(op, makers, returned)
        return LaunchPlan(
            entry,
            tuple(self._names[argument] for argument in self._block.args),
            tuple(sizes),
            tuple(self._buffers),
            tuple(
                (self._names[argument], element(argument.type).name)
                for argument in self._block.args
                if not isinstance(argument.type, MemRefType)
            ),
            tuple(self._requirements),
            tuple(self._steps),
            self._results,
        )

    def _op(
        self, op: Operation, makers: Mapping[str, str], returned: set[SSAValue]
    ) -> None:
        names, steps = self._names, self._steps
        match op:
            case RequireOp():
                left, right = self._sizes.value(op.lhs), self._sizes.value(op.rhs)
                need = Requirement(op.predicate.data, left, right, op.message.data)
                self._requirements.append(need)
            case memref.AllocOp():
                steps.append(Allocate(names[op.memref], op.memref in returned))
            case memref.GetGlobalOp():
                constant = op.name_.string_value()
                step = MakeConstant(names[op.memref], constant, makers[constant])
                steps.append(step)
            case CountersOp():
                steps.append(MakeCounters(names[op.buffer]))
            case memref.ViewOp():
                steps.append(View(names[op.result], names[op.source]))
            case memref.ExpandShapeOp() | memref.CollapseShapeOp():
                steps.append(View(names[op.result], names[op.src]))
            case memref.SubviewOp():
                self._operands[op.result] = self._window(op)
            case CopyOp():
                source, target = self._operands[op.source], self._operands[op.target]
                steps.append(Copy(source, target))
            case CopyWindowOp():
                steps.append(
                    Copy(
                        *(
                            window(self._operands[buffer], ranges, _shape(buffer))
                            for buffer, ranges in zip(
                                op.operands, op.windows(), strict=True
                            )
                        )
                    )
                )
            case LaunchOp():
                steps.append(self._launch(op))
            case LibraryOp():
                steps.extend(library_call(op, self._operands, returned))
            case RecordOp():
                steps.append(Record(names[op.event], op.stream.value.data))
            case WaitOp():
                steps.append(Wait(names[op.event], op.stream.value.data))
            case func.ReturnOp():
                self._results = tuple(names[value] for value in op.operands)
            case _ if isinstance(op, SIZE_OPS):
                pass  # Part of an expression where it is used.
            case _:
                raise AssertionError(f"no step for {op.name}")

    def _window(self, op: memref.SubviewOp) -> Operand:
        """A window at static offsets, whose steps are 1."""
        starts, sizes = op.static_offsets.get_values(), op.static_sizes.get_values()
        dropped = dropped_dims(sizes, _shape(op.result)) or ()
        ranges = [
            start if dim in dropped else slice(start, start + size)
            for dim, (start, size) in enumerate(zip(starts, sizes, strict=True))
        ]
        return window(self._operands[op.source], ranges, _shape(op.source))

    def _launch(self, op: LaunchOp) -> Launch:
        kernel = self._kernels[op.kernel.string_value()]
        has_descriptors = any(
            isinstance(parameter.type, DescriptorType)
            for parameter in kernel.body.block.args
        )
        return Launch(
            kernel.sym_name.data,
            tuple(self._extent(count) for count in mixed(op.grid, op.counts)),
            (*self._passed(op, kernel), *map(self._number, op.scalars)),
            tuple(kernel.sizes.items()),
            op.num_warps.value.data,
            op.num_stages.value.data,
            0 if op.persistent is None else op.persistent.value.data,
            None if op.stream is None else op.stream.value.data,
            # Without tiles there is no launch, and an empty tensor has no descriptor.
            tuple(self._sizes.emptying(op.counts)) if has_descriptors else (),
            place_of(op),
        )

    def _passed(self, op: LaunchOp, kernel: FuncOp) -> list[Pointer | Descriptor]:
        found: list[Pointer | Descriptor] = []
        for buffer, parameter in zip(op.buffers, kernel.body.block.args, strict=False):
            name, of = self._names[buffer], parameter.type
            if isinstance(of, DescriptorType):
                extents = None if of.extents is None else tuple(of.extents)
                block = tuple(shape_of(of.block))
                found.append(Descriptor(name, block, extents, is_specialized(kernel)))
            else:
                found.append(Pointer(name))
        return found

    def _number(self, value: SSAValue) -> Number:
        is_size = not isinstance(value, BlockArgument)
        return Number(self._extent(value), element(value.type).name, is_size)

    def _extent(self, value: SSAValue | int) -> Extent:
        if isinstance(value, int):
            return value
        known = self._sizes.value(value)
        return int(known.text) if isinstance(known, Literal) else known


def _maker(op: memref.GlobalOp) -> str:
    """`constant_4x8xf32`."""
    sizes = map(str, op.type.get_shape())
    return f"constant_{'x'.join([*sizes, element(op.type).name])}"


def _shape(value: SSAValue) -> tuple[int, ...]:
    assert isinstance(value.type, MemRefType)
    return value.type.get_shape()
