"""Buffers that are known to be the same memory."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.ir.dialects.tensor import Slice
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import buffer_type, is_buffer, is_tensor

Known = tuple[tuple[SSAValue | int, ...], ...]


class Places:
    """Traces views back to the underlying memory."""

    def __init__(self) -> None:
        self._same: dict[SSAValue, SSAValue] = {}
        """For a view of all elements in order: its source."""
        self._casts: dict[SSAValue, SSAValue] = {}
        """For a view that also has the same indices: its source."""
        self._parts: dict[SSAValue, tuple[SSAValue, Known]] = {}
        """For a subview: its source, and the part."""

    def note_cast(self, view: SSAValue, buffer: SSAValue) -> None:
        """Record a cast of a buffer."""
        self._same[view] = self._casts[view] = buffer

    def note_reshape(self, view: SSAValue, buffer: SSAValue) -> None:
        """Record a view of all elements of a buffer, in order."""
        self._same[view] = buffer

    def note_part(self, view: SSAValue, buffer: SSAValue, part: Slice) -> None:
        """Record a view of a part of a buffer."""
        if is_all_of(part, buffer):
            self._same[view] = buffer
        else:
            self._parts[view] = (buffer, _known(part))

    def home(self, buffer: SSAValue) -> SSAValue:
        """The buffer that a view of all elements is a view of."""
        while buffer in self._same:
            buffer = self._same[buffer]
        return buffer

    def are_same(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether two buffers of one size are known to be the same memory."""
        mine, its = self.home(one), self.home(other)
        if mine is its:
            return True
        if mine not in self._parts or its not in self._parts:
            return False
        (left, part), (right, other_part) = self._parts[mine], self._parts[its]
        return part == other_part and self._is_indexed_alike(left, right)

    def holds(self, buffer: SSAValue, part: Slice, tile: SSAValue) -> bool:
        """Whether a tile's buffer is that part of `buffer` already."""
        home = self.home(tile)
        if is_all_of(part, buffer) and home is self.home(buffer):
            return True
        if home not in self._parts:
            return False
        whole, which = self._parts[home]
        return which == _known(part) and self._is_indexed_alike(whole, buffer)

    def _is_indexed_alike(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether two buffers are the same memory, with the same indices."""
        while one in self._casts:
            one = self._casts[one]
        while other in self._casts:
            other = self._casts[other]
        if one is other:
            return True
        left, right = buffer_type(one).get_shape(), buffer_type(other).get_shape()
        is_known = left == right and DYNAMIC_INDEX not in left
        return is_known and self.are_same(one, other)


def is_all_of(part: Slice, whole: SSAValue) -> bool:
    """Whether a slice is all of a tensor, or of a buffer, of known shape."""
    offsets, sizes, strides = _known(part)
    kind = whole.type
    return (
        (is_buffer(kind) or is_tensor(kind))
        and all(offset == 0 for offset in offsets)
        and all(stride == 1 for stride in strides)
        and sizes == kind.get_shape()
    )


def _known(part: Slice) -> Known:
    """A slice with constants as numbers."""
    return tuple(tuple(map(known, entries)) for entries in part)


def known(value: SSAValue | int) -> SSAValue | int:
    """The number of a constant; other values stay."""
    number = constant_int(value)
    return value if number is None else number
