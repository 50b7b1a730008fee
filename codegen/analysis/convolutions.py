"""Which structured ops are convolutions of images, read off their maps and bodies.

    out[n, f, oh, ow] += x[n, c, oh * sh + kh * dh, ow * sw + kw * dw] * w[f, c, kh, kw]

Images lie as NCHW or NHWC, filters in any order: torch takes views of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from tilewright.codegen.analysis.views import buffer_type
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dtypes import element
from tilewright.ir.interpreter.loops import Nest, is_projection

_TYPES = ("f16", "bf16", "f32", "f64")
"""Element types of convolutions; all three tensors have the same."""
_WIDE = ("f16", "bf16")

_LAYOUTS = ((0, 1, 2, 3), (0, 3, 1, 2))
"""Images as NCHW and NHWC: where torch's dimensions lie in them."""

_REMEDY = "leave the attribute off, and schedule a kernel"


@dataclass(frozen=True)
class ConvolutionView:
    """A buffer whose dimensions are put in torch's order: NCHW, or FCHW of filters."""

    value: SSAValue
    order: tuple[int, ...]

    def shape(self, extents: Sequence[int]) -> tuple[int, ...]:
        """The buffer's extents in torch's order."""
        return tuple(extents[dim] for dim in self.order)


@dataclass(frozen=True)
class ConvolutionCall:
    """A call of `torch.conv2d`, or of what it comes to on the device."""

    image: ConvolutionView
    filter: ConvolutionView
    output: ConvolutionView
    strides: tuple[int, int]
    dilations: tuple[int, int]


def has_windows(nest: Nest) -> bool:
    """Whether an op reads an operand elsewhere than at the indices of its loops."""
    return not all(is_projection(map) for map in nest.maps)


def convolution(
    nest: Nest, op: StructuredOp, factors: Sequence[int]
) -> ConvolutionCall:
    """The call for an op that sums products of two of its operands; or a refusal."""
    first, second = factors
    if is_projection(nest.maps[first]):
        first, second = second, first
    found = _roles(nest, first, second)
    if found is None:
        refuse(
            op,
            "a sum over windows that is no convolution of images [n, c, h, w] with "
            "filters [f, c, kh, kw]",
            _REMEDY,
        )
    if found.image.order != found.output.order or found.image.order not in _LAYOUTS:
        refuse(op, "images that no library takes as they lie in memory", _REMEDY)
    _check_types(op, found)
    _check_sizes(op, found)
    return found


def _roles(nest: Nest, image: int, filter: int) -> ConvolutionCall | None:
    """The operands in torch's order of dimensions, if the maps are a convolution's."""
    parts = [_coefficients(result) for result in nest.maps[image].results]
    filters, outputs = _loops(nest.maps[filter]), _loops(nest.maps[-1])
    plain: dict[int, int] = {}
    """Dimensions that a loop runs along."""
    slid: list[_Slid] = []
    for dim, part in enumerate(parts):
        if part is not None and [*part.values()] == [1]:
            plain[next(iter(part))] = dim
        elif part is not None and (found := _slid(dim, part, outputs, filters)):
            slid.append(found)
    batch = [loop for loop in plain if loop in outputs]
    channels = [loop for loop in plain if loop in filters]
    made = [loop for loop in outputs if loop in filters]
    if len(parts) != 4 or len(slid) != 2 or not len(batch) == len(channels) == 1:
        return None
    across = [window.place for window in slid]
    within = [window.inside for window in slid]
    if sorted(outputs) != sorted([*batch, *made, *across]) or len(made) != 1:
        return None
    if sorted(filters) != sorted([*made, *channels, *within]):
        return None
    if sorted(nest.parallel) != sorted(outputs) or nest.rank != 7:
        return None
    values = nest.op.operands
    return ConvolutionCall(
        ConvolutionView(
            values[image], (plain[batch[0]], plain[channels[0]], *(w.dim for w in slid))
        ),
        _view(values[filter], filters, (*made, *channels, *within)),
        _view(values[-1], outputs, (*batch, *made, *across)),
        (slid[0].stride, slid[1].stride),
        (slid[0].dilation, slid[1].dilation),
    )


@dataclass(frozen=True)
class _Slid:
    """A dimension of an image that windows slide along."""

    dim: int
    place: int
    """The loop over windows, and by how much each step moves them."""
    stride: int
    inside: int
    """The loop within a window, and how far apart its elements are."""
    dilation: int


def _slid(
    dim: int, part: dict[int, int], outputs: Sequence[int], filters: Sequence[int]
) -> _Slid | None:
    places = [loop for loop in part if loop in outputs and loop not in filters]
    inside = [loop for loop in part if loop in filters and loop not in outputs]
    if len(places) != 1 or len(inside) != 1 or len(part) != 2:
        return None
    if min(part.values()) < 1:
        return None
    return _Slid(dim, places[0], part[places[0]], inside[0], part[inside[0]])


def _view(
    value: SSAValue, loops: Sequence[int], wanted: Sequence[int]
) -> ConvolutionView:
    return ConvolutionView(value, tuple(loops.index(loop) for loop in wanted))


def _loops(map: AffineMap) -> tuple[int, ...]:
    """The loops of a map that has nothing but different ones."""
    dims = tuple(e.position for e in map.results if isinstance(e, AffineDimExpr))
    return dims if is_projection(map) and len(dims) == len(map.results) else ()


def _coefficients(expr: AffineExpr) -> dict[int, int] | None:
    """What each loop is multiplied by in a sum of loops; None of other forms."""
    match expr:
        case AffineDimExpr():
            return {expr.position: 1}
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add, lhs, rhs):
            left, right = _coefficients(lhs), _coefficients(rhs)
            if left is None or right is None or left.keys() & right.keys():
                return None
            return {**left, **right}
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, lhs, rhs):
            if isinstance(lhs, AffineConstantExpr):
                lhs, rhs = rhs, lhs
            if not isinstance(lhs, AffineDimExpr):
                return None
            if not isinstance(rhs, AffineConstantExpr):
                return None
            return {lhs.position: rhs.value}
        case _:
            return None


def _check_types(op: StructuredOp, call: ConvolutionCall) -> None:
    views = (call.image, call.filter, call.output)
    image, filter, output = (element(view.value.type).name for view in views)
    if image == filter == output and image in _TYPES:
        return
    remedy = _REMEDY
    if image == filter and image in _WIDE and output == "f32":
        remedy = f"let it write {image}: cuDNN adds up in f32; or {remedy}"
    reason = f"torch has no convolution of {image} and {filter} into {output}"
    refuse(op, reason, remedy)


def _check_sizes(op: StructuredOp, call: ConvolutionCall) -> None:
    """Torch reads the output's size off the image's: that has to be this one."""
    image, filter, output = (
        view.shape(buffer_type(view.value).get_shape())
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
