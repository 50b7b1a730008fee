"""Convolutions of images in one, two and three dimensions, also transposed and grouped.

The sums are a named op of linalg. Padding is an image with a pad of zeros, made by
one op that gathers. A transposed convolution is a convolution of the image with zeros
between its elements, with the filter turned around. One dimension is two, of which the
first is 1: libraries have those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, i64

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.generic import filled
from tilewright.frontend.builder.numerics import accumulator
from tilewright.frontend.builder.ops.functions import maximum, minimum, where
from tilewright.frontend.builder.ops.products import matmul
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.ops.views import concatenate, materialized
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, counted, index
from tilewright.frontend.builder.sizes import Shape, Size, product
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import WINDOW_OPS
from tilewright.torch_backend.ops.elements.element_functions import truncated_quotient
from tilewright.torch_backend.ops.elements.promotion import compute
from tilewright.torch_backend.ops.images.depthwise import depthwise
from tilewright.torch_backend.ops.images.pads import known
from tilewright.torch_backend.ops.images.windows import windows
from tilewright.torch_backend.ops.result import Result, refuse


@dataclass(frozen=True)
class Sliding:
    """How a filter moves, for each place dimension of an image."""

    stride: tuple[int, ...]
    padding: tuple[int, ...]
    """Zeros in front; less than none cuts the image."""
    dilation: tuple[int, ...]
    spread: tuple[int, ...]
    """The distance of the image's elements; zeros lie between them."""

    @property
    def is_plain(self) -> bool:
        """Whether the image is read as it is."""
        return not any(self.padding) and max(self.spread) == 1


