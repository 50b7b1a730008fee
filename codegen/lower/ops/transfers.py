"""Transfers between buffers and tiles: loads and stores, by pointer or descriptor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.codegen.analysis.descriptors import Descriptors, block_shape
from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.reshapes import memory_of
from tilewright.codegen.analysis.elements.tiles import tile_order
from tilewright.codegen.analysis.elements.views import Access
from tilewright.codegen.analysis.hazards import Hazards
from tilewright.codegen.analysis.masked_lanes import padding_of
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.kernel.cache_hints import CacheHints
from tilewright.codegen.kernel.kernel_builder import KernelBuilder
from tilewright.codegen.kernel.named_sizes import COLUMNS
from tilewright.codegen.lower.grid_facts import GridFacts
from tilewright.codegen.lower.ops.contract import dot_order
from tilewright.codegen.lower.values import TileValues
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


@dataclass(frozen=True)
class MemoryRules:
    """Rules for the accesses of a grid: descriptors, cache hints and hazards."""

    descriptors: Descriptors
    hints: CacheHints
    hazards: Hazards
    store_parts: int


def lower_read(
    op: vector.TransferReadOp,
    facts: GridFacts,
    rules: MemoryRules,
    kernel: KernelBuilder,
    values: TileValues,
) -> None:
    """Lower a load; the tile gets its reader's dimension order if that is free."""
    access = facts.accesses[op]
    builder = kernel.ops
    name = facts.names[access.base]
    is_partial = access.base in facts.partial
    other: Attribute | None = None
    if access.bounds or access.mask is not None:
        zero_only = rules.descriptors.may_take(access)
        other = padding_of(op, zero_only=zero_only)
        values.paddings[op] = other
    # A store through a descriptor may not be complete when the program arrives.
    through_descriptor = not is_partial and rules.descriptors.take(access, other)
    if other is not None and not through_descriptor:
        other = padding_of(op, zero_only=False)
        values.paddings[op] = other
    order = _wanted_order(op)
    may_permute = access.mask is None and memory_of(access.base) not in facts.stored
    if order is not None and not through_descriptor and may_permute:
        # A tile of pointers can have any order: a transposed load costs nothing. A tile
        # that is stored again is loaded as it is stored, so that each thread loads the
        # elements that it stores (`hazards.py`).
        access = access.permuted(order)
        values.orders[op.result] = order
    rules.hazards.load(access)
    if through_descriptor:
        access = access.flattened()
        descriptor = kernel.parameters.descriptor(access)
        offsets = _coordinates(access, name, builder)
        value = builder.add(
            DescriptorLoadOp(descriptor, offsets, bool(access.bounds)),
            hint=name,
            like=op,
        )
        value = _from_base_order(value, access, op.result, builder)
    else:
        pointers = kernel.addresses.pointers(
            access, kernel.parameters.pointer(access.base), name
        )
        mask = _and_mask(pointers.mask, access.mask, op, builder, values)
        # `hazards.py` refuses a store in between: the loaded tile is still right.
        key = ("load", pointers.tile, mask, other)
        loaded = builder.scopes[-1].known
        if key in loaded and not is_partial:
            values[op.result] = builder.stretch(loaded[key], access.shape)
            return
        if mask is not None:
            mask = builder.stretch(mask, shape_of(pointers.tile.type))
        load = LoadOp(pointers.tile, mask, other)
        load.properties |= rules.hints.of_load(name)
        if is_partial:
            # Other programs have just written it: bypass the L1 cache.
            load.properties["cache"] = StringAttr("cg")
        value = builder.add(load, like=op)
        loaded[key] = value
    value.name_hint = name
    values[op.result] = builder.stretch(value, access.shape)


def _coordinates(access: Access, name: str, builder: Builder) -> list[SSAValue]:
    """The offsets of a descriptor's block; the hardware takes 32-bit offsets."""
    for start in access.starts:
        if not start.fits:
            refuse(
                access.op,
                f"'{name}' cannot go through a tensor descriptor: a block begins at "
                f"up to {start.high}, coordinates have 32 bits",
                "leave 'triton.descriptors' off this grid",
            )
    return [builder.scalar(start) for start in access.starts]


def _wanted_order(op: vector.TransferReadOp) -> list[int] | None:
    """The dimension order that a tile's only reader needs, if it is another."""
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


