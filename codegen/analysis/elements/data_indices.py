"""Which indices are computed from the elements of tensors, or of vectors."""

from __future__ import annotations

from typing import TypeGuard

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import arith, func
from tilewright.ir.dialects.vector import BroadcastOp, ExtractOp, StepOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.index_ops import index_op
from tilewright.ir.types import lanes


def is_data_index(op: Operation) -> TypeGuard[arith.IndexCastOp]:
    """Whether an op makes an index of a number that is computed from tensors."""
    if not isinstance(op, arith.IndexCastOp) or isinstance(op.input.type, IndexType):
        return False
    return isinstance(op.input.type, IntegerType) and not _is_index_like(op.input)


def _is_index_like(value: SSAValue) -> bool:
    """Whether an integer is a number or argument, or computed from indices alone."""
    if is_argument(value) or constant_int(value) is not None:
        return True
    found = index_op(value)
    return found is not None and all(
        isinstance(operand.type, IndexType) or _is_index_like(operand)
        for operand in found.operands
    )


def is_argument(value: SSAValue) -> bool:
    """Whether a value is a buffer or a number that the function takes."""
    return (
        isinstance(value, BlockArgument)
        and isinstance(value.owner.parent_op(), func.FuncOp)
        and isinstance(value.type, MemRefType | IndexType | IntegerType)
    )


def known_index(value: SSAValue) -> int | None:
    """The number that an index is: a constant, or the lane of a step."""
    if (number := constant_int(value)) is not None:
        return number
    op = value.owner
    if not isinstance(op, ExtractOp) or lanes(value.type) or op.dynamic_position:
        return None
    vector = op.vector
    while isinstance(vector.owner, BroadcastOp):
        vector = vector.owner.source
    *_, lane = op.static_position.get_values()
    return lane if isinstance(vector.owner, StepOp) else None
