"""Pass offsets as numbers to kernels that differ in nothing else.

**Before**

    kernel.func @f(%x_ptr: ...) { ... arith.constant 512 : i32 ... }
    kernel.func @f2(%x_ptr: ...) { ... arith.constant 1024 : i32 ... }
    kernel.launch @f(%x) ...
    kernel.launch @f2(%x) ...

**After**: both have a parameter `%start: i32`, and the launches pass 512 and 1024. The
kernels are then equal, and `share_kernels` keeps one of them.

The steps of an unrolled loop read slices of one tensor: such kernels are equal but for
the places where the slices begin. Triton compiles each kernel for a second or so.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, ModuleOp, i32

from tilewright.codegen.kernel.modules import (
    kernels_of,
    launches_by_kernel,
    set_arguments,
)
from tilewright.codegen.kernel.structure import structure
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import FuncOp, LaunchOp

MOST_NUMBERS = 8
"""The numbers that are passed to a kernel for its offsets."""

Numbers = tuple[int, ...]
"""The values that an offset has in equal kernels, in their order."""


def pass_offsets(module: ModuleOp) -> ModuleOp:
    """Turn the offsets into parameters by which kernels differ."""
    alike: dict[Hashable, list[FuncOp]] = {}
    launched = launches_by_kernel(module)
    for name, kernel in kernels_of(module).items():
        has_numbers = any(op.scalars or op.counts for op in launched[name])
        is_open = DYNAMIC_INDEX in kernel.tile_grid or has_numbers
        if not is_open and _offsets(kernel):
            alike.setdefault(_without_offsets(kernel), []).append(kernel)
    for kernels in alike.values():
        if len(kernels) > 1:
            _pass_different(kernels, launched)
    return module


def _offsets(kernel: FuncOp) -> list[arith.ConstantOp]:
    """The constants that are only added to indices."""
    return [
        op
        for op in kernel.body.walk()
        if isinstance(op, arith.ConstantOp)
        and op.result.type == i32
        and all(_is_added(use.operation) for use in op.result.uses)
    ]


def _is_added(reader: object) -> bool:
    if isinstance(reader, vector.BroadcastOp):
        return all(
            isinstance(use.operation, arith.AddiOp) for use in reader.results[0].uses
        )
    return isinstance(reader, arith.AddiOp)


def _value(op: arith.ConstantOp) -> int:
    assert isinstance(op.value, IntegerAttr)
    return op.value.value.data


def _without_offsets(kernel: FuncOp) -> Hashable:
    """The structure of a kernel with all offsets alike."""
    offsets = set(_offsets(kernel))
    return structure(kernel, lambda op: {} if op in offsets else op.properties)


def _pass_different(
    kernels: Sequence[FuncOp], launched: Mapping[str, Sequence[LaunchOp]]
) -> None:
    each = [_offsets(kernel) for kernel in kernels]
    columns: list[Numbers] = [
        tuple(_value(op) for op in same) for same in zip(*each, strict=True)
    ]
    different = list(dict.fromkeys(one for one in columns if len(set(one)) > 1))
    if not different or len(different) > MOST_NUMBERS:
        return
    for at, kernel in enumerate(kernels):
        block = kernel.body.block
        parameters = {}
        for number in different:
            parameter = block.insert_arg(i32, len(block.args))
            parameter.name_hint = "start"
            parameters[number] = parameter
        for op, column in zip(each[at], columns, strict=True):
            if column in parameters:
                op.result.replace_all_uses_with(parameters[column])
                op.detach()
                op.erase()
        for launch in launched[kernel.sym_name.data]:
            scalars = [
                arith.ConstantOp(IntegerAttr.from_index_int_value(number[at]))
                for number in different
            ]
            assert launch.parent is not None
            launch.parent.insert_ops_before(scalars, launch)
            passed = [op.result for op in scalars]
            set_arguments(launch, list(launch.buffers), passed)