def lower_write(
    op: vector.TransferWriteOp,
    facts: GridFacts,
    rules: MemoryRules,
    kernel: KernelBuilder,
    values: TileValues,
) -> None:
    """A store of a tile."""
    access = facts.accesses[op]
    builder = kernel.ops
    name = facts.names[access.base]
    rules.hazards.store(access)
    value = values[op.vector]
    _name_result(value, name)
    extents = builder.axes.tile_extents(op.vector)
    is_partial = access.base in facts.partial
    if not is_partial and rules.descriptors.take(access, None):
        access = access.flattened()
        descriptor = kernel.parameters.descriptor(access)
        offsets = _coordinates(access, name, builder)
        value = _to_base_order(value, access, extents, builder)
        store = DescriptorStoreOp(descriptor, offsets, value, bool(access.bounds))
        extents = ["" if lane is None else extents[lane] for lane in access.lanes]
    else:
        if rules.store_parts == 1 and access.mask is None and _is_gathered(op.vector):
            value, access = _untransposed(value, access)
        pointers = kernel.addresses.pointers(
            access, kernel.parameters.pointer(access.base), name
        )
        mask = _and_mask(pointers.mask, access.mask, op, builder, values)
        if mask is not None:
            mask = builder.stretch(mask, shape_of(pointers.tile.type))
        store = StoreOp(pointers.tile, value, mask)
        store.properties |= rules.hints.of_store(name)
    if rules.store_parts > 1 and extents:
        store.attributes[COLUMNS] = StringAttr(extents[-1])
    builder.add(store, like=op)


def _is_gathered(value: SSAValue) -> bool:
    """Whether a tile is computed element by element of one that is gathered."""
    pending, seen = [value], set[Operation]()
    while pending:
        owner = pending.pop().owner
        if not isinstance(owner, Operation) or owner in seen:
            continue
        if isinstance(owner, vector.GatherOp):
            return True
        seen.add(owner)
        if isinstance(owner, TransposeOp) or owner.dialect_name() in ("arith", "math"):
            pending += owner.operands
    return False


def _untransposed(value: SSAValue, access: Access) -> tuple[SSAValue, Access]:
    """A tile before its transposition, and the store of it that transposes.

    Triton lays out a load for the widest access behind it whose dimensions have the
    same order: the lanes of a gather, which takes single elements, would be far apart.
    """
    trans = value.owner
    if not isinstance(trans, TransOp):
        return value, access
    order = list(trans.order.get_values())
    return trans.source, access.permuted([order.index(at) for at in range(len(order))])


def _name_result(value: SSAValue, name: str) -> None:
    """Name a stored value after the buffer, unless the payload names it."""
    while isinstance(value.owner, Operation):
        value.name_hint = value.name_hint or name
        if not isinstance(value.owner, CastOp):
            break
        value = value.owner.source


def _and_mask(
    box: SSAValue | None,
    mask: SSAValue | None,
    op: vector.TransferReadOp | vector.TransferWriteOp,
    builder: Builder,
    values: TileValues,
) -> SSAValue | None:
    if mask is None:
        return box
    constant = constant_of(mask)
    if isinstance(constant, IntegerAttr) and constant.value.data:
        return box
    if not op.permutation_map.data.is_minor_identity():
        refuse(op, "a computed mask on a permuted transfer")
    other = values[mask]
    if box is None:
        return other
    return builder.add(arith.AndIOp(builder.stretch(box, shape_of(other.type)), other))


def _from_base_order(
    value: SSAValue, access: Access, result: SSAValue, builder: Builder
) -> SSAValue:
    """A block that a descriptor has loaded, in the shape and order of the tile."""
    order = [lane for lane in access.lanes if lane is not None]
    if None in access.lanes:
        of = tile_of(element_of(value.type), [access.shape[lane] for lane in order])
        extents = builder.axes.tile_extents(result)
        names = [extents[lane] for lane in order]
        value = builder.add(ReshapeOp(value, of, names))
    if order != sorted(order):
        value = builder.add(
            TransOp(value, [order.index(lane) for lane in range(len(order))])
        )
    return value


def _to_base_order(
    value: SSAValue, access: Access, extents: Sequence[str], builder: Builder
) -> SSAValue:
    """A tile in the order and rank of the base buffer, which a descriptor needs."""
    lanes = access.lanes
    order = [lane for lane in lanes if lane is not None]
    if order != sorted(order):
        value = builder.add(TransOp(value, order))
    if None in lanes:
        names = ["" if lane is None else extents[lane] for lane in lanes]
        of = tile_of(element_of(value.type), block_shape(access))
        value = builder.add(ReshapeOp(value, of, names))
    return value
