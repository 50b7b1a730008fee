"""Tiles of `linalg.pack` and `linalg.unpack`.

The loops of a pack are the outer dimensions of its result: a tile is some whole inner
tiles. The loops of an unpack are the dimensions of its result. Where a tile begins or
ends inside an inner tile, whole inner tiles are unpacked, and the rest is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr

from tilewright.ir.dialects import affine, arith, scf, tensor
from tilewright.ir.dialects.linalg import IteratorType, PackOp, UnPackOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.normal_form import divisor_of
from tilewright.ir.indexing.semi_affine import binary
from tilewright.transforms.core.extents import (
    Extent,
    OpList,
    dim_size,
    evaluate,
    least,
    product,
    upper_bound,
)
from tilewright.transforms.structured.new_ops import empty
from tilewright.transforms.structured.tile.interface.tiling import (
    Part,
    Tiled,
    Tiling,
)

_D0, _D1 = (AffineExpr.dimension(i) for i in range(2))


Relayout = TypeVar("Relayout", PackOp, UnPackOp)


class RelayoutTiling(Tiling, Generic[Relayout]):
    """The loops count elements of the result along the dimensions that are packed."""

    op: Relayout

    @property
    def reads_destinations(self) -> bool:
        """Every element of the result is written."""
        return False

    @property
    def iterators(self) -> Sequence[IteratorType]:
        """All parallel."""
        return [IteratorType.PARALLEL] * len(self.op.order)

    def ranges(self, new_ops: OpList) -> list[Extent]:
        """The dimensions of the destination, a pack's outer ones."""
        dims = range(len(self.op.order))
        return [dim_size(self.op.dest, dim, new_ops) for dim in dims]

    def destinations(self, new_ops: OpList) -> list[SSAValue]:
        """The destination."""
        return [self.op.dest]


class PackTiling(RelayoutTiling[PackOp]):
    """The loops count inner tiles, in the order of the result."""

    def tile(self, tile: Part, into: Sequence[SSAValue], new_ops: OpList) -> Tiled:
        """A pack of the part of the source that some inner tiles hold."""
        op = self.op
        source = _slice(op.source, self._part_of_source(tile, new_ops), new_ops)
        part = self._whole_tiles(into[0], tile, new_ops)
        destination = _slice(into[0], part, new_ops)
        given = op.outer_dims_perm
        tiled = PackOp(
            source.result,
            destination.result,
            op.dims,
            op.tiles,
            op.padding_value,
            [] if given is None else given.get_values(),
        )
        tiled.attributes |= op.attributes
        tiled.location = op.location
        new_ops.ops.append(tiled)
        return Tiled.by(tiled)

    def _part_of_source(self, tile: Part, new_ops: OpList) -> Part:
        offsets: list[Extent] = []
        sizes: list[Extent] = []
        for dim in range(len(self.op.order)):
            loop = self.op.order.index(dim)
            offset, size = tile.offsets[loop], tile.sizes[loop]
            inner = self.op.tile_of.get(dim)
            if inner is not None:
                offset = product(offset, inner, new_ops)
                size = product(size, inner, new_ops)
            if self.op.padding_value is not None:
                whole = dim_size(self.op.source, dim, new_ops)
                rest = evaluate(_D0 - _D1, [whole, offset], new_ops)
                size = least(size, rest, new_ops)
            offsets.append(offset)
            sizes.append(size)
        return Part(offsets, sizes)

    def part_of_result(self, result: int, tile: Part, new_ops: OpList) -> Part:
        """Those inner tiles, whole."""
        return self._whole_tiles(self.op.dest, tile, new_ops)

    def _whole_tiles(self, packed: SSAValue, tile: Part, new_ops: OpList) -> Part:
        rank = len(self.op.order)
        static = self.op.static_inner_tiles.get_values()
        inner: list[Extent] = [
            size
            if size != DYNAMIC_INDEX
            else new_ops.add(tensor.DimOp(packed, new_ops.index(rank + number)))
            for number, size in enumerate(static)
        ]
        return Part([*tile.offsets, *([0] * len(inner))], [*tile.sizes, *inner])

    def why_no_part(self, result: int, part: Part) -> str | None:
        """A part has whole inner tiles."""
        rank = len(self.op.order)
        begins = any(constant_int(offset) != 0 for offset in part.offsets[rank:])
        pairs = zip(part.sizes[rank:], self.op.tiles, strict=True)
        if begins or not all(_equal(size, tile) for size, tile in pairs):
            return "a part of a pack has whole inner tiles"
        return None

    def loops_of_result(self, result: int, part: Part, new_ops: OpList) -> Part:
        """The outer dimensions of the part."""
        rank = len(self.op.order)
        return Part(part.offsets[:rank], part.sizes[:rank])


@dataclass(frozen=True)
class _Side:
    """What one dimension of a tile of an unpack reads."""

    is_whole: bool
    """Whether the tile begins at an inner tile, and what it unpacks is what it has."""
    offset: Extent
    """The first inner tile."""
    size: Extent
    """The number of inner tiles."""
    skipped: Extent
    """The elements of the first inner tile before the tile."""
    unpacked: Extent
    """The size of what is unpacked."""


