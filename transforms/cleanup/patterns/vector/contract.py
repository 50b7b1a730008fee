"""Patterns on vector.contract: form it, fold operands into it, unmask it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.vector import (
    BroadcastOp,
    CombiningKindFlag,
    ContractOp,
    CreateMaskOp,
    IteratorType,
    IteratorTypeAttr,
    MaskOp,
    MultiReductionOp,
    ReductionOp,
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
    dims_of,
)
from tilewright.ir.structured.combiners import neutral_element
from tilewright.ir.types import element_type, lanes, vector_type
from tilewright.transforms.cleanup.build import make
from tilewright.transforms.cleanup.constants import index_constant, splat
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.vector.masks import (
    mask_sizes,
    mask_type,
    unmask,
)
from tilewright.transforms.cleanup.patterns.vector.transfers import rebuild_read
from tilewright.transforms.cleanup.shapes import Size
from tilewright.transforms.core.rewriter import Rewriter


@pattern(MultiReductionOp)
def reduction_to_contract(op: MultiReductionOp, rewriter: Rewriter) -> None:
    """Make a sum of products a contraction."""
    product = op.source.owner
    if op.kind.data != CombiningKindFlag.ADD:
        return
    if not isinstance(product, arith.MulfOp | arith.MuliOp):
        return
    rank = vector_type(op.source).get_num_dims()
    identity = AffineMap.identity(rank)
    kept = [d for d in range(rank) if d not in op.dims]
    result = AffineMap(rank, 0, tuple(AffineExpr.dimension(d) for d in kept))
    iterators = [
        IteratorType.REDUCTION if d in op.dims else IteratorType.PARALLEL
        for d in range(rank)
    ]
    contract = ContractOp(
        product.lhs,
        product.rhs,
        op.acc,
        ArrayAttr([AffineMapAttr(m) for m in (identity, identity, result)]),
        ArrayAttr([IteratorTypeAttr(kind) for kind in iterators]),
    )
    rewriter.replace_with(op, contract)


@pattern(ContractOp)
def absorb_operand(op: ContractOp, rewriter: Rewriter) -> None:
    """Fold a broadcast or transposed operand into its indexing map."""
    for position in (0, 1):
        if (absorbed := _absorbed(op, position)) is not None:
            _replace_operand(op, position, *absorbed, rewriter)
            return


def _absorbed(
    op: ContractOp, position: int
) -> tuple[SSAValue, Sequence[AffineExpr]] | None:
    """What an operand is a transpose or a broadcast of, and the loops that index it."""
    feeder = op.operands[position].owner
    results = op.indexing_maps.data[position].data.results
    if isinstance(feeder, TransposeOp):
        order = feeder.order
        return feeder.vector, [results[order.index(d)] for d in range(len(results))]
    if isinstance(feeder, BroadcastOp) and _is_plain_broadcast(feeder):
        rank = vector_type(feeder.source).get_num_dims()
        spread, kept = results[:-rank], results[-rank:]
        if _covers_loops(op, position, kept) and not _reduces(op, spread):
            return feeder.source, kept
    return None


@pattern(ContractOp)
def absorb_unit_broadcast(op: ContractOp, rewriter: Rewriter) -> None:
    """Index a broadcast unit dimension by a loop of extent 1 instead.

    Upstream leaves such an operand as wide as all loops: a tile of a batched product,
    where the batch has one element, would be repeated for every row.
    """
    for position in (0, 1):
        if (absorbed := _absorbed_units(op, position)) is not None:
            _replace_operand(op, position, *absorbed, rewriter)
            return


def _absorbed_units(
    op: ContractOp, position: int
) -> tuple[SSAValue, Sequence[AffineExpr]] | None:
    """What an operand broadcasts unit dimensions of, and the loops that index it."""
    feeder = op.operands[position].owner
    if not isinstance(feeder, BroadcastOp) or _is_plain_broadcast(feeder):
        return None
    shape = lanes(feeder.source.type) or ()
    wide = vector_type(feeder.vector).get_shape()
    results = op.indexing_maps.data[position].data.results
    lead = len(wide) - len(shape)
    units = [results[dim] for dim in range(lead) if wide[dim] == 1]
    kept: list[AffineExpr] = []
    for dim, size in enumerate(shape):
        is_stretched = size != wide[lead + dim]
        if is_stretched and not units:
            break
        kept.append(units.pop() if is_stretched else results[lead + dim])
    dropped = [expr for expr in results if expr not in kept]
    if (
        shape
        and len(kept) == len(shape)
        and _covers_loops(op, position, kept)
        and not _reduces(op, dropped)
    ):
        return feeder.source, kept
    return None


@pattern(ContractOp)
def fold_extension(op: ContractOp, rewriter: Rewriter) -> None:
    """Contract narrow operands directly if both are extended from one type."""
    narrow = _narrow_operands(op)
    if narrow is None:
        return
    rewriter.replace_with(
        op,
        ContractOp(*narrow, op.acc, op.indexing_maps, op.iterator_types, op.kind),
    )


def _narrow_operands(op: ContractOp) -> tuple[SSAValue, SSAValue] | None:
    """Both factors before their extension, if they are extended from one type."""
    lhs, rhs = op.lhs.owner, op.rhs.owner
    if not isinstance(lhs, arith.ExtFOp | arith.ExtSIOp) or type(rhs) is not type(lhs):
        return None
    assert isinstance(rhs, arith.ExtFOp | arith.ExtSIOp)
    if element_type(lhs.input.type) != element_type(rhs.input.type):
        return None
    return lhs.input, rhs.input


@pattern(MaskOp)
def neutralize_contract(op: MaskOp, rewriter: Rewriter) -> None:
    """Unmask a contraction: make masked-off lanes of its operands 0.

    Both operands need it, since 0 * NaN is not 0. Masked-off lanes of a parallel loop
    add 0 to the accumulator and so keep it, unless the other factor is infinite there.
    """
    masked = op.masked_op
    if not isinstance(masked, ContractOp) or op.passthru is not None:
        return
    sizes = mask_sizes(op.mask)
    if sizes is None or masked.kind.data != CombiningKindFlag.ADD:
        return
    # Other patterns absorb these first. An extension of one factor alone stays, and so
    # does a broadcast along a loop that neither source has.
    if _narrow_operands(masked) is not None or any(
        absorbed(masked, position) is not None
        for absorbed in (_absorbed, _absorbed_units)
        for position in (0, 1)
    ):
        return
    needed = _needed(op, sizes, dims_of(masked.indexing_maps.data[2].data))
    for position in (0, 1):
        zeroed = _zeroed(masked, position, sizes, needed, op, rewriter)
        masked.operands[position] = zeroed
    unmask(op, masked, rewriter)


@pattern(MaskOp)
def neutralize_reduction(op: MaskOp, rewriter: Rewriter) -> None:
    """Unmask a reduction: reduce `select(mask, x, neutral element)`."""
    masked = op.masked_op
    if not isinstance(masked, MultiReductionOp | ReductionOp):
        return
    source, kind = masked.operands[0], masked.kind.data
    if kind == CombiningKindFlag.ADD and isinstance(
        source.owner, arith.MulfOp | arith.MuliOp
    ):
        return  # reduction_to_contract does better
    type_ = vector_type(source)
    fastmath = masked.properties.get("fastmath")
    element = neutral_element(kind, type_.element_type, fastmath)
    if element is None:
        return
    mask = op.mask
    if isinstance(masked, MultiReductionOp) and (sizes := mask_sizes(mask)) is not None:
        kept = [dim for dim in range(len(sizes)) if dim not in masked.dims]
        needed = _needed(op, sizes, kept)
        if _is_whole(needed, type_.get_shape()):
            unmask(op, masked, rewriter)
            return
        if needed != sizes:
            mask = _box(needed, type_.get_shape(), op, rewriter)
    neutral = arith.ConstantOp(splat(element, type_))
    select = make("arith.select", [mask, source, neutral.result], [type_])
    rewriter.insert_before(op, neutral, select)
    rewriter.set_operand(masked, 0, select.results[0])
    unmask(op, masked, rewriter)


def _needed(
    op: MaskOp, sizes: tuple[Size, ...], kept: Sequence[int]
) -> tuple[Size, ...]:
    """The sizes of a mask that a reduction needs, for the loops `kept` in its result.

    If the result is only written, under a mask of the same sizes, nothing reads the
    lanes that a mask of these loops turns off. They may then hold any number.
    """
    wanted = tuple(sizes[loop] for loop in kept)
    if not all(_is_written_under(use.operation, wanted) for use in op.results[0].uses):
        return sizes
    shape = vector_type(op.mask).get_shape()
    return tuple(
        shape[loop] if loop in kept else size for loop, size in enumerate(sizes)
    )


def _is_written_under(op: Operation, sizes: tuple[Size, ...]) -> bool:
    """Whether an op writes a vector in its order, in lanes of a mask of these sizes."""
    if not isinstance(op, TransferWriteOp):
        return False
    around = op.parent_op()
    mask = around.mask if isinstance(around, MaskOp) else op.mask
    order = op.permutation_map.data
    is_in_order = order == AffineMap.identity(order.num_dims)
    return is_in_order and mask is not None and mask_sizes(mask) == sizes


def _is_whole(sizes: Sequence[Size], shape: Sequence[int]) -> bool:
    return all(
        isinstance(size, int) and size >= extent
        for size, extent in zip(sizes, shape, strict=True)
    )


def _zeroed(
    contract: ContractOp,
    position: int,
    sizes: Sequence[Size],
    needed: Sequence[Size],
    anchor: Operation,
    rewriter: Rewriter,
) -> SSAValue:
    """An operand with zeros in the lanes that are masked off.

    A read has them in all of these lanes, at no cost; else the `needed` ones suffice.
    """
    operand = contract.operands[position]
    loops = dims_of(contract.indexing_maps.data[position].data)
    type_ = vector_type(operand)
    wanted = [sizes[loop] for loop in loops]
    if _is_whole(wanted, type_.get_shape()):
        return operand
    read = operand.owner
    if isinstance(read, TransferReadOp) and read.mask is not None:
        # If the operand is a read under the same mask, pad it with 0 instead. A mask
        # is in the order of the source, so only reads in that order are compared.
        order = read.permutation_map.data
        same_order = order == AffineMap.identity(order.num_dims)
        if same_order and mask_sizes(read.mask) == tuple(wanted):
            zero = arith.ConstantOp(_zero(type_.element_type))
            padded = rebuild_read(read, mask=read.mask, padding=zero.result)
            padded.location = read.location
            rewriter.insert_before(read, zero, padded)
            return padded.result
    wanted = [needed[loop] for loop in loops]
    if _is_whole(wanted, type_.get_shape()):
        return operand
    mask = _box(wanted, type_.get_shape(), anchor, rewriter)
    zeros = arith.ConstantOp(splat(_zero(type_.element_type), type_))
    select = make("arith.select", [mask, operand, zeros.result], [type_])
    rewriter.insert_before(anchor, zeros, select)
    return select.results[0]


def _box(
    sizes: Sequence[Size],
    shape: tuple[int, ...],
    anchor: Operation,
    rewriter: Rewriter,
) -> SSAValue:
    """A mask with the first lanes of each dimension on."""
    values: list[SSAValue] = []
    for size in sizes:
        if isinstance(size, int):
            number = index_constant(size)
            rewriter.insert_before(anchor, number)
            size = number.result
        values.append(size)
    mask = CreateMaskOp(values, mask_type(shape))
    rewriter.insert_before(anchor, mask)
    return mask.mask_vector


def _replace_operand(
    op: ContractOp,
    position: int,
    value: SSAValue,
    results: Sequence[AffineExpr],
    rewriter: Rewriter,
) -> None:
    maps = [m.data for m in op.indexing_maps]
    maps[position] = AffineMap(maps[position].num_dims, 0, tuple(results))
    operands = list(op.operands)
    operands[position] = value
    rewriter.replace_with(
        op,
        ContractOp(
            operands[0],
            operands[1],
            operands[2],
            ArrayAttr([AffineMapAttr(m) for m in maps]),
            op.iterator_types,
            op.kind,
        ),
    )


def _covers_loops(op: ContractOp, position: int, kept: Sequence[AffineExpr]) -> bool:
    """Whether every loop is still a dimension of one of the two factors."""
    other = op.indexing_maps.data[1 - position].data.results
    return len({*other, *kept}) == len(op.iterator_types)


def _reduces(op: ContractOp, loops: Sequence[AffineExpr]) -> bool:
    """Whether one of the loops is a reduction, which both operands must index."""
    return any(
        isinstance(expr, AffineDimExpr)
        and op.iterator_types.data[expr.position].data == IteratorType.REDUCTION
        for expr in loops
    )


def _is_plain_broadcast(op: BroadcastOp) -> bool:
    """Whether a broadcast only adds leading dimensions."""
    shape = lanes(op.source.type)
    target = vector_type(op.vector).get_shape()
    return bool(shape) and target[-len(shape) :] == shape


def _zero(type_: Attribute) -> IntegerAttr | FloatAttr:
    zero = neutral_element(CombiningKindFlag.ADD, type_)
    assert zero is not None, "vectors hold integers or floats"
    return zero


REDUCTION = (reduction_to_contract, absorb_operand)
EXTENSION = (fold_extension,)
FURTHER = (absorb_unit_broadcast, neutralize_contract, neutralize_reduction)
