"""`flatten_elementwise`: run an element-wise op over one loop.

Before:
    %r = linalg.add ins(%x, %y : tensor<4x5xf32>, tensor<4x5xf32>)
        outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>

After:
    %fx = tensor.collapse_shape %x [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
    %fy = tensor.collapse_shape %y [[0, 1]] : ...
    %fo = tensor.collapse_shape %o [[0, 1]] : ...
    %f = linalg.add ins(%fx, %fy : ...) outs(%fo : ...) -> tensor<20xf32>
    %r = tensor.expand_shape %f [[0, 1]] output_shape [4, 5] : ... into tensor<4x5xf32>

An op of one loop or none stays as it is.

Requires: parallel loops, each operand indexed by all of them in order, or by none.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntegerAttr, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import (
    IndexOp,
    StructuredOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import element_type, is_buffer, is_tensor, tensor_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import split_sizes
from tilewright.transforms.structured.targets import structured_op
from tilewright.transforms.structured.tile.one_tile import loop_ranges


@irdl_op_definition
class FlattenElementwiseOp(TargetOp):
    """Flatten element-wise ops; consumes the target, returns the flat op."""

    name = "transform.structured.flatten_elementwise"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> StructuredOp:
        """Check that `op` is element-wise, with its loops in order."""
        op = structured_op(self, op)
        if any(is_buffer(operand.type) for operand in op.operands):
            raise self.refuse("the op works on buffers", op, "flatten, then bufferize")
        loops = op.get_num_loops()
        if any(is_reduction(op, loop) for loop in range(loops)):
            raise self.refuse("the op is not element-wise: it has a reduction", op)
        whole = AffineMap.identity(loops)
        for index, map_ in enumerate(op.maps):
            if map_ != whole and map_.results:
                raise self.refuse(
                    f"operand {index} is not indexed by the loops in their order",
                    op,
                    "interchange the loops, if all operands agree",
                )
        return op

    def rewrite(self, op: StructuredOp, rewriter: Rewriter) -> Operation:
        """Replace the op by one over a single loop, and reshapes around it."""
        loops = op.get_num_loops()
        if loops <= 1:
            return op
        new = OpList()
        ranges = loop_ranges(op, new)
        operands = [_flat(operand, new) for operand in op.operands]
        properties = op.properties.copy()
        if "indexing_maps" in properties:
            properties["indexing_maps"] = maps_attribute(
                [
                    AffineMap(1, 0, AffineMap.identity(1).results if m.results else ())
                    for m in op.maps
                ]
            )
        if "iterator_types" in properties:
            properties["iterator_types"] = iterators(1)
        flat = type(op).create(
            operands=operands,
            result_types=[value.type for value in operands[len(op.inputs) :]],
            properties=properties,
            attributes=op.attributes.copy(),
            regions=[op.body.clone()],
        )
        assert isinstance(flat, StructuredOp)
        _split_index(flat, ranges, new)
        new.ops.append(flat)
        results = [
            new.add(_expanded(result, output, ranges))
            for result, output in zip(flat.results, op.outputs, strict=True)
        ]
        for new_op in new.ops:
            new_op.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, results, stands_for=flat)
        return flat


def _groups(rank: int) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """One group of all dimensions."""
    return ArrayAttr([ArrayAttr([IntegerAttr(dim, i64) for dim in range(rank)])])


def _flat(operand: SSAValue, new: OpList) -> SSAValue:
    """An operand collapsed to one dimension; a scalar stays a scalar."""
    if not is_tensor(operand.type) or not operand.type.get_shape():
        return operand
    shape = operand.type.get_shape()
    total = 1
    for size in shape:
        total = DYNAMIC_INDEX if DYNAMIC_INDEX in (size, total) else total * size
    kind = TensorType(element_type(operand.type), [total])
    return new.add(tensor.CollapseShapeOp(operand, _groups(len(shape)), kind))


def _expanded(
    result: SSAValue, output: SSAValue, ranges: Sequence[Extent]
) -> tensor.ExpandShapeOp:
    """A flat result in the shape of the output."""
    kind = tensor_type(output)
    sizes: list[Extent] = [
        extent if size == DYNAMIC_INDEX else size
        for size, extent in zip(kind.get_shape(), ranges, strict=True)
    ]
    static, dynamic = split_sizes(sizes)
    made = TensorType(kind.element_type, static)
    return tensor.ExpandShapeOp(result, dynamic, _groups(len(sizes)), static, made)


def _split_index(flat: StructuredOp, ranges: Sequence[Extent], new: OpList) -> None:
    """Compute the indices of the old loops from the one that is left."""
    indices = [op for op in flat.body.walk() if isinstance(op, IndexOp)]
    if not indices:
        return
    sizes = [new.index(extent) for extent in ranges]
    block = flat.body.block
    first = block.first_op
    assert first is not None
    rest: Operation = IndexOp(0)
    ops: list[Operation] = [rest]
    found: list[SSAValue] = []
    for size in reversed(sizes[1:]):
        remainder = arith.RemSIOp(rest.results[0], size)
        rest = arith.DivSIOp(rest.results[0], size)
        ops += [remainder, rest]
        found.append(remainder.result)
    found.append(rest.results[0])
    for op in ops:
        block.insert_op_before(op, first)
    for index in indices:
        index.result.replace_all_uses_with(found[-1 - index.dim.value.data])
        parent = index.parent_block()
        assert parent is not None
        parent.erase_op(index)
