"""`linalg.pack` and `linalg.unpack`: a reshape, and a transposition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tilewright.ir.dialects.linalg import PackOp, RelayoutOp, UnPackOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.memory_limit import check_room
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.core.windows import mixed_values


def pack(
    interpreter: Interpreter, op: PackOp, source: Array, dest: Array, *others: Value
) -> Results:
    """Pad, split the tiled dimensions, and move the tiles behind the others."""
    values = iter(others)
    padding = next(values) if op.padding_value is not None else None
    return (packed(op, source, dest.shape, _tiles(op, values), padding),)


def packed(
    op: PackOp,
    source: Array,
    expected: Sequence[int],
    tile_of: dict[int, int],
    padding: Value | None,
) -> Array:
    """The packed elements of `source`, of the expected shape."""
    shape = _checked_shape(op, source.shape, expected, tile_of)
    if shape != source.shape and padding is None:
        fail(op, "a tile is partial, and there is no padding_value")
    check_room(shape, source.dtype.itemsize)
    whole = np.full(shape, 0 if padding is None else padding, source.dtype)
    whole[tuple(slice(size) for size in source.shape)] = source
    split = whole.reshape(_split_shape(shape, tile_of))
    return split.transpose(_packed_order(op, tile_of))


def unpack(
    interpreter: Interpreter, op: UnPackOp, source: Array, dest: Array, *others: Value
) -> Results:
    """Move the tiles to their dimensions, merge them, and drop what is beyond."""
    tile_of = _tiles(op, iter(others))
    shape = _checked_shape(op, dest.shape, source.shape, tile_of)
    split = source.transpose(np.argsort(_packed_order(op, tile_of)))
    whole = split.reshape(shape)
    return (whole[tuple(slice(size) for size in dest.shape)],)


def _tiles(op: RelayoutOp, values: Iterator[Value]) -> dict[int, int]:
    tiles = mixed_values(op.static_inner_tiles, values)
    if any(tile <= 0 for tile in tiles):
        fail(op, f"tiles of {list(tiles)} elements")
    return dict(zip(op.dims, tiles, strict=True))


def _checked_shape(
    op: RelayoutOp,
    unpacked: Sequence[int],
    packed: Sequence[int],
    tile_of: dict[int, int],
) -> tuple[int, ...]:
    """The unpacked shape, rounded up to whole tiles."""
    counts = [-(-size // tile_of.get(dim, 1)) for dim, size in enumerate(unpacked)]
    expected = [*(counts[dim] for dim in op.order), *tile_of.values()]
    if list(packed) != expected:
        fail(op, f"the packed tensor has shape {list(packed)}, expected {expected}")
    return tuple(n * tile_of.get(dim, 1) for dim, n in enumerate(counts))


def _split_shape(shape: Sequence[int], tile_of: dict[int, int]) -> list[int]:
    """Each tiled dimension as two: tiles, and elements of a tile."""
    split: list[int] = []
    for dim, size in enumerate(shape):
        tile = tile_of.get(dim)
        split += [size] if tile is None else [size // tile, tile]
    return split


def _packed_order(op: RelayoutOp, tile_of: dict[int, int]) -> list[int]:
    """The dimensions of the split shape, in the order of the packed one."""
    outer = [dim + sum(d < dim for d in tile_of) for dim in range(len(op.order))]
    return [*(outer[dim] for dim in op.order), *(outer[dim] + 1 for dim in op.dims)]


TABLE: Table = {PackOp: pack, UnPackOp: unpack}
