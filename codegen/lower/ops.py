"""What each op of the buffer level becomes inside a kernel: one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from tilewright.codegen.analysis.tiles import (
    kept_dims,
    tile_order,
    tile_shape,
    tile_type,
)
from tilewright.codegen.analysis.views import mask_limits, same_window, view_of
from tilewright.codegen.kernel.combiners import check_kind, combine, is_neutral
from tilewright.codegen.kernel.operands import bind, constant_of, constant_of_op
from tilewright.codegen.lower.arith import (
    CASTS,
    SAME,
    lower_cast,
    lower_compare_floats,
    lower_compare_integers,
    lower_index_cast,
    lower_power,
    lower_same,
    lower_select,
    refuse_bits,
)
from tilewright.codegen.lower.branches import lower_if
from tilewright.codegen.lower.contract import lower_contract
from tilewright.codegen.lower.index_tiles import (
    integer_type,
    is_index_tile,
    lower_index_tile,
)
from tilewright.codegen.lower.loops import lower_loop
from tilewright.codegen.lower.transfers import lower_read, lower_write
from tilewright.codegen.refusal import check_tile, refuse
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dialects import affine, arith, func, math, memref, scf, ub, vector
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import (
    ExpandDimsOp,
    ReduceOp,
    ReshapeOp,
    TransOp,
    shape_of,
    tile_of,
)
from tilewright.ir.dialects.memref import CopyOp
from tilewright.ir.dialects.scf import ForallOp
from tilewright.ir.dialects.vector import (
    ContractOp,
    MaskOp,
    MultiReductionOp,
    ShapeCastOp,
    TransposeOp,
)

if TYPE_CHECKING:
    from tilewright.codegen.lower.kernel import KernelLowering

Lowering = Callable[..., None]

_INDEX_OPS = (
    affine.ApplyOp,
    affine.MinOp,
    memref.SubviewOp,
    memref.ExpandShapeOp,
    memref.CollapseShapeOp,
    memref.CastOp,
)
"""Read when an access needs them; nothing to do on their own."""


def lower_op(lowering: KernelLowering, op: Operation) -> None:
    """Lower one op inside a grid."""
    for result in op.results:
        check_tile(op, result.type)
    if isinstance(op, _INDEX_OPS) or _is_index_arithmetic(op):
        return
    if constant_of_op(op) is not None or isinstance(op, ub.PoisonOp):
        return
    if any(map(is_index_tile, op.results)) and lower_index_tile(lowering, op):
        return
    if isinstance(op, SAME):
        lower_same(lowering, op)
    elif isinstance(op, CASTS):
        lower_cast(lowering, op)
    elif (handler := HANDLERS.get(type(op))) is not None:
        handler(lowering, op)
    else:
        refuse(
            op,
            "no Triton construct for this op inside a grid",
            "see docs/codegen.md for the ops that are accepted",
        )


def lower_from_outside(lowering: KernelLowering, payload: SSAValue) -> SSAValue:
    """The kernel value of a constant, or of what is computed before the grid."""
    if isinstance(payload.type, IndexType):
        return lowering.builder.scalar(lowering.indices.linear(payload))
    constant = constant_of(payload)
    if constant is not None:
        of = tile_type(payload.type)
        if is_index_tile(payload):
            width = integer_type(lowering, payload)
            constant = IntegerAttr(int(constant.value.data), width)
            of = tile_of(width, tile_shape(payload.type))
        return lowering.builder.splat(constant, of)
    owner = payload.owner
    if isinstance(owner, Block) and isinstance(owner.parent_op(), func.FuncOp):
        return lowering.parameters.scalar(payload)
    if not isinstance(owner, Operation) or not is_side_effect_free(owner):
        refuse(lowering.grid, "uses a scalar that is not computed inside it")
    with lowering.builder.at_entry():
        lower_op(lowering, owner)
    return lowering.values[payload]


def _is_index_arithmetic(op: Operation) -> bool:
    is_computed = bool(op.results) and not op.regions
    return is_computed and all(
        isinstance(result.type, IndexType) for result in op.results
    )


def _create_mask(
    lowering: KernelLowering, op: vector.CreateMaskOp | vector.ConstantMaskOp
) -> None:
    """A mask used as a value; masks of transfers are taken apart with the transfer."""
    mask = op.results[0]
    users = [use.operation for use in mask.uses]
    if all(
        isinstance(user, vector.TransferReadOp | vector.TransferWriteOp)
        and user.mask is mask
        for user in users
    ):
        return
    limits = mask_limits(op, lowering.indices)
    lowering.values[mask] = lowering.access_builder.box(mask, limits)


def _broadcast(lowering: KernelLowering, op: vector.BroadcastOp) -> None:
    lead = len(shape_of(op.vector.type)) - len(shape_of(op.source.type))
    places = [lead + dim for dim in kept_dims(op.source.type)]
    _spread(lowering, op.source, places, op.vector)


def _spread(
    lowering: KernelLowering, source: SSAValue, places: list[int], result: SSAValue
) -> None:
    """Lay a tile along some dimensions of a wider one, repeated along the others."""
    builder = lowering.builder
    value = lowering.value(source)
    if places != sorted(places):
        order = sorted(range(len(places)), key=places.__getitem__)
        value = builder.add(TransOp(value, order), hint=value.name_hint)
    if places:
        for axis, dim in enumerate(kept_dims(result.type)):
            if dim not in places:
                value = builder.add(ExpandDimsOp(value, axis))
    lowering.values[result] = builder.stretch(value, tile_shape(result.type))


def _transpose(lowering: KernelLowering, op: TransposeOp) -> None:
    maker = op.vector.owner
    if isinstance(maker, vector.BroadcastOp):
        # Repeating in the other order moves nothing.
        lead = len(op.order) - len(shape_of(maker.source.type))
        places = [op.order.index(lead + dim) for dim in kept_dims(maker.source.type)]
        _spread(lowering, maker.source, places, op.result)
        return
    order = tile_order(op.vector.type, op.order)
    value = lowering.value(op.vector)
    if order in (sorted(order), lowering.orders.get(op.vector)):
        lowering.values[op.result] = value
        return
    bind(lowering, op, TransOp(value, order))


def _shape_cast(lowering: KernelLowering, op: ShapeCastOp) -> None:
    value = lowering.value(op.source)
    of = tile_type(op.result.type)
    if value.type == of:
        lowering.values[op.result] = value
        return
    bind(lowering, op, ReshapeOp(value, of, lowering.extents(op.result)))


def _extract(lowering: KernelLowering, op: vector.ExtractOp) -> None:
    """Along dimensions of size one there is nothing to take out."""
    if tile_shape(op.operands[0].type) != tile_shape(op.results[0].type):
        refuse(op, "a single element taken out of a tile")
    lowering.values[op.results[0]] = lowering.value(op.operands[0])


_TOTALS = {
    CombiningKindFlag.ADD: "total",
    CombiningKindFlag.MAXIMUMF: "largest",
    CombiningKindFlag.MAXNUMF: "largest",
    CombiningKindFlag.MINIMUMF: "least",
    CombiningKindFlag.MINNUMF: "least",
}
"""What a reduction's result is called, where the payload has no name for it."""


