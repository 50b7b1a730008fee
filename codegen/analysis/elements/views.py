"""The elements that a transfer accesses: subviews become offsets in a base buffer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from tilewright.codegen.analysis.elements.atoms import Linear
from tilewright.codegen.analysis.elements.indices import Indices
from tilewright.codegen.analysis.elements.reshapes import is_base
from tilewright.codegen.analysis.elements.tiles import kept_dims, tile_shape
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import memref, vector
from tilewright.ir.dialects.memref import groups_of
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.types import buffer_type

Buffer = MemRefType[Any]


@dataclass(frozen=True)
class View:
    """A window on a base buffer."""

    base: SSAValue
    starts: tuple[Linear, ...]
    """Where the window begins, along each dimension of the base."""
    dims: tuple[int, ...]
    """Which dimension of the base each dimension of the window is."""
    sizes: tuple[tuple[Linear, ...], ...]
    """Extent of each dimension of the window, as the minimum of linear forms."""
    steps: tuple[int, ...]
    """The distance of neighbours along a dimension of the window, in the base."""


@dataclass(frozen=True)
class Bound:
    """A mask along a dimension of the base: only lanes below the limit are on."""

    dim: int
    lane: int | None
    """The tile's dimension; None where the tile has one element along this one."""
    limit: Linear


@dataclass(frozen=True)
class Access:
    """A tile that is read or written: its place in its base buffer and its mask."""

    op: Operation
    base: SSAValue
    sizes: tuple[Linear, ...]
    """The base buffer's extents."""
    starts: tuple[Linear, ...]
    lanes: tuple[int | None, ...]
    """Which dimension of the tile walks along each dimension of the base, if any."""
    shape: tuple[int, ...]
    """The shape of the tile, which has no dimensions of size one."""
    tile_dims: tuple[int, ...]
    """The dimension of the payload's vector that each dimension of the tile is."""
    bounds: tuple[Bound, ...]
    mask: SSAValue | None
    """A mask that `bounds` cannot express, in the order of the base's dimensions."""
    steps: tuple[int, ...]
    """The distance of neighbouring lanes along each dimension of the base."""

    @property
    def buffer(self) -> Buffer:
        """The base buffer's type."""
        return buffer_type(self.base)

    def starts_up_to(self, level: int) -> tuple[Linear, ...]:
        """The starts without the terms of loops deeper than `level`."""
        return tuple(start.up_to(level) for start in self.starts)

    def limit_in_base(self, bound: Bound) -> Linear:
        """The bound as a limit on the index in the base buffer."""
        step, size = self.steps[bound.dim], self.sizes[bound.dim]
        # One past the last lane; any limit up to the next lane masks the same lanes.
        limit = self.starts[bound.dim] + bound.limit * step - Linear({}, step - 1)
        spare = size - limit
        return size if spare.is_constant and 0 <= spare.constant < step else limit

    def reach(self, dim: int) -> int:
        """How many elements of the base the tile spans along a dimension."""
        lane = self.lanes[dim]
        return 1 if lane is None else (self.shape[lane] - 1) * self.steps[dim] + 1

    def flattened(self) -> Access:
        """The access to the same elements, with fewer dimensions of the base.

        Single indices in front of a last dimension that the tile takes whole become
        one dimension with it, in a base whose elements lie one behind the other:
        `[b, m, h, 0]` in BxMxHx64 is `[b, m, 64 * h]` in BxMx(H*64).
        """
        rank = len(self.lanes)
        first = rank - 1
        while first and self.lanes[first - 1] is None:
            first -= 1
        lane = self.lanes[-1] if rank else None
        is_whole = (
            lane is not None
            and self.starts[-1] == Linear()
            and self.sizes[-1] == Linear({}, self.shape[lane])
            and all(size.is_constant for size in self.sizes[first:])
            and isinstance(self.buffer.layout, NoneAttr)
            and all(bound.dim < first for bound in self.bounds)
        )
        if first in (0, rank - 1) or not is_whole:
            return self
        start, width = Linear(), 1
        for place in reversed(range(first, rank)):
            start += self.starts[place] * width
            width *= self.sizes[place].constant
        return replace(
            self,
            sizes=(*self.sizes[:first], Linear({}, width)),
            starts=(*self.starts[:first], start),
            lanes=(*self.lanes[:first], lane),
            steps=(*self.steps[:first], self.steps[-1]),
        )

    def permuted(self, order: Sequence[int]) -> Access:
        """The access to the same elements, for a tile with permuted dimensions."""
        lanes = tuple(
            None if lane is None else order.index(lane) for lane in self.lanes
        )
        bounds = tuple(
            bound if bound.lane is None else replace(bound, lane=lanes[bound.dim])
            for bound in self.bounds
        )
        return replace(
            self,
            lanes=lanes,
            shape=tuple(self.shape[lane] for lane in order),
            tile_dims=tuple(self.tile_dims[lane] for lane in order),
            bounds=bounds,
        )


