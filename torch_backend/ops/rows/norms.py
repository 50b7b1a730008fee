"""Softmax and normalizations, kept whole so that the planner finds their rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from tilewright.frontend.builder.layers.softmax import exponentials
from tilewright.frontend.builder.numerics import computed_in
from tilewright.frontend.builder.ops.elements import elementwise, named_elementwise
from tilewright.frontend.builder.ops.functions import rsqrt
from tilewright.frontend.builder.ops.loop_order import order_of
from tilewright.frontend.builder.ops.reductions import (
    count,
    divided,
    reduce,
    with_units,
)
from tilewright.frontend.builder.ops.reshapes import reshape
from tilewright.frontend.builder.ops.views import broadcast_to
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.axes import axis_of
from tilewright.torch_backend.ops.elements.promotion import compute
from tilewright.torch_backend.ops.result import Result, refuse
from tilewright.torch_backend.ops.rows.shifted_statistics import (
    LONG_COLUMN,
    by_images,
    combined,
    is_image,
)
from tilewright.torch_backend.ops.rows.statistics import WHOLE_ROW, by_parts


def softmax(out: Result, x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:
    """exp(x) / sum(exp(x)) along a dimension."""
    if x.rank == 0:
        return out.full(1.0)
    return exponentials(x, axis_of(x, dim)).quotient(out.dtype)


def log_softmax(
    out: Result, x: Tensor, dim: int, half_to_float: bool = False
) -> Tensor:
    """The logarithm of softmax."""
    if x.rank == 0:
        return out.full(0.0)
    return exponentials(x, axis_of(x, dim)).log_quotient(x, out.dtype)


def layer_norm(
    out: Result,
    x: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """(x - mean) times the reciprocal deviation, which are further results."""
    axes = tuple(range(x.rank - len(normalized_shape), x.rank))
    if not axes:
        refuse("layer_norm of no dimension")
    kind = computed_in(x.dtype)
    sizes = [x.shape[axis] for axis in axes]
    found = by_parts(x, axes, kind) if _is_long(sizes) else None
    mean, squares = found or _two_sums(x, axes)

    def scale(squares: Scalar) -> Scalar:
        return rsqrt(squares / count(sizes) + eps)

    scales = elementwise(scale, squares)
    mean, scales = with_units(mean, axes), with_units(scales, axes)
    made = _normalized("layer_norm", out.dtype, x, mean, scales, (weight, bias))
    return made, *_statistics(out, mean, scales)


def _two_sums(
    x: Tensor, axes: Sequence[int], shape: Sequence[Size] | None = None
) -> tuple[Tensor, Tensor]:
    """The mean along axes, and the sum of squared deviations from it.

    Both get a shape, if one is given.
    """
    sizes = [x.shape[axis] for axis in axes]
    total = reduce("sum", x, axis=axes)
    mean = divided(total, sizes)
    squares = reduce("sum", x, with_units(mean, axes), axis=axes, of=_squared)
    if shape is not None:
        return divided(reshape(total, shape), sizes), reshape(squares, shape)
    return mean, squares.named("squares")


def _squared(x: Scalar, mean: Scalar) -> Scalar:
    """The square of a deviation."""
    away = x - mean
    return away * away


def _normalized(
    name: str,
    dtype: str,
    x: Tensor,
    mean: Tensor,
    scales: Tensor,
    rows: tuple[Tensor | None, Tensor | None],
) -> Tensor:
    """Deviations from the mean, scaled; times a weight, plus a bias, where given."""
    kind = computed_in(x.dtype)
    named = zip(("weight", "bias"), rows, strict=True)
    operands = {"x": x, "mean": mean, "scale": scales}
    operands |= {name: row for name, row in named if row is not None}

    def scaled(given: Mapping[str, Scalar]) -> ScalarLike:
        value = (given["x"] - given["mean"]) * given["scale"]
        value = value * given["weight"].cast(kind) if "weight" in given else value
        return value + given["bias"].cast(kind) if "bias" in given else value

    return named_elementwise(name, scaled, operands, dtype)


def _is_long(sizes: Sequence[Size]) -> bool:
    """Whether caches do not keep a row until a program reads it again."""
    return math.prod(size for size in sizes if isinstance(size, int)) > _LONG_ROW


_LONG_ROW = 131072
"""With rows of this length, those of all multiprocessors do not fit into a cache."""


def group_norm(
    out: Result,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    batch: int,
    channels: int,
    places: int,
    groups: int,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Each group of channels less its mean, times its reciprocal deviation."""
    size = channels // groups
    is_apart = is_image(x) and places >= LONG_COLUMN
    if size * places > WHOLE_ROW or is_apart:
        return _large_groups(out, x, weight, bias, (batch, groups, size), places, eps)
    # Groups of one channel keep the shape of x, which their readers have. For others, a
    # reduced dimension of size 1 would give the rows another rank than their readers.
    split = (size, *([places] if places > 1 else []))
    inner = x.shape[2:] if size == 1 and places > 1 else split
    parts = reshape(x, (batch, groups, *inner))
    own = (size, *[1] * (len(inner) - 1))
    axes = tuple(range(2, parts.rank))
    mean, squares = _two_sums(parts, axes)
    scales = elementwise(lambda s: rsqrt(s / float(size * places) + eps), squares)
    weight, bias = (
        None if row is None else row.reshape(1, groups, *own) for row in (weight, bias)
    )
    ends = with_units(mean, axes), with_units(scales, axes)
    made = _in_memory_order(out, parts, *ends, (weight, bias))
    return reshape(made, out.shape), *_statistics(out, mean, scales)


