"""Checks that an array fits into memory before it is allocated.

Linux hands out more memory than there is and ends the process that uses it; numpy
raises three different exceptions. A payload that is too
large is refused with its size.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.tensor import SplatOp
from tilewright.ir.dialects.vector import BroadcastOp
from tilewright.ir.dtypes import element
from tilewright.ir.errors import UserError
from tilewright.ir.types import is_tensor, is_vector

MOST_DIMENSIONS = 64
"""numpy's limit on an array's rank."""

_VIEWS = (arith.ConstantOp, SplatOp, BroadcastOp)
"""Ops whose results repeat one element without copies of it."""


class NoRoom(MemoryError):
    """An array does not fit into memory; the message says what it needs."""


@cache
def _memory() -> int | None:
    """The bytes of memory of this machine; None if the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def lack_of_room(shape: Sequence[int], item: int) -> str | None:
    """Why an array of this shape, `item` bytes an element, does not fit; or None."""
    if len(shape) > MOST_DIMENSIONS:
        return (
            f"{len(shape)} dimensions, and numpy's arrays have at most "
            f"{MOST_DIMENSIONS}"
        )
    needed, memory = math.prod(shape) * item, _memory()
    if memory is not None and needed > memory:
        return (
            f"an array of {in_words(needed)}, and this machine has {in_words(memory)}"
        )
    if math.prod(max(size, 1) for size in shape) * item >= 2**63:
        return f"an array of shape {list(shape)}, which numpy cannot count"
    return None


def check_room(shape: Sequence[int], item: int) -> None:
    """Raise `NoRoom` if an array of this shape does not fit."""
    if (lack := lack_of_room(shape, item)) is not None:
        raise NoRoom(lack)


def lack_for(op: Operation) -> str | None:
    """Why a new tensor or vector that an op makes does not fit; or None."""
    if isinstance(op, _VIEWS):
        return None
    for of in op.result_types:
        found = _lack_of(of)
        if found is not None:
            return found
    return None


def _lack_of(of: Attribute) -> str | None:
    if not (is_tensor(of) or is_vector(of)):
        return None
    sizes = [1 if size == DYNAMIC_INDEX else size for size in of.get_shape()]
    return lack_of_room(sizes, item_size(of))


def item_size(of: Attribute) -> int:
    """The bytes of an element; 1 for elements that numpy does not have."""
    try:
        return element(of).byte_width
    except UserError:
        return 1


def in_words(count: int) -> str:
    """`3.6 TiB`."""
    size, units = float(count), ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"]
    while size >= 1024 and len(units) > 1:
        size /= 1024
        units.pop(0)
    return f"{size:.3g} {units[0]}"
