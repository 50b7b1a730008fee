"""`convert_conv2d_to_img2col`: a convolution as a product of its image's columns.

Before:
    %r = linalg.conv_2d_nhwc_hwcf
        ins(%x, %w : tensor<1x16x16x4xf32>, tensor<3x3x4x16xf32>)
        outs(%o : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>

After:
    %f = tensor.collapse_shape %w [[0, 1, 2], [3]] : ... into tensor<36x16xf32>
    %p = tensor.collapse_shape %o [[0], [1, 2], [3]] : ... into tensor<1x196x16xf32>
    %e = tensor.empty() : tensor<1x196x36xf32>
    %columns = linalg.generic {...} ins(%x : ...) outs(%e : tensor<1x196x36xf32>) {...}
    %product = linalg.generic {...} ins(%columns, %f : ...) outs(%p : ...) {...}
    %r = tensor.expand_shape %product [[0], [1, 2], [3]] ... : ...

A depthwise convolution moves its channels to the front and becomes a
`linalg.batch_matvec` (`depthwise_columns.py`).

Requires: `linalg.conv_2d_nhwc_hwcf`, `conv_2d_nhwc_fhwc`, `conv_2d_nchw_fchw`, or
`depthwise_conv_2d_nhwc_hwc` of one image; tensors of known shapes; dilations of 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects.linalg import GenericOp, WindowOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.convolutions.depthwise_columns import (
    depthwise_as_products,
)
from tilewright.transforms.structured.convolutions.unfolding import (
    Unfolding,
    unfolding,
)
from tilewright.transforms.structured.new_ops import generic

DEPTHWISE = "linalg.depthwise_conv_2d_nhwc_hwc"
ACCEPTED = (
    "linalg.conv_2d_nhwc_hwcf",
    "linalg.conv_2d_nhwc_fhwc",
    "linalg.conv_2d_nchw_fchw",
    DEPTHWISE,
)


@irdl_op_definition
class ConvertConv2DToImg2ColOp(TargetOp):
    """Multiply columns; consumes the target, returns columns and the last op."""

    name = "transform.structured.convert_conv2d_to_img2col"

    img2col_tensor = result_def(TransformOpHandleType)
    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> WindowOp:
        """Check the name, the shapes and the dilations."""
        if not isinstance(op, WindowOp) or op.name not in ACCEPTED:
            names = ", ".join(name.removeprefix("linalg.") for name in ACCEPTED)
            raise self.refuse(f"'{op.name}' is none of {names}", op)
        if not all(is_tensor(type_) for type_ in op.operand_types):
            raise self.refuse(
                "the op works on buffers", op, "convert it, then bufferize"
            )
        if any(DYNAMIC_INDEX in shape_of(type_) for type_ in op.operand_types):
            raise self.refuse("a size is not known", op)
        if set(op.steps("dilations")) != {1}:
            raise self.refuse("expected all ones for dilations", op)
        if op.name == DEPTHWISE and shape_of(op.operand_types[0])[0] != 1:
            raise self.refuse("a depthwise convolution has to have one image", op)
        return op

    def rewrite(self, op: WindowOp, rewriter: Rewriter) -> Sequence[Operation]:
        """Replace the convolution."""
        new = OpList()
        if op.name == DEPTHWISE:
            columns, result = depthwise_as_products(op, new)
        else:
            columns, result = as_product(unfolding(op, 0, batch_apart=True), new)
        rewriter.insert_before(op, *new.ops)
        last = new.ops[-1]
        rewriter.replace(op, [result], stands_for=last)
        return columns, last


def as_product(plan: Unfolding, new: OpList) -> tuple[GenericOp, SSAValue]:
    """The columns, and the result of their product with the filter."""
    filter_, output = 1, 2
    weights, start = plan.flat(filter_, new), plan.flat(output, new)
    columns = plan.unfolded({filter_: weights, output: start}, new)
    factors = [
        (columns.results[0], plan.columns),
        (weights, plan.operand_groups(filter_)),
    ]
    features = next(g for g in plan.operand_groups(filter_) if g not in plan.columns)
    if features < max(set(plan.columns) & set(plan.operand_groups(output))):
        factors.reverse()
    groups = (*(along for _, along in factors), plan.operand_groups(output))
    product = generic(
        [value for value, _ in factors],
        [start],
        [plan.map_of(along) for along in groups],
        [len(plan.groups) - 1],
        multiplied_and_added,
        new,
    )
    return columns, plan.restored(product.results[0], new)


def multiplied_and_added(body: Body) -> Sequence[SSAValue]:
    """The converted product of both inputs, plus the output."""
    *inputs, output = body.args
    lhs, rhs = (body.convert(arg, output.type) for arg in inputs)
    is_float = isinstance(output.type, AnyFloat)
    product = body.add("arith.mulf" if is_float else "arith.muli", lhs, rhs)
    return [body.add("arith.addf" if is_float else "arith.addi", product, output)]
