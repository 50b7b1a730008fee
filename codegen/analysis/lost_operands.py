"""Left operands of matmuls that NVIDIA's assembler loses between iterations.

Triton multiplies a loaded tile from shared memory, and a computed one from registers.
The ptxas of Triton 3.6 and 3.7 (CUDA 12.8 and 12.9) gives the registers of a left
operand that a loop does not change to another left operand of the same shape in that
loop, though the next iteration reads the first again. In the machine code of attention
with as many keys in a tile as features, the queries are gone after one iteration:

    HGMMA.64x64x16.F32.BF16 R24, R88, gdesc[UR16], ...    // R88: the queries
    ...
    HGMMA.64x64x16.F32.BF16 R56, R88, gdesc[UR20], R56    // R88: the scores

An H200 computed wrong numbers so. The assembler keeps an operand that is read after the
loop; that of CUDA 13.1 keeps all. `tests/codegen/passes/test_lost_operands.py` reads
machine code, so it tells when a new Triton has a better one.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type
from xdsl.ir import Block, SSAValue

from tilewright.ir.dialects import arith, scf
from tilewright.ir.dialects.kernel import (
    ConstexprOp,
    DescriptorLoadOp,
    DotOp,
    LoadOp,
    ReshapeOp,
    TransOp,
    element_of,
    shape_of,
)

FEWEST_ROWS = 64
"""The rows of the instruction that multiplies asynchronously; others lose nothing."""
_KINDS = Float16Type | BFloat16Type | Float32Type


def unchanged_operands(block: Block) -> Iterator[tuple[DotOp, scf.ForOp]]:
    """The matmuls directly in loops that do not change their left operand."""
    for op in block.walk():
        loop = op.parent_op()
        if (
            isinstance(op, DotOp)
            and isinstance(loop, scf.ForOp)
            and not _is_inside(op.lhs, loop)
        ):
            yield op, loop


def lost_operands(block: Block) -> Iterator[DotOp]:
    """The matmuls whose left operand is in registers, and is lost there."""
    for dot, loop in unchanged_operands(block):
        rows = shape_of(dot.lhs.type)[-2]
        if (
            isinstance(element_of(dot.lhs.type), _KINDS)
            and rows >= FEWEST_ROWS
            and not _is_in_shared_memory(dot.lhs)
            and is_lost(dot, loop)
        ):
            yield dot


def is_lost(dot: DotOp, loop: scf.ForOp) -> bool:
    """Whether a left operand would be lost before the next iteration, in registers."""
    has_other = any(
        isinstance(op, DotOp)
        and _is_inside(op.lhs, loop)
        and shape_of(op.lhs.type) == shape_of(dot.lhs.type)
        for op in loop.body.walk()
    )
    return has_other and not _runs_once(loop) and not _is_read_after(dot.lhs, loop)


def _is_in_shared_memory(value: SSAValue) -> bool:
    """Whether Triton multiplies a tile from shared memory.

    It looks for a load through transpositions, and through a reshape that drops the
    first dimensions of a block.
    """
    while isinstance(value.owner, TransOp):
        value = value.owner.source
    if isinstance(value.owner, ReshapeOp):
        source = value.owner.source
        block, tile = shape_of(source.type), shape_of(value.type)
        is_block = isinstance(source.owner, DescriptorLoadOp)
        return is_block and tuple(block[-len(tile) :]) == tuple(tile)
    return isinstance(value.owner, LoadOp | DescriptorLoadOp)


def _is_inside(value: SSAValue, loop: scf.ForOp) -> bool:
    owner = value.owner
    return loop.is_ancestor(owner) if owner is not None else False


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
