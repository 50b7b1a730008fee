"""`decompose`: a convolution or pooling of height or width 1 in one dimension less.

Before:
    %r = linalg.conv_2d_nhwc_hwcf
        ins(%x, %w : tensor<1x1x8x4xf32>, tensor<1x2x4x16xf32>)
        outs(%o : tensor<1x1x7x16xf32>) -> tensor<1x1x7x16xf32>

After:
    %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 8, 4] ... to tensor<1x8x4xf32>
    %b = tensor.extract_slice %w[0, 0, 0, 0] [1, 2, 4, 16] ... to tensor<2x4x16xf32>
    %c = tensor.extract_slice %o[0, 0, 0, 0] [1, 1, 7, 16] ... to tensor<1x7x16xf32>
    %d = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, ...}
        ins(%a, %b : ...) outs(%c : ...) -> tensor<1x7x16xf32>
    %r = tensor.insert_slice %d into %o[0, 0, 0, 0] [1, 1, 7, 16] ...

Requires: a named op of `FLAT` on tensors, whose window and output have height 1, or
width 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    TensorType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, result_def

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import WINDOW_OPS, SoftmaxOp, WindowOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.core.base import TransformOpHandleType
from tilewright.transforms.core.extents import OpList, dim_size
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.core.target_op import TargetOp

FLAT = {
    "linalg.conv_2d": "linalg.conv_1d",
    "linalg.conv_2d_nhwc_hwcf": "linalg.conv_1d_nwc_wcf",
    "linalg.conv_2d_nchw_fchw": "linalg.conv_1d_ncw_fcw",
    "linalg.depthwise_conv_2d_nhwc_hwc": "linalg.depthwise_conv_1d_nwc_wc",
    **{
        f"linalg.pooling_nhwc_{kind}": f"linalg.pooling_nwc_{kind}"
        for kind in ("sum", "max", "max_unsigned", "min", "min_unsigned")
    },
    **{
        f"linalg.pooling_nchw_{kind}": f"linalg.pooling_ncw_{kind}"
        for kind in ("sum", "max")
    },
}
"""The ops that upstream decomposes, and what they become."""


@dataclass(frozen=True)
class Plan:
    """A window op, and the place of which there is only one: `h` or `w`."""

    op: WindowOp
    place: str


@irdl_op_definition
class DecomposeOp(TargetOp):
    """Drop a dimension of convolutions; consumes the target."""

    name = "transform.structured.decompose"

    transformed = result_def(TransformOpHandleType)

    assembly_format = "$target attr-dict `:` functional-type(operands, results)"

    def analyze(self, op: Operation) -> Plan:
        """Find the dimension that can be dropped."""
        if not isinstance(op, WindowOp) or op.name not in FLAT:
            remedy = (
                self.worded(
                    mlir="use structured.decompose_interface", tw="use 'decompose'"
                )
                if isinstance(op, SoftmaxOp)
                else None
            )
            raise self.refuse(
                f"'{op.name}' is not a named convolution or pooling that decomposes",
                op,
                remedy,
            )
        if not is_tensor(op.outputs[0].type):
            raise self.refuse(
                "the op works on buffers", op, "decompose, then bufferize"
            )
        layouts = op.WINDOW
        _, window, output = (shape_of(type_) for type_ in op.operand_types)
        for place in "hw":
            sizes = (
                window[layouts.window.index(place)],
                output[layouts.output.index(place)],
            )
            if sizes == (1, 1):
                return Plan(op, place)
        raise self.refuse(
            "neither the heights nor the widths of window and output are both 1",
            op,
            "tile the loop over the other dimension of window and output by 1",
        )

    def rewrite(self, plan: Plan, rewriter: Rewriter) -> Operation:
        """Replace the op by one on slices."""
        op, new = plan.op, OpList()
        layouts = (op.WINDOW.image, op.WINDOW.window, op.WINDOW.output)
        dims = [letters.index(plan.place) for letters in layouts]
        slices = [
            _sliced(value, dim, new)
            for value, dim in zip(op.operands, dims, strict=True)
        ]
        flat = WINDOW_OPS[FLAT[op.name]](slices[:2], slices[2:], _steps(plan))
        result = new.add(flat)
        output = op.outputs[0]
        rank = len(layouts[2])
        sizes = [dim_size(output, dim, new) for dim in range(rank)]
        whole = new.add(
            tensor.InsertSliceOp(result, output, [0] * rank, sizes, [1] * rank)
        )
        rewriter.insert_before(op, *new.ops)
        rewriter.replace(op, [whole], stands_for=flat)
        return flat


def _steps(plan: Plan) -> dict[str, Attribute]:
    """The strides and dilations of the other place; `conv_1d` has none."""
    op = plan.op
    if op.name == "linalg.conv_2d":
        return {}
    kept = 1 - op.WINDOW.places.index(plan.place)
    kind = VectorType(i64, [1])
    return {
        name: DenseIntOrFPElementsAttr.from_list(kind, [op.steps(name)[kept]])
        for name in ("dilations", "strides")
    }


def _sliced(value: SSAValue, dropped: int, new: OpList) -> SSAValue:
    """The first slice of a tensor along a dimension, without that dimension."""
    shape = shape_of(value.type)
    sizes = [
        1 if dim == dropped else dim_size(value, dim, new) for dim in range(len(shape))
    ]
    kept = [size for dim, size in enumerate(shape) if dim != dropped]
    kind = TensorType(element_type(value.type), kept)
    offsets, steps = [0] * len(shape), [1] * len(shape)
    return new.add(tensor.ExtractSliceOp(value, offsets, sizes, steps, kind))
