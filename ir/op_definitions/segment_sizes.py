"""How many operands or results each field has, where an attribute of the op says it.

xDSL unpacks the bytes of the attribute at every access. The same few bytes come again
and again, so the sizes that they stand for are kept.
"""

from __future__ import annotations

from functools import lru_cache
from struct import unpack

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, Signedness
from xdsl.ir import Operation
from xdsl.irdl.operations import AttrSizedSegments


def segment_sizes(op: Operation, option: AttrSizedSegments) -> tuple[int, ...] | None:
    """The sizes; None if the attribute is missing or not an array of i32."""
    attribute = option.container(op).get(option.attribute_name)
    if type(attribute) is not DenseArrayBase:
        return None
    element = attribute.elt_type
    if (
        type(element) is not IntegerType
        or element.width.data != 32
        or element.signedness.data is not Signedness.SIGNLESS
    ):
        return None
    return _unpacked(attribute.data.data)


@lru_cache(maxsize=4096)
def _unpacked(data: bytes) -> tuple[int, ...]:
    return unpack(f"<{len(data) // 4}i", data)
