"""Sizes of tensors: numbers, or names for sizes known only when the program runs.

Dimensions with the same name have the same size. Nothing is known about two different
names, and an op that needs equal sizes refuses them. A product such as `6*M` is the
size of dimensions that were collapsed; it is written with its number first, and its
names in order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute

from tilewright.ir.dtypes import element

Size: TypeAlias = int | str
Shape: TypeAlias = tuple[Size, ...]


def factors(size: Size) -> tuple[int, tuple[str, ...]]:
    """The number in a product, and its names in order."""
    if isinstance(size, int):
        return size, ()
    parts = size.split("*")
    number = int(parts[0]) if parts[0].isdigit() else 1
    return number, tuple(sorted(part for part in parts if not part.isdigit()))


def product(sizes: Iterable[Size]) -> Size:
    """The product of sizes: a number, a name, or `6*M`."""
    split = [factors(size) for size in sizes]
    number = math.prod(one for one, _ in split)
    names = sorted(name for _, names in split for name in names)
    if not names:
        return number
    return "*".join([*([str(number)] if number != 1 else []), *names])


def divides(one: Size, other: Size) -> bool:
    """Whether a size divides another, for any sizes that names stand for."""
    (number, names), (whole, among) = factors(one), factors(other)
    rest = list(among)
    for name in names:
        if name not in rest:
            return False
        rest.remove(name)
    return whole % number == 0


def shown(shape: Sequence[Size]) -> str:
    """`(512, N)`, as Python writes a tuple, the names without quotes."""
    inner = ", ".join(str(size) for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def static(size: Size) -> int:
    """The size in a type: the number, or the dynamic marker for a name."""
    return size if isinstance(size, int) else DYNAMIC_INDEX


def broadcast(shapes: Sequence[Shape]) -> Shape | None:
    """The shape that all of these broadcast to, aligned at the last dimension.

    A size of 1 stretches, and a missing dimension counts as 1. Gives None if they do
    not fit.
    """
    rank = max((len(shape) for shape in shapes), default=0)
    result: list[Size] = []
    for axis in range(-rank, 0):
        sizes = {shape[axis] for shape in shapes if len(shape) >= -axis}
        sizes = sizes - {1} or {1}
        if len(sizes) != 1:
            return None
        result.extend(sizes)
    return tuple(result)


def tensor_type(shape: Shape, dtype: str) -> TensorType[Attribute]:
    """The type of a tensor."""
    return TensorType(element(dtype).attribute, [static(size) for size in shape])
