"""The arguments and results of a program: names, shapes, types, names of extents."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.atoms import Given
from tilewright.codegen.analysis.launch_effects import written_memory
from tilewright.codegen.kernel.modules import kernels_of, launcher_of
from tilewright.codegen.lower.lowered import Lowered
from tilewright.codegen.lower.program_names import only_number
from tilewright.codegen.program import DYNAMIC, TensorSpec
from tilewright.ir.dialects import func
from tilewright.ir.dtypes import element

Specs = tuple[TensorSpec, ...]


def tensor_specs(lowered: Lowered) -> tuple[Specs, Specs]:
    """The tensors that a program takes, and those that it returns."""
    block = launcher_of(lowered.module).body.block
    terminator = block.last_op
    assert isinstance(terminator, func.ReturnOp)
    names = lowered.size_names
    written = written_memory(block, kernels_of(lowered.module))
    arguments = tuple(
        replace(_spec(argument, lowered, names), is_written=argument in written)
        for argument in block.args
    )
    results = tuple(_spec(value, lowered, names) for value in terminator.operands)
    return arguments, results


def _spec(value: SSAValue, lowered: Lowered, names: dict[Given, str]) -> TensorSpec:
    of = value.type
    name = value.name_hint or "buffer"
    if not isinstance(of, MemRefType):
        return TensorSpec(name, (), element(of).name, is_scalar=True)
    shape = of.get_shape()
    extents: list[str] = []
    for size in lowered.sizes[value]:
        key = only_number(size)
        extents.append(names.get(key, "") if key is not None else "")
    return TensorSpec(
        name,
        shape,
        element(of).name,
        extents=tuple(extents) if DYNAMIC in shape else (),
    )