class UnPackTiling(RelayoutTiling[UnPackOp]):
    """The loops are the dimensions of the result."""

    def tile(self, tile: Part, into: Sequence[SSAValue], new_ops: OpList) -> Tiled:
        """An unpack of the inner tiles that a tile touches, perhaps cut to it."""
        op = self.op
        sides = [
            self._side(dim, offset, size, new_ops)
            for dim, (offset, size) in enumerate(zip(*tile, strict=True))
        ]
        read = Part(
            [*(sides[dim].offset for dim in op.order), *([0] * len(op.dims))],
            [*(sides[dim].size for dim in op.order), *op.tiles],
        )
        source = _slice(op.source, read, new_ops)
        slices = [source]
        is_whole = all(side.is_whole for side in sides)
        if is_whole:
            slices.append(_slice(into[0], tile, new_ops))
            destination = slices[-1].result
        else:
            sizes = [side.unpacked for side in sides]
            destination = empty(sizes, op.unpacked_type.element_type, new_ops)
        given = op.outer_dims_perm
        order: Sequence[int] = () if given is None else given.get_values()
        tiled = UnPackOp(source.result, destination, op.dims, op.tiles, order)
        tiled.attributes |= op.attributes
        tiled.location = op.location
        value = new_ops.add(tiled)
        if not is_whole:
            part = Part([side.skipped for side in sides], tile.sizes)
            value = _slice(value, part, new_ops).result
        return Tiled(tiled, (value,), tuple(slices))

    def _side(self, dim: int, offset: Extent, size: Extent, new_ops: OpList) -> _Side:
        inner = self.op.tile_of.get(dim)
        if inner is None:
            return _Side(True, offset, size, 0, size)
        bound, known = upper_bound(size), constant_int(inner)
        aligned = known is not None and is_multiple(offset, known)
        if aligned and bound is not None and known and bound % known == 0:
            first = _divided(offset, inner, new_ops)
            count = 1 if bound == known else _ceiled(size, inner, new_ops)
            return _Side(True, first, count, 0, size)
        first = _divided(offset, inner, new_ops)
        skipped = _remainder(offset, inner, new_ops)
        end = evaluate(_D0 + _D1 - 1, [offset, size], new_ops)
        last = _divided(end, inner, new_ops)
        count = evaluate(_D0 - _D1 + 1, [last, first], new_ops)
        numbers = constant_int(count), constant_int(inner)
        if numbers[0] is not None and numbers[1] is not None:
            return _Side(False, first, count, skipped, numbers[0] * numbers[1])
        whole = arith.MuliOp(new_ops.index(count), new_ops.index(inner))
        return _Side(False, first, count, skipped, new_ops.add(whole))

    def part_of_result(self, result: int, tile: Part, new_ops: OpList) -> Part:
        """The tile itself."""
        return tile

    def why_no_part(self, result: int, part: Part) -> str | None:
        """Every part is a tile."""
        return None

    def loops_of_result(self, result: int, part: Part, new_ops: OpList) -> Part:
        """The part itself."""
        return part


def is_multiple(offset: Extent, of: int) -> bool:
    """Whether an offset is known to be a multiple: that of a loop over tiles is."""
    number = constant_int(offset)
    if number is not None:
        return number % of == 0
    assert isinstance(offset, SSAValue)
    owner = offset.owner
    if isinstance(owner, Block):
        loop = owner.parent_op()
        if not isinstance(loop, scf.ForOp) or owner.args[0] is not offset:
            return False
        return all(is_multiple(bound, of) for bound in (loop.lb, loop.step))
    if isinstance(owner, affine.ApplyOp):
        return divisor_of(owner.map.data.results[0]) % of == 0
    return False


def _slice(value: SSAValue, part: Part, new_ops: OpList) -> tensor.ExtractSliceOp:
    made = tensor.ExtractSliceOp(value, *part.slice)
    new_ops.ops.append(made)
    return made


def _equal(one: Extent, other: Extent) -> bool:
    number = constant_int(one)
    return one is other or (number is not None and number == constant_int(other))


def _divided(value: Extent, by: Extent, new_ops: OpList) -> Extent:
    return _by(AffineBinaryOpKind.FloorDiv, value, by, new_ops)


def _ceiled(value: Extent, by: Extent, new_ops: OpList) -> Extent:
    return _by(AffineBinaryOpKind.CeilDiv, value, by, new_ops)


def _remainder(value: Extent, by: Extent, new_ops: OpList) -> Extent:
    return _by(AffineBinaryOpKind.Mod, value, by, new_ops)


def _by(kind: AffineBinaryOpKind, value: Extent, by: Extent, new_ops: OpList) -> Extent:
    expr = binary(kind, AffineExpr.dimension(0), AffineExpr.symbol(0))
    return evaluate(expr, [value], new_ops, [by])
