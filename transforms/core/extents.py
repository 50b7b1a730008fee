"""Sizes and offsets: numbers where they are known, values where they are not.

New ops are collected in an `OpList`, so that a plan can be computed before anything is
inserted. Constants are folded at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IndexType, IntegerAttr
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from tilewright.ir.dialects import affine, arith, memref, scf, tensor
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.linalg.loops import shape_of
from tilewright.ir.dialects.scf import ForallOp, mixed
from tilewright.ir.indexing.composition import is_symbol
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.indexing.linear import linearized
from tilewright.ir.indexing.ranges import Ranges
from tilewright.ir.indexing.semi_affine import binary, substitute
from tilewright.ir.types import is_buffer

INDEX = IndexType()

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

    def drop(self) -> None:
        """Erase the ops: ops that are not inserted must not stay users of payload."""
        for op in reversed(self.ops):
            op.erase()
        self.ops.clear()


def dim_size(value: SSAValue, dim: int, new_ops: OpList) -> Extent:
    """The extent of a dimension: `tensor.dim`, `memref.dim` where nothing is known."""
    value, size = _traced_size(value, dim)
    if size is not None:
        return size
    if is_buffer(value.type):
        return new_ops.add(memref.DimOp(value, new_ops.index(dim)))
    return new_ops.add(tensor.DimOp(value, new_ops.index(dim)))


def known_size(value: SSAValue, dim: int) -> Extent | None:
    """The extent of a dimension, if there is a number or a value for it."""
    return _traced_size(value, dim)[1]


def _traced_size(value: SSAValue, dim: int) -> tuple[SSAValue, Extent | None]:
    """Follow a dimension to where it was fixed: the tensor there, and the extent.

    Destination-style ops keep the shape of their destination, so the walk goes up to
    the slice or the `tensor.empty` that fixed it; for buffers to view and allocation.
    """
    while True:
        size = shape_of(value.type)[dim]
        if size != DYNAMIC_INDEX:
            return value, size
        destination = destination_of(value)
        if destination is None:
            break
        value = destination
    owner = value.owner
    if isinstance(owner, tensor.CastOp):
        return _traced_size(owner.source, dim)
    if isinstance(owner, tensor.ExtractSliceOp | memref.SubviewOp):
        sizes = mixed(owner.static_sizes, owner.sizes)
        if len(sizes) != len(shape_of(value.type)):
            return value, None  # it drops dimensions, and the sizes do not say which
        size = sizes[dim]
        number = constant_int(size)
        return value, size if number is None else number
    if isinstance(owner, tensor.EmptyOp | memref.AllocOp):
        shape = shape_of(value.type)
        position = sum(1 for s in shape[:dim] if s == DYNAMIC_INDEX)
        return value, owner.dynamic_sizes[position]
    return value, None


def upper_bound(extent: Extent) -> int | None:
    """A number that an extent never exceeds, if one is known: partial tiles have it."""
    return _RANGES.highest(extent)


# Extents are computed from indices and other extents, which are never negative.
_RANGES = Ranges(lambda _: (0, None))


def destination_of(value: SSAValue) -> SSAValue | None:
    """The tensor whose shape `value` has because it was written into it."""
    owner = value.owner
    if isinstance(owner, Block):
        return _carried_from(value, owner)
    if isinstance(owner, StructuredOp) and isinstance(value, OpResult):
        return owner.outputs[value.index]
    from tilewright.ir.dialects.vector import MaskOp, TransferWriteOp

    write = owner.masked_op if isinstance(owner, MaskOp) else owner
    if isinstance(write, TransferWriteOp):
        return write.source
    if isinstance(owner, tensor.InsertSliceOp):
        return owner.dest
    if isinstance(owner, scf.ForOp) and isinstance(value, OpResult):
        return owner.iter_args[value.index]
    if isinstance(owner, ForallOp) and isinstance(value, OpResult):
        return owner.outputs[value.index]
    return None


def _carried_from(value: SSAValue, block: Block) -> SSAValue | None:
    """The initial value of a carried argument of a loop's body."""
    parent = block.parent_op()
    position = block.args.index(value) if value in block.args else -1
    if isinstance(parent, scf.ForOp) and position >= 1:
        return parent.iter_args[position - 1]
    if isinstance(parent, ForallOp) and position >= parent.rank:
        return parent.outputs[position - parent.rank]
    return None


def evaluate(
    expr: AffineExpr,
    values: Sequence[Extent],
    new_ops: OpList,
    fixed: Sequence[Extent] = (),
) -> Extent:
    """An expression over d0, d1, ... and s0, s1, ... for the given values."""
    (folded,), operands, symbols = _put_in((expr,), values, fixed)
    if isinstance(folded, AffineConstantExpr):
        return folded.value
    if isinstance(folded, AffineDimExpr):
        return operands[folded.position]
    if isinstance(folded, AffineSymExpr):
        return operands[len(operands) - symbols + folded.position]
    map_ = AffineMap(len(operands) - symbols, symbols, (folded,))
    return new_ops.add(affine.ApplyOp(operands, AffineMapAttr(map_)))


