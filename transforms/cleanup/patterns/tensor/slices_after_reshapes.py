"""Reshape the whole tensor first, and slice it afterwards.

`tilewright.slices_after_reshapes`. A kernel reads a slice of a reshaped buffer by its
offset. A slice whose rows the whole tensor lacks, such as columns 5 to 13 of 21 as two
rows of 4, is copied under the new shape. Sizes must be known.
"""

from __future__ import annotations

from xdsl.ir import Operation, Region
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import (
    GenericOp,
    YieldOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    EmptyOp,
    ExpandShapeOp,
    ExtractSliceOp,
)
from tilewright.ir.structured.inlining import Elements
from tilewright.ir.structured.movement import (
    indices_behind,
    view_of,
)
from tilewright.ir.structured.view_reads import view_read
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.rewriter import Rewriter


@pattern(CollapseShapeOp, ExpandShapeOp)
def slice_after_reshape(op: Operation, rewriter: Rewriter) -> None:
    """Let a view of slices be one slice of a reshape, or a copy."""
    if not reshapes_slice(op):
        return
    kind = tensor_type(op.results[0])
    shape = kind.get_shape()
    loops = tuple(AffineDimExpr(dim) for dim in range(len(shape)))
    at, value = loops, op.results[0]
    while (view := view_of(value)) is not None:
        at, value = indices_behind(view, at, shape, units=True), view.operands[0]
    read = view_read(value, at, shape, op)
    if read is not None:
        pairs = zip(read.at, loops, shape, strict=False)
        is_same = all(place == loop or size == 1 for place, loop, size in pairs)
        if read.value.type == kind and is_same:
            rewriter.insert_before(op, *read.ops)
            rewriter.replace(op, [read.value])
        else:
            read.erase()
        return
    body = Elements(op, shape, lambda _: False)
    element = body.element(value, at)
    body.block.add_op(YieldOp(element))
    body.block.insert_arg(kind.element_type, len(body.block.args))
    empty = EmptyOp([], kind)
    copy = GenericOp(
        body.inputs,
        [empty.results[0]],
        Region(body.block),
        maps_attribute([*body.maps, AffineMap.identity(len(shape))]),
        iterators(len(shape)),
        [kind],
    )
    copy.location = op.location
    rewriter.replace_with(op, *body.views, empty, copy)


def reshapes_slice(op: Operation) -> bool:
    """Whether an op gives a slice of a tensor another shape."""
    if not isinstance(op, CollapseShapeOp | ExpandShapeOp):
        return False
    value = op.operands[0]
    while view_of(op.results[0]) is not None and (view := view_of(value)) is not None:
        if isinstance(view, ExtractSliceOp):
            return True
        value = view.operands[0]
    return False


PATTERNS = (slice_after_reshape,)
