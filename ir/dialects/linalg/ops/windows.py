"""Ops that slide a window over an image: convolutions and poolings, upstream's names.

The name says the layouts. `conv_2d_nhwc_hwcf` has an image with batch, height, width
and channels, and a filter with height, width, channels and features. Strides and
dilations are attributes, 1 where the text leaves them out.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
)
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.dialects.linalg.attributes import IteratorTypeAttr, TypeFnAttr
from tilewright.ir.dialects.linalg.loops import iterators, maps_attribute
from tilewright.ir.dialects.linalg.named import NamedOp, Properties
from tilewright.ir.dialects.linalg.ops.contractions import sum_of_products
from tilewright.ir.dialects.linalg.ops.elementwise import is_unsigned
from tilewright.ir.dialects.linalg.scalars import Body

SPATIAL = "dhw"


@dataclass(frozen=True)
class Window:
    """The layouts of a window op, a letter for each dimension.

    n is the batch, g a group, c a channel, f a feature, m a multiplier of channels, and
    d, h, w are places. A place of the image is that of the output plus that in the
    window.
    """

    image: str
    window: str
    output: str
    loops: str
    """Upstream's order: a letter for each loop, upper case for places in the window."""

    @property
    def places(self) -> str:
        """The letters of the window's places."""
        return _places(self.window)

    @property
    def takes_steps(self) -> bool:
        """Whether there are strides and dilations: `conv_2d` and its kind have none."""
        return self.image[0] not in SPATIAL

    @property
    def iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """Parallel over the output, reductions over the rest."""
        reduced = [at for at, x in enumerate(self.loops) if x not in self.output]
        return iterators(len(self.loops), tuple(reduced))

    def maps(self, strides: Sequence[int], dilations: Sequence[int]) -> list[AffineMap]:
        """The maps of image, window and output."""
        dim = {x: AffineExpr.dimension(at) for at, x in enumerate(self.loops)}

        def place(letter: str) -> AffineExpr:
            at = self.places.index(letter)
            return _times(dim[letter], strides[at]) + _times(
                dim[letter.upper()], dilations[at]
            )

        image = [place(x) if x in SPATIAL else dim[x] for x in self.image]
        window = [dim[x.upper() if x in SPATIAL else x] for x in self.window]
        output = [dim[x] for x in self.output]
        return [
            AffineMap(len(self.loops), 0, tuple(results))
            for results in (image, window, output)
        ]


def _times(expr: AffineExpr, factor: int) -> AffineExpr:
    return expr if factor == 1 else expr * factor


class WindowOp(NamedOp, ABC):
    """An image, a window and an output."""

    WINDOW: ClassVar[Window]
    SCALARS: ClassVar[int] = 0
    """The inputs behind the window that are scalars: zero points."""

    strides = opt_prop_def(DenseIntOrFPElementsAttr)
    dilations = opt_prop_def(DenseIntOrFPElementsAttr)
    cast = opt_prop_def(TypeFnAttr)

    @classmethod
    def arity(cls, properties: Properties) -> int:
        """The image, the window, and scalars."""
        return 2 + cls.SCALARS

    def steps(self, name: str) -> tuple[int, ...]:
        """The strides or dilations, one for each place of the window.

        As upstream, an op that has none ignores attributes of these names.
        """
        given = self.properties.get(name) if self.WINDOW.takes_steps else None
        count = len(self.WINDOW.places)
        if not isinstance(given, DenseIntOrFPElementsAttr):
            return (1,) * count
        values = tuple(int(value) for value in given.get_values())
        return values * count if len(values) == 1 else values

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        """The maps for these strides and dilations."""
        *inputs, output = self.WINDOW.maps(
            self.steps("strides"), self.steps("dilations")
        )
        scalars = [AffineMap(output.num_dims, 0, ())] * self.SCALARS
        return maps_attribute([*inputs, *scalars, output])

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        """Parallel over the output, reductions over the window."""
        return self.WINDOW.iterator_types

    def verify_(self) -> None:
        """A positive step for each place of the window."""
        count = len(self.WINDOW.places)
        for name in ("strides", "dilations"):
            steps = self.steps(name)
            if len(steps) != count or any(step < 1 for step in steps):
                raise VerifyException(
                    f"expected {count} positive {name}, got {list(steps)}"
                )
        super().verify_()


class ConvolutionOp(WindowOp, ABC):
    """The sum of products of the image under the window with a filter."""

    @classmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """The accumulator plus the product of the converted elements."""
        return sum_of_products(body, properties)


class QuantizedConvolutionOp(ConvolutionOp, ABC):
    """A convolution of numbers from which zero points are taken."""

    SCALARS: ClassVar[int] = 2


