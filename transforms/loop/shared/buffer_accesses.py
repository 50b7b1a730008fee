"""Accesses to buffers in a loop, and whether two iterations may conflict.

Tensors are values: uses show all dependences. Buffers are memory: iterations may be
reordered only if no iteration writes what another one reads or writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.traits import (
    IsTerminator,
    MemoryEffectKind,
    RecursiveMemoryEffect,
    get_effects,
)

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.affine import LoadOp, VectorLoadOp, VectorStoreOp
from tilewright.ir.dialects.affine.accesses import AffineAccess
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.dialects.unregistered import UnregisteredOp
from tilewright.ir.dialects.vector import TransferReadOp, TransferWriteOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.linear import Linear
from tilewright.ir.indexing.ranges import linear_of
from tilewright.ir.types import buffer_type, is_buffer
from tilewright.transforms.core.extents import Extent


@dataclass(frozen=True)
class Index:
    """A loop's index, and its smallest step."""

    value: SSAValue
    step: int


@dataclass(frozen=True)
class Access:
    """One op that accesses a buffer, and the accessed part as far as it is known."""

    op: Operation
    buffer: SSAValue | None
    """The buffer as allocated or passed in; None if it may be any buffer."""
    writes: bool
    offsets: tuple[Extent, ...] = ()
    sizes: tuple[Extent, ...] = ()

    def reach(self, dim: int, index: Index) -> tuple[int, int] | None:
        """The range that it accesses along a dimension, relative to the index."""
        if dim >= len(self.offsets):
            return None
        start = _distance(self.offsets[dim], index.value)
        size = constant_int(self.sizes[dim])
        if start is None or size is None or size < 0:
            return None
        return start, start + size


def _distance(offset: Extent, index: SSAValue) -> int | None:
    """The constant distance from an index to an offset."""
    distance = linear_of(offset) - Linear({index: 1})
    return distance.constant if distance.is_constant else None


def accesses_in(root: Operation) -> list[Access]:
    """Every access in `root` to a buffer from outside."""
    found = [access for op in root.walk() for access in _accesses(op)]
    return [
        access
        for access in found
        if access.buffer is None or not root.is_ancestor(access.buffer.owner)
    ]


def conflict(accesses: Iterable[tuple[Access, Sequence[Index]]]) -> Access | None:
    """An access that two different iterations may make to the same element.

    Each access comes with the indices of the loops around it, in the same order.
    """
    by_buffer: dict[SSAValue, list[tuple[Access, Sequence[Index]]]] = {}
    for access, indices in accesses:
        if access.buffer is None:
            return access
        by_buffer.setdefault(access.buffer, []).append((access, indices))
    for group in by_buffer.values():
        writes = [access for access, _ in group if access.writes]
        if writes and not _stay_apart(group):
            return writes[0]
    return None


def _stay_apart(group: Sequence[tuple[Access, Sequence[Index]]]) -> bool:
    """Whether, for each loop, some dimension keeps all accesses apart."""
    rank = min(len(access.offsets) for access, _ in group)
    return all(
        any(_is_apart(group, position, dim) for dim in range(rank))
        for position in range(len(group[0][1]))
    )


def _is_apart(
    group: Sequence[tuple[Access, Sequence[Index]]], position: int, dim: int
) -> bool:
    """Whether the accesses of one iteration along a dimension fit into a step."""
    parts = [access.reach(dim, indices[position]) for access, indices in group]
    known = [part for part in parts if part is not None]
    step = min(indices[position].step for _, indices in group)
    if len(known) != len(parts):
        return False
    return max(end for _, end in known) - min(start for start, _ in known) <= step


def _accesses(op: Operation) -> list[Access]:
    """The accesses that an op itself makes, nested ones not counted."""
    if op.has_trait(RecursiveMemoryEffect) or op.has_trait(IsTerminator):
        return []
    if isinstance(op, ParallelInsertSliceOp):
        return []  # it only yields a value
    if isinstance(op, UnregisteredOp):
        # As upstream, assume that it touches only the buffers that it takes.
        return [access for v in op.operands for access in _whole(op, v, writes=True)]
    if isinstance(op, TransferReadOp | TransferWriteOp):
        if not is_buffer(op.source.type):
            return []
        writes = isinstance(op, TransferWriteOp)
        sizes = _transfer_sizes(op)
        return _of_buffer(op, op.source, writes, op.indices, sizes)
    if isinstance(op, AffineAccess):
        return _of_map(op)
    if (known := _SCALARS.get(op.name)) is not None:
        buffer, writes = op.operands[known], bool(known)
        indices = op.operands[known + 1 :]
        return _of_buffer(op, buffer, writes, indices, [1] * len(indices))
    if isinstance(op, StructuredOp | memref.CopyOp):
        split = len(op.inputs) if isinstance(op, StructuredOp) else 1
        return [
            access
            for position, operand in enumerate(op.operands)
            for access in _whole(op, operand, position >= split)
        ]
    effects = get_effects(op)
    if effects is None:
        return [Access(op, None, writes=True)]
    found: list[Access] = []
    for effect in effects:
        if effect.kind is MemoryEffectKind.ALLOC:
            continue
        writes = effect.kind is not MemoryEffectKind.READ
        touched = [effect.value] if effect.value is not None else op.operands
        buffers = [v for v in touched if isinstance(v, SSAValue) and is_buffer(v.type)]
        if not buffers:
            return [Access(op, None, writes=True)]
        found += [access for v in buffers for access in _whole(op, v, writes)]
    return found


