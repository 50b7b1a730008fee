"""A structured op on packed operands: a loop becomes one over tiles and one in a tile.

The inner loops come behind all others, in the order of the loops that they are cut
from, and so do the inner dimensions of each operand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import affine, arith
from tilewright.ir.dialects.linalg import (
    GenericOp,
    IndexOp,
    PackOp,
    StructuredOp,
    UnPackOp,
    maps_attribute,
)
from tilewright.ir.dialects.linalg.ops.relayout import needs_padding
from tilewright.ir.indexing.semi_affine import binary, substitute
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import element_type, tensor_type
from tilewright.transforms.core.extents import Extent, OpList
from tilewright.transforms.core.rewriter import Rewriter
from tilewright.transforms.structured.pack.layouts import packed_destination
from tilewright.transforms.structured.pad.padded_reductions import changed_output


@dataclass(frozen=True)
class Packing:
    """A structured op, and the tiles that its operands are stored as."""

    op: StructuredOp
    order: tuple[int, ...]
    """The loops of `op`, in the order that the packed op has them."""
    tiles: tuple[Extent, ...]
    """The size of a tile for each loop of that order; 0 where it is not cut."""

    @property
    def cut(self) -> list[int]:
        """The loops, of that order, that are cut."""
        return [loop for loop, tile in enumerate(self.tiles) if tile != 0]

    def reordered_maps(self) -> list[AffineMap]:
        """The indexing maps over the loops in that order."""
        rank = len(self.order)
        dims = [AffineExpr.dimension(self.order.index(loop)) for loop in range(rank)]
        return [
            AffineMap(rank, 0, tuple(substitute(e, dims) for e in map_.results))
            for map_ in self.op.maps
        ]

    def dims_of(self, map_: AffineMap) -> list[tuple[int, int]]:
        """The dimensions of an operand to pack, each with its loop."""
        found: list[tuple[int, int]] = []
        for loop in self.cut:
            users = [d for d, e in enumerate(map_.results) if loop in e.used_dims()]
            found += [(dim, loop) for dim in users[:1]]
        return found


def why_not(op: StructuredOp, order: Sequence[int], cut: Sequence[int]) -> str | None:
    """Why these loops, positions in `order`, cannot be cut; None if they can."""
    if len(op.results) != len(op.outputs):
        return "the op works on buffers"
    for loop in (order[position] for position in cut):
        for index, map_ in enumerate(op.maps):
            users = [e for e in map_.results if loop in e.used_dims()]
            if any(not isinstance(e, AffineDimExpr) for e in users):
                return f"operand {index} is not indexed by loop {loop} alone"
            if len(users) > 1:
                return f"operand {index} is indexed by loop {loop} twice"
    for operand in op.operands:
        if zero_of(element_type(operand.type)) is None:
            return f"there is no zero of type {element_type(operand.type)} to pad with"
    return None


def changed_by_padding(packing: Packing) -> int | None:
    """A result that padding with zeros would change, because it is reduced over."""
    op = packing.op
    longer = [
        packing.order[loop]
        for loop in packing.cut
        if is_reduction(op, packing.order[loop]) and _may_be_partial(packing, loop)
    ]
    if not longer:
        return None
    zeros = {
        index: zero
        for index, operand in enumerate(op.operands)
        if (zero := zero_of(element_type(operand.type))) is not None
    }
    return changed_output(op, longer, zeros)


def _may_be_partial(packing: Packing, loop: int) -> bool:
    extent = packing.op.get_static_loop_ranges()[packing.order[loop]]
    tile = packing.tiles[loop]
    return extent == DYNAMIC_INDEX or not isinstance(tile, int) or extent % tile != 0


@dataclass(frozen=True)
class Packed:
    """The ops that replace a structured op."""

    packs: tuple[PackOp, ...]
    op: GenericOp
    unpacks: tuple[UnPackOp, ...]


def rewrite(packing: Packing, new: OpList, rewriter: Rewriter) -> Packed:
    """Pack the operands, run the op on tiles, and unpack the results.

    `new` has the ops that compute sizes.
    """
    op = packing.op
    maps = packing.reordered_maps()
    layouts = [packing.dims_of(map_) for map_ in maps]
    operands: list[SSAValue] = []
    packs: list[PackOp] = []
    for operand, dims in zip(op.operands, layouts, strict=True):
        if not dims:
            operands.append(operand)
            continue
        packs.append(_pack(operand, dims, packing.tiles, new))
        operands.append(packs[-1].result)
    first = len(op.inputs)
    outputs = operands[first:]
    packed = GenericOp(
        operands[:first],
        outputs,
        _body(packing, new),
        maps_attribute(_packed_maps(packing, maps)),
        ArrayAttr(
            [
                op.get_iterator_types().data[packing.order[loop]]
                for loop in (*range(len(packing.order)), *packing.cut)
            ]
        ),
        [output.type for output in outputs],
    )
    new.ops.append(packed)
    results: list[SSAValue] = []
    unpacks: list[UnPackOp] = []
    for result, old, dims in zip(
        packed.results, op.outputs, layouts[first:], strict=True
    ):
        if not dims:
            results.append(result)
            continue
        tiles = [packing.tiles[loop] for _, loop in dims]
        unpacks.append(UnPackOp(result, old, [dim for dim, _ in dims], tiles))
        results.append(new.add(unpacks[-1]))
    for made in new.ops:
        made.location = op.location
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, results, stands_for=packed)
    return Packed(tuple(packs), packed, tuple(unpacks))


def _pack(
    operand: SSAValue,
    dims: Sequence[tuple[int, int]],
    tile_of_loop: Sequence[Extent],
    new: OpList,
) -> PackOp:
    places = [dim for dim, _ in dims]
    tiles = [tile_of_loop[loop] for _, loop in dims]
    destination = packed_destination(operand, places, tiles, (), new)
    shape = tensor_type(operand).get_shape()
    padding = None
    tile_of = dict(zip(places, tiles, strict=True))
    if DYNAMIC_INDEX in shape or needs_padding(shape, tile_of, strict=True):
        zero = zero_of(element_type(operand.type))
        assert zero is not None, "analyzed: there is a zero"
        padding = new.add(arith.ConstantOp(zero))
    pack = PackOp(operand, destination, places, tiles, padding)
    new.ops.append(pack)
    return pack


def _packed_maps(packing: Packing, maps: Sequence[AffineMap]) -> list[AffineMap]:
    rank = len(packing.order)
    inner = {loop: rank + number for number, loop in enumerate(packing.cut)}
    return [
        AffineMap(
            rank + len(inner),
            0,
            (
                *map_.results,
                *(
                    AffineExpr.dimension(inner[loop])
                    for _, loop in packing.dims_of(map_)
                ),
            ),
        )
        for map_ in maps
    ]


def _body(packing: Packing, new: OpList) -> Region:
    """The body, with each index computed from the tile and the place in it."""
    body = packing.op.body.clone()
    for old in [o for o in body.walk() if isinstance(o, IndexOp)]:
        loop = packing.order.index(old.dim.value.data)
        block = old.parent_block()
        assert block is not None
        outer = IndexOp(loop)
        block.insert_op_before(outer, old)
        value: SSAValue = outer.result
        if packing.tiles[loop] != 0:
            inner = IndexOp(len(packing.order) + packing.cut.index(loop))
            tile = new.index(packing.tiles[loop])
            place = binary(
                AffineBinaryOpKind.Mul, AffineExpr.dimension(0), AffineExpr.symbol(0)
            )
            map_ = AffineMap(2, 1, (place + AffineExpr.dimension(1),))
            whole = affine.ApplyOp(
                [outer.result, inner.result, tile], AffineMapAttr(map_)
            )
            block.insert_op_before(inner, old)
            block.insert_op_before(whole, old)
            value = whole.result
        old.result.replace_all_uses_with(value)
        block.erase_op(old)
    return body


def zero_of(of: Attribute) -> FloatAttr | IntegerAttr | None:
    """The number zero of a type."""
    if isinstance(of, AnyFloat):
        return FloatAttr(0.0, of)
    if isinstance(of, IntegerType | IndexType):
        return IntegerAttr(0, cast("IntegerType | IndexType", of))
    return None
