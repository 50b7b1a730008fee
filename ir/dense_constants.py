"""Dense constants: `dense<1.0> : tensor<8192x8192xf32>` is stored as one element.

xDSL repeats a splat's bytes for every element. Here, as upstream, a constant whose
elements all have the same bits stores one element, so that equal constants have equal
attributes and large splats cost nothing. Make and read dense constants only by these
functions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, IntegerType
from xdsl.ir import Attribute

Dense: TypeAlias = DenseIntOrFPElementsAttr[Any]
Number: TypeAlias = int | float | tuple[int, int] | tuple[float, float]


def dense_of_bytes(of: Attribute, raw: bytes) -> Dense:
    """A constant from the bytes of all its elements, or of the one of a splat."""
    kind = cast(Any, of)
    size: int = kind.get_element_type().compile_time_size
    if not math.prod(kind.get_shape()):
        raw = b""
    elif len(raw) > size and raw == raw[:size] * (len(raw) // size):
        raw = raw[:size]
    return DenseIntOrFPElementsAttr(kind, BytesAttr(raw))


def dense_of(of: Attribute, numbers: Sequence[Number]) -> Dense:
    """A constant from all its elements in row-major order, or from that of a splat."""
    kind: Any = cast(Any, of).get_element_type()
    held: Sequence[Any] = numbers
    if isinstance(kind, IntegerType):
        held = [kind.get_normalized_value(number) for number in held]
    return dense_of_bytes(of, cast(Any, kind).pack(held))


def is_splat(attribute: Dense) -> bool:
    """Whether all elements have the same bits; False for a constant without any."""
    return len(attribute) == 1


def numbers_of(attribute: Dense) -> Sequence[Any]:
    """Every element in row-major order; slow for a large splat."""
    held = attribute.get_values()
    if not is_splat(attribute):
        return held
    return tuple(held) * math.prod(attribute.get_shape())
