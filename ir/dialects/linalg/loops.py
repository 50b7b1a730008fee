"""Extents of loops over given shapes, and the attributes of maps and loops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ArrayAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg.attributes import IteratorType, IteratorTypeAttr
from tilewright.ir.types import is_buffer, is_tensor


def shape_of(type_: Attribute) -> tuple[int, ...]:
    """The shape of a tensor or a buffer; a scalar has none."""
    return type_.get_shape() if is_tensor(type_) or is_buffer(type_) else ()


def loop_ranges(
    maps: Sequence[AffineMap], shapes: Sequence[Sequence[int]], loops: int
) -> tuple[int, ...]:
    """The extents of loops over operands of these shapes, `DYNAMIC_INDEX` if unknown.

    A loop has the size of the dimensions that it alone indexes; a known size wins over
    an unknown one.
    """
    ranges = [DYNAMIC_INDEX] * loops
    for map_, shape in zip(maps, shapes, strict=True):
        for expr, size in zip(map_.results, shape, strict=True):
            if isinstance(expr, AffineDimExpr) and ranges[expr.position] < 0:
                ranges[expr.position] = size
    return tuple(ranges)


def maps_attribute(maps: Sequence[AffineMap]) -> ArrayAttr[AffineMapAttr]:
    """Indexing maps as an attribute."""
    return ArrayAttr([AffineMapAttr(map_) for map_ in maps])


@cache
def pointwise_maps(rank: int, spread: tuple[bool, ...]) -> ArrayAttr[AffineMapAttr]:
    """The identity for each operand; the empty map for a scalar."""
    whole, none = AffineMap.identity(rank), AffineMap(rank, 0, ())
    return maps_attribute([none if scalar else whole for scalar in spread])


@cache
def iterators(loops: int, reduced: tuple[int, ...] = ()) -> ArrayAttr[IteratorTypeAttr]:
    """Iterator types: reduction for the loops in `reduced`, parallel for others."""
    return ArrayAttr(
        [
            IteratorTypeAttr(
                IteratorType.REDUCTION if loop in reduced else IteratorType.PARALLEL
            )
            for loop in range(loops)
        ]
    )
