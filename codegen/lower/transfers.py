"""Transfers between buffers and tiles: loads and stores, by pointer or descriptor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.codegen.analysis.descriptors import block_shape
from tilewright.codegen.analysis.tiles import tile_order
from tilewright.codegen.analysis.views import Access
from tilewright.codegen.kernel.masked_lanes import padding_of
from tilewright.codegen.kernel.named_sizes import COLUMNS
from tilewright.codegen.kernel.operands import constant_of
from tilewright.codegen.lower.contract import dot_order
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import (
    CastOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    LoadOp,
    ReshapeOp,
    StoreOp,
    TransOp,
    element_of,
    shape_of,
    tile_of,
)
from tilewright.ir.dialects.vector import ContractOp, TransposeOp
from tilewright.ir.launch_attributes import launch_number

if TYPE_CHECKING:
    from tilewright.codegen.lower.kernel import KernelLowering


def lower_read(lowering: KernelLowering, op: vector.TransferReadOp) -> None:
    """A load of a tile, in the order its reader wants where that costs nothing."""
    access = lowering.accesses[op]
    builder = lowering.builder
    name = lowering.names[access.base]
    other: Attribute | None = None
    if access.bounds or access.mask is not None:
        zero_only = lowering.descriptors.may_take(access)
        other = padding_of(op, zero_only=zero_only)
        lowering.paddings[op] = other
    through_descriptor = _through_descriptor(lowering, access, other)
    order = _wanted_order(op)
    if order is not None and not through_descriptor and access.mask is None:
        # Pointers can be laid out in any order: loading transposed moves no data.
        access = access.permuted(order)
        lowering.orders[op.result] = order
    lowering.hazards.load(access)
    if through_descriptor:
        descriptor = lowering.parameters.descriptor(access)
        offsets = _coordinates(lowering, access)
        value = builder.add(
            DescriptorLoadOp(descriptor, offsets, bool(access.bounds)),
            hint=name,
            like=op,
        )
        value = _from_base_order(lowering, value, access, op.result)
    else:
        pointers = lowering.access_builder.pointers(
            access, lowering.parameters.pointer(access.base), name
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


def _through_descriptor(
    lowering: KernelLowering, access: Access, other: Attribute | None
) -> bool:
    # Stores through descriptors may still be under way when a program counts itself in.
    is_partial = access.base in lowering.partial
    return not is_partial and lowering.descriptors.take(access, other)


def _coordinates(lowering: KernelLowering, access: Access) -> list[SSAValue]:
    """Where a descriptor's block begins; the hardware takes 32 bits."""
    for start in access.starts:
        if not start.fits:
            name = lowering.names[access.base]
            refuse(
                access.op,
                f"'{name}' cannot go through a tensor descriptor: a block begins at "
                f"up to {start.high}, coordinates have 32 bits",
                "leave 'triton.descriptors' off this grid",
            )
    return [lowering.builder.scalar(start) for start in access.starts]


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


def lower_write(lowering: KernelLowering, op: vector.TransferWriteOp) -> None:
    """A store of a tile."""
    access = lowering.accesses[op]
    builder = lowering.builder
    lowering.hazards.store(access)
    value = lowering.value(op.vector)
    _name_result(value, lowering.names[access.base])
    if _through_descriptor(lowering, access, None):
        descriptor = lowering.parameters.descriptor(access)
        offsets = _coordinates(lowering, access)
        value = _to_base_order(lowering, value, access, op)
        store = DescriptorStoreOp(descriptor, offsets, value, bool(access.bounds))
        builder.add(store, like=op)
        _name_columns(lowering, store, op.vector, access.lanes[-1])
        return
    pointers = lowering.access_builder.pointers(
        access, lowering.parameters.pointer(access.base), lowering.names[access.base]
    )
    mask = _and_mask(lowering, pointers.mask, access.mask, op)
    if mask is not None:
        mask = builder.stretch(mask, shape_of(pointers.tile.type))
    store = StoreOp(pointers.tile, value, mask)
    store.properties |= lowering.hints.of_store(lowering.names[access.base])
    builder.add(store, like=op)
    _name_columns(lowering, store, op.vector, -1)


def _name_columns(
    lowering: KernelLowering, store: Operation, tile: SSAValue, lane: int | None
) -> None:
    """Note on a store that shall be split how the source calls the tile's columns."""
    extents = lowering.extents(tile)
    if launch_number(lowering.grid, "triton.store_parts") > 1 and extents:
        name = "" if lane is None else extents[lane]
        store.attributes[COLUMNS] = StringAttr(name)


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
