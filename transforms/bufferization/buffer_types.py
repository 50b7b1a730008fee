"""The types of buffers: of whole tensors, and of views of buffers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.dialects.memref import layout_of
from tilewright.ir.dialects.memref.layouts import Layout, may_be, sizes_of
from tilewright.ir.dialects.memref.subview import windowed
from tilewright.ir.dialects.tensor import Slice, dropped_dims
from tilewright.ir.types import buffer_type as type_of_buffer
from tilewright.ir.types import is_buffer, is_tensor

Numbers: TypeAlias = tuple[int | None, ...]
"""Extents, or offsets; None where the value is known only at run time."""


def buffer_type(type_: Attribute) -> Attribute:
    """Convert a tensor type to a buffer with identity layout; other types stay."""
    return identity_type(type_) if is_tensor(type_) else type_


def identity_type(
    type_: TensorType[Attribute], space: Attribute | None = None
) -> MemRefType[Attribute]:
    """The buffer type of a tensor, row-major and contiguous."""
    shape = type_.get_shape()
    return MemRefType(type_.element_type, shape, memory_space=space or NoneAttr())


def dynamic_type(
    type_: TensorType[Attribute], space: Attribute | None = None
) -> MemRefType[Attribute]:
    """The buffer type of a tensor with any strides and offset."""
    strides = [None] * type_.get_num_dims()
    layout = StridedLayoutAttr(strides, None)
    shape = type_.get_shape()
    return MemRefType(type_.element_type, shape, layout, space or NoneAttr())


def has_identity_layout(type_: MemRefType[Attribute]) -> bool:
    """Whether the type says that elements are row-major and contiguous."""
    return isinstance(type_.layout, NoneAttr)


def subview_type(
    buffer: SSAValue, part: Slice, shape: Sequence[int]
) -> MemRefType[Attribute]:
    """The strided type of a part of a buffer, without the dimensions `shape` drops."""
    offsets, sizes, steps = (
        tuple([entry if isinstance(entry, int) else None for entry in entries])
        for entries in part
    )
    return _part_type(type_of_buffer(buffer), offsets, sizes, steps, tuple(shape))


@lru_cache(maxsize=4096)
def _part_type(
    source: MemRefType[Attribute],
    offsets: Numbers,
    sizes: Numbers,
    steps: Numbers,
    shape: tuple[int, ...],
) -> MemRefType[Attribute]:
    """The type of a part: tiles of equal grids have equal types."""
    layout = layout_of(source)
    assert layout is not None
    window = windowed(layout, offsets, steps)
    static = [DYNAMIC_INDEX if size is None else size for size in sizes]
    dropped = dropped_dims(static, shape)
    assert dropped is not None
    kept = [dim for dim in range(len(static)) if dim not in dropped]
    return MemRefType(
        source.element_type,
        [static[dim] for dim in kept],
        StridedLayoutAttr([window.strides[dim] for dim in kept], window.offset),
        source.memory_space,
    )


def is_held_by(buffer: SSAValue, target: Attribute) -> bool:
    """Whether a buffer has a type, or can be cast to it without assumptions."""
    source = type_of_buffer(buffer)
    if source == target:
        return True
    if (
        not is_buffer(target)
        or source.memory_space != target.memory_space
        or not all(map(may_be, sizes_of(source), sizes_of(target)))
    ):
        return False
    have, want = layout_of(source), layout_of(target)
    if have is None or want is None:
        return False
    return all(
        wanted is None or wanted == given
        for given, wanted in zip(_numbers(have), _numbers(want), strict=True)
    )


def _numbers(layout: Layout) -> Numbers:
    return (*layout.strides, layout.offset)
