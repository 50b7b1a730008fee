"""Scatters that add: each lane adds to the element of its own index, atomically."""

from __future__ import annotations

from tilewright.codegen.analysis.elements.tiles import tile_shape
from tilewright.codegen.kernel.kernel_builder import KernelBuilder
from tilewright.codegen.lower.grid_facts import GridFacts
from tilewright.codegen.lower.ops.gathers import enabled_lanes, whole_buffer
from tilewright.codegen.lower.ops.transfers import MemoryRules
from tilewright.codegen.lower.values import TileValues
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects.kernel import AtomicAddOp, OffsetOp
from tilewright.ir.dialects.vector import ScatterOp
from tilewright.ir.structured.scatters import ADDS


def lower_scatter(
    op: ScatterOp,
    facts: GridFacts,
    rules: MemoryRules,
    kernel: KernelBuilder,
    values: TileValues,
) -> None:
    """An atomic addition of one element a lane, at the offset that the lane has."""
    if ADDS not in op.attributes:
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
    added = builder.stretch(values[value], shape)
    lanes = None if mask is None else builder.stretch(mask, shape)
    builder.add(AtomicAddOp(pointers, added, lanes), like=op)
