"""Resampling: each element is a mix of those around its place in the input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in, is_float
from tilewright.frontend.builder.ops.functions import floor, maximum, minimum
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.element_functions import truncated_quotient
from tilewright.torch_backend.ops.images.pads import known
from tilewright.torch_backend.ops.indexing.reading import position, whole_of
from tilewright.torch_backend.ops.result import Result, refuse

_CUBIC = -0.75
"""The parameter of torch's cubic convolution."""


def nearest(rank: int, shift: float) -> Callable[..., Tensor]:
    """The element at each place of the last dimensions, or half an element further."""

    def op(out: Result, x: Tensor, size: object, *factors: float | None) -> Tensor:
        lead = x.rank - rank
        sizes, counts = known(x.shape[-rank:]), known(out.shape[-rank:])
        read = partial(gather, whole_of(x))

        def place(axis: int) -> ScalarLike:
            size, count = sizes[axis], counts[axis]
            step = _step(size, count, _item(factors, axis), align_corners=False)
            at = position(lead + axis, size, count)
            if step == 1 and size == count:
                return at
            # torch computes indices in f32; a quotient is quicker where it is equal.
            numbers = np.arange(count)
            indices = np.floor((numbers.astype("f4") + shift) * np.float32(step))
            if count % size == 0 and (indices == numbers // (count // size)).all():
                return truncated_quotient(at, count // size)
            found = floor((at.cast("f32") + shift) * step).cast(at.dtype)
            return clamped(found, size)

        def element() -> ScalarLike:
            front: list[ScalarLike] = [index(axis) for axis in range(lead)]
            return read(*front, *[place(axis) for axis in range(rank)])

        return out.generate(element)

    return op


def linear(rank: int) -> Callable[..., Tensor]:
    """A mean of the two nearest along each of the last dimensions, by distance."""

    def op(
        out: Result,
        x: Tensor,
        size: object,
        align_corners: bool,
        *factors: float | None,
    ) -> Tensor:
        if not is_float(x.dtype):
            refuse("linear resampling of integers")
        lead, kind = x.rank - rank, computed_in(x.dtype)
        sizes, counts = known(x.shape[-rank:]), known(out.shape[-rank:])
        read = partial(gather, whole_of(x))

        def along(axis: int) -> tuple[Scalar, Scalar, Scalar]:
            """The two neighbours, and the weight of the second."""
            size, count = sizes[axis], counts[axis]
            at = position(lead + axis, size, count)
            step = _step(size, count, _item(factors, axis), align_corners)
            place = maximum(_place(at.cast(kind), step, align_corners), 0.0)
            low = floor(place)
            first = clamped(low.cast(at.dtype), size)
            return first, minimum(first + 1, size - 1), place - low

        def element() -> ScalarLike:
            front: list[ScalarLike] = [index(axis) for axis in range(lead)]
            sides = [along(axis) for axis in range(rank)]

            def mixed(*indices: Scalar) -> Scalar:
                if len(indices) == rank:
                    return read(*front, *indices).cast(kind)
                first, second, weight = sides[len(indices)]
                one, two = mixed(*indices, first), mixed(*indices, second)
                return one + (two - one) * weight

            return mixed()

        return out.generate(element)

    return op


def bicubic(
    out: Result, x: Tensor, size: object, align_corners: bool, *factors: float | None
) -> Tensor:
    """A cubic convolution of the sixteen nearest."""
    if not is_float(x.dtype):
        refuse("cubic resampling of integers")
    lead, kind = x.rank - 2, computed_in(x.dtype)
    sizes, counts = known(x.shape[-2:]), known(out.shape[-2:])
    read = partial(gather, whole_of(x))

    def along(axis: int) -> list[tuple[Scalar, Scalar]]:
        """The four neighbours with their weights."""
        size, count = sizes[axis], counts[axis]
        at = position(lead + axis, size, count)
        step = _step(size, count, _item(factors, axis), align_corners)
        place = _place(at.cast(kind), step, align_corners)
        low = floor(place)
        first = low.cast(at.dtype)
        indices = [clamped(first + k, size) for k in range(-1, 3)]
        return list(zip(indices, cubic_weights(place - low), strict=True))

    def element() -> ScalarLike:
        front: list[ScalarLike] = [index(axis) for axis in range(lead)]
        rows, columns = along(0), along(1)

        def line(row: Scalar) -> Scalar:
            return weighted([(read(*front, row, c).cast(kind), w) for c, w in columns])

        return weighted([(line(row), weight) for row, weight in rows])

    return out.generate(element)


def cubic_weights(distance: Scalar) -> list[Scalar]:
    """The weights of four neighbours, by the distance from the second."""

    def near(x: Scalar) -> Scalar:
        return ((_CUBIC + 2) * x - (_CUBIC + 3)) * x * x + 1.0

    def far(x: Scalar) -> Scalar:
        return ((_CUBIC * x - 5 * _CUBIC) * x + 8 * _CUBIC) * x - 4 * _CUBIC

    beyond = 1.0 - distance
    return [far(distance + 1.0), near(distance), near(beyond), far(beyond + 1.0)]


def clamped(place: Scalar, size: int) -> Scalar:
    """The nearest index of a dimension; kernels compute addresses of it in 32 bits."""
    return minimum(maximum(place, 0), size - 1)


def weighted(pairs: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
    """The sum of values by weights."""
    (value, weight), *rest = pairs
    total = value * weight
    for value, weight in rest:
        total = total + value * weight
    return total


def _item(factors: Sequence[float | None], axis: int) -> float | None:
    return factors[axis] if axis < len(factors) else None


def _step(size: int, count: int, factor: float | None, align_corners: bool) -> float:
    """The distance in the input between the positions of neighbours in the result."""
    if align_corners:
        return (size - 1) / (count - 1) if count > 1 else 0.0
    return size / count if factor is None else 1 / factor


def _place(at: Scalar, step: float, align_corners: bool) -> Scalar:
    """The place in the input of an element; centres or corners lie on each other."""
    return at * step if align_corners else (at + 0.5) * step - 0.5


TABLE: dict[str, Callable[..., object]] = {
    **{
        f"aten.{name}{rank}d.default": nearest(rank, shift)
        for name, shift in (("upsample_nearest", 0.0), ("_upsample_nearest_exact", 0.5))
        for rank in (1, 2, 3)
    },
    "aten.upsample_linear1d.default": linear(1),
    "aten.upsample_bilinear2d.default": linear(2),
    "aten.upsample_trilinear3d.default": linear(3),
    "aten.upsample_bicubic2d.default": bicubic,
}
"""Resampling by name."""
