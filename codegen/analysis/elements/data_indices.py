"""Which indices are computed from the elements of tensors."""

from __future__ import annotations

from typing import TypeGuard

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from tilewright.ir.dialects import arith, func
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.index_ops import index_op


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