def _put_in(
    exprs: Sequence[AffineExpr], values: Sequence[Extent], fixed: Sequence[Extent]
) -> tuple[list[AffineExpr], list[SSAValue], int]:
    """Expressions with numbers substituted, the values left, the number of symbols.

    Values in `fixed`, and values that do not change in a function, are symbols, as
    upstream has it.
    """
    symbols: list[SSAValue] = []
    dims: list[SSAValue] = []
    for value in fixed:
        if isinstance(value, SSAValue) and constant_int(value) is None:
            symbols.append(value)
    for value in values:
        if isinstance(value, SSAValue) and constant_int(value) is None:
            (symbols if is_symbol(value) else dims).append(value)
    symbols = list(dict.fromkeys(symbols))
    dims = [value for value in dict.fromkeys(dims) if value not in symbols]

    def expression(value: Extent) -> AffineExpr:
        if (number := constant_int(value)) is not None:
            return AffineExpr.constant(number)
        assert isinstance(value, SSAValue)
        if value in symbols:
            return AffineExpr.symbol(symbols.index(value))
        return AffineExpr.dimension(dims.index(value))

    for_dims = [expression(value) for value in values]
    for_symbols = [expression(value) for value in fixed]
    folded = [linearized(substitute(e, for_dims, for_symbols)) for e in exprs]
    return folded, [*dims, *symbols], len(symbols)


_D0, _D1 = (AffineExpr.dimension(i) for i in range(2))
_S0, _S1 = (AffineExpr.symbol(i) for i in range(2))


def ceil_div(extent: Extent, tile: Extent, new_ops: OpList) -> Extent:
    """The number of tiles that cover an extent."""
    quotient = binary(AffineBinaryOpKind.CeilDiv, _S0, _S1)
    return evaluate(quotient, [], new_ops, [extent, tile])


def product(index: Extent, tile: Extent, new_ops: OpList) -> Extent:
    """The offset of tile number `index`."""
    times = binary(AffineBinaryOpKind.Mul, _D0, _S0)
    return evaluate(times, [index], new_ops, [tile])


def partial_size(
    offset: Extent,
    extent: Extent,
    tile: Extent,
    new_ops: OpList,
    *,
    counts_tiles: bool = False,
    may_pass_end: bool = False,
) -> Extent:
    """The size of a tile at `offset`: `tile`, or what is left of `extent`.

    With `counts_tiles` the offset is in tiles. A tile that begins after the end has
    size 0.
    """
    if not may_pass_end:
        if tile == 1:
            return 1
        if isinstance(extent, int) and isinstance(tile, int):
            # An empty extent shared among threads gives tiles of 0.
            if tile == 0 or extent % tile == 0:
                return tile
    before = binary(AffineBinaryOpKind.Mul, _D0, _S1) if counts_tiles else _D0
    exprs = (_S0 - before, _S1)
    folded, operands, symbols = _put_in(exprs, [offset], [extent, tile])
    map_ = AffineMapAttr(AffineMap(len(operands) - symbols, symbols, tuple(folded)))
    size = new_ops.add(affine.MinOp(operands, map_))
    return at_least_zero(size, new_ops) if may_pass_end else size


def at_least_zero(size: Extent, new_ops: OpList) -> Extent:
    """A size, or 0 where it would be negative."""
    if isinstance(size, int):
        return max(size, 0)
    map_ = AffineMap(1, 0, (AffineExpr.constant(0), _D0))
    return new_ops.add(MaxOp([size], AffineMapAttr(map_)))


def least(first: Extent, second: Extent, new_ops: OpList) -> Extent:
    """The smaller of two extents."""
    if isinstance(first, int) and isinstance(second, int):
        return min(first, second)
    return new_ops.add(affine.MinOp(*_both(first, second)))


def greatest(first: Extent, second: Extent, new_ops: OpList) -> Extent:
    """The larger of two extents."""
    if isinstance(first, int) and isinstance(second, int):
        return max(first, second)
    return new_ops.add(MaxOp(*_both(first, second)))


def _both(first: Extent, second: Extent) -> tuple[list[SSAValue], AffineMapAttr]:
    """Two extents as the results of a map, and the map's operands."""
    folded, operands, symbols = _put_in((_D0, _D1), [first, second], ())
    map_ = AffineMap(len(operands) - symbols, symbols, tuple(folded))
    return operands, AffineMapAttr(map_)
