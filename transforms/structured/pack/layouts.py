"""Sizes and permutations of packed tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.ir import SSAValue

from tilewright.ir.dialects.linalg import RelayoutOp
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.extents import Extent, OpList, ceil_div, dim_size
from tilewright.transforms.structured.new_ops import empty

_Entry = TypeVar("_Entry")


def sizes_of(value: SSAValue, new: OpList) -> list[Extent]:
    """The size of each dimension of a tensor."""
    rank = len(tensor_type(value).get_shape())
    return [dim_size(value, dim, new) for dim in range(rank)]


def packed_destination(
    source: SSAValue,
    dims: Sequence[int],
    tiles: Sequence[Extent],
    order: Sequence[int],
    new: OpList,
) -> SSAValue:
    """A tensor that `source` can be packed into."""
    sizes = sizes_of(source, new)
    for dim, tile in zip(dims, tiles, strict=True):
        sizes[dim] = ceil_div(sizes[dim], tile, new)
    outer = permuted(sizes, order)
    return empty([*outer, *tiles], element_type(source.type), new)


def permuted(entries: Sequence[_Entry], order: Sequence[int]) -> list[_Entry]:
    """The entries at the positions of `order`; an empty order changes nothing."""
    return [entries[position] for position in order] if order else list(entries)


def inverse(order: Sequence[int]) -> list[int]:
    """The permutation that undoes another."""
    return [order.index(position) for position in range(len(order))]


def is_permutation(order: Sequence[int], rank: int) -> bool:
    """Whether `order` names each of so many positions once."""
    return sorted(order) == list(range(rank))


def groups(op: RelayoutOp) -> list[list[int]]:
    """For each unpacked dimension its dimensions in the split shape.

    The *split shape* has each tiled dimension as two neighbours: the number of tiles,
    and the size of a tile.
    """
    found: list[list[int]] = []
    position = 0
    for dim in range(len(op.order)):
        width = 2 if dim in op.dims else 1
        found.append(list(range(position, position + width)))
        position += width
    return found


def from_split(op: RelayoutOp) -> list[int]:
    """For each dimension of the packed shape the one of the split shape."""
    of = groups(op)
    return [*(of[dim][0] for dim in op.order), *(of[dim][1] for dim in op.dims)]


def is_one_tile(op: RelayoutOp) -> bool:
    """Whether there is one tile, with its dimensions in the order of the others."""
    in_order = op.dims == tuple(range(len(op.dims)))
    return in_order and all(count == 1 for count in op.outer_shape)
