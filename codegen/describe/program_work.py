"""The work of a program: its launches and library calls, for given shapes."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.atoms import Runtime
from tilewright.codegen.describe.call_work import describe_call
from tilewright.codegen.describe.kernel_work import describe
from tilewright.codegen.kernel.modules import kernels_of, launcher_of
from tilewright.codegen.launches.plan import Launch, LaunchPlan
from tilewright.codegen.launches.size_checks import size_value, sizes_of
from tilewright.codegen.lower.host_sizes import evaluate
from tilewright.codegen.lower.lowered import Lowered
from tilewright.codegen.program import DYNAMIC, NOMINAL, Shapes, Work
from tilewright.ir.dialects.kernel import LaunchOp, LibraryOp


def program_work(lowered: Lowered, plan: LaunchPlan, shapes: Shapes | None) -> Work:
    """The work of launches and calls, for given shapes or nominal ones."""
    numbers = _Numbers(lowered, plan, shapes)
    kernels = kernels_of(lowered.module)
    launcher = launcher_of(lowered.module).body.block
    launches = [op for op in launcher.ops if isinstance(op, LaunchOp)]
    return Work(
        tuple(
            describe(
                kernels[step.kernel], op, numbers.tiles(step), numbers.scalars(step)
            )
            for op, step in zip(launches, plan.launches, strict=True)
        ),
        tuple(
            describe_call(op, numbers.shape)
            for op in launcher.ops
            if isinstance(op, LibraryOp)
        ),
    )


class _Numbers:
    """The values of run-time sizes, for given shapes."""

    def __init__(self, lowered: Lowered, plan: LaunchPlan, shapes: Shapes | None):
        self.lowered = lowered
        self.values: dict[Runtime, int] = {}
        found: list[list[int]] = []
        for position, argument in enumerate(lowered.function.body.block.args):
            found.append([])
            if not isinstance(argument.type, MemRefType):
                self.values[Runtime(argument)] = NOMINAL
                continue
            for dim, size in enumerate(argument.type.get_shape()):
                if size == DYNAMIC:
                    size = NOMINAL if shapes is None else shapes[position][dim]
                self.values[Runtime(argument, dim)] = size
                found[-1].append(size)
        self.sizes = sizes_of(plan, found)

    def shape(self, buffer: SSAValue) -> tuple[int, ...]:
        """The extents of one of the launcher's buffers."""
        assert isinstance(buffer.type, MemRefType)
        shape = buffer.type.get_shape()
        if DYNAMIC not in shape:
            return shape
        forms = self.lowered.sizes[buffer]
        return tuple(evaluate(form, self.values) for form in forms)

    def tiles(self, launch: Launch) -> tuple[int, ...]:
        """Extents of the tile grid."""
        forms = self.lowered.tiles[launch.kernel]
        return tuple(evaluate(form, self.values) for form in forms)

    def scalars(self, launch: Launch) -> list[int]:
        """The kernel's numbers; scalars of the payload have a nominal value."""
        return [
            size_value(number.value, self.sizes) if number.is_size else NOMINAL
            for number in launch.numbers
        ]
