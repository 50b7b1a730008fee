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

Requires: parallel loops, each operand indexed by all of them in order, or by none;
buffers that are contiguous, which become `memref.collapse_shape` of themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import arith, memref, tensor
from tilewright.ir.dialects.linalg import (
    FillRng2DOp,
    IndexOp,
    StructuredOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import (
    buffer_type,
    element_type,
    is_buffer,
    is_tensor,
    tensor_type,
)
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
        loops = op.get_num_loops()
        if isinstance(op, FillRng2DOp):
            raise self.refuse("the op has exactly two loops", op)
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
        for index, operand in enumerate(op.operands):
            if is_buffer(operand.type) and not _is_contiguous(buffer_type(operand)):
                raise self.refuse(
                    f"the rows of operand {index} are not known to be neighbours", op
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
            result_types=[
                value.type for value in operands[len(op.inputs) :] if op.results
            ],
            properties=properties,
            attributes=op.attributes.copy(),
            regions=[op.body.clone()],
        )
        assert isinstance(flat, StructuredOp)
        _split_index(flat, ranges, new)
        new.ops.append(flat)
        results = [
            new.add(_expanded(result, output, ranges))
            for result, output in zip(flat.results, op.outputs, strict=False)
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
    of = operand.type
    if not (is_tensor(of) or is_buffer(of)) or not of.get_shape():
        return operand
    shape = of.get_shape()
    total, groups = 1, _groups(len(shape))
    for size in shape:
        total = DYNAMIC_INDEX if DYNAMIC_INDEX in (size, total) else total * size
    if is_tensor(of):
        kind = TensorType(element_type(of), [total])
        return new.add(tensor.CollapseShapeOp(operand, groups, kind))
    flat = MemRefType(element_type(of), [total])
    made = memref.collapsed_type(buffer_type(operand), flat, [range(len(shape))])
    collapse = memref.CollapseShapeOp.build(
        operands=[operand], properties={"reassociation": groups}, result_types=[made]
    )
    return new.add(collapse)


def _is_contiguous(of: MemRefType[Attribute]) -> bool:
    """Whether each row of a buffer certainly begins where the one before it ends."""
    if isinstance(of.layout, NoneAttr):
        return True
    layout, sizes = memref.layout_of(of), of.get_shape()
    if layout is None or DYNAMIC_INDEX in sizes[1:]:
        return False
    strides = layout.strides
    return all(
        stride is not None and inner is not None and stride == inner * size
        for stride, inner, size in zip(strides, strides[1:], sizes[1:], strict=False)
    )


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