def _of_map(op: AffineAccess) -> list[Access]:
    """An access at a map's results; only plain indices are known."""
    is_vector = isinstance(op, VectorLoadOp | VectorStoreOp)
    plain = [
        op.indices[expr.position]
        if isinstance(expr, AffineDimExpr) and not is_vector
        else None
        for expr in op.map.data.results
    ]
    return _of_buffer(
        op,
        op.memref,
        not isinstance(op, LoadOp | VectorLoadOp),
        [0 if value is None else value for value in plain],
        [-1 if value is None else 1 for value in plain],
    )


def _whole(op: Operation, buffer: SSAValue, writes: bool) -> list[Access]:
    """An access to a whole buffer or view, if the value is one."""
    if not is_buffer(buffer.type):
        return []
    shape = buffer_type(buffer).get_shape()
    sizes = [size if size != DYNAMIC_INDEX else -1 for size in shape]
    return _of_buffer(op, buffer, writes, [0] * len(shape), sizes)


_SCALARS = {"memref.load": 0, "memref.store": 1}
"""Ops on one element, with the operand number of the buffer; indices follow."""


def _of_buffer(
    op: Operation,
    buffer: SSAValue,
    writes: bool,
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
) -> list[Access]:
    """An access through views as an access to the underlying buffer."""
    place: tuple[Sequence[Extent], Sequence[Extent]] | None = offsets, sizes
    while isinstance(view := buffer.owner, Operation) and view.name in _VIEWS:
        place = None if place is None else _through(view, *place)
        buffer = view.operands[0]
    if place is None:
        return [Access(op, buffer, writes)]
    return [Access(op, buffer, writes, tuple(place[0]), tuple(place[1]))]


_VIEWS = {
    "memref.subview",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.transpose",
    "memref.view",
}


def is_view(op: Operation) -> bool:
    """Whether an op makes a view of its first operand."""
    return op.name in _VIEWS


def origin_of(buffer: SSAValue) -> SSAValue:
    """The buffer underlying a view."""
    while isinstance(view := buffer.owner, Operation) and view.name in _VIEWS:
        buffer = view.operands[0]
    return buffer


def _through(
    view: Operation, offsets: Sequence[Extent], sizes: Sequence[Extent]
) -> tuple[Sequence[Extent], Sequence[Extent]] | None:
    """A part of a view as a part of its source; None if it is unknown."""
    if view.name == "memref.cast":
        return offsets, sizes
    if not isinstance(view, memref.SubviewOp):
        return None
    starts = mixed(view.static_offsets, view.offsets)
    extents = mixed(view.static_sizes, view.sizes)
    if len(starts) != len(offsets) or set(view.static_strides.get_values()) != {1}:
        return None
    parts = [
        _dimension(*dim) for dim in zip(starts, extents, offsets, sizes, strict=True)
    ]
    return [offset for offset, _ in parts], [size for _, size in parts]


def _dimension(
    start: Extent, extent: Extent, offset: Extent, size: Extent
) -> tuple[Extent, Extent]:
    """One dimension of a part of a view; exact if one of the offsets is 0."""
    if constant_int(start) == 0:
        return offset, size
    if constant_int(offset) == 0:
        return start, size
    return start, extent


def _transfer_sizes(op: TransferReadOp | TransferWriteOp) -> list[Extent]:
    """The number of elements of a transfer along each dimension of its buffer."""
    vector = op.result.type if isinstance(op, TransferReadOp) else op.vector.type
    assert isinstance(vector, VectorType)
    map_ = op.permutation_map.data
    sizes: list[Extent] = [1] * map_.num_dims
    for expr, extent in zip(map_.results, vector.get_shape(), strict=True):
        if isinstance(expr, AffineDimExpr):
            sizes[expr.position] = extent if extent != DYNAMIC_INDEX else -1
    return sizes
