"""Slice a structured op down to one tile, for tiling and fusion.

A tile is an offset and a size for each loop. Everything here works through the
structured interface (indexing maps, iterator types, body), without op names.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import affine, memref, tensor
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.indexing.linear import linear_form
from tilewright.ir.types import is_buffer, is_tensor
from tilewright.transforms.core.extents import (
    Extent,
    OpList,
    dim_size,
    evaluate,
    known_size,
)


def is_empty(op: StructuredOp) -> bool:
    """Whether an operand is known to have no elements: no slice of it is in bounds."""
    return any(0 in shape_of(operand.type) for operand in op.operands)


def known_ranges(op: StructuredOp) -> list[Extent | None]:
    """The extent of each loop as far as it is known without new ops."""
    maps = op.maps
    ranges: list[Extent | None] = [None] * maps[0].num_dims
    for operand, map_ in zip(op.operands, maps, strict=True):
        for dim, expr in enumerate(map_.results):
            if not isinstance(expr, AffineDimExpr):
                continue
            # A number is better than a value that comes first.
            best = ranges[expr.position]
            if isinstance(best, int):
                continue
            size = known_size(operand, dim)
            if best is None or isinstance(size, int):
                ranges[expr.position] = size
    return ranges


def loop_ranges(op: StructuredOp, new_ops: OpList) -> list[Extent]:
    """The extent of each loop, read off the operands' shapes.

    A number from any operand; else, as upstream, what the first operand says.
    """
    ranges: dict[int, Extent] = {
        loop: extent
        for loop, extent in enumerate(known_ranges(op))
        if isinstance(extent, int)
    }
    for operand, map_ in zip(op.operands, op.maps, strict=True):
        for dim, expr in enumerate(map_.results):
            if isinstance(expr, AffineDimExpr) and expr.position not in ranges:
                ranges[expr.position] = dim_size(operand, dim, new_ops)
    return [ranges[loop] for loop in range(op.get_num_loops())]


def slices_by_tiles(op: StructuredOp) -> bool:
    """Whether a tile accesses a slice of each operand: maps are sums of loops."""
    for map_ in op.maps:
        for expr in map_.results:
            form = linear_form(expr)
            if form is None or any(factor < 0 for factor in form.terms.values()):
                return False
    return True


def operand_slice(
    operand: SSAValue,
    map_: AffineMap,
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    new_ops: OpList,
) -> tuple[list[Extent], list[Extent], list[Extent]]:
    """The part of an operand that a tile accesses: offsets, sizes, strides."""
    part_offsets: list[Extent] = []
    part_sizes: list[Extent] = []
    for dim, expr in enumerate(map_.results):
        if isinstance(expr, AffineDimExpr):
            part_offsets.append(offsets[expr.position])
            part_sizes.append(sizes[expr.position])
        elif isinstance(expr, AffineConstantExpr):
            part_offsets.append(0)
            part_sizes.append(dim_size(operand, dim, new_ops))
        else:
            # From the first element that the tile's loops access to the last one.
            part_offsets.append(evaluate(expr, offsets, new_ops))
            last = [
                evaluate(AffineExpr.dimension(0) - 1, [size], new_ops) for size in sizes
            ]
            part_sizes.append(evaluate(expr + 1, last, new_ops))
    return part_offsets, part_sizes, [1] * len(part_sizes)


def extract_tile(
    operand: SSAValue,
    map_: AffineMap,
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    new_ops: OpList,
) -> SSAValue:
    """The slice of an operand for a tile; scalars and whole operands stay."""
    if not is_tensor(operand.type) and not is_buffer(operand.type):
        return operand
    if all(isinstance(expr, AffineConstantExpr) for expr in map_.results):
        return operand
    part = operand_slice(operand, map_, offsets, sizes, new_ops)
    return sliced(operand, *part[:2], new_ops)


def sliced(
    value: SSAValue,
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    new_ops: OpList,
) -> SSAValue:
    """A part of a tensor or a view of a part of a buffer; the value if it is whole."""
    whole = list(shape_of(value.type))
    if list(sizes) == whole and all(offset == 0 for offset in offsets):
        return value
    part = offsets, sizes, [1] * len(whole)
    if is_buffer(value.type):
        return new_ops.add(memref.SubviewOp.get(value, *part))
    return new_ops.add(tensor.ExtractSliceOp(value, *part))


def tile_op(
    op: StructuredOp,
    operands: Sequence[SSAValue],
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    new_ops: OpList,
) -> StructuredOp:
    """`op` on one tile: `operands` (of the whole op's shape) are sliced for it."""
    sliced = [
        extract_tile(operand, map_, offsets, sizes, new_ops)
        for operand, map_ in zip(operands, op.maps, strict=True)
    ]
    outputs = sliced[len(op.inputs) :]
    tiled = type(op).create(
        operands=sliced,
        result_types=[o.type for o in outputs if is_tensor(o.type)],
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
        regions=[op.body.clone()],
        location=op.location,
    )
    for old, new in zip(op.results, tiled.results, strict=True):
        new.name_hint = old.name_hint
    shift_indices(tiled, offsets)
    new_ops.ops.append(tiled)
    return tiled


def shift_indices(op: StructuredOp, offsets: Sequence[Extent]) -> None:
    """Add the tile's offsets to its `linalg.index` ops."""
    for index in [o for o in op.body.walk() if isinstance(o, IndexOp)]:
        offset = offsets[index.dim.value.data]
        if offset == 0:
            continue
        block = index.parent_block()
        assert block is not None
        if isinstance(offset, int):
            map_ = AffineMap(0, 1, (AffineExpr.symbol(0) + offset,))
            operands = [index.result]
        else:
            both = AffineExpr.dimension(0) + AffineExpr.symbol(0)
            map_ = AffineMap(1, 1, (both,))
            operands = [offset, index.result]
        shifted = affine.ApplyOp(operands, AffineMapAttr(map_))
        block.insert_op_after(shifted, index)
        index.result.replace_uses_with_if(
            shifted.result, lambda use, keep=shifted: use.operation is not keep
        )
