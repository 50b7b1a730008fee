"""Copies of the launcher: of whole buffers, and between windows at static offsets."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.reshapes import reshape_of, without_casts
from tilewright.codegen.analysis.elements.views import (
    View,
    buffer_type,
    same_window,
    view_of,
)
from tilewright.codegen.lower.launcher_block import LauncherBlock
from tilewright.ir.dialects.kernel import CopyWindowOp
from tilewright.ir.dialects.memref import CopyOp


def lower_copy(op: CopyOp, launcher: LauncherBlock) -> None:
    """Add a copy to the launcher, unless it copies a window to itself."""
    views = (view_of(value, launcher.indices) for value in (op.source, op.target))
    source, target = views
    if same_window(source, target):
        return
    windows = _window(op.source, source), _window(op.target, target)
    if windows[0] is not None and windows[1] is not None:
        _copy_window(op, windows[0], windows[1], launcher)
        return
    launcher.add(
        CopyOp(launcher.buffer(op.source, op), launcher.buffer(op.target, op)), op
    )


def _copy_window(
    op: CopyOp, source: _Window, target: _Window, launcher: LauncherBlock
) -> None:
    """A copy between windows at static offsets."""
    bases = launcher.buffer(source.base, op), launcher.buffer(target.base, op)
    if source.is_whole and target.is_whole:
        launcher.add(CopyOp(*bases), op)
        return
    made = CopyWindowOp(
        bases[0], source.starts, bases[1], target.starts, source.extents
    )
    launcher.add(made, op)


@dataclass(frozen=True)
class _Window:
    """A part of a buffer at static offsets."""

    base: SSAValue
    starts: list[int]
    extents: list[int]

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole buffer."""
        shape = buffer_type(self.base).get_shape()
        return not any(self.starts) and tuple(self.extents) == shape


def _window(value: SSAValue, view: View) -> _Window | None:
    """The window that a value is; None if its place is known only at run time."""
    if _fixed(view):
        starts = [start.constant for start in view.starts]
        return _Window(view.base, starts, [size.constant for (size,) in view.sizes])
    plain = without_casts(value)
    shape = buffer_type(plain).get_shape()
    if reshape_of(plain) is None or DYNAMIC_INDEX in shape:
        return None
    return _Window(plain, [0] * len(shape), list(shape))


def _fixed(view: View) -> bool:
    """Whether a window has all dimensions, static offsets and static sizes."""
    rank = len(view.starts)
    return (
        view.dims == tuple(range(rank))
        and view.steps == (1,) * rank
        and all(start.is_constant for start in view.starts)
        and all(len(size) == 1 and size[0].is_constant for size in view.sizes)
    )
