"""Scatters: each lane writes the element of its own index, or adds to it by atomics."""

from __future__ import annotations

from tilewright.codegen.analysis.elements.tiles import tile_shape
from tilewright.codegen.kernel.kernel_builder import KernelBuilder
from tilewright.codegen.lower.grid_facts import GridFacts
from tilewright.codegen.lower.ops.gathers import enabled_lanes, whole_buffer
from tilewright.codegen.lower.ops.transfers import MemoryRules
from tilewright.codegen.lower.values import TileValues
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.kernel import AtomicAddOp, OffsetOp, StoreOp
from tilewright.ir.dialects.vector import ScatterOp
from tilewright.ir.structured.scatters import ADDS, ANY_ORDER


def lower_scatter(
    op: ScatterOp,
    facts: GridFacts,
    rules: MemoryRules,
    kernel: KernelBuilder,
    values: TileValues,
) -> None:
    """A store or an addition of one element a lane, at the offset that the lane has."""
    if ADDS not in op.attributes and ANY_ORDER not in op.attributes:
        refuse(op, "stores at computed places, in no order that Triton keeps")
    builder = kernel.ops
    value = op.value_to_store
    access = whole_buffer(op, value, facts)
    rules.hazards.store(access)
    shape = tile_shape(value.type)
    mask = enabled_lanes(op.mask, values)
    places = builder.stretch(values[op.indices], shape)
    pointers = builder.add(OffsetOp(kernel.parameters.pointer(access.base), places))
    pointers.name_hint = f"{facts.names[access.base]}_ptrs"
    written = builder.stretch(values[value], shape)
    lanes = None if mask is None else builder.stretch(mask, shape)
    if ADDS in op.attributes:
        builder.add(AtomicAddOp(pointers, written, lanes), like=op)
        return
    store = StoreOp(pointers, written, lanes)
    store.properties |= rules.hints.of_store(facts.names[access.base])
    builder.add(store, like=op)
