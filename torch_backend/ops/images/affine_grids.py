"""`affine_grid`: the places that a matrix for each image sends a regular grid to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.numerics import computed_in
from tilewright.frontend.builder.scalar import Scalar, index
from tilewright.frontend.builder.sizes import Size
from tilewright.frontend.builder.tensor import Tensor
from tilewright.torch_backend.ops.images.pads import known
from tilewright.torch_backend.ops.indexing.reading import whole_of
from tilewright.torch_backend.ops.result import Result


def affine_grid(
    out: Result, matrices: Tensor, size: Sequence[Size], corners: bool
) -> Tensor:
    """Each place times its image's matrix, with the shift in the last column."""
    whole, kind = whole_of(matrices), computed_in(matrices.dtype)
    extents = known(tuple(size[2:]))
    rank = len(extents)

    def element() -> Scalar:
        image, coordinate = index(0), index(1 + rank)
        total = gather(whole, image, coordinate, rank).cast(kind)
        for axis, extent in enumerate(extents):
            # The last dimension of an image is the first coordinate.
            factor = gather(whole, image, coordinate, rank - 1 - axis).cast(kind)
            total = total + factor * _place(index(1 + axis), extent, corners, kind)
        return total

    return out.generate(element)


def _place(at: Scalar, extent: int, corners: bool, kind: str) -> Scalar:
    """From -1 to 1: between the middles of the outermost elements, or their edges."""
    number = at.cast("i32").cast(kind)
    if extent == 1:
        return number * 0.0
    if corners:
        return number * (2.0 / (extent - 1)) - 1.0
    return number * (2.0 / extent) - (extent - 1.0) / extent


TABLE: dict[str, Callable[..., object]] = {
    "aten.affine_grid_generator.default": affine_grid,
}
"""Grids of places, by name."""
