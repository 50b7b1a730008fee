"""Patterns on `linalg.pack` and `linalg.unpack`.

`PATTERNS` belong to canonicalization; the others are groups of their own. They make
destinations of static shape only.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import (
    PackOp,
    RelayoutOp,
    TransposeOp,
    UnPackOp,
)
from tilewright.ir.dialects.linalg.ops.relayout import Tile, needs_padding, packed_type
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.tensor.pads import constant_padding
from tilewright.transforms.core.extents import INDEX
from tilewright.transforms.core.rewriter import Rewriter


def _same_layout(one: RelayoutOp, other: RelayoutOp) -> bool:
    return (one.dims, one.tiles, one.order) == (other.dims, other.tiles, other.order)


@pattern(PackOp)
def pack_of_unpacked(op: PackOp, rewriter: Rewriter) -> None:
    """Read the tiles that were just unpacked."""
    unpack = op.source.owner
    if not isinstance(unpack, UnPackOp) or op.padding_value is not None:
        return
    if unpack.source.type == op.dest.type and _same_layout(op, unpack):
        rewriter.replace(op, [unpack.source])


@pattern(UnPackOp)
def unpack_of_packed(op: UnPackOp, rewriter: Rewriter) -> None:
    """Read the tensor that was just packed."""
    pack = op.source.owner
    if not isinstance(pack, PackOp) or pack.padding_value is not None:
        return
    if pack.source.type == op.dest.type and _same_layout(op, pack):
        rewriter.replace(op, [pack.source])


@pattern(PackOp)
def useless_padding_value(op: PackOp, rewriter: Rewriter) -> None:
    """Drop the padding value where no tile is partial."""
    shape = op.unpacked_type.get_shape()
    if op.padding_value is None or needs_padding(shape, op.tile_of, strict=True):
        return
    rewriter.replace_with(op, _pack(op.source, op.dest, op, None))


PATTERNS = (pack_of_unpacked, unpack_of_packed, useless_padding_value)


@pattern(PackOp, UnPackOp)
def of_empty(op: PackOp | UnPackOp, rewriter: Rewriter) -> None:
    """Replace what is packed or unpacked from an empty tensor by the destination."""
    padded = isinstance(op, PackOp) and op.padding_value is not None
    if isinstance(op.source.owner, tensor.EmptyOp) and not padded:
        rewriter.replace(op, [op.dest])


INTO_EMPTY = (of_empty,)


def _given_order(op: RelayoutOp) -> list[int]:
    return [] if op.outer_dims_perm is None else list(op.outer_dims_perm.get_values())


def _pack(
    source: SSAValue, dest: SSAValue, like: PackOp, padding: SSAValue | None
) -> PackOp:
    return PackOp(source, dest, like.dims, like.tiles, padding, _given_order(like))


def _empty(kind: TensorType) -> tensor.EmptyOp | None:
    return tensor.EmptyOp([], kind) if kind.has_static_shape() else None


@pattern(PackOp)
def pad_then_pack(op: PackOp, rewriter: Rewriter) -> None:
    """Let the pack fill what a pad before it filled."""
    pad = op.source.owner
    if not isinstance(pad, tensor.PadOp) or pad.nofold is not None:
        return
    value = constant_padding(pad)
    if value is None or any(low != 0 for low in pad.static_low.get_values()):
        return
    if op.padding_value is not None and op.padding_value is not value:
        return
    source = tensor_type(pad.source)
    tiles = op.static_inner_tiles.get_values()
    expected = packed_type(source, tiles, op.dims, op.order)
    # More padding than partial tiles have is not the pack's.
    if expected.has_static_shape() and expected == op.packed_type:
        rewriter.replace_with(op, _pack(pad.source, op.dest, op, value))


@pattern(tensor.ExtractSliceOp)
def slice_of_unpacked(op: tensor.ExtractSliceOp, rewriter: Rewriter) -> None:
    """Unpack the slice alone, where it has something of every tile."""
    unpack, kind = op.source.owner, tensor_type(op.result)
    if not isinstance(unpack, UnPackOp) or not kind.has_static_shape():
        return
    shape = kind.get_shape()
    begins = any(offset != 0 for offset in op.static_offsets.get_values())
    if begins or any(stride != 1 for stride in op.static_strides.get_values()):
        return
    if list(op.static_sizes.get_values()) != list(shape):
        return
    tiles = unpack.static_inner_tiles.get_values()
    needed = packed_type(kind, tiles, unpack.dims, unpack.order)
    empty = _empty(kind)
    if needed == unpack.packed_type and empty is not None:
        new = UnPackOp(
            unpack.source,
            empty.results[0],
            unpack.dims,
            unpack.tiles,
            _given_order(unpack),
        )
        rewriter.replace_with(op, empty, new)


def _split(permutation: Sequence[int], rank: int) -> tuple[list[int], list[int]] | None:
    """A permutation of a packed shape as two, of the outer and the inner dimensions."""
    outer, inner = permutation[:rank], permutation[rank:]
    if any(dim >= rank for dim in outer):
        return None
    return list(outer), [dim - rank for dim in inner]


@pattern(TransposeOp)
def transposed_pack(op: TransposeOp, rewriter: Rewriter) -> None:
    """Pack in the order that a transposition makes."""
    pack = op.inputs[0].owner
    if not isinstance(pack, PackOp):
        return
    parts = _split(op.dims, len(pack.order))
    if parts is None:
        return
    outer, inner = parts
    order = [pack.order[dim] for dim in outer]
    dims, tiles = [pack.dims[i] for i in inner], [pack.tiles[i] for i in inner]
    _repack(op, pack, pack.source, (dims, tiles, order), rewriter)


@pattern(PackOp)
def pack_of_transposed(op: PackOp, rewriter: Rewriter) -> None:
    """Pack the tensor before a transposition."""
    transpose = op.source.owner
    if not isinstance(transpose, TransposeOp):
        return
    order = [transpose.dims[dim] for dim in op.order]
    dims = [transpose.dims[dim] for dim in op.dims]
    _repack(op, op, transpose.inputs[0], (dims, op.tiles, order), rewriter)


def _repack(
    old: Operation,
    like: PackOp,
    source: SSAValue,
    layout: tuple[Sequence[int], Sequence[Tile], Sequence[int]],
    rewriter: Rewriter,
) -> None:
    dims, tiles, order = layout
    static = [DYNAMIC_INDEX if isinstance(t, SSAValue) else t for t in tiles]
    empty = _empty(packed_type(tensor_type(source), static, dims, order))
    if empty is None or empty.results[0].type != old.results[0].type:
        return
    new = PackOp(source, empty.results[0], dims, tiles, like.padding_value, order)
    rewriter.replace_with(old, empty, new)


@pattern(TransposeOp)
def transposed_unpack(op: TransposeOp, rewriter: Rewriter) -> None:
    """Unpack into the order that a transposition makes."""
    unpack = op.inputs[0].owner
    if not isinstance(unpack, UnPackOp) or not op.results:
        return
    order = [op.dims.index(dim) for dim in unpack.order]
    dims = [op.dims.index(dim) for dim in unpack.dims]
    new = UnPackOp(unpack.source, op.outputs[0], dims, unpack.tiles, order)
    rewriter.replace_with(op, new)


@pattern(UnPackOp)
def unpack_of_transposed(op: UnPackOp, rewriter: Rewriter) -> None:
    """Unpack the tiles before a transposition."""
    transpose = op.source.owner
    if not isinstance(transpose, TransposeOp):
        return
    parts = _split(transpose.dims, len(op.order))
    empty = _empty(tensor_type(op.dest))
    if parts is None or empty is None:
        return
    outer, inner = parts
    order = [op.order[outer.index(dim)] for dim in range(len(outer))]
    dims = [op.dims[inner.index(i)] for i in range(len(inner))]
    tiles = [op.tiles[inner.index(i)] for i in range(len(inner))]
    new = UnPackOp(transpose.inputs[0], empty.results[0], dims, tiles, order)
    rewriter.replace_with(op, empty, new)


INTO_RELAYOUTS = (
    pad_then_pack,
    slice_of_unpacked,
    transposed_pack,
    pack_of_transposed,
    transposed_unpack,
    unpack_of_transposed,
)


@pattern(PackOp)
def decompose_pack(op: PackOp, rewriter: Rewriter) -> None:
    """Write a pack into one tile as a pad, a transposition and an insertion."""
    rank, numbers = len(op.order), [constant_int(tile) for tile in op.tiles]
    sizes = [number for number in numbers if number is not None]
    leading = list(range(rank - len(sizes)))
    order = [*leading, *op.dims]
    is_one = all(count == 1 for count in op.outer_shape)
    if not is_one or len(sizes) != len(numbers) or sorted(order) != list(range(rank)):
        return
    element = op.unpacked_type.element_type
    new: list[Operation] = []
    value: SSAValue = op.source
    if op.padding_value is not None:
        whole = [1] * rank
        for dim, size in zip(op.dims, sizes, strict=True):
            whole[dim] = size
        shape = op.unpacked_type.get_shape()
        if DYNAMIC_INDEX in shape:
            return
        high = [size - old for size, old in zip(whole, shape, strict=True)]
        body = Block(arg_types=[INDEX] * rank)
        body.add_op(tensor.YieldOp(op.padding_value))
        kind = TensorType(element, whole)
        pad = tensor.PadOp(value, [0] * rank, high, Region(body), kind)
        new.append(pad)
        value = pad.result
    shape = [1] * len(leading) + sizes
    empty = tensor.EmptyOp([], TensorType(element, shape))
    transpose = TransposeOp(value, empty.results[0], order)
    zeros, ones = [0] * (rank + len(sizes)), [1] * (rank + len(sizes))
    insert = tensor.InsertSliceOp(
        transpose.results[0], op.dest, zeros, [*([1] * rank), *sizes], ones
    )
    rewriter.replace_with(op, *new, empty, transpose, insert)


@pattern(UnPackOp)
def decompose_unpack(op: UnPackOp, rewriter: Rewriter) -> None:
    """Write an unpack of one tile a dimension as slices and a transposition."""
    packed, unpacked = op.packed_type, op.unpacked_type
    if not packed.has_static_shape() or not unpacked.has_static_shape():
        return
    if _given_order(op) or any(op.outer_shape[dim] != 1 for dim in op.dims):
        return
    rank = len(op.order)
    kept = [d for d in range(rank) if d not in op.dims and op.outer_shape[d] != 1]
    tiles = list(op.static_inner_tiles.get_values())
    element = packed.element_type
    read = TensorType(element, [*(op.outer_shape[dim] for dim in kept), *tiles])
    full = list(packed.get_shape())
    zeros, ones = [0] * len(full), [1] * len(full)
    tile = tensor.ExtractSliceOp(op.source, zeros, full, ones, read)
    # The dimensions of the tile by those of the result that they belong to.
    places = [*kept, *op.dims]
    order = sorted(range(len(places)), key=lambda position: places[position])
    shape = [read.get_shape()[position] for position in order]
    empty = tensor.EmptyOp([], TensorType(element, shape))
    transpose = TransposeOp(tile.result, empty.results[0], order)
    sizes = [unpacked.get_shape()[dim] for dim in sorted(places)]
    zeros, ones = [0] * len(sizes), [1] * len(sizes)
    part = tensor.ExtractSliceOp(transpose.results[0], zeros, sizes, ones)
    zeros, ones = [0] * rank, [1] * rank
    insert = tensor.InsertSliceOp(
        part.result, op.dest, zeros, list(unpacked.get_shape()), ones
    )
    rewriter.replace_with(op, tile, empty, transpose, part, insert)


DECOMPOSE = (decompose_pack, decompose_unpack)
