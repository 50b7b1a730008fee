"""Buffer level to a generated program, in one call."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Block, SSAValue

from tilewright.codegen.describe import describe
from tilewright.codegen.emit_program import emit_program
from tilewright.codegen.indices import Linear, Runtime
from tilewright.codegen.launcher import evaluate
from tilewright.codegen.lower import Lowered, lower
from tilewright.codegen.program import DYNAMIC, NOMINAL, GeneratedProgram, TensorSpec
from tilewright.codegen.same_extents import SameExtents
from tilewright.codegen.tiny_floats import without_tiny_arithmetic
from tilewright.ir.dialects import arith, func, memref
from tilewright.ir.dialects.kernel import FuncOp, LaunchOp
from tilewright.ir.dtypes import element
from tilewright.ir.launch_attributes import TABLE_VERSION
from tilewright.ir.text import to_text


@dataclass(frozen=True)
class Generated:
    """A program, and the kernel IR it was written from."""

    program: GeneratedProgram
    kernel_module: ModuleOp
    notes: tuple[str, ...]
    """What a reader of the result should know: which tiles stayed pointer accesses."""


def generate(
    module: ModuleOp,
    same: SameExtents = (),
    shapes: Sequence[Sequence[int]] | None = None,
) -> Generated:
    """Lower a module at the buffer level and write its Triton source.

    `same` has the extents of arguments that must be equal (`same_extents.py`).
    `shapes` of the arguments serve the description of the work alone: the program takes
    any, where sizes are known only at run time.
    """
    lowered = lower(without_tiny_arithmetic(module), same)
    numbers = _Numbers(lowered, same, shapes)
    kernels = {
        op.sym_name.data: op for op in lowered.module.ops if isinstance(op, FuncOp)
    }
    launcher = next(op for op in lowered.module.ops if isinstance(op, func.FuncOp))
    block = launcher.body.block
    terminator = block.last_op
    assert isinstance(terminator, func.ReturnOp)
    names = _extent_names(lowered, block)
    emitted = emit_program(lowered.module)
    program = GeneratedProgram(
        text=emitted.text,
        entry=launcher.sym_name.data,
        arguments=tuple(_spec(argument, lowered, names) for argument in block.args),
        results=tuple(_spec(value, lowered, names) for value in terminator.operands),
        kernels=tuple(
            describe(
                kernels[op.kernel.string_value()],
                op,
                numbers.tiles(op),
                numbers.scalars(op),
            )
            for op in block.ops
            if isinstance(op, LaunchOp)
        ),
        key=kernel_key(lowered.module),
        places=emitted.places,
    )
    return Generated(program, lowered.module, lowered.notes)


def kernel_key(module: ModuleOp) -> str:
    """A hash of the kernel IR: no locations, no names of values."""
    nameless = module.clone()
    for op in nameless.walk():
        for value in op.results:
            value.name_hint = None
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    argument.name_hint = None
    text = f"launch attributes {TABLE_VERSION}\n{to_text(nameless)}"
    return hashlib.sha256(text.encode()).hexdigest()


class _Numbers:
    """What sizes known only at run time come to, for given shapes of the arguments."""

    def __init__(
        self,
        lowered: Lowered,
        same: SameExtents,
        shapes: Sequence[Sequence[int]] | None,
    ):
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

    def tiles(self, launch: LaunchOp) -> tuple[int, ...]:
        """Extents of the tile grid."""
        forms = self.lowered.tiles[launch.kernel.string_value()]
        return tuple(evaluate(form, self.values) for form in forms)

    def scalars(self, launch: LaunchOp) -> list[int]:
        """The kernel's numbers; those of the payload count as nominal."""
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
            if not isinstance(owner, memref.DimOp):
                found.append(NOMINAL)
                continue
            index = owner.index.owner
            assert isinstance(index, arith.ConstantOp)
            assert isinstance(index.value, IntegerAttr)
            key = Runtime(arguments[owner.source], index.value.value.data)
            found.append(self.values[key])
        return found


def _extent_names(lowered: Lowered, launcher: Block) -> dict[Runtime, str]:
    """What the launcher calls each number that the caller brings."""
    names: dict[Runtime, str] = {}
    arguments: dict[SSAValue, SSAValue] = dict(
        zip(launcher.args, lowered.function.body.block.args, strict=True)
    )
    for op in launcher.ops:
        if isinstance(op, memref.DimOp) and op.result.name_hint:
            index = op.index.owner
            assert isinstance(index, arith.ConstantOp)
            assert isinstance(index.value, IntegerAttr)
            key = Runtime(arguments[op.source], index.value.value.data)
            names[key] = op.result.name_hint
    return names


def _spec(value: SSAValue, lowered: Lowered, names: dict[Runtime, str]) -> TensorSpec:
    of = value.type
    name = value.name_hint or "buffer"
    if not isinstance(of, MemRefType):
        return TensorSpec(name, (), element(of).name, is_scalar=True)
    shape = of.get_shape()
    extents: list[str] = []
    for size in lowered.sizes[value]:
        is_one = len(size.terms) == 1 and size == Linear(((size.terms[0][0], 1),))
        key = size.terms[0][0].runtime if is_one else None
        extents.append(names.get(key, "") if key is not None else "")
    return TensorSpec(
        name,
        shape,
        element(of).name,
        extents=tuple(extents) if DYNAMIC in shape else (),
    )
