"""Elements of temporaries that nothing reads: a store may write them.

A copy with padded rows is a window on a wider buffer (`transforms/.../pad_rows.py`):

    %wide = memref.alloc() : memref<8x512xf16>
    %rows = memref.subview %wide[0, 0] [8, 509] [1, 1] : ...

The columns from 509 on are spare. A store whose mask ends at column 509 may end at 512:
Triton then stores whole groups of 16 bytes.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.atoms import Linear
from tilewright.codegen.analysis.elements.views import Access, Bound
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.types import buffer_type


def may_write_spare(access: Access) -> Access:
    """A store without the bounds that only protect spare elements."""
    used = used_extents(access.base)
    if used is None:
        return access
    bounds = [_relaxed(access, bound, used[bound.dim]) for bound in access.bounds]
    return replace(access, bounds=tuple(b for b in bounds if b is not None))


def _relaxed(access: Access, bound: Bound, used: int) -> Bound | None:
    """A bound that ends with the buffer, not with what is used of it."""
    limit, size = access.limit_in_base(bound), access.sizes[bound.dim]
    if limit != Linear({}, used) or not size.is_constant:
        return bound
    if access.steps[bound.dim] != 1:
        return bound
    wider = bound.limit + Linear({}, size.constant - used)
    tile = 1 if bound.lane is None else access.shape[bound.lane]
    return None if wider.low >= tile else replace(bound, limit=wider)


def used_extents(base: SSAValue) -> tuple[int, ...] | None:
    """The extents that all windows on a temporary lie in; None if all is used."""
    if not isinstance(base.owner, memref.AllocOp):
        return None
    shape = buffer_type(base).get_shape()
    used = [0] * len(shape)
    for use in base.uses:
        op = use.operation
        if isinstance(op, memref.DeallocOp):
            continue
        if not isinstance(op, memref.SubviewOp):
            return None
        offsets = mixed(op.static_offsets, op.offsets)
        sizes = mixed(op.static_sizes, op.sizes)
        strides = mixed(op.static_strides, op.strides)
        if any(offset != 0 for offset in offsets) or any(s != 1 for s in strides):
            return None
        for dim, size in enumerate(sizes):
            if not isinstance(size, int):
                return None
            used[dim] = max(used[dim], size)
    if DYNAMIC_INDEX in shape or tuple(used) == tuple(shape):
        return None
    return tuple(used)