def strides_of(of: Buffer, op: Operation) -> tuple[int | None, ...]:
    """A buffer's strides in elements; None where one is known only at run time.

    Such a stride is the product of the extents of the dimensions further inside.
    """
    if isinstance(of.layout, NoneAttr):
        return tuple(
            None if DYNAMIC_INDEX in inner else math.prod(inner)
            for inner in _tails(of.get_shape())
        )
    strides = of.get_strides()
    offset = of.get_offset()
    if strides is None or None in strides or DYNAMIC_INDEX in strides or offset != 0:
        refuse(
            op,
            f"the buffer {of} has strides known only at run time",
            "bufferize with identity layouts at the function boundary",
        )
    return tuple(strides)


def _tails(shape: Sequence[int]) -> list[Sequence[int]]:
    return [shape[dim + 1 :] for dim in range(len(shape))]


def view_of(value: SSAValue, indices: Indices) -> View:
    """Follow subviews from `value` down to the buffer they are windows on."""
    op = value.owner
    if is_base(value):
        return _whole(value, indices)
    if isinstance(op, memref.SubviewOp):
        return _subview(op, view_of(op.source, indices), indices)
    if isinstance(op, memref.CastOp):
        return view_of(op.source, indices)
    if isinstance(op, memref.ExpandShapeOp):
        return _expanded(op, view_of(op.src, indices), indices)
    if isinstance(op, memref.CollapseShapeOp):
        return _collapsed(op, view_of(op.src, indices))
    return _whole(value, indices)


def _whole(value: SSAValue, indices: Indices) -> View:
    sizes = indices.extents(value)
    rank = len(sizes)
    return View(
        value,
        (Linear(),) * rank,
        tuple(range(rank)),
        tuple((size,) for size in sizes),
        (1,) * rank,
    )


def _expanded(op: memref.ExpandShapeOp, source: View, indices: Indices) -> View:
    """The view of a split dimension: an outer part steps over whole inner parts."""
    shape = buffer_type(op.result).get_shape()
    dims, steps = [0] * len(shape), [1] * len(shape)
    for dim, group in enumerate(groups_of(op.reassociation)):
        step = source.steps[dim]
        for place, part in enumerate(reversed(group), 1):
            dims[part], steps[part] = source.dims[dim], step
            is_open = shape[part] == DYNAMIC_INDEX
            if is_open and any(shape[outer] != 1 for outer in group[:-place]):
                refuse(op, "splits a dimension into inner parts of unknown size")
            # Behind an open part are only parts of size 1, whose index is 0.
            step *= 1 if is_open else shape[part]
    given = iter(op.output_shape)
    sizes = tuple(
        _as_minima(next(given) if size == DYNAMIC_INDEX else size, indices)
        for size in shape
    )
    return replace(source, dims=tuple(dims), sizes=sizes, steps=tuple(steps))


def _collapsed(op: memref.CollapseShapeOp, source: View) -> View:
    """The view of merged dimensions, of which only one may be longer than 1."""
    shape = buffer_type(op.src).get_shape()
    kept: list[int] = []
    for group in groups_of(op.reassociation):
        long = [part for part in group if shape[part] != 1] or [group[-1]]
        if len(long) > 1:
            refuse(
                op,
                "merges dimensions of a part of a buffer, whose elements lie apart",
                "reshape the whole tensor before it is tiled, or tile such that the "
                "inner dimensions stay whole",
            )
        kept += long
    return replace(
        source,
        dims=tuple(source.dims[dim] for dim in kept),
        sizes=tuple(source.sizes[dim] for dim in kept),
        steps=tuple(source.steps[dim] for dim in kept),
    )


def _subview(op: memref.SubviewOp, source: View, indices: Indices) -> View:
    offsets = mixed(op.static_offsets, op.offsets)
    sizes = mixed(op.static_sizes, op.sizes)
    strides = [x for x in mixed(op.static_strides, op.strides) if isinstance(x, int)]
    if len(strides) != len(sizes) or any(stride < 1 for stride in strides):
        refuse(
            op,
            "a subview whose step is no positive number known before it runs",
            "take the elements in a step that is known",
        )
    starts = list(source.starts)
    for dim, step, offset in zip(source.dims, source.steps, offsets, strict=True):
        starts[dim] += _as_linear(offset, indices) * step
    minima = [_as_minima(size, indices) for size in sizes]
    kept = _kept_dims(op, sizes)
    return View(
        source.base,
        tuple(starts),
        tuple(source.dims[dim] for dim in kept),
        tuple(minima[dim] for dim in kept),
        tuple(source.steps[dim] * strides[dim] for dim in kept),
    )


