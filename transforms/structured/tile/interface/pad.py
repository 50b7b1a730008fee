"""Tiles of `tensor.pad`: a tile is a padded part of the source.

A tile that lies in the padding alone reads nothing of the source. Where that cannot be
excluded, an `scf.if` makes such a tile by `tensor.generate`, as upstream has it: slices
are never empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from tilewright.ir.dialects import arith, scf, tensor
from tilewright.ir.dialects.linalg import IteratorType
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.transforms.core.extents import (
    INDEX,
    Extent,
    OpList,
    dim_size,
    evaluate,
    greatest,
    least,
)
from tilewright.transforms.structured.new_ops import empty, split_sizes
from tilewright.transforms.structured.tile.interface.tiling import (
    Part,
    Refusal,
    Tiled,
    Tiling,
)

_D0, _D1, _D2 = (AffineExpr.dimension(i) for i in range(3))


class PadTiling(Tiling):
    """The loops are the dimensions of the result."""

    op: tensor.PadOp
    WRITES_DESTINATIONS = False

    def why_not(self, cut: Sequence[int]) -> Refusal | None:
        """Elements that depend on where they are."""
        if _padding_value(self.op) is None:
            return Refusal(
                "the padding is not one value", "yield a value from outside the pad"
            )
        return None

    @property
    def iterators(self) -> Sequence[IteratorType]:
        """All parallel."""
        return [IteratorType.PARALLEL] * len(tensor_type(self.op.result).get_shape())

    def ranges(self, new_ops: OpList) -> list[Extent]:
        """The padded extents."""
        amounts = zip(*self._amounts(), strict=True)
        shape = tensor_type(self.op.result).get_shape()
        return [
            size
            if size != DYNAMIC_INDEX
            else evaluate(
                _D0 + _D1 + _D2,
                [low, dim_size(self.op.source, dim, new_ops), high],
                new_ops,
            )
            for dim, (size, (low, high)) in enumerate(zip(shape, amounts, strict=True))
        ]

    def destinations(self, new_ops: OpList) -> list[SSAValue]:
        """A new tensor of the result's shape."""
        of = tensor_type(self.op.result).element_type
        return [empty(self.ranges(new_ops), of, new_ops)]

    def tile(self, tile: Part, into: Sequence[SSAValue], new_ops: OpList) -> Tiled:
        """A padded slice, or padding alone."""
        sides: list[_Side] = []
        is_empty: SSAValue | None = None
        for dim, (low, high) in enumerate(zip(*self._amounts(), strict=True)):
            side = _side(self.op.source, dim, low, high, tile, is_empty, new_ops)
            sides.append(side)
            is_empty = side.is_empty
        if any(side.size == 0 for side in sides):
            made = self._padding(tile)
            new_ops.ops += made
            return Tiled(made[0], tuple(made[-1].results), ())
        padded = self._padded(sides, tile)
        read, pad = padded[0], padded[1]
        assert isinstance(read, tensor.ExtractSliceOp)
        last = padded[-1]
        if is_empty is not None:
            made = self._padding(tile)
            last = scf.IfOp(
                is_empty,
                made[-1].result_types,
                [*made, scf.YieldOp(*made[-1].results)],
                [*padded, scf.YieldOp(*last.results)],
            )
            new_ops.ops.append(last)
        else:
            new_ops.ops += padded
        return Tiled(pad, tuple(last.results), (read,))

    def part_of_result(self, result: int, tile: Part, new_ops: OpList) -> Part:
        """The tile itself."""
        return tile

    @property
    def has_parts(self) -> bool:
        """Whether there are tiles: each is a part."""
        return self.why_not(()) is None

    def loops_of_result(self, result: int, part: Part, new_ops: OpList) -> Part:
        """The part itself."""
        return part

    def _amounts(self) -> tuple[list[Extent], list[Extent]]:
        op = self.op
        return mixed(op.static_low, op.low), mixed(op.static_high, op.high)

    def _type(self, tile: Part) -> TensorType[Attribute]:
        of = tensor_type(self.op.result)
        return TensorType(of.element_type, split_sizes(tile.sizes)[0], of.encoding)

    def _padding(self, tile: Part) -> list[Operation]:
        """A tile of padding alone."""
        value = _padding_value(self.op)
        assert value is not None, "checked by why_not"
        made, owner = Block(arg_types=[INDEX] * len(tile.sizes)), value.owner
        if isinstance(owner, Operation) and self.op.is_ancestor(owner):
            copy = owner.clone()
            made.add_op(copy)
            value = copy.results[0]
        made.add_op(tensor.YieldOp(value))
        dynamic = split_sizes(tile.sizes)[1]
        return [tensor.GenerateOp(dynamic, Region(made), self._type(tile))]

    def _padded(self, sides: Sequence[_Side], tile: Part) -> list[Operation]:
        """A slice of the source with padding around it, of the tile's type."""
        part = Part([side.offset for side in sides], [side.size for side in sides])
        read = tensor.ExtractSliceOp(self.op.source, *part.slice)
        of = tensor_type(self.op.result)
        sums = [
            DYNAMIC_INDEX
            if not isinstance(side.low, int)
            or not isinstance(side.size, int)
            or not isinstance(side.high, int)
            else side.low + side.size + side.high
            for side in sides
        ]
        pad = tensor.PadOp(
            read.result,
            [side.low for side in sides],
            [side.high for side in sides],
            self.op.region.clone(),
            TensorType(of.element_type, sums, of.encoding),
            nofold=self.op.nofold is not None,
        )
        pad.attributes |= self.op.attributes
        pad.location = self.op.location
        if pad.result.type == self._type(tile):
            return [read, pad]
        return [read, pad, tensor.CastOp(pad.result, self._type(tile))]


