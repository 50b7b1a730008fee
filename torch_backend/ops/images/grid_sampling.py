"""`grid_sample`: each element is read at a place that a tensor of coordinates gives."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in
from tilewright.frontend.builder.ops.functions import floor, where
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.elements.element_functions import (
    absolute,
    fmax_float,
    fmin_float,
    fmod,
    round_even,
)
from tilewright.torch_backend.ops.images.pads import known
from tilewright.torch_backend.ops.images.resampling import (
    clamped,
    cubic_weights,
    weighted,
)
from tilewright.torch_backend.ops.indexing.reading import whole_of
from tilewright.torch_backend.ops.result import Result, refuse

_LINEAR, _NEAREST, _CUBIC = range(3)
_ZEROS, _BORDER, _REFLECTION = range(3)


def grid_sample(rank: int) -> Callable[..., Tensor]:
    """A mix of the elements around each place of a grid."""

    def op(
        out: Result, x: Tensor, grid: Tensor, mode: int, padding: int, corners: bool
    ) -> Tensor:
        if mode == _CUBIC and rank == 3:
            refuse("cubic samples of volumes")
        whole, places, kind = whole_of(x), whole_of(grid), computed_in(x.dtype)
        sizes = known(x.shape[-rank:])
        place = "i32" if max(sizes) < 2**28 else "i64"

        def along(axis: int) -> list[tuple[Scalar, Scalar | None]]:
            """The neighbours along a dimension as numbers, with their weights."""
            where_to = [index(0), *[index(2 + a) for a in range(rank)]]
            # The last dimension of the tensor is the first coordinate.
            last = where_to[0].cast("i32") * 0 + (rank - 1 - axis)
            at = _unscaled(
                gather(places, *where_to, last).cast(kind), sizes[axis], corners
            )
            inside = (
                at if mode == _CUBIC else _padded(at, sizes[axis], padding, corners)
            )
            if mode == _NEAREST:
                return [(round_even(inside), None)]
            low = floor(inside)
            if mode == _LINEAR:
                weight = inside - low
                return [(low, 1.0 - weight), (low + 1.0, weight)]
            steps = zip(range(-1, 3), cubic_weights(inside - low), strict=True)
            return [
                (_padded(low + float(step), sizes[axis], padding, corners), weight)
                for step, weight in steps
            ]

        def read(found: tuple[Scalar, ...]) -> Scalar:
            """The element at a place, or 0 outside."""
            near: list[ScalarLike] = [index(0), index(1)]
            inside: Scalar | None = None
            for at, size in zip(found, sizes, strict=True):
                here = (at >= 0.0) & (at <= float(size - 1))
                inside = here if inside is None else inside & here
                near.append(clamped(_inside(at, size).cast(place), size))
            assert inside is not None
            value = gather(whole, *near).cast(kind)
            return where(inside, value, value.body.constant(0.0, kind))

        def element() -> ScalarLike:
            sides = [along(axis) for axis in range(rank)]
            pairs: list[tuple[Scalar, Scalar]] = []
            for chosen in itertools.product(*sides):
                value = read(tuple(at for at, _ in chosen))
                weights = [weight for _, weight in chosen if weight is not None]
                if not weights:
                    return value
                product = weights[0]
                for weight in weights[1:]:
                    product = product * weight
                pairs.append((value, product))
            return weighted(pairs)

        return out.generate(element)

    return op


def _unscaled(at: Scalar, size: int, corners: bool) -> Scalar:
    """A coordinate of -1 to 1 as a place in a dimension."""
    if corners:
        return (at + 1.0) * ((size - 1) / 2)
    return ((at + 1.0) * float(size) - 1.0) * 0.5


def _padded(at: Scalar, size: int, padding: int, corners: bool) -> Scalar:
    """A place as the padding moves it."""
    if padding == _ZEROS:
        return at
    if padding == _REFLECTION:
        at = _reflected(at, *((0.0, size - 1.0) if corners else (-0.5, size - 0.5)))
    return _inside(at, size)


def _inside(at: Scalar, size: int) -> Scalar:
    """The nearest place inside; the first one for NaN."""
    return fmin_float(fmax_float(at, 0.0), float(size - 1))


def _reflected(at: Scalar, low: float, high: float) -> Scalar:
    """A place reflected at two ends until it lies between them."""
    if low == high:
        return at * 0.0
    span = high - low
    beyond = absolute(at - low)
    rest = fmod(beyond, span)
    is_even = fmod(floor(beyond / span), 2.0) == 0.0
    return where(is_even, rest + low, (high - rest))


TABLE: dict[str, Callable[..., object]] = {
    "aten.grid_sampler_2d.default": grid_sample(2),
    "aten.grid_sampler_3d.default": grid_sample(3),
}
"""Samples at places of a grid, by name."""
