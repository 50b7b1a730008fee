"""What each op of the buffer level becomes inside a kernel: one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    StringAttr,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from tilewright.codegen.combining import check_kind, combine, is_neutral
from tilewright.codegen.descriptors import block_shape
from tilewright.codegen.lower_arith import (
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
from tilewright.codegen.lower_contract import dot_order, lower_contract
from tilewright.codegen.lower_index import (
    integer_type,
    is_index_tile,
    lower_index_tile,
)
from tilewright.codegen.names import reader_name
from tilewright.codegen.operands import bind, constant_of, constant_of_op
from tilewright.codegen.padding import padding_of
from tilewright.codegen.refusal import check_tile, refuse
from tilewright.codegen.tiles import kept_dims, tile_order, tile_shape, tile_type
from tilewright.codegen.views import Access, mask_limits, same_window, view_of
from tilewright.ir.dialects import affine, arith, func, math, memref, scf, ub, vector
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import (
    CastOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    ExpandDimsOp,
    LoadOp,
    ReduceOp,
    ReshapeOp,
    StoreOp,
    TransOp,
    element_of,
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
    from tilewright.codegen.lower_kernel import KernelLowering

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
    elif (handler := _HANDLERS.get(type(op))) is not None:
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
        return lowering.scalar(payload)
    if not isinstance(owner, Operation) or not is_side_effect_free(owner):
        refuse(lowering.grid, "uses a scalar that is not computed inside it")
    with lowering.builder.at_entry():
        lower_op(lowering, owner)
    return lowering.values[payload]


def _is_index_arithmetic(op: Operation) -> bool:
    return bool(op.results) and all(
        isinstance(result.type, IndexType) for result in op.results
    )


def _read(lowering: KernelLowering, op: vector.TransferReadOp) -> None:
    access = lowering.accesses[op]
    builder = lowering.builder
    name = lowering.names[access.base]
    other: Attribute | None = None
    if access.bounds or access.mask is not None:
        zero_only = lowering.may_use_descriptor(access)
        other = padding_of(op, zero_only=zero_only)
        lowering.paddings[op] = other
    through_descriptor = lowering.through_descriptor(access, other)
    order = _wanted_order(op)
    if order is not None and not through_descriptor and access.mask is None:
        # Pointers can be laid out in any order: loading transposed moves no data.
        access = access.permuted(order)
        lowering.orders[op.result] = order
    lowering.hazards.load(access)
    if through_descriptor:
        descriptor = lowering.descriptor(access)
        offsets = [builder.scalar(start) for start in access.starts]
        value = builder.add(
            DescriptorLoadOp(descriptor, offsets, bool(access.bounds)),
            hint=name,
            like=op,
        )
        value = _from_base_order(lowering, value, access, op.result)
    else:
        pointers = lowering.access_builder.pointers(
            access, lowering.pointer(access.base), name
        )
        mask = _and_mask(lowering, pointers.mask, access.mask, op)
        # Nothing was stored there (`hazards.py`): what was loaded is still right.
        key = ("load", pointers.tile, mask, other)
        loaded = builder.scopes[-1].known
        if key in loaded and access.base not in lowering.partial:
            lowering.values[op.result] = builder.stretch(loaded[key], access.shape)
            return
        if mask is not None:
            mask = builder.stretch(mask, shape_of(pointers.tile.type))
        load = LoadOp(pointers.tile, mask, other)
        load.properties |= lowering.hints.of_load(name)
        if access.base in lowering.partial:
            # Other programs have just written it: not from this one's own cache.
            load.properties["cache"] = StringAttr("cg")
        value = builder.add(load, like=op)
        loaded[key] = value
    value.name_hint = name
    lowering.values[op.result] = builder.stretch(value, access.shape)


def _wanted_order(op: vector.TransferReadOp) -> list[int] | None:
    """The order in which the only reader of a tile wants its dimensions, if another."""
    uses = list(op.result.uses)
    if len(uses) != 1:
        return None
    match user := uses[0].operation:
        case ContractOp() if op.result in (user.lhs, user.rhs):
            return dot_order(user, op.result)
        case TransposeOp():
            order = tile_order(op.result.type, user.order)
            return None if order == sorted(order) else order
        case _:
            return None


def _write(lowering: KernelLowering, op: vector.TransferWriteOp) -> None:
    access = lowering.accesses[op]
    builder = lowering.builder
    lowering.hazards.store(access)
    value = lowering.value(op.vector)
    _name_result(value, lowering.names[access.base])
    if lowering.through_descriptor(access, None):
        descriptor = lowering.descriptor(access)
        offsets = [builder.scalar(start) for start in access.starts]
        value = _to_base_order(lowering, value, access, op)
        store = DescriptorStoreOp(descriptor, offsets, value, bool(access.bounds))
        builder.add(store, like=op)
        extents = lowering.extents(op.vector)
        lowering.stored[store] = [
            "" if lane is None else extents[lane] for lane in access.lanes
        ]
        return
    pointers = lowering.access_builder.pointers(
        access, lowering.pointer(access.base), lowering.names[access.base]
    )
    mask = _and_mask(lowering, pointers.mask, access.mask, op)
    if mask is not None:
        mask = builder.stretch(mask, shape_of(pointers.tile.type))
    store = StoreOp(pointers.tile, value, mask)
    store.properties |= lowering.hints.of_store(lowering.names[access.base])
    builder.add(store, like=op)
    lowering.stored[store] = lowering.extents(op.vector)


def _name_result(value: SSAValue, name: str) -> None:
    """Call what is stored after the buffer, unless the payload has a name for it."""
    while isinstance(value.owner, Operation):
        value.name_hint = value.name_hint or name
        if not isinstance(value.owner, CastOp):
            break
        value = value.owner.source


def _and_mask(
    lowering: KernelLowering,
    box: SSAValue | None,
    mask: SSAValue | None,
    op: vector.TransferReadOp | vector.TransferWriteOp,
) -> SSAValue | None:
    if mask is None:
        return box
    constant = constant_of(mask)
    if isinstance(constant, IntegerAttr) and constant.value.data:
        return box
    if not op.permutation_map.data.is_minor_identity():
        refuse(op, "a computed mask on a permuted transfer")
    other = lowering.value(mask)
    if box is None:
        return other
    builder = lowering.builder
    return builder.add(arith.AndIOp(builder.stretch(box, shape_of(other.type)), other))


def _from_base_order(
    lowering: KernelLowering, value: SSAValue, access: Access, result: SSAValue
) -> SSAValue:
    """A block as a descriptor gives it, in the shape and order of the tile."""
    order = [lane for lane in access.lanes if lane is not None]
    if None in access.lanes:
        of = tile_of(element_of(value.type), [access.shape[lane] for lane in order])
        extents = lowering.extents(result)
        names = [extents[lane] for lane in order]
        value = lowering.builder.add(ReshapeOp(value, of, names))
    if order != sorted(order):
        value = lowering.builder.add(
            TransOp(value, [order.index(lane) for lane in range(len(order))])
        )
    return value


def _to_base_order(
    lowering: KernelLowering,
    value: SSAValue,
    access: Access,
    op: vector.TransferWriteOp,
) -> SSAValue:
    """A tile in the order and rank of the base buffer, as a descriptor takes it."""
    lanes = access.lanes
    order = [lane for lane in lanes if lane is not None]
    if order != sorted(order):
        value = lowering.builder.add(TransOp(value, order))
    if None in lanes:
        extents = lowering.extents(op.vector)
        names = ["" if lane is None else extents[lane] for lane in lanes]
        of = tile_of(element_of(value.type), block_shape(access))
        value = lowering.builder.add(ReshapeOp(value, of, names))
    return value


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


def _alloc(lowering: KernelLowering, op: Operation) -> None:
    refuse(
        op,
        "a buffer is allocated inside a grid",
        "hoist the accumulator, so that bufferization needs no buffer a tile",
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


def _loop(lowering: KernelLowering, op: scf.ForOp) -> None:
    lowering.lower_loop(op)


_HANDLERS: dict[type[Operation], Lowering] = {
    vector.TransferReadOp: _read,
    vector.TransferWriteOp: _write,
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
    scf.ForOp: _loop,
    CopyOp: _copy,
    memref.AllocOp: _alloc,
    memref.AllocaOp: _alloc,
    ForallOp: _nested_grid,
}
