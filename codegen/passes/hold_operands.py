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
NVIDIA's assembler keeps it. The ptxas of Triton 3.6 gives the registers of a left
operand to another one of the same shape, though the next iteration reads the first
again: seen in the machine code of attention with as many keys in a tile as features,
and measured as wrong numbers. It keeps operands that are read after the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import BFloat16Type, Float16Type, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.kernel.modules import kernels_of
from tilewright.codegen.refusal import refuse
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import (
    ConstexprOp,
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
    return module


def _hold(kernel: FuncOp, only_where_legal: bool) -> None:
    """Hold all operands that can be held; refuse others, unless told otherwise."""
    products = list(_unchanged(kernel.body.block))
    lost = [(dot, loop) for dot, loop in products if _is_lost(dot, loop)]
    if not products and not only_where_legal:
        refuse(
            kernel,
            "'triton.held_operands' changes nothing here: no loop multiplies a tile "
            "of f16 or bf16 that is loaded in front of it from the left",
            "leave the attribute off this grid",
        )
    if lost and not only_where_legal:
        dot = lost[0][0]
        sizes = "x".join(map(str, shape_of(dot.lhs.type)))
        refuse(
            dot,
            f"'triton.held_operands': the loop has another left operand of {sizes}, "
            "and ptxas would give both the same registers",
            "choose another step of the loop, or leave the attribute off this grid",
        )
    kept = {dot.lhs for dot, _ in lost}
    for operand in dict.fromkeys(dot.lhs for dot, _ in products):
        if operand not in kept:
            _to_registers(operand)


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


def _unchanged(block: Block) -> Iterator[tuple[DotOp, scf.ForOp]]:
    """The products in loops whose left operand is loaded in front of the loop."""
    for op in block.walk():
        loop = op.parent_op()
        if (
            isinstance(op, DotOp)
            and isinstance(loop, scf.ForOp)
            and isinstance(element_of(op.lhs.type), Float16Type | BFloat16Type)
            and not _is_inside(op.lhs, loop)
            and _is_loaded(op.lhs)
        ):
            yield op, loop


def _is_loaded(value: SSAValue) -> bool:
    while isinstance(value.owner, ReshapeOp):
        value = value.owner.source
    return isinstance(value.owner, LoadOp | DescriptorLoadOp)


def _is_inside(value: SSAValue, loop: scf.ForOp) -> bool:
    owner = value.owner
    return loop.is_ancestor(owner) if owner is not None else False


def _is_lost(dot: DotOp, loop: scf.ForOp) -> bool:
    """Whether the assembler would lose an operand before the next iteration."""
    has_other = any(
        isinstance(op, DotOp)
        and _is_inside(op.lhs, loop)
        and shape_of(op.lhs.type) == shape_of(dot.lhs.type)
        for op in loop.body.walk()
    )
    return has_other and not _runs_once(loop) and not _is_read_after(dot.lhs, loop)


def _is_read_after(value: SSAValue, loop: scf.ForOp) -> bool:
    """Whether something after a loop reads a value."""
    block = loop.parent_block()
    assert block is not None
    readers = [block.find_ancestor_op_in_block(u.operation) for u in value.uses]
    ops = list(block.ops)
    return any(op is not None and ops.index(op) > ops.index(loop) for op in readers)


def _runs_once(loop: scf.ForOp) -> bool:
    """Whether a loop runs from a bound to that bound plus its step."""
    upper, step = loop.ub.owner, _number(loop.step)
    return (
        isinstance(upper, arith.AddiOp)
        and upper.lhs is loop.lb
        and step is not None
        and _number(upper.rhs) == step
    )


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    return owner.value.value.data if isinstance(owner, ConstexprOp) else None