class PoolingOp(WindowOp, ABC):
    """The sum or an extremum under a window, of which only the size counts."""

    KIND: ClassVar[str]

    @classmethod
    def scalar(cls, body: Body, properties: Properties) -> SSAValue:
        """The accumulator combined with the converted element."""
        total = body.args[2]
        kind, _, sign = cls.KIND.partition("_")
        unsigned = sign == "unsigned" or is_unsigned(properties)
        value = body.convert(body.args[0], total.type, unsigned=unsigned)
        is_float = isinstance(total.type, AnyFloat)
        if sign and is_float:
            raise VerifyException(f"unsigned {kind} is not defined on {total.type}")
        if kind == "sum":
            return body.add("arith.addf" if is_float else "arith.addi", total, value)
        if is_float:
            return body.add(f"arith.{kind}imumf", total, value)
        return body.add(f"arith.{kind}{'ui' if sign else 'si'}", total, value)


def _parsed(name: str) -> Window:
    """The layouts that a name says."""
    words = name.removesuffix("_q").split("_")
    if words[0] == "pooling":
        image = output = words[1]
        window = _places(image)
    elif len(words) == 2:
        image = window = output = SPATIAL[-int(words[1][0]) :]
    else:
        image, window = words[-2:]
        output = image.replace("c", "f")
    if words[0] != "depthwise":
        return Window(image, window, output, output + _inside(window, output))
    output = image + "m" if "m" in window else image
    places = _places(image)
    channels = output.strip(f"n{SPATIAL}")
    # Upstream's loops over channels follow those over places; in 3d, c is the last one.
    if len(places) == 3:
        loops = f"n{places}{channels[1:]}{places.upper()}c"
    else:
        loops = f"n{places}{channels}{places.upper()}"
    return Window(image, window, output, loops)


def _places(layout: str) -> str:
    return "".join(letter for letter in layout if letter in SPATIAL)


def _inside(window: str, output: str) -> str:
    """The loops over a window, and over what is summed with it, in its order."""
    own = (letter.upper() if letter in SPATIAL else letter for letter in window)
    return "".join(letter for letter in own if letter not in output)


def _window_op(name: str) -> type[WindowOp]:
    base: type[WindowOp] = ConvolutionOp
    if name.endswith("_q"):
        base = QuantizedConvolutionOp
    fields: dict[str, object] = {
        "__annotations__": {"WINDOW": ClassVar[Window]},
        "__doc__": f"`linalg.{name}`.",
        "name": f"linalg.{name}",
        "WINDOW": _parsed(name),
    }
    if name.startswith("pooling"):
        base = PoolingOp
        fields["KIND"] = name.split("_", 2)[2]
        fields["__annotations__"] = {"WINDOW": ClassVar[Window], "KIND": ClassVar[str]}
    title = "".join(word.capitalize() for word in name.split("_")) + "Op"
    made = cast(type[WindowOp], type(title, (base,), fields))
    return irdl_op_definition(made)


_NAMES = (
    "conv_1d conv_1d_ncw_fcw conv_1d_nwc_wcf conv_2d conv_2d_nchw_fchw "
    "conv_2d_nchw_fchw_q conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw conv_2d_ngchw_gfchw_q "
    "conv_2d_nhwc_fhwc conv_2d_nhwc_fhwc_q conv_2d_nhwc_hwcf conv_2d_nhwc_hwcf_q "
    "conv_2d_nhwgc_gfhwc conv_2d_nhwgc_gfhwc_q conv_3d conv_3d_ncdhw_fcdhw "
    "conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q "
    "depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc depthwise_conv_1d_nwc_wcm "
    "depthwise_conv_2d_nchw_chw depthwise_conv_2d_nhwc_hwc "
    "depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm "
    "depthwise_conv_2d_nhwc_hwcm_q "
    "depthwise_conv_3d_ncdhw_cdhw depthwise_conv_3d_ndhwc_dhwc "
    "depthwise_conv_3d_ndhwc_dhwcm pooling_nchw_max pooling_nchw_sum pooling_ncw_max "
    "pooling_ncw_sum pooling_ndhwc_max pooling_ndhwc_min pooling_ndhwc_sum "
    "pooling_nhwc_max pooling_nhwc_max_unsigned pooling_nhwc_min "
    "pooling_nhwc_min_unsigned pooling_nhwc_sum pooling_nwc_max "
    "pooling_nwc_max_unsigned pooling_nwc_min pooling_nwc_min_unsigned pooling_nwc_sum"
).split()

WINDOW_OPS: dict[str, type[WindowOp]] = {
    f"linalg.{name}": _window_op(name) for name in _NAMES
}
"""The convolutions and poolings, by name."""
