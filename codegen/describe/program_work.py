"""The work of a program: its launches and library calls, for given shapes."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, MemRefType
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.atoms import Runtime
from tilewright.codegen.describe.call_work import describe_call
from tilewright.codegen.describe.kernel_work import describe
from tilewright.codegen.kernel.modules import kernels_of, launcher_of
from tilewright.codegen.lower.host_sizes import evaluate
from tilewright.codegen.lower.lowered import Lowered
from tilewright.codegen.program import DYNAMIC, NOMINAL, Shapes, Work
from tilewright.ir.dialects import arith, memref
from tilewright.ir.dialects.kernel import LaunchOp, LibraryOp


def program_work(lowered: Lowered, shapes: Shapes | None) -> Work:
    """The work of launches and calls, for given shapes or nominal ones."""
    numbers = _Numbers(lowered, shapes)
    kernels = kernels_of(lowered.module)
    launcher = launcher_of(lowered.module).body.block
    return Work(
        tuple(
            describe(
                kernels[op.kernel.string_value()],
                op,
                numbers.tiles(op),
                numbers.scalars(op),
            )
            for op in launcher.ops
            if isinstance(op, LaunchOp)
        ),
        tuple(
            describe_call(op, numbers.shape)
            for op in launcher.ops
            if isinstance(op, LibraryOp)
        ),
    )


class _Numbers:
    """The values of run-time sizes, for given shapes."""

    def __init__(self, lowered: Lowered, shapes: Shapes | None):
        self.lowered = lowered
        self.values: dict[Runtime, int] = {}
        for position, argument in enumerate(lowered.function.body.block.args):
            if not isinstance(argument.type, MemRefType):
                self.values[Runtime(argument)] = NOMINAL
                continue
            for dim, size in enumerate(argument.type.get_shape()):
                if size == DYNAMIC:
                    size = NOMINAL if shapes is None else shapes[position][dim]
                self.values[Runtime(argument, dim)] = size

    def shape(self, buffer: SSAValue) -> tuple[int, ...]:
        """The extents of one of the launcher's buffers."""
        assert isinstance(buffer.type, MemRefType)
        shape = buffer.type.get_shape()
        if DYNAMIC not in shape:
            return shape
        forms = self.lowered.sizes[buffer]
        return tuple(evaluate(form, self.values) for form in forms)

    def tiles(self, launch: LaunchOp) -> tuple[int, ...]:
        """Extents of the tile grid."""
        forms = self.lowered.tiles[launch.kernel.string_value()]
        return tuple(evaluate(form, self.values) for form in forms)

    def scalars(self, launch: LaunchOp) -> list[int]:
        """The kernel's numbers; scalars of the payload have a nominal value."""
        arguments: dict[SSAValue, SSAValue] = dict(
            zip(
                launch.parent.args if launch.parent else (),
                self.lowered.function.body.block.args,
                strict=True,
            )
        )
        found: list[int] = []
        for value in launch.scalars:
            owner = value.owner
            if isinstance(owner, arith.ConstantOp):
                assert isinstance(owner.value, IntegerAttr)
                found.append(owner.value.value.data)
                continue
            if not isinstance(owner, memref.DimOp):
                found.append(NOMINAL)
                continue
            index = owner.index.owner
            assert isinstance(index, arith.ConstantOp)
            assert isinstance(index.value, IntegerAttr)
            key = Runtime(arguments[owner.source], index.value.value.data)
            found.append(self.values[key])
        return found
