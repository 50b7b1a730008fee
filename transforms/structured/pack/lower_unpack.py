"""`structured.lower_unpack`: an unpack as a transposition, a reshape and a slice.

Before:
    %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %a
        : tensor<2x2x4x3xf32> -> tensor<7x6xf32>

After:
    %e = tensor.empty() : tensor<2x4x2x3xf32>
    %t = linalg.transpose ins(%p : tensor<2x2x4x3xf32>)
        outs(%e : tensor<2x4x2x3xf32>) permutation = [0, 2, 1, 3]
    %c = tensor.collapse_shape %t [[0, 1], [2, 3]] : ... into tensor<8x6xf32>
    %s = tensor.extract_slice %c[0, 0] [7, 6] [1, 1] : ... to tensor<7x6xf32>
    %u = linalg.copy ins(%s : tensor<7x6xf32>) outs(%a : tensor<7x6xf32>)

An unpack of one tile is a slice of it, and has no handles, unless
`lowerUnpadLikeWithExtractSlice` is false.

Requires: a `linalg.unpack`.
"""

from __future__ import annotations

import math
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, TensorType
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import CopyOp, TransposeOp, UnPackOp
from tilewright.ir.dialects.tensor import reassociation_of
from tilewright.ir.types import tensor_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import Ops, TargetOp
from tilewright.transforms.structured.new_ops import empty
from tilewright.transforms.structured.pack.layouts import (
    from_split,
    groups,
    inverse,
    is_one_tile,
    permuted,
    sizes_of,
)


@irdl_op_definition
class LowerUnPackOp(TargetOp):
    """Lower unpacks; consumes the target, returns the new ops."""

    name = "transform.structured.lower_unpack"
    TARGET_KIND: ClassVar[str] = "linalg.unpack"

    lower_unpad_like_with_extract_slice = prop_def(
        BoolAttr,
        prop_name="lowerUnpadLikeWithExtractSlice",
        default_value=BoolAttr.from_bool(True),
    )
    empty_op = result_def(TransformOpHandleType)
    transpose_op = result_def(TransformOpHandleType)
    collapse_shape_op = result_def(TransformOpHandleType)
    extract_slice_op = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> UnPackOp:
        """Check that `op` is an unpack."""
        if not isinstance(op, UnPackOp):
            raise self.refuse(f"'{op.name}' is not linalg.unpack", op)
        return op

    def rewrite(self, op: UnPackOp, rewriter: Rewriter) -> tuple[Ops, Ops, Ops, Ops]:
        """Replace one unpack."""
        with_slice = bool(self.lower_unpad_like_with_extract_slice)
        made = lower(op, rewriter, with_slice=with_slice)
        return made if made is not None else ((), (), (), ())


def lower(
    op: UnPackOp, rewriter: Rewriter, *, with_slice: bool
) -> tuple[Operation, Operation, Operation, Operation] | None:
    """Replace an unpack by new ops; None if it became a slice."""
    new = OpList()
    if with_slice and is_one_tile(op):
        sizes = [1] * len(op.dims) + sizes_of(op.dest, new)
        zeros, ones = [0] * len(sizes), [1] * len(sizes)
        of = tensor_type(op.dest)
        slice_ = tensor.ExtractSliceOp(op.source, zeros, sizes, ones, of)
        rewriter.replace_with(op, *new.ops, slice_)
        return None
    order = inverse(from_split(op))
    split = permuted(sizes_of(op.source, new), order)
    element = op.packed_type.element_type
    destination = empty(split, element, new)
    transpose = TransposeOp(op.source, destination, order)
    whole = new.add(transpose)
    parts = tensor_type(whole).get_shape()
    shape: list[int] = []
    for group in groups(op):
        sizes = [parts[position] for position in group]
        shape.append(DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else math.prod(sizes))
    collapse = tensor.CollapseShapeOp(
        whole, reassociation_of(groups(op)), TensorType(element, shape)
    )
    new.ops.append(collapse)
    kept = sizes_of(op.dest, new)
    zeros, ones = [0] * len(kept), [1] * len(kept)
    slice_ = tensor.ExtractSliceOp(
        collapse.result, zeros, kept, ones, tensor_type(op.dest)
    )
    copy = CopyOp([slice_.result], [op.dest])
    rewriter.replace_with(op, *new.ops, slice_, copy)
    made = destination.owner
    assert isinstance(made, Operation)
    return made, transpose, collapse, slice_
