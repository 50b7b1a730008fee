"""Buffer level to a generated program, in one call."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import SSAValue

from tilewright.codegen.describe import describe
from tilewright.codegen.emit_program import emit_program
from tilewright.codegen.lower import lower
from tilewright.codegen.program import GeneratedProgram, TensorSpec
from tilewright.ir.dialects import func
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


def generate(module: ModuleOp) -> Generated:
    """Lower a module at the buffer level and write its Triton source."""
    lowered = lower(module)
    kernels = {
        op.sym_name.data: op for op in lowered.module.ops if isinstance(op, FuncOp)
    }
    launcher = next(op for op in lowered.module.ops if isinstance(op, func.FuncOp))
    block = launcher.body.block
    terminator = block.last_op
    assert isinstance(terminator, func.ReturnOp)
    program = GeneratedProgram(
        text=emit_program(lowered.module),
        entry=launcher.sym_name.data,
        arguments=tuple(_spec(argument) for argument in block.args),
        results=tuple(_spec(value) for value in terminator.operands),
        kernels=tuple(
            describe(kernels[op.kernel.string_value()], op)
            for op in block.ops
            if isinstance(op, LaunchOp)
        ),
        key=kernel_key(lowered.module),
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


def _spec(value: SSAValue) -> TensorSpec:
    of = value.type
    name, dtype = value.name_hint or "buffer", element(of).name
    if isinstance(of, MemRefType):
        return TensorSpec(name, of.get_shape(), dtype)
    return TensorSpec(name, (), dtype, is_scalar=True)
