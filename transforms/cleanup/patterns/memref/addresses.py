"""Compute addresses apart from accesses: `memref.extract_address_computations`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects.memref import ExtractStridedMetadataOp
from tilewright.ir.dialects.vector import MaskOp
from tilewright.ir.types import buffer_type, is_buffer
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern_on
from tilewright.transforms.cleanup.patterns.affine import affine_op, applied
from tilewright.transforms.cleanup.patterns.memref.buffers import window
from tilewright.transforms.cleanup.shapes import Size, Slice, known
from tilewright.transforms.core.rewriter import Rewriter

ACCESSES = {
    "memref.load": 0,
    "memref.store": 1,
    "vector.transfer_read": 0,
    "vector.transfer_write": 1,
}
"""The position of the buffer among the operands; the indices follow it."""


@pattern_on(*ACCESSES)
def access_first_element(op: Operation, rewriter: Rewriter) -> None:
    """Access the first element of a subview that begins where the access does."""
    at = ACCESSES[op.name]
    buffer = op.operands[at]
    if not is_buffer(buffer.type) or isinstance(op.parent_op(), MaskOp):
        return
    rank = buffer_type(buffer).get_num_dims()
    indices = op.operands[at + 1 : at + 1 + rank]
    if all(known(index) == 0 for index in indices):
        return
    new_ops: list[Operation] = []
    sizes: Sequence[Size] = [1] * rank
    if op.name.startswith("vector."):
        sizes = _rest(buffer, indices, new_ops)
    offsets = tuple(known(index) for index in indices)
    part = window(buffer, Slice(offsets, tuple(sizes), (1,) * rank))
    zero = index_constant(0)
    new_ops += [part, zero]
    rewriter.insert_before(op, *new_ops)
    rewriter.set_operand(op, at, part.results[0])
    for position in range(rank):
        rewriter.set_operand(op, at + 1 + position, zero.result)


def _rest(
    buffer: SSAValue, indices: Sequence[SSAValue], new_ops: list[Operation]
) -> list[Size]:
    """The sizes of a buffer from some indices on."""
    shape = buffer_type(buffer).get_shape()
    sizes: list[Size] = list(shape)
    if DYNAMIC_INDEX in shape:
        data = metadata(buffer)
        new_ops.append(data)
        sizes = [
            value if static == DYNAMIC_INDEX else static
            for value, static in zip(data.sizes, shape, strict=True)
        ]
    left: list[Size] = []
    for size, index in zip(sizes, indices, strict=True):
        value, ops = _difference(size, known(index))
        new_ops += ops
        left.append(value)
    return left


def _difference(size: Size, index: Size) -> tuple[Size, list[Operation]]:
    if isinstance(size, int) or isinstance(index, int):
        less = AffineExpr.dimension(0) - AffineExpr.dimension(1)
        return applied(less, [size, index])
    # Sizes of a buffer are symbols, as upstream has it.
    less = AffineMap(0, 2, (AffineExpr.symbol(0) - AffineExpr.symbol(1),))
    op = affine_op("affine.apply", less, [size, index])
    return op.results[0], [op]


def metadata(buffer: SSAValue) -> ExtractStridedMetadataOp:
    """The op that reads the sizes and strides of a buffer."""
    kind = buffer_type(buffer)
    base = MemRefType(kind.element_type, [], memory_space=kind.memory_space)
    values = [IndexType()] * kind.get_num_dims()
    return ExtractStridedMetadataOp.build(
        operands=[buffer], result_types=[base, IndexType(), values, values]
    )


PATTERNS = (access_first_element,)
