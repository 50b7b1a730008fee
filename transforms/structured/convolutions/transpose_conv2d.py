"""`transpose_conv2d`: read the filter of a convolution from a transposed copy.

Before:
    %r = linalg.conv_2d_nhwc_fhwc
        ins(%x, %w : tensor<1x4x4x6xf32>, tensor<8x2x2x6xf32>)
        outs(%o : tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>

After:
    %e = tensor.empty() : tensor<2x2x6x8xf32>
    %t = linalg.transpose ins(%w : tensor<8x2x2x6xf32>) outs(%e : tensor<2x2x6x8xf32>)
        permutation = [1, 2, 3, 0]
    %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, ...}
        ins(%x, %t : tensor<1x4x4x6xf32>, tensor<2x2x6x8xf32>)
        outs(%o : tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>

Requires: `linalg.conv_2d_nhwc_fhwc` or `linalg.conv_2d_nhwc_fhwc_q`, on tensors or
buffers, whose filter has a known shape.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    MemRefType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.linalg import WINDOW_OPS, TransposeOp, WindowOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp
from tilewright.transforms.structured.new_ops import empty

ORDER = (1, 2, 3, 0)
NAMES = {
    "linalg.conv_2d_nhwc_fhwc": "linalg.conv_2d_nhwc_hwcf",
    "linalg.conv_2d_nhwc_fhwc_q": "linalg.conv_2d_nhwc_hwcf_q",
}


@irdl_op_definition
class TransposeConv2DOp(TargetOp):
    """Transpose the filter; consumes the target, returns the new convolution."""

    name = "transform.structured.transpose_conv2d"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> WindowOp:
        """Check the name, and that the copy has a known shape."""
        if not isinstance(op, WindowOp) or op.name not in NAMES:
            raise self.refuse(f"'{op.name}' is none of {', '.join(NAMES)}", op)
        if DYNAMIC_INDEX in shape_of(op.inputs[1].type):
            raise self.refuse("a size of the filter is not known", op)
        return op

    def rewrite(self, op: WindowOp, rewriter: Rewriter) -> Operation:
        """Insert the transposition and let the convolution read it."""
        new = OpList()
        source = op.inputs[1]
        inputs = list(op.inputs)
        inputs[1] = _transposed(source, new)
        made = WINDOW_OPS[NAMES[op.name]](inputs, op.outputs, _steps(op))
        new.ops.append(made)
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, made.results, stands_for=made)
        return made


def _transposed(source: SSAValue, new: OpList) -> SSAValue:
    old = shape_of(source.type)
    shape = [old[dim] for dim in ORDER]
    if is_tensor(source.type):
        return new.add(
            TransposeOp(source, empty(shape, element_type(source.type), new), ORDER)
        )
    kind = MemRefType(element_type(source.type), shape)
    target = new.add(memref.AllocOp([], [], kind))
    new.ops.append(TransposeOp(source, target, ORDER))
    return target


def _steps(op: WindowOp) -> dict[str, Attribute]:
    """The strides and dilations, written out where the op leaves them out."""
    kind = TensorType(i64, [2])
    return {
        name: op.properties.get(name)
        or DenseIntOrFPElementsAttr.from_list(kind, op.steps(name))
        for name in ("dilations", "strides")
    }