def convolution(
    out: Result,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Tensor:
    """Sums of products of an image with a filter that moves over it."""
    rank = weight.rank - 2
    if not 1 <= rank <= 3 or x.rank != weight.rank:
        refuse(f"a convolution of {rank} dimensions")
    if x.dtype != weight.dtype:
        refuse("a convolution of two element types")
    known(x.shape[1:2])
    moves = Sliding(
        _many(stride, rank), _many(padding, rank), _many(dilation, rank), (1,) * rank
    )
    if out.by_windows:
        kernel = known(weight.shape[2:])
        moved = windows(out.spec, x, rank, kernel, stride, padding, dilation)
        return depthwise(out, x, weight, bias, moved)
    if rank == 1 and not transposed and _is_product(weight, moves, groups):
        return _biased(out, _product(x, weight, groups), bias)
    if rank == 1:
        x, weight, moves = _as_images(x, weight, moves)
    if transposed:
        weight = _turned(out, weight, groups)
        moves = _transposed(moves, known(weight.shape[2:]))
    shape = (x.shape[0], weight.shape[0], *(1,) * (rank == 1), *out.shape[2:])
    sums = _sums(out, x, weight, moves, groups, shape)
    return _biased(out, sums if rank > 1 else reshape(sums, out.shape), bias)


def _biased(out: Result, sums: Tensor, bias: Tensor | None) -> Tensor:
    """The sums in the type of the result, with a number for each feature."""
    if bias is None:
        # An op that only rounds belongs to a library's call.
        return sums if sums.dtype == out.dtype else compute(out, _same, sums)
    across = bias[tuple([slice(None), *[None] * (sums.rank - 2)])]
    return compute(out, lambda x, bias: x + bias, sums, across)


def _same(x: Scalar) -> Scalar:
    return x


def _many(value: Sequence[int], rank: int) -> tuple[int, ...]:
    return tuple(value) * rank if len(value) == 1 else tuple(value)


def _transposed(moves: Sliding, kernel: Sequence[int]) -> Sliding:
    """The convolution that a transposed one is, of an image that is spread out."""
    padding = [
        dilation * (size - 1) - before
        for size, before, dilation in zip(
            kernel, moves.padding, moves.dilation, strict=True
        )
    ]
    ones = (1,) * len(kernel)
    return Sliding(ones, tuple(padding), moves.dilation, moves.stride)


def _turned(out: Result, weight: Tensor, groups: int) -> Tensor:
    """The filter of a transposed convolution turned around, features first."""
    whole, sizes = materialized(weight), known(weight.shape)
    channels, features = sizes[0] // groups, sizes[1]
    shape: Shape = (groups * features, channels, *sizes[2:])

    def element() -> ScalarLike:
        feature, channel = index(0).cast("i64"), index(1).cast("i64")
        if groups > 1:
            group = truncated_quotient(feature, features)
            channel, feature = group * channels + channel, feature - group * features
        places = [
            index(axis).cast("i64") * -1 + (sizes[axis] - 1)
            for axis in range(2, len(sizes))
        ]
        return gather(whole, channel, feature, *places)

    return out.generate(element, shape, weight.dtype)


def _as_images(
    x: Tensor, weight: Tensor, moves: Sliding
) -> tuple[Tensor, Tensor, Sliding]:
    """Lines as images of height 1."""
    flat = Sliding(
        (1, *moves.stride),
        (0, *moves.padding),
        (1, *moves.dilation),
        (1, *moves.spread),
    )
    return (
        reshape(x, (*x.shape[:2], 1, x.shape[2])),
        reshape(weight, (*weight.shape[:2], 1, weight.shape[2])),
        flat,
    )


def _sums(
    out: Result,
    x: Tensor,
    weight: Tensor,
    moves: Sliding,
    groups: int,
    shape: Shape,
) -> Tensor:
    """The sums in the accumulator's type; the op depends on groups and layouts."""
    rank, kernel = weight.rank - 2, known(weight.shape[2:])
    channels, features = known([x.shape[1], weight.shape[0]])
    lies_last = rank == 2 and groups == 1 and x.axes == (0, 3, 1, 2)
    is_plain = x.axes == tuple(range(x.rank))
    if is_plain and _is_product(weight, moves, groups):
        lines = reshape(x, (*x.shape[:2], product(x.shape[2:])))
        return reshape(_product(lines, weight, groups), shape)
    image = _image(out, x, moves, kernel, shape[2:], channels_last=lies_last)
    if lies_last:
        filters = materialized(weight.transpose(0, 2, 3, 1))
        turned = (shape[0], *shape[2:], shape[1])
        made = _windows("conv_2d_nhwc_fhwc", image, filters, moves, turned)
        return made.transpose(0, 3, 1, 2)
    weight = materialized(weight)
    places = "dhw"[-rank:]
    if groups == 1:
        return _windows(
            f"conv_{rank}d_nc{places}_fc{places}", image, weight, moves, shape
        )
    if groups == channels == features:
        filters = reshape(weight, (channels, *kernel))
        name = f"depthwise_conv_{rank}d_nc{places}_c{places}"
        return _windows(name, image, filters, moves, shape)
    each, made = channels // groups, features // groups
    if rank == 2:
        grouped = reshape(image, (shape[0], groups, each, *image.shape[2:]))
        filters = reshape(weight, (groups, made, each, *kernel))
        parts: Shape = (shape[0], groups, made, *shape[2:])
        name = "conv_2d_ngchw_gfchw"
        return reshape(_windows(name, grouped, filters, moves, parts), shape)
    name = f"conv_{rank}d_nc{places}_fc{places}"
    own = (shape[0], made, *shape[2:])
    return concatenate(
        [
            _windows(
                name,
                image[:, group * each : (group + 1) * each],
                weight[group * made : (group + 1) * made],
                moves,
                own,
            )
            for group in range(groups)
        ],
        1,
    )


def _is_product(weight: Tensor, moves: Sliding, groups: int) -> bool:
    """Whether filters have one place, and sum channels: a matmul."""
    each, *kernel = known(weight.shape[1:])
    is_one_place = moves.is_plain and max(moves.stride) == math.prod(kernel) == 1
    return is_one_place and (groups == 1 or each > 1)


def _product(x: Tensor, weight: Tensor, groups: int) -> Tensor:
    """Filters of one place: a matmul for each group of channels of each line."""
    channels, features = known([x.shape[1], weight.shape[0]])
    each, made = channels // groups, features // groups
    if groups == 1:
        return matmul(reshape(materialized(weight), (made, each)), x)
    columns = reshape(x, (x.shape[0], groups, each, x.shape[2]))
    rows = reshape(materialized(weight), (groups, made, each))
    return reshape(matmul(rows, columns), (x.shape[0], features, x.shape[2]))


def _windows(
    name: str, image: Tensor, filters: Tensor, moves: Sliding, shape: Shape
) -> Tensor:
    """A convolution by its name in linalg."""
    builder, held = image.builder, accumulator(image.dtype)
    kind = TensorType(i64, [len(moves.stride)])
    steps = {
        "strides": DenseIntOrFPElementsAttr.from_list(kind, list(moves.stride)),
        "dilations": DenseIntOrFPElementsAttr.from_list(kind, list(moves.dilation)),
    }
    start = filled(builder, 0, shape, held)
    # A generated image of one place along a dimension has no such dimension in memory.
    given = [materialized(image).value, materialized(filters).value]
    op = WINDOW_OPS[f"linalg.{name}"](given, [start], steps)
    axes = tuple(range(len(shape)))
    value = builder.add(op, "convolution")
    return replace(image, value=value, sizes=shape, dtype=held, axes=axes)


def _image(
    out: Result,
    x: Tensor,
    moves: Sliding,
    kernel: Sequence[int],
    counts: Sequence[Size],
    *,
    channels_last: bool,
) -> Tensor:
    """The image up to where the last window ends, with the zeros in it."""
    if channels_last:
        x = x.transpose(0, 2, 3, 1)
    whole = materialized(x)
    if moves.is_plain:
        return whole
    first = 1 if channels_last else 2
    lengths = [
        out.builder.linear(count, stride, dilation * (size - 1) + 1 - stride)
        for count, stride, dilation, size in zip(
            counts, moves.stride, moves.dilation, kernel, strict=True
        )
    ]
    sizes = list(x.shape)
    sizes[first : first + len(kernel)] = lengths
    extents = x.shape[first : first + len(kernel)]

    def element() -> ScalarLike:
        inside: Scalar | None = None
        places: list[ScalarLike] = [index(axis) for axis in range(x.rank)]
        for axis, extent in enumerate(extents):
            tests, at = _place(first + axis, extent, lengths[axis], moves, axis)
            places[first + axis] = at
            for test in tests:
                inside = test if inside is None else inside & test
        found = gather(whole, *places)
        if inside is None:
            return found
        return where(inside, found, found.body.constant(0, found.dtype))

    return out.generate(element, tuple(sizes), x.dtype)


def _place(
    loop: int, extent: Size, length: Size, moves: Sliding, axis: int
) -> tuple[list[Scalar], Scalar]:
    """Which tests an element of the image passes, and the place that it is read at."""
    before, spread = moves.padding[axis], moves.spread[axis]
    at = index(loop).cast("i64") - before
    last = (counted(extent, "i64") - 1) * spread
    tests = [at >= 0] if before > 0 else []
    if not isinstance(last, int) or not isinstance(length, int):
        tests.append(at <= last)
    elif last < length - 1 - before:
        tests.append(at <= last)
    at = minimum(maximum(at, 0), last) if tests else at
    if spread > 1:
        tests.append(at % spread == 0)
        at = truncated_quotient(at, spread)
    return tests, at


TABLE: dict[str, Callable[..., object]] = {
    "aten.convolution.default": convolution,
}
"""Convolutions by name."""
