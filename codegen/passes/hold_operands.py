"""Hold the left operand of a product in registers, if no loop changes it.

Triton multiplies a loaded tile from shared memory, and a computed one from registers.
Adding zero makes a loaded tile a computed one. Then the tensor cores read only the
right operand from shared memory, where 64 columns of a tile are near the limit.

**Before**, in a kernel with `held_operands`

    %q = kernel.descriptor_load %q_desc ...
    scf.for ... {
      %product = kernel.dot %q, %k : ...

**After**

    %q = kernel.descriptor_load %q_desc ...
    %q_held = arith.addf %q, 0.0
    scf.for ... {
      %product = kernel.dot %q_held, %k : ...

The sum is exact; it turns -0.0 into 0.0, which no product shows but in the sign of a
zero.

**Requires** an operand of f16 or bf16 that is loaded in front of the loop, and that
NVIDIA's assembler keeps it (`codegen/analysis/lost_operands.py`). Kernels that compute
an operand which it loses are refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import BFloat16Type, Float16Type, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.analysis.lost_operands import (
    is_lost,
    lost_operands,
    unchanged_operands,
)
from tilewright.codegen.kernel.modules import kernels_of
from tilewright.codegen.refusal import refuse
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import (
    DescriptorLoadOp,
    DotOp,
    FuncOp,
    LoadOp,
    ReshapeOp,
    element_of,
    shape_of,
)
from tilewright.ir.launch_attributes.table import WHERE_LEGAL


def hold_operands(module: ModuleOp) -> ModuleOp:
    """Hold the operands of the kernels that ask for it."""
    for kernel in kernels_of(module).values():
        if kernel.held_operands is not None:
            _hold(kernel, kernel.held_operands.data == WHERE_LEGAL)
            del kernel.properties["held_operands"]
        for dot in lost_operands(kernel.body.block):
            refuse(
                dot,
                f"computes a left operand of {_sizes(dot)} in front of a loop that has "
                "another of this shape: on a Hopper GPU ptxas gives both the same "
                "registers, and the numbers are wrong",
                "choose another step of the loop, or store the operand before",
            )
    return module


def _hold(kernel: FuncOp, only_where_legal: bool) -> None:
    """Hold all operands that can be held; refuse others, unless told otherwise."""
    products = list(_loaded(kernel.body.block))
    lost = [(dot, loop) for dot, loop in products if is_lost(dot, loop)]
    if not products and not only_where_legal:
        refuse(
            kernel,
            "'triton.held_operands' changes nothing here: no loop multiplies a tile "
            "of f16 or bf16 that is loaded in front of it from the left",
            "leave the attribute off this grid",
        )
    if lost and not only_where_legal:
        dot = lost[0][0]
        refuse(
            dot,
            "'triton.held_operands': the loop has another left operand of "
            f"{_sizes(dot)}, and ptxas would give both the same registers",
            "choose another step of the loop, or leave the attribute off this grid",
        )
    kept = {dot.lhs for dot, _ in lost}
    for operand in dict.fromkeys(dot.lhs for dot, _ in products):
        if operand not in kept:
            _to_registers(operand)


def _sizes(dot: DotOp) -> str:
    return "x".join(map(str, shape_of(dot.lhs.type)))


def _to_registers(operand: SSAValue) -> None:
    made = operand.owner
    assert isinstance(made, Operation)
    zero = arith.ConstantOp(dense_of(operand.type, [0.0]))
    held = arith.AddfOp(operand, zero.result)
    held.result.name_hint = f"{operand.name_hint or 'tile'}_held"
    readers = [use for use in operand.uses if isinstance(use.operation, DotOp)]
    Rewriter.insert_op([zero, held], InsertPoint.after(made))
    for use in readers:
        use.operation.operands[use.index] = held.result


def _loaded(block: Block) -> Iterator[tuple[DotOp, scf.ForOp]]:
    """The matmuls in loops whose left operand is loaded in front of the loop."""
    for dot, loop in unchanged_operands(block):
        kind = element_of(dot.lhs.type)
        if isinstance(kind, Float16Type | BFloat16Type) and _is_loaded(dot.lhs):
            yield dot, loop


def _is_loaded(value: SSAValue) -> bool:
    while isinstance(value.owner, ReshapeOp):
        value = value.owner.source
    return isinstance(value.owner, LoadOp | DescriptorLoadOp)
