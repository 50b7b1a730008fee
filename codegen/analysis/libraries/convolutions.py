"""Which convolutions of images a library computes in one call.

Images lie as NCHW or NHWC, filters in any order: torch takes views of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX

from tilewright.codegen.analysis.libraries.call import shape_of
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.structured.convolutions import Convolution, convolution_of
from tilewright.ir.structured.loops import Nest
from tilewright.ir.structured.maps import is_projection

_TYPES = ("f16", "bf16", "f32", "f64")
"""Element types of convolutions; all three tensors have the same."""
_WIDE = ("f16", "bf16")

_LAYOUTS = ((0, 1, 2, 3), (0, 3, 1, 2))
"""Images as NCHW and NHWC: the positions of torch's dimensions."""

_REMEDY = "leave the attribute off, and schedule a kernel"


def library_convolution(
    nest: Nest,
    op: StructuredOp,
    factors: Sequence[int],
    rounding: StructuredOp | None = None,
) -> Convolution:
    """The convolution that a sum of products of two operands is; or a refusal.

    `rounding` is an op that rounds the sums, and writes them instead.
    """
    first, second = factors
    if is_projection(nest.maps[first]):
        first, second = second, first
    found = convolution_of(nest, first, second)
    if found is None:
        refuse(
            op,
            "a sum over windows that is no convolution of images [n, c, h, w] with "
            "filters [f, c, kh, kw]",
            _REMEDY,
        )
    if found.image.order != found.output.order or found.image.order not in _LAYOUTS:
        refuse(op, "images that no library takes as they lie in memory", _REMEDY)
    if rounding is not None:
        output = replace(found.output, value=rounding.outputs[0])
        found = replace(found, output=output)
    _check_types(op, found)
    _check_sizes(op, found)
    return found


def _check_types(op: StructuredOp, call: Convolution) -> None:
    views = (call.image, call.filter, call.output)
    image, filter, output = (element(view.value.type).name for view in views)
    if image == filter == output and image in _TYPES:
        return
    remedy = _REMEDY
    if image == filter and image in _WIDE and output == "f32":
        remedy = f"let it write {image}: cuDNN adds up in f32; or {remedy}"
    reason = f"torch has no convolution of {image} and {filter} into {output}"
    refuse(op, reason, remedy)


def _check_sizes(op: StructuredOp, call: Convolution) -> None:
    """Torch reads the output's size off the image's: that has to be this one."""
    image, filter, output = (
        view.shape(shape_of(view.value))
        for view in (call.image, call.filter, call.output)
    )
    if DYNAMIC_INDEX in (*image[1:], *filter, *output[1:]):
        refuse(op, "a convolution whose sizes, but for the batch, are open", _REMEDY)
    if 0 in filter:
        refuse(op, "a convolution with an empty filter", _REMEDY)
    for dim, stride, dilation in zip((2, 3), call.strides, call.dilations, strict=True):
        made = (image[dim] - dilation * (filter[dim] - 1) - 1) // stride + 1
        if made != output[dim]:
            refuse(
                op,
                f"of an image {image[2]}x{image[3]} torch makes {made} places along "
                f"dimension {dim}, not {output[dim]}",
                "let the image end where the last window ends, or " + _REMEDY,
            )
