"""Make the layouts of registers explicit: of new tiles, and where they change.

**Before**

    %zero = kernel.full 0.0 : vector<64xf32>
    %x = warps.dot ... to vector<64x128xf32>
    %p = kernel.cast ... : vector<64x128xbf16>
    %o = warps.dot %p, ... to vector<64x64xf32>

**After**

    %zero = kernel.full 0.0 layout #warps.slice<1, #warps.mma<128>> ...
    ...
    %q = warps.convert %p to #warps.operand<#warps.mma<64>>
    %o = warps.dot %q, ... to vector<64x64xf32>

**Requires** tiles that all have something to do with a product.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.kernel.modules import kernels_of
from tilewright.codegen.passes.lay_out_registers.layouts import (
    MAKERS,
    Layouts,
    is_broadcast_number,
    is_known,
    layouts_of,
    wanted,
)
from tilewright.codegen.refusal import refuse
from tilewright.ir.dense_constants import is_splat
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import FullOp, HalvesOp, shape_of
from tilewright.ir.dialects.warps import (
    ConvertOp,
    DotOp,
    DotWaitOp,
    Layout,
    PartitionOp,
)


def lay_out_registers(module: ModuleOp) -> ModuleOp:
    """Lay out the tiles of all partitions."""
    for kernel in kernels_of(module).values():
        for op in list(kernel.body.walk()):
            if isinstance(op, PartitionOp):
                _lay_out(op.body.block)
    return module


def _lay_out(block: Block) -> None:
    _fill_starts(block)
    _own_constants(block)
    layouts = layouts_of(block)
    for op in list(block.walk()):
        if not is_known(op):
            refuse(
                op,
                f"specialize: '{op.name}' on a tile in registers",
                "leave 'specialize' off this grid",
            )
        if isinstance(op, (*MAKERS, HalvesOp)):
            op.properties["layout"] = _layout(op, layouts)
        for place, layout in list(wanted(op, layouts)):
            _convert(op, place, layout, layouts)


def _fill_starts(block: Block) -> None:
    """Whole tiles as the constants of what a loop or a sum of products starts from.

    Arithmetic on a broadcast column and a number is a column as it is written, and
    Gluon broadcasts a column only beside a tile.
    """
    for start in [op for op in block.walk() if isinstance(op, scf.ForOp | DotOp)]:
        for value in start.iter_args if isinstance(start, scf.ForOp) else [start.acc]:
            op = None if value is None else value.owner
            if not isinstance(op, Operation) or not op.name.startswith("arith."):
                continue
            for place, operand in enumerate(op.operands):
                made = _filled(operand)
                if made is not None:
                    Rewriter.insert_op(made, InsertPoint.before(op))
                    op.operands[place] = made.results[0]


def _filled(value: SSAValue) -> FullOp | None:
    constant = value.owner
    if not isinstance(constant, arith.ConstantOp):
        return None
    numbers = constant.value
    if not isinstance(numbers, DenseIntOrFPElementsAttr) or not is_splat(numbers):
        return None
    number = next(numbers.iter_attrs())
    return FullOp(number, value.type, [""] * len(shape_of(value.type)))


def _own_constants(block: Block) -> None:
    """A tile of a constant for each loop that starts from it: layouts may differ."""
    for op in list(block.walk()):
        if isinstance(op, FullOp):
            for use in list(op.result.uses)[1:]:
                made = op.clone()
                Rewriter.insert_op(made, InsertPoint.before(op))
                use.operation.operands[use.index] = made.results[0]


def _layout(op: Operation, layouts: Layouts) -> Layout:
    found = layouts.get(op.results[0])
    if found is None:
        refuse(
            op,
            "specialize: this tile has nothing to do with a product",
            "leave 'specialize' off this grid",
        )
    return found


def _convert(op: Operation, place: int, layout: Layout, layouts: Layouts) -> None:
    """Convert an operand that has another layout than the op needs."""
    operand = op.operands[place]
    present = layouts.get(operand)
    if present == layout or _is_number(operand):
        return
    if present is None:
        owner = operand.owner
        refuse(
            owner if isinstance(owner, Operation) else op,
            "specialize: this tile has nothing to do with a product",
            "leave 'specialize' off this grid",
        )
    made = ConvertOp(operand, layout)
    made.location = op.location
    made.result.name_hint = operand.name_hint
    Rewriter.insert_op(made, InsertPoint.before(op))
    op.operands[place] = made.result
    layouts[made.result] = layout
    if isinstance(op, DotOp):
        # The wait keeps the registers that the product reads.
        for use in list(operand.uses):
            wait = use.operation
            if isinstance(wait, DotWaitOp) and wait.parent is op.parent:
                wait.operands[use.index] = made.result


def _is_number(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, Operation) and (
        isinstance(owner, arith.ConstantOp) or is_broadcast_number(owner)
    )