def _padding_value(op: tensor.PadOp) -> SSAValue | None:
    """The padding, if it is a value from outside, or a constant."""
    last = op.region.block.last_op
    assert isinstance(last, tensor.YieldOp)
    value = last.operands[0]
    owner = value.owner
    is_inside = op.region.block.is_ancestor(owner)
    if is_inside and not isinstance(owner, arith.ConstantOp):
        return None
    return value


@dataclass(frozen=True)
class _Side:
    """One dimension of a tile: what it reads, and the padding around that."""

    low: Extent
    offset: Extent
    size: Extent
    high: Extent
    is_empty: SSAValue | None
    """Whether this dimension, or one before it, is empty; None if none can be."""


def _side(
    source: SSAValue,
    dim: int,
    low: Extent,
    high: Extent,
    tile: Part,
    is_empty: SSAValue | None,
    new_ops: OpList,
) -> _Side:
    """Cut a dimension of a tile to what lies in the source."""
    offset, length = tile.offsets[dim], tile.sizes[dim]
    has_low, has_high = constant_int(low) != 0, constant_int(high) != 0
    if not has_low and not has_high:
        return _Side(0, offset, length, 0, is_empty)
    extent = dim_size(source, dim, new_ops)
    new_low: Extent = 0
    start: Extent = offset
    if has_low:
        before = evaluate(_D0 - _D1, [low, offset], new_ops)
        new_low = greatest(0, before, new_ops)
        start = greatest(evaluate(_D0 - _D1, [offset, low], new_ops), 0, new_ops)
    start = least(start, extent, new_ops)
    in_source = evaluate(_D0 - _D1, [extent, start], new_ops)
    in_tile = evaluate(_D0 - _D1, [length, new_low], new_ops)
    size = least(in_source, in_tile, new_ops)
    if has_low:
        size = greatest(size, 0, new_ops)
    if not isinstance(size, int):
        check = new_ops.add(arith.CmpiOp(size, new_ops.index(0), "eq"))
        is_empty = (
            check if is_empty is None else new_ops.add(arith.OrIOp(check, is_empty))
        )
    new_high: Extent = 0
    if has_high:
        rest = evaluate(_D0 - _D1, [length, size], new_ops)
        new_high = evaluate(_D0 - _D1, [rest, new_low], new_ops)
    return _Side(new_low, start, size, new_high, is_empty)
