"""The arguments and results of a program: names, shapes, types, names of extents."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import IntegerAttr, MemRefType
from xdsl.ir import Block, SSAValue

from tilewright.codegen.analysis.elements.atoms import Linear, Runtime
from tilewright.codegen.analysis.launch_effects import written_memory
from tilewright.codegen.kernel.modules import kernels_of, launcher_of
from tilewright.codegen.lower.lowered import Lowered
from tilewright.codegen.program import DYNAMIC, TensorSpec
from tilewright.ir.dialects import arith, func, memref
from tilewright.ir.dtypes import element

Specs = tuple[TensorSpec, ...]


def tensor_specs(lowered: Lowered) -> tuple[Specs, Specs]:
    """The tensors that a program takes, and those that it returns."""
    block = launcher_of(lowered.module).body.block
    terminator = block.last_op
    assert isinstance(terminator, func.ReturnOp)
    names = _extent_names(lowered, block)
    written = written_memory(block, kernels_of(lowered.module))
    arguments = tuple(
        replace(_spec(argument, lowered, names), is_written=argument in written)
        for argument in block.args
    )
    results = tuple(_spec(value, lowered, names) for value in terminator.operands)
    return arguments, results


def _extent_names(lowered: Lowered, launcher: Block) -> dict[Runtime, str]:
    """The launcher's name of each number that the caller passes."""
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
    for argument in launcher.args:
        if not isinstance(argument.type, MemRefType):
            continue
        sizes = lowered.sizes[argument]
        for letter, size in zip(_letters(len(sizes)), sizes, strict=True):
            key = _only_number(size)
            if key is not None and key not in names:
                # No kernel takes it, but callers refer to it.
                taken = set(names.values())
                names[key] = next(
                    name
                    for number in range(1, len(taken) + 2)
                    if (name := letter if number == 1 else f"{letter}{number}")
                    not in taken
                )
    return names


def _letters(rank: int) -> str:
    """The names of a tensor's extents: rows M, columns N, batches B."""
    return "B" * (rank - 2) + "MN"[-rank:] if rank else ""


def _only_number(size: Linear) -> Runtime | None:
    """The number of the caller that a size equals, if it is one."""
    if size.constant or list(size.terms.values()) != [1]:
        return None
    return next(iter(size.terms)).runtime


def _spec(value: SSAValue, lowered: Lowered, names: dict[Runtime, str]) -> TensorSpec:
    of = value.type
    name = value.name_hint or "buffer"
    if not isinstance(of, MemRefType):
        return TensorSpec(name, (), element(of).name, is_scalar=True)
    shape = of.get_shape()
    extents: list[str] = []
    for size in lowered.sizes[value]:
        key = _only_number(size)
        extents.append(names.get(key, "") if key is not None else "")
    return TensorSpec(
        name,
        shape,
        element(of).name,
        extents=tuple(extents) if DYNAMIC in shape else (),
    )
