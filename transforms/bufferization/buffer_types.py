"""The types of buffers: of whole tensors, and of parts of buffers."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.dialects.tensor import Slice
from tilewright.ir.types import buffer_type as type_of_buffer
from tilewright.ir.types import is_tensor


def buffer_type(type_: Attribute) -> Attribute:
    """What a type becomes: a tensor a buffer with identity layout."""
    return identity_type(type_) if is_tensor(type_) else type_


def identity_type(type_: TensorType[Attribute]) -> MemRefType[Attribute]:
    """The buffer of a tensor, row-major and without gaps."""
    return MemRefType(type_.element_type, type_.get_shape())


def _strides(type_: MemRefType[Attribute]) -> list[int | None]:
    if isinstance(type_.layout, StridedLayoutAttr):
        return list(type_.layout.get_strides())
    strides: list[int | None] = []
    running: int | None = 1
    for size in reversed(type_.get_shape()):
        strides.insert(0, running)
        running = None if running is None or size == DYNAMIC_INDEX else running * size
    return strides


def subview_type(buffer: SSAValue, part: Slice) -> MemRefType[Attribute]:
    """The strided type of a part of a buffer, static where it can be."""
    source = type_of_buffer(buffer)
    offsets, sizes, steps = part
    strides = _strides(source)
    offset = (
        source.layout.get_offset()
        if isinstance(source.layout, StridedLayoutAttr)
        else 0
    )
    new_strides: list[int | None] = []
    for at, step, stride in zip(offsets, steps, strides, strict=True):
        if at == 0:
            pass  # adds nothing, whatever the stride
        elif isinstance(at, int) and stride is not None and offset is not None:
            offset += at * stride
        else:
            offset = None
        new_strides.append(
            stride * step if isinstance(step, int) and stride is not None else None
        )
    layout = StridedLayoutAttr(
        [NoneAttr() if s is None else IntAttr(s) for s in new_strides],
        NoneAttr() if offset is None else IntAttr(offset),
    )
    shape = [s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes]
    return MemRefType(source.element_type, shape, layout)
