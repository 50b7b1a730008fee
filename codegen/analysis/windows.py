"""Windows of a buffer as strided sets of elements of its memory.

A window is independent of the shape that the buffer is seen in: a part of a reshaped
buffer and a part of the buffer itself can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.memref import groups_of, layout_of
from tilewright.ir.types import buffer_type


@dataclass(frozen=True)
class Window:
    """Element (i, j, ...) lies at `offset + i * strides[0] + j * strides[1] + ...`."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    @property
    def long_dims(self) -> list[int]:
        """The dimensions with more than one element."""
        return [dim for dim, size in enumerate(self.sizes) if size != 1]

    @property
    def end(self) -> int:
        """One past its last element."""
        steps = zip(self.sizes, self.strides, strict=True)
        return self.offset + sum((size - 1) * step for size, step in steps) + 1


def window_of(value: SSAValue) -> Window | None:
    """The window that a value's type tells; None if a number of it is not static."""
    of = buffer_type(value)
    layout = layout_of(of)
    if layout is None or layout.offset is None or DYNAMIC_INDEX in of.get_shape():
        return None
    strides = [stride for stride in layout.strides if stride is not None]
    if len(strides) != len(layout.strides) or any(stride < 0 for stride in strides):
        return None
    return Window(tuple(of.get_shape()), tuple(strides), layout.offset)


def are_disjoint(one: Window, other: Window) -> bool:
    """Whether two windows of a buffer surely have no element in common.

    They are if they lie in different parts of every period: rows of a buffer repeat
    with the stride of its rows, and the windows of two column ranges do not meet.
    """
    if one.end <= other.offset or other.end <= one.offset:
        return True
    periods = {stride for window in (one, other) for stride in window.strides}
    for period in periods:
        first, second = _in_period(one, period), _in_period(other, period)
        if first is not None and second is not None:
            apart = first[1] <= second[0] or second[1] <= first[0]
            if apart:
                return True
    return False


def _in_period(window: Window, period: int) -> tuple[int, int] | None:
    """Where a window lies in each period, from and to; None if it crosses one."""
    if period <= 0:
        return None
    start = end = window.offset % period
    for dim in window.long_dims:
        size, stride = window.sizes[dim], window.strides[dim]
        if stride % period:
            end += (size - 1) * stride
    return (start, end + 1) if end < period else None


def through_reshape(
    op: memref.ExpandShapeOp | memref.CollapseShapeOp, window: Window
) -> Window | None:
    """The window of a reshape's source, given that of its result.

    None if the elements that the source has side by side would lie apart.
    """
    merges = isinstance(op, memref.ExpandShapeOp)
    return _regrouped(op, window, buffer_type(op.src).get_shape(), merges=merges)


def reshaped(
    op: memref.ExpandShapeOp | memref.CollapseShapeOp, window: Window
) -> Window | None:
    """The window of a reshape's result, given that of its source."""
    merges = isinstance(op, memref.CollapseShapeOp)
    return _regrouped(op, window, buffer_type(op.result).get_shape(), merges=merges)


def _regrouped(
    op: memref.ExpandShapeOp | memref.CollapseShapeOp,
    window: Window,
    sizes: Sequence[int],
    *,
    merges: bool,
) -> Window | None:
    """A window whose dimensions are merged by a reshape's groups, or cut by them."""
    strides = [0] * len(sizes)
    groups = groups_of(op.reassociation)
    if merges:
        for dim, group in enumerate(groups):
            merged = _merged(window, group)
            if merged is None:
                return None
            strides[dim] = merged
    else:
        for stride, group in zip(window.strides, groups, strict=True):
            for dim in reversed(group):
                strides[dim] = stride
                stride *= sizes[dim]
    return Window(tuple(sizes), tuple(strides), window.offset)


def _merged(window: Window, group: Sequence[int]) -> int | None:
    """The stride of several dimensions as one; None if they lie apart."""
    long = [dim for dim in group if window.sizes[dim] != 1]
    for outer, inner in zip(long, long[1:], strict=False):
        step = window.strides[inner] * window.sizes[inner]
        if window.strides[outer] != step:
            return None
    return window.strides[long[-1]] if long else 1


@dataclass(frozen=True)
class Placed:
    """A window as a part of its whole buffer in some shape."""

    shape: tuple[int, ...]
    starts: tuple[int, ...]
    steps: tuple[int, ...]

    @property
    def has_gaps(self) -> bool:
        """Whether neighbours of the window are no neighbours in memory."""
        return any(step != 1 for step in self.steps)


def placed(window: Window, elements: int) -> Placed | None:
    """The shape of a buffer of so many elements in which a window is a slice.

    Each dimension of the window is a part of one dimension of the buffer, the last one
    in steps. None if there is no such shape.
    """
    long = window.long_dims
    if not long:
        return None
    shape = [1] * len(window.sizes)
    starts = [0] * len(window.sizes)
    steps = [1] * len(window.sizes)
    steps[long[-1]] = window.strides[long[-1]]
    around, rest = elements, window.offset
    for dim in long:
        unit = window.strides[dim] // max(steps[dim], 1)
        if unit == 0 or around % unit:
            return None
        shape[dim] = around // unit
        starts[dim], rest = divmod(rest, unit)
        if starts[dim] + (window.sizes[dim] - 1) * steps[dim] >= shape[dim]:
            return None
        around = unit
    assert math.prod(shape) == elements and rest == 0
    return Placed(tuple(shape), tuple(starts), tuple(steps))
