"""Tiles: the vectors of the payload without their dimensions of size one.

A row of a matrix is `vector<1x1024xf16>` in the payload and a tile of 1024 in a kernel;
its sum is a scalar. So the code of a kernel shows the work of one program, whatever the
rank of the payload's tensors.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute

from tilewright.ir.dialects.kernel import element_of, shape_of, tile_of

LEAST_COLUMNS = 16
"""The least width of a part of a tile: narrower rows do not fill a cache line."""


def kept_dims(of: Attribute) -> tuple[int, ...]:
    """The dimensions of a payload vector that its tile keeps."""
    return tuple(dim for dim, size in enumerate(shape_of(of)) if size != 1)


def tile_shape(of: Attribute) -> tuple[int, ...]:
    """The shape of the tile that holds a payload value."""
    return tuple(size for size in shape_of(of) if size != 1)


def tile_type(of: Attribute) -> Attribute:
    """The type of the tile that holds a payload value."""
    return tile_of(element_of(of), tile_shape(of))


def tile_order(of: Attribute, order: Sequence[int]) -> list[int]:
    """The permutation of a tile for a permutation of its payload vector."""
    kept = kept_dims(of)
    return [kept.index(dim) for dim in order if dim in kept]


def part_width(of: Attribute, parts: int) -> int | None:
    """The columns of each part of a tile cut into `parts`; None if they are too few.

    The tile is a matrix, or one matrix of a batch.
    """
    *batch, _, columns = (1, 1, *shape_of(of))
    if len(shape_of(of)) < 2 or max(batch) != 1:
        return None
    width = columns // parts
    return width if width >= LEAST_COLUMNS else None
