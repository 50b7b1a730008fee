"""`structured.lower_pack`: a pack as a pad, a reshape and a transposition.

Before:
    %p = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1]
        inner_tiles = [4, 3] into %d : tensor<7x6xf32> -> tensor<2x2x4x3xf32>

After:
    %b = tensor.pad %a low[0, 0] high[1, 0] { ... yield %zero } : ... tensor<8x6xf32>
    %c = tensor.expand_shape %b [[0, 1], [2, 3]] output_shape [2, 4, 2, 3] : ...
    %p = linalg.transpose ins(%c : tensor<2x4x2x3xf32>)
        outs(%d : tensor<2x2x4x3xf32>) permutation = [0, 2, 1, 3]

A pack into one tile only pads: it becomes a pad and an insertion, and has no handles,
unless `lowerPadLikeWithInsertSlice` is false.

Requires: static tile sizes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import irdl_op_definition, prop_def, result_def

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import PackOp, TransposeOp
from tilewright.ir.dialects.tensor import reassociation_of
from tilewright.ir.types import tensor_type
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import Extent, OpList, dim_size, evaluate
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import Ops, TargetOp
from tilewright.transforms.structured.new_ops import pad_high
from tilewright.transforms.structured.pack.layouts import (
    from_split,
    groups,
    inverse,
    is_one_tile,
    permuted,
    sizes_of,
)
from tilewright.transforms.structured.pack.packing import zero_of


@irdl_op_definition
class LowerPackOp(TargetOp):
    """Lower packs; consumes the target, returns pads, reshapes and transpositions."""

    name = "transform.structured.lower_pack"
    TARGET_KIND: ClassVar[str] = "linalg.pack"

    lower_pad_like_with_insert_slice = prop_def(
        BoolAttr,
        prop_name="lowerPadLikeWithInsertSlice",
        default_value=BoolAttr.from_bool(True),
    )
    pad_op = result_def(TransformOpHandleType)
    expand_shape_op = result_def(TransformOpHandleType)
    transpose_op = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> PackOp:
        """Check that `op` is a pack with static tiles."""
        if not isinstance(op, PackOp):
            raise self.refuse(f"'{op.name}' is not linalg.pack", op)
        if (reason := why_not_lowered(op)) is not None:
            raise self.refuse(reason, op)
        return op

    def rewrite(self, op: PackOp, rewriter: Rewriter) -> tuple[Ops, Ops, Ops]:
        """Replace one pack."""
        with_insert = bool(self.lower_pad_like_with_insert_slice)
        made = lower(op, rewriter, with_insert=with_insert)
        return made if made is not None else ((), (), ())


def why_not_lowered(op: PackOp) -> str | None:
    """Why a pack cannot be lowered; None if it can."""
    if DYNAMIC_INDEX in op.static_inner_tiles.get_values():
        return "a tile size is only known at run time"
    element = op.unpacked_type.element_type
    if op.padding_value is None and zero_of(element) is None:
        return f"there is no zero of type {element} to pad with"
    return None


def lower(
    op: PackOp, rewriter: Rewriter, *, with_insert: bool
) -> tuple[Operation, Operation, Operation] | None:
    """Replace a pack by new ops; None if it became an insertion."""
    new = OpList()
    split = permuted(op.packed_type.get_shape(), inverse(from_split(op)))
    pad = _padded(op, split, new)
    if with_insert and is_one_tile(op) and _fits(pad, op):
        zeros = [0] * len(op.packed_type.get_shape())
        ones = [1] * len(zeros)
        insert = tensor.InsertSliceOp(
            pad.result, op.dest, zeros, sizes_of(op.dest, new), ones
        )
        rewriter.replace_with(op, *new.ops, insert)
        return None
    expand = _expanded(op, pad.result, split, new)
    transpose = TransposeOp(expand.result, op.dest, from_split(op))
    rewriter.replace_with(op, *new.ops, transpose)
    return pad, expand, transpose


def _fits(pad: tensor.PadOp, op: PackOp) -> bool:
    """Whether the destination has the shape of the pad, and unit dimensions."""
    shape = tensor_type(pad.result).get_shape()
    return tensor.dropped_dims(op.packed_type.get_shape(), shape) is not None


def _padded(op: PackOp, split: Sequence[int], new: OpList) -> tensor.PadOp:
    """The source, padded to whole tiles."""
    high: list[Extent] = [0] * len(op.order)
    count, size = map(AffineExpr.dimension, range(2))
    for dim, tile in zip(op.dims, op.static_inner_tiles.get_values(), strict=True):
        sizes = [
            dim_size(op.dest, op.order.index(dim), new),
            dim_size(op.source, dim, new),
        ]
        high[dim] = evaluate(count * tile - size, sizes, new)
    shape: list[int] = []
    for group in groups(op):
        parts = [split[position] for position in group]
        shape.append(DYNAMIC_INDEX if DYNAMIC_INDEX in parts else math.prod(parts))
    value = op.padding_value
    if value is None:
        zero = zero_of(op.unpacked_type.element_type)
        assert zero is not None, "analyzed: there is a zero"
        value = new.add(arith.ConstantOp(zero))
    return pad_high(op.source, value, high, shape, new)


def _expanded(
    op: PackOp, padded: SSAValue, split: Sequence[int], new: OpList
) -> tensor.ExpandShapeOp:
    """The padded source with each tiled dimension as two."""
    dynamic: list[SSAValue] = []
    for dim, group in enumerate(groups(op)):
        if split[group[0]] != DYNAMIC_INDEX:
            continue
        size = new.index(dim_size(padded, dim, new))
        if len(group) == 2:
            size = new.add(arith.DivSIOp(size, new.index(split[group[1]])))
        dynamic.append(size)
    of = TensorType(op.unpacked_type.element_type, split)
    expand = tensor.ExpandShapeOp(
        padded, dynamic, reassociation_of(groups(op)), split, of
    )
    new.ops.append(expand)
    return expand