def _kept_dims(op: memref.SubviewOp, sizes: list[SSAValue | int]) -> list[int]:
    """Source dimensions a rank-reducing subview keeps; it drops ones of size 1."""
    result = buffer_type(op.result).get_shape()
    kept: list[int] = []
    for dim, size in enumerate(sizes):
        left = len(sizes) - dim - 1
        position = len(kept)
        may_drop = size == 1 and len(result) - position <= left
        if position < len(result):
            wanted = result[position]
            fits = wanted == size or (
                wanted == DYNAMIC_INDEX and not isinstance(size, int)
            )
            if fits and not (may_drop and wanted != 1):
                kept.append(dim)
                continue
        if size != 1:
            refuse(op, "a subview drops a dimension larger than 1")
    return kept


def _as_linear(value: SSAValue | int, indices: Indices) -> Linear:
    return Linear({}, value) if isinstance(value, int) else indices.offset(value)


def _as_minima(value: SSAValue | int, indices: Indices) -> tuple[Linear, ...]:
    if isinstance(value, int):
        return (Linear({}, value),)
    return indices.minima(value)


def access_of(
    op: vector.TransferReadOp | vector.TransferWriteOp, indices: Indices
) -> Access:
    """The access of a transfer, in terms of its base buffer."""
    if isinstance(op, vector.TransferReadOp):
        source, tile = op.source, op.result.type
    else:
        source, tile = op.source, op.vector.type
    assert isinstance(tile, VectorType)
    if not isinstance(source.type, MemRefType):
        refuse(op, "works on a tensor", "bufferize first")
    view = view_of(source, indices)
    starts = list(view.starts)
    for dim, step, index in zip(view.dims, view.steps, op.indices, strict=True):
        starts[dim] += indices.offset(index) * step
    view_dims = [
        expr.position if isinstance(expr, AffineDimExpr) else None
        for expr in op.permutation_map.data.results
        if isinstance(expr, AffineDimExpr | AffineConstantExpr)
    ]
    limits: list[tuple[int, Linear]] = []
    for lane, view_dim in enumerate(view_dims):
        if view_dim is None or op.in_bounds.data[lane].value.data:
            continue
        index = indices.offset(op.indices[view_dim])
        limits += [(lane, size - index) for size in view.sizes[view_dim]]
    mask = _box(op, view_dims, indices, limits)
    kept = kept_dims(tile)
    lanes: list[int | None] = [None] * len(starts)
    steps = [1] * len(starts)
    bounds: list[Bound] = []
    for lane, view_dim in enumerate(view_dims):
        if view_dim is not None and lane in kept:
            dim = view.dims[view_dim]
            if lanes[dim] is not None:
                refuse(
                    op,
                    "a tile along both parts of a dimension that was split",
                    "tile the outer part by 1",
                )
            lanes[dim], steps[dim] = kept.index(lane), view.steps[view_dim]
    for lane, limit in limits:
        view_dim = view_dims[lane]
        assert view_dim is not None
        dim = view.dims[view_dim]
        if lanes[dim] is None and view.steps[view_dim] != 1 and limit.low < 1:
            refuse(op, "a mask along the outer part of a dimension that was split")
        bound = Bound(dim, lanes[dim], limit)
        # Bounds that hold for every lane need no mask.
        if limit.low < tile.get_shape()[lane] and bound not in bounds:
            bounds.append(bound)
    return Access(
        op,
        view.base,
        indices.extents(view.base),
        tuple(starts),
        tuple(lanes),
        tile_shape(tile),
        kept,
        tuple(bounds),
        mask,
        tuple(steps),
    )


def _box(
    op: vector.TransferReadOp | vector.TransferWriteOp,
    view_dims: list[int | None],
    indices: Indices,
    limits: list[tuple[int, Linear]],
) -> SSAValue | None:
    """Add a mask made of sizes to the limits; any other mask is returned."""
    if op.mask is None:
        return None
    maker = op.mask.owner
    if not isinstance(maker, vector.CreateMaskOp | vector.ConstantMaskOp):
        return op.mask
    # The mask has the shape of the elements before they are permuted into the tile.
    used = sorted(dim for dim in view_dims if dim is not None)
    for view_dim, forms in zip(used, mask_limits(maker, indices), strict=True):
        limits += [(view_dims.index(view_dim), form) for form in forms]
    return None


def mask_limits(
    op: vector.CreateMaskOp | vector.ConstantMaskOp, indices: Indices
) -> list[tuple[Linear, ...]]:
    """How many lanes are on in each dimension, as the minimum of linear forms."""
    if isinstance(op, vector.ConstantMaskOp):
        return [(Linear({}, size),) for size in op.sizes]
    return [indices.minima(size) for size in op.mask_dim_sizes]


def same_window(first: View, second: View) -> bool:
    """Whether two views show the same elements of the same buffer."""
    return (
        first.base is second.base
        and first.starts == second.starts
        and first.dims == second.dims
        and first.sizes == second.sizes
        and first.steps == second.steps
    )
