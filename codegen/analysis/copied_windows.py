"""Which copies the launcher can do: of whole buffers, and of windows without gaps."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.indices import Indices
from tilewright.codegen.analysis.elements.reshapes import (
    is_whole,
    reshape_of,
    without_casts,
)
from tilewright.codegen.analysis.elements.views import View, same_window, view_of
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.types import buffer_type


@dataclass(frozen=True)
class CopiedWindow:
    """A part of a buffer at static offsets."""

    base: SSAValue
    starts: list[int]
    extents: list[int]

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole buffer."""
        shape = buffer_type(self.base).get_shape()
        return not any(self.starts) and tuple(self.extents) == shape


def copied_window(value: SSAValue, view: View) -> CopiedWindow | None:
    """The window that a value is; None if its place is known only at run time."""
    if _is_fixed(view):
        starts = [start.constant for start in view.starts]
        extents = [size.constant for (size,) in view.sizes]
        return CopiedWindow(view.base, starts, extents)
    plain = without_casts(value)
    shape = buffer_type(plain).get_shape()
    if reshape_of(plain) is None or DYNAMIC_INDEX in shape:
        return None
    return CopiedWindow(plain, [0] * len(shape), list(shape))


def is_launcher_copy(op: CopyOp) -> bool:
    """Whether the launcher can do a copy, or need not do it."""
    if all(is_whole(without_casts(value)) for value in (op.source, op.target)):
        return True
    indices = Indices()
    source, target = (view_of(value, indices) for value in (op.source, op.target))
    if same_window(source, target):
        return True
    return (
        copied_window(op.source, source) is not None
        and copied_window(op.target, target) is not None
    )


def _is_fixed(view: View) -> bool:
    """Whether a window has all dimensions, static offsets and static sizes."""
    rank = len(view.starts)
    return (
        view.dims == tuple(range(rank))
        and view.steps == (1,) * rank
        and all(start.is_constant for start in view.starts)
        and all(len(size) == 1 and size[0].is_constant for size in view.sizes)
    )
