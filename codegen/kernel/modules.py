"""The parts of a module at kernel level: kernels, the launcher, and its launches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32
from xdsl.ir import Block, SSAValue

from tilewright.ir.dialects import func
from tilewright.ir.dialects.kernel import EachTileOp, FuncOp, LaunchOp


def kernels_of(module: ModuleOp) -> dict[str, FuncOp]:
    """The kernels by name, in the order of the module."""
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}


def tile_block(kernel: FuncOp) -> Block:
    """The block that does the work on a tile."""
    for op in kernel.body.block.ops:
        if isinstance(op, EachTileOp):
            return op.body.block
    return kernel.body.block


def launcher_of(module: ModuleOp) -> func.FuncOp:
    """The function that launches the kernels."""
    return next(op for op in module.ops if isinstance(op, func.FuncOp))


def launches_of(module: ModuleOp, kernel: FuncOp) -> list[LaunchOp]:
    """The launches of a kernel."""
    return launches_by_kernel(module)[kernel.sym_name.data]


def launches_by_kernel(module: ModuleOp) -> Mapping[str, list[LaunchOp]]:
    """The launches of every kernel, by the kernel's name."""
    found: defaultdict[str, list[LaunchOp]] = defaultdict(list)
    for op in launcher_of(module).body.block.ops:
        if isinstance(op, LaunchOp):
            found[op.kernel.string_value()].append(op)
    return found


def set_arguments(
    launch: LaunchOp, buffers: Sequence[SSAValue], scalars: Sequence[SSAValue]
) -> None:
    """Replace the buffers and numbers that a launch passes."""
    counts = list(launch.counts)
    sizes = [len(buffers), len(scalars), len(counts)]
    launch.operands = [*buffers, *scalars, *counts]
    launch.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