def _reduce(
    lowering: KernelLowering, op: MultiReductionOp | vector.ReductionOp
) -> None:
    builder = lowering.builder
    refuse_bits(op, *op.operands)
    if isinstance(op, MultiReductionOp):
        source, dims, acc = op.source, op.dims, op.acc
    else:
        source, dims, acc = op.vector, (0,), op.acc
    value = lowering.value(source)
    kind = op.kind.data
    check_kind(op, kind, value)
    kept = kept_dims(source.type)
    for dim in sorted(set(dims) & set(kept), reverse=True):
        value = builder.add(ReduceOp(value, op.kind, kept.index(dim)), like=op)
        value.name_hint = reader_name(op.dest.name_hint) or _TOTALS.get(op.kind.data)
    if acc is not None and not is_neutral(constant_of(acc), kind):
        value = builder.add(combine(op, kind, lowering.value(acc), value), like=op)
    lowering.values[op.dest] = value


def _copy(lowering: KernelLowering, op: CopyOp) -> None:
    source = view_of(op.source, lowering.indices)
    target = view_of(op.target, lowering.indices)
    if not same_window(source, target):
        refuse(
            op,
            "a copy between buffers inside a grid",
            "vectorize the copy, or let bufferization write in place",
        )


def _nested_grid(lowering: KernelLowering, op: ForallOp) -> None:
    refuse(
        op,
        "a parallel loop inside a grid",
        "Triton owns what is inside a block; tile with for loops there",
    )


def _masked(lowering: KernelLowering, op: MaskOp) -> None:
    inner = op.masked_op
    refuse(
        op,
        f"'{inner.name if inner else 'nothing'}' under a mask",
        "run the patterns that turn masked ops into zero-padded ones",
    )


HANDLERS: dict[type[Operation], Lowering] = {
    vector.TransferReadOp: lower_read,
    vector.TransferWriteOp: lower_write,
    vector.CreateMaskOp: _create_mask,
    vector.ConstantMaskOp: _create_mask,
    vector.BroadcastOp: _broadcast,
    vector.ExtractOp: _extract,
    vector.ReductionOp: _reduce,
    TransposeOp: _transpose,
    ShapeCastOp: _shape_cast,
    MultiReductionOp: _reduce,
    ContractOp: lower_contract,
    MaskOp: _masked,
    arith.CmpfOp: lower_compare_floats,
    arith.CmpiOp: lower_compare_integers,
    arith.IndexCastOp: lower_index_cast,
    arith.IndexCastUIOp: lower_index_cast,
    math.PowFOp: lower_power,
    SelectOp: lower_select,
    scf.ForOp: lower_loop,
    scf.IfOp: lower_if,
    CopyOp: _copy,
    ForallOp: _nested_grid,
}