def _in_memory_order(
    out: Result,
    parts: Tensor,
    mean: Tensor,
    scales: Tensor,
    rows: tuple[Tensor | None, Tensor | None],
) -> Tensor:
    """Normalized groups that lie in memory as they do before; all have one rank."""
    # New axes, such as that of a batch of one image, stay in front.
    order = sorted(range(parts.rank), key=lambda dim: parts.axes[dim] or 0)
    weight, bias = (None if row is None else row.transpose(*order) for row in rows)
    made = _normalized(
        "group_norm",
        out.dtype,
        parts.transpose(*order),
        mean.transpose(*order),
        scales.transpose(*order),
        (weight, bias),
    )
    return made.transpose(*(order.index(dim) for dim in range(parts.rank)))


def _statistics(out: Result, mean: Tensor, scales: Tensor) -> tuple[Tensor, Tensor]:
    """The results beside the normalized tensor, in their types if they are read."""
    first, second = (
        compute(out, lambda s: s, row, dtype=spec.dtype)
        if spec is not None and spec.dtype != row.dtype and out.is_used(place)
        else row
        for place, row, spec in ((1, mean, out.specs[1]), (2, scales, out.specs[2]))
    )
    return first, second


def _large_groups(
    out: Result,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    sizes: tuple[int, int, int],
    places: int,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """The same for groups that no program holds: x factor + shift, for each channel.

    The statistics are sums of long rows; channels last, sums of channels first. What
    follows has the shape of x, so that it is fused with its readers.
    """
    batch, groups, size = sizes
    kind, count = computed_in(x.dtype), size * places
    units = tuple(range(2, x.rank))

    if order_of(x) is None:
        rows = x.reshape(batch, groups, count)
        mean, squares = by_parts(rows, (2,), kind) or _two_sums(rows, (2,))
    else:
        shape = None if size == 1 else sizes
        found = by_images(x, units, kind, shape) or _two_sums(x, units, shape)
        mean, squares = found if size == 1 else combined(*found, (2,), places)
    scales = elementwise(lambda s: rsqrt(s / float(count) + eps), squares)

    def factor(scale: Scalar, weight: Scalar | None = None) -> Scalar:
        return scale if weight is None else scale * weight.cast(kind)

    def shift(mean: Scalar, factor: Scalar, bias: Scalar | None = None) -> ScalarLike:
        moved = mean * factor * -1.0
        return moved if bias is None else moved + bias.cast(kind)

    channel = [
        [] if row is None else [row.reshape(groups, size)] for row in (weight, bias)
    ]
    spread = broadcast_to(with_units(scales, (2,)), (batch, groups, size))
    factors = elementwise(factor, spread, *channel[0], dtype=kind)
    shifts = elementwise(
        shift, with_units(mean, (2,)), factors, *channel[1], dtype=kind
    )
    ends = [
        with_units(one.reshape(batch, groups * size), units)
        for one in (factors, shifts)
    ]
    made = compute(out, lambda x, f, s: x * f + s, x, *ends)
    return made, *_statistics(out, mean, scales)


TABLE: dict[str, Callable[..., object]] = {
    "aten._softmax.default": softmax,
    "aten._log_softmax.default": log_softmax,
    "aten.native_layer_norm.default": layer_norm,
    "aten.native_group_norm.default": group_norm,
}
"""Softmax and normalizations by name."""
