"""Shapes at run time, checked against the types."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation

from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.registry import Value, fail


def shape_of(of: Attribute) -> tuple[int, ...]:
    """The static shape of a shaped type, DYNAMIC_INDEX where a size is dynamic."""
    shape: tuple[int, ...] = tuple(of.get_shape())  # pyright: ignore
    return shape


def sized(of: Attribute, dynamic: Sequence[Value]) -> tuple[int, ...]:
    """A type's shape, its dynamic sizes taken from `dynamic`."""
    sizes = iter(dynamic)
    return tuple(
        int(next(sizes)) if size == DYNAMIC_INDEX else size for size in shape_of(of)
    )


def checked_size(
    op: Operation, of: Attribute, dynamic: Sequence[Value]
) -> tuple[int, ...]:
    """A type's shape at run time; an error if a size is negative."""
    shape = sized(of, dynamic)
    if any(size < 0 for size in shape):
        fail(op, f"a shape of {list(shape)} has a negative size")
    return shape


def fitting(op: Operation, value: Array) -> Array:
    """A result, checked against the static sizes of its type."""
    of = op.results[0].type
    for dim, (size, actual) in enumerate(zip(shape_of(of), value.shape, strict=True)):
        if size not in (DYNAMIC_INDEX, actual):
            fail(op, f"dimension {dim} has {actual} elements, where '{of}' has {size}")
    return value
