"""What tiling and fusing share: slicing a structured op down to one tile.

A tile is an offset and a size for each loop. Everything here works through the
structured interface (indexing maps, iterator types, body) and never asks for op names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import affine, arith, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    IntegerAttr,
)
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects.linalg import IndexOp, IteratorType, StructuredOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.tensor import slice_of
from tilewright.ir.dialects.vector import MaskOp, TransferWriteOp
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.patterns.affine import linear_terms
from tilewright.transforms.cleanup.patterns.constants import constant_int

Extent = SSAValue | int
"""A size or an offset: a number where it is known, a value where it is not."""


class OpList:
    """New ops in order, to be inserted together."""

    def __init__(self) -> None:
        self.ops: list[Operation] = []

    def add(self, op: Operation) -> SSAValue:
        """Append an op; its first result."""
        self.ops.append(op)
        return op.results[0]

    def index(self, value: Extent) -> SSAValue:
        """`value` as an SSA value of type index."""
        if isinstance(value, SSAValue):
            return value
        return self.add(arith.ConstantOp(IntegerAttr.from_index_int_value(value)))

    def apply(self, expr: AffineExpr, operands: Sequence[SSAValue]) -> SSAValue:
        """An `affine.apply` of `expr` over dims d0, d1, ..."""
        map_ = AffineMapAttr(AffineMap(len(operands), 0, (expr,)))
        return self.add(affine.ApplyOp(operands, map_))


def dim_size(value: SSAValue, dim: int, new_ops: OpList) -> Extent:
    """The extent of a tensor's dimension: `tensor.dim` where nothing is known."""
    value, size = _traced_size(value, dim)
    if size is not None:
        return size
    return new_ops.add(tensor.DimOp(value, new_ops.index(dim)))


def known_size(value: SSAValue, dim: int) -> Extent | None:
    """The extent of a tensor's dimension, if there is a number or a value for it."""
    return _traced_size(value, dim)[1]


def _traced_size(value: SSAValue, dim: int) -> tuple[SSAValue, Extent | None]:
    """Follow a dimension to where it was fixed: the tensor there, and the extent.

    Destination-style ops keep the shape of their destination, so the walk goes up to
    the slice or the `tensor.empty` that fixed it.
    """
    while True:
        size = tensor_type(value).get_shape()[dim]
        if size != DYNAMIC_INDEX:
            return value, size
        destination = destination_of(value)
        if destination is None:
            break
        value = destination
    owner = value.owner
    if isinstance(owner, tensor.ExtractSliceOp):
        sizes = slice_of(owner)[1]
        if len(sizes) != len(tensor_type(value).get_shape()):
            return value, None  # it drops dimensions: which, the sizes do not say
        size = sizes[dim]
        number = constant_int(size)
        return value, size if number is None else number
    if isinstance(owner, tensor.EmptyOp):
        shape = tensor_type(value).get_shape()
        position = sum(1 for s in shape[:dim] if s == DYNAMIC_INDEX)
        return value, owner.dynamic_sizes[position]
    return value, None


def upper_bound(extent: Extent) -> int | None:
    """A number that an extent never exceeds, if one is known: partial tiles have it."""
    if isinstance(extent, int):
        return extent
    owner = extent.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    if isinstance(owner, affine.MinOp):
        bounds = [_highest(expr) for expr in owner.map.data.results]
        return min((bound for bound in bounds if bound is not None), default=None)
    return None


def _highest(expr: AffineExpr) -> int | None:
    """What an expression is at most: its dims are indices, which are never negative."""
    terms = linear_terms(expr)
    if terms is None or any(factor > 0 for factor in terms[0].values()):
        return None
    return terms[1]


def destination_of(value: SSAValue) -> SSAValue | None:
    """The tensor whose shape `value` has because it was written into it."""
    owner = value.owner
    if isinstance(owner, StructuredOp) and isinstance(value, OpResult):
        return owner.outputs[value.index]
    write = owner.masked_op if isinstance(owner, MaskOp) else owner
    if isinstance(write, TransferWriteOp):
        return write.source
    if isinstance(owner, tensor.InsertSliceOp):
        return owner.dest
    if isinstance(owner, scf.ForOp) and isinstance(value, OpResult):
        return owner.iter_args[value.index]
    if isinstance(owner, ForallOp) and isinstance(value, OpResult):
        return owner.outputs[value.index]
    if isinstance(owner, Operation):
        return None
    parent = owner.parent_op()
    position = owner.args.index(value) if value in owner.args else -1
    if isinstance(parent, scf.ForOp) and position >= 1:
        return parent.iter_args[position - 1]
    if isinstance(parent, ForallOp) and position >= parent.rank:
        return parent.outputs[position - parent.rank]
    return None


