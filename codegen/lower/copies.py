"""Copies of the launcher: of whole buffers, and between windows at static offsets."""

from __future__ import annotations

from tilewright.codegen.analysis.copied_windows import CopiedWindow, copied_window
from tilewright.codegen.analysis.elements.views import same_window, view_of
from tilewright.codegen.lower.launcher_block import LauncherBlock
from tilewright.ir.dialects.kernel import CopyWindowOp
from tilewright.ir.dialects.memref import CopyOp


def lower_copy(op: CopyOp, launcher: LauncherBlock) -> None:
    """Add a copy to the launcher, unless it copies a window to itself."""
    views = (view_of(value, launcher.indices) for value in (op.source, op.target))
    source, target = views
    if same_window(source, target):
        return
    windows = copied_window(op.source, source), copied_window(op.target, target)
    if windows[0] is not None and windows[1] is not None:
        _copy_window(op, windows[0], windows[1], launcher)
        return
    launcher.add(
        CopyOp(launcher.buffer(op.source, op), launcher.buffer(op.target, op)), op
    )


def _copy_window(
    op: CopyOp, source: CopiedWindow, target: CopiedWindow, launcher: LauncherBlock
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
