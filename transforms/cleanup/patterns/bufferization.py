"""Patterns on conversions between tensors and buffers."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, i32
from xdsl.ir import Operation

from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.cleanup.patterns.memref.buffers import cast_to
from tilewright.transforms.cleanup.shapes import (
    casted,
    constant_extents,
    shape_of,
    with_shape,
)
from tilewright.transforms.core.rewriter import Rewriter

TO_TENSOR, TO_BUFFER = "bufferization.to_tensor", "bufferization.to_buffer"
ALLOC = "bufferization.alloc_tensor"


@fold_on(TO_TENSOR)
def tensor_of_buffer(op: Operation, rewriter: Rewriter) -> None:
    """Drop a conversion to a buffer and straight back to the tensor."""
    inner = owner_named(op.operands[0], TO_BUFFER)
    if inner is None or inner.operands[0].type != op.results[0].type:
        return
    # An op in between may have written to the buffer.
    if inner.next_op is op:
        rewriter.replace(op, [inner.operands[0]])


@pattern_on(TO_BUFFER)
def buffer_of_tensor(op: Operation, rewriter: Rewriter) -> None:
    """Drop a conversion to a tensor and back to the buffer; perhaps cast the buffer."""
    inner = owner_named(op.operands[0], TO_TENSOR)
    if inner is None:
        return
    source, result = inner.operands[0], op.results[0]
    if source.type == result.type:
        rewriter.replace(op, [source])
    else:
        rewriter.replace_with(op, cast_to(source, result.type))


@pattern_on(ALLOC)
def alloc_of_constants(op: Operation, rewriter: Rewriter) -> None:
    """Make constant extents part of the type."""
    result = op.results[0]
    count = shape_of(result).count(DYNAMIC_INDEX)
    if len(op.operands) != count:
        return  # it has a copy operand or a size hint
    shape, kept = constant_extents(shape_of(result), op.operands)
    if len(kept) == count:
        return
    properties = op.properties | {
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(kept), 0, 0])
    }
    kind = with_shape(tensor_type(result), shape)
    new = make(ALLOC, kept, [kind], properties)
    rewriter.replace_with(op, *casted(new, result.type))


@pattern_on("tensor.dim")
def dim_of_alloc(op: Operation, rewriter: Rewriter) -> None:
    """Read the extents of an allocated tensor from the allocation."""
    source, index = op.operands
    alloc, dim = owner_named(source, ALLOC), constant_int(index)
    if alloc is None or dim is None or not is_tensor(source.type):
        return
    shape = shape_of(source)
    if len(alloc.operands) == shape.count(DYNAMIC_INDEX) and 0 <= dim < len(shape):
        if shape[dim] == DYNAMIC_INDEX:
            position = shape[:dim].count(DYNAMIC_INDEX)
            rewriter.replace(op, [alloc.operands[position]])


PATTERNS = (tensor_of_buffer, buffer_of_tensor, alloc_of_constants, dim_of_alloc)