def maps_of(op: StructuredOp) -> tuple[AffineMap, ...]:
    """One indexing map per operand."""
    return tuple(attr.data for attr in op.get_indexing_maps())


def known_ranges(op: StructuredOp) -> list[Extent | None]:
    """The extent of each loop as far as it is known without new ops."""
    return [
        # A known number beats a value that happens to come first.
        min(
            (known_size(operand, dim) for operand, dim in _dims_of_loop(op, loop)),
            key=lambda size: (size is None, isinstance(size, SSAValue)),
        )
        for loop in range(maps_of(op)[0].num_dims)
    ]


def loop_ranges(op: StructuredOp, new_ops: OpList) -> list[Extent]:
    """The extent of each loop, read off the operands' shapes."""
    return [
        extent
        if extent is not None
        else dim_size(*next(_dims_of_loop(op, loop)), new_ops)
        for loop, extent in enumerate(known_ranges(op))
    ]


def _dims_of_loop(op: StructuredOp, loop: int) -> Iterator[tuple[SSAValue, int]]:
    """The operands' dimensions that a loop runs over; verified: there is one."""
    for operand, map_ in zip(op.operands, maps_of(op), strict=True):
        for dim, expr in enumerate(map_.results):
            if isinstance(expr, AffineDimExpr) and expr.position == loop:
                yield operand, dim


def is_reduction(op: StructuredOp, loop: int) -> bool:
    """Whether a loop is a reduction."""
    return op.get_iterator_types().data[loop].data != IteratorType.PARALLEL


def has_only_projections(op: StructuredOp) -> bool:
    """Whether every map picks loops, without sums or products of them."""
    return all(
        isinstance(expr, AffineDimExpr | AffineConstantExpr)
        for map_ in maps_of(op)
        for expr in map_.results
    )


def operand_slice(
    operand: SSAValue,
    map_: AffineMap,
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    new_ops: OpList,
) -> tuple[list[Extent], list[Extent], list[Extent]]:
    """Which part of an operand a tile touches: offsets, sizes, strides."""
    part_offsets: list[Extent] = []
    part_sizes: list[Extent] = []
    for dim, expr in enumerate(map_.results):
        if isinstance(expr, AffineDimExpr):
            part_offsets.append(offsets[expr.position])
            part_sizes.append(sizes[expr.position])
        else:
            part_offsets.append(0)
            part_sizes.append(dim_size(operand, dim, new_ops))
    return part_offsets, part_sizes, [1] * len(part_sizes)


def extract_tile(
    operand: SSAValue,
    map_: AffineMap,
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    new_ops: OpList,
) -> SSAValue:
    """The part of an operand that a tile touches; scalars stay as they are."""
    if not is_tensor(operand.type):
        return operand
    part = operand_slice(operand, map_, offsets, sizes, new_ops)
    type_ = tensor.ExtractSliceOp.infer_result_type(tensor_type(operand), part[1])
    return new_ops.add(tensor.ExtractSliceOp(operand, *part, type_))


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
        for operand, map_ in zip(operands, maps_of(op), strict=True)
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
    _shift_indices(tiled, offsets)
    new_ops.ops.append(tiled)
    return tiled


def partial_size(offset: SSAValue, extent: int, tile: int, new_ops: OpList) -> Extent:
    """The size of a tile at `offset`: `tile`, or what is left of `extent`."""
    if extent % tile == 0:
        return tile
    d0 = AffineExpr.dimension(0)
    map_ = AffineMap(1, 0, (d0 * -1 + extent, AffineExpr.constant(tile)))
    return new_ops.add(affine.MinOp([offset], AffineMapAttr(map_)))


def _shift_indices(op: StructuredOp, offsets: Sequence[Extent]) -> None:
    """A tile's `linalg.index` counts from the tile; add where the tile begins."""
    for index in [o for o in op.body.walk() if isinstance(o, IndexOp)]:
        offset = offsets[index.dim.value.data]
        if offset == 0:
            continue
        block = index.parent_block()
        assert block is not None
        if isinstance(offset, int):
            expr, operands = AffineExpr.dimension(0) + offset, [index.result]
        else:
            expr = AffineExpr.dimension(0) + AffineExpr.dimension(1)
            operands = [index.result, offset]
        shifted = affine.ApplyOp(
            operands, AffineMapAttr(AffineMap(len(operands), 0, (expr,)))
        )
        block.insert_op_after(shifted, index)
        index.result.replace_uses_with_if(
            shifted.result, lambda use, keep=shifted: use.operation is not keep
        )


INDEX = IndexType()
