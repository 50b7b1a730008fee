"""The Python text of a window of a tensor: `x[8:16, :, 3]`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.tensor import dropped_dims


def window_text(name: str, window: Sequence[slice | int], shape: Sequence[int]) -> str:
    """A window of a tensor: a range of places along each dimension, or one place."""
    parts = [_part(part, size) for part, size in zip(window, shape, strict=True)]
    while parts and parts[-1] == ":":
        parts.pop()
    return f"{name}[{', '.join(parts)}]" if parts else name


def subview_text(name: str, op: memref.SubviewOp) -> str:
    """A window at static offsets, whose steps are 1."""
    source, result = op.source.type, op.result.type
    assert isinstance(source, MemRefType) and isinstance(result, MemRefType)
    starts, sizes = op.static_offsets.get_values(), op.static_sizes.get_values()
    dropped = dropped_dims(sizes, result.get_shape()) or ()
    window = [
        start if dim in dropped else slice(start, start + size)
        for dim, (start, size) in enumerate(zip(starts, sizes, strict=True))
    ]
    return window_text(name, window, source.get_shape())


def _part(part: slice | int, size: int) -> str:
    """`8:16`, `:16` from the start, `:` for all, or `3`."""
    if isinstance(part, int):
        return str(part)
    if (part.start, part.stop) == (0, size):
        return ":"
    return f"{part.start or ''}:{part.stop}"
