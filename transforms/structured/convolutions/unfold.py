"""`unfold`: a convolution as a product of gathered columns. Not upstream's.

Before:
    %r = linalg.conv_2d_nhwc_hwcf
        ins(%x, %w : tensor<2x18x18x32xf16>, tensor<3x3x32x64xf16>)
        outs(%o : tensor<2x16x16x64xf32>) -> tensor<2x16x16x64xf32>

After:
    %f = tensor.collapse_shape %w [[0, 1, 2], [3]] : ... into tensor<288x64xf16>
    %p = tensor.collapse_shape %o [[0, 1, 2], [3]] : ... into tensor<512x64xf32>
    %e = tensor.empty() : tensor<512x288xf16>
    %columns = linalg.generic {...} outs(%e : tensor<512x288xf16>) {
      ...
      %v = tensor.extract %x[%n, %h, %w, %c] : tensor<2x18x18x32xf16>
      linalg.yield %v : f16 }
    %product = linalg.generic {...} ins(%columns, %f : ...) outs(%p : ...) {...}
    %r = tensor.expand_shape %product [[0, 1, 2], [3]] ... into tensor<2x16x16x64xf32>

Fused into the loop over k of the product, the columns are never stored: a kernel loads
the elements of a tile from the image, and multiplies them on tensor cores.

Requires: a sum of products of two tensors, one of which is read at computed places; a
loop of its own for each side of the product.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects.linalg import (
    GenericOp,
    StructuredOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.structured.contractions import product_of
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.convolutions.unfolding import (
    Unfolding,
    unfolding,
)
from tilewright.transforms.structured.rewrite.gather_operands import (
    computed_inputs,
    gathered,
    unbounded_loop,
)
from tilewright.transforms.structured.targets import structured_op


@irdl_op_definition
class UnfoldOp(TargetOp):
    """Multiply gathered columns; consumes the target."""

    name = "transform.tilewright.unfold"
    FORM: ClassVar[str] = "unfold <target:handle>"
    SUMMARY: ClassVar[str] = "make a convolution a product of gathered columns"

    columns = result_def(TransformOpHandleType)
    product = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Unfolding:
        """Check that the op is a product of an image and a filter."""
        op = structured_op(self, op)
        if not all(is_tensor(type_) for type_ in op.operand_types):
            raise self.refuse(
                "an operand is no tensor", op, "unfold before bufferizing"
            )
        plan = unfolded_product(op)
        if plan is None:
            raise self.refuse(
                "it is no product of image and filter, each with a loop of its own",
                op,
                "use 'gather' for poolings and depthwise convolutions",
            )
        return plan

    def rewrite(self, plan: Unfolding, rewriter: Rewriter) -> Sequence[Operation]:
        """Replace the op by columns and their product with the filter."""
        op, new = plan.op, OpList()
        flat = {
            position: plan.flat(position, new)
            for position in range(len(op.operands))
            if position != plan.image
        }
        plain = plan.unfolded(flat, new)
        columns = gathered(plain, [0])
        new.ops.remove(plain)
        plain.erase()
        new.ops.append(columns)
        values = [
            flat.get(position, columns.results[0])
            for position in range(len(op.operands))
        ]
        along = [
            plan.columns if position == plan.image else plan.operand_groups(position)
            for position in range(len(op.operands))
        ]
        product = GenericOp(
            values[:-1],
            values[-1:],
            op.body.clone(),
            maps_attribute([plan.map_of(groups) for groups in along]),
            iterators(len(plan.groups), _reduced(plan)),
            [values[-1].type],
        )
        new.ops.append(product)
        columns.results[0].name_hint = "columns"
        product.results[0].name_hint = op.results[0].name_hint
        result = plan.restored(product.results[0], new)
        for each in new.ops:
            each.location = op.location
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, [result], stands_for=product)
        return columns, product


def _reduced(plan: Unfolding) -> tuple[int, ...]:
    return tuple(
        at for at, group in enumerate(plan.groups) if is_reduction(plan.op, group[0])
    )


def unfolded_product(op: StructuredOp) -> Unfolding | None:
    """How a product of an image and a filter is unfolded; None for any other op."""
    if product_of(op) is None or len(images := computed_inputs(op)) != 1:
        return None
    (image,) = images
    others = [map_ for position, map_ in enumerate(op.maps) if position != image]
    if not all(map(_names_loops, others)) or unbounded_loop(op, images) is not None:
        return None
    filter_, output = (set(named_loops(map_)) for map_ in others)
    read = op.maps[image].used_dims()
    if not (output & read) - filter_ or not (output & filter_) - read:
        return None
    return unfolding(op, image, batch_apart=False)


def _names_loops(map_: AffineMap) -> bool:
    return len(set(named_loops(map_))) == len(map_.results)
