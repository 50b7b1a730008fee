"""Gathers: each lane loads the element of its own index, through a tile of pointers."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, IntegerType, MemRefType, NoneAttr
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.atoms import Linear
from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.tiles import kept_dims, tile_shape
from tilewright.codegen.analysis.elements.views import Access, view_of
from tilewright.codegen.kernel.kernel_builder import KernelBuilder
from tilewright.codegen.lower.grid_facts import GridFacts
from tilewright.codegen.lower.ops.transfers import MemoryRules
from tilewright.codegen.lower.values import TileValues
from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import (
    ExpandDimsOp,
    FullOp,
    LoadOp,
    OffsetOp,
    element_of,
    shape_of,
    tile_of,
)
from tilewright.ir.dialects.vector import GatherOp, ScatterOp


def lower_gather(
    op: GatherOp,
    facts: GridFacts,
    rules: MemoryRules,
    kernel: KernelBuilder,
    values: TileValues,
) -> None:
    """A load of one element a lane, at the offset that the lane computes."""
    builder = kernel.ops
    access = whole_buffer(op, op.result, facts)
    name = facts.names[access.base]
    rules.hazards.load(access)
    shape = tile_shape(op.result.type)
    places = values[op.indices]
    mask = enabled_lanes(op.mask, values)
    other = constant_of(op.pass_thru)
    if mask is not None:
        mask = builder.stretch(mask, shape)
        if shape_of(places.type) != shape or is_stretched(places):
            # Triton wants a pointer for each lane of a mask.
            places = _spread(op, places, shape, kernel)
        if other is None:
            refuse(
                op,
                "lanes of a gather that are off keep computed values",
                "let pass_thru be a constant, and select afterwards",
            )
    places = builder.stretch(places, shape)
    pointers = builder.add(OffsetOp(kernel.parameters.pointer(access.base), places))
    pointers.name_hint = f"{name}_ptrs"
    load = LoadOp(pointers, mask, None if mask is None else other)
    load.properties |= rules.hints.of_load(name)
    value = builder.add(load, like=op)
    value.name_hint = op.result.name_hint or name
    values[op.result] = value


def is_stretched(value: SSAValue) -> bool:
    """Whether a tile repeats a smaller one, which the source leaves to Triton."""
    return isinstance(value.owner, vector.BroadcastOp | ExpandDimsOp)


def _spread(
    op: GatherOp, places: SSAValue, shape: tuple[int, ...], kernel: KernelBuilder
) -> SSAValue:
    """A tile of places in full: what Triton would not broadcast itself."""
    of = element_of(places.type)
    assert isinstance(of, IntegerType)
    extents = kernel.ops.axes.tile_extents(op.result)
    zeros = kernel.ops.add(FullOp(IntegerAttr(0, of), tile_of(of, shape), extents))
    return kernel.ops.add(arith.AddiOp(kernel.ops.stretch(places, shape), zeros))


def whole_buffer(op: GatherOp | ScatterOp, value: SSAValue, facts: GridFacts) -> Access:
    """A gather or scatter of a tile as an access to any element of its buffer."""
    if not isinstance(op.base.type, MemRefType):
        refuse(op, "works on a tensor", "bufferize first")
    view = view_of(op.base, facts.indices)
    sizes = facts.indices.extents(view.base)
    of = view.base.type
    is_whole = isinstance(of, MemRefType) and isinstance(of.layout, NoneAttr)
    starts = [*view.starts, *map(facts.indices.linear, op.offsets)]
    is_whole &= all(start == Linear() for start in starts)
    # Dimensions of size 1 do not change the count of elements.
    one = Linear({}, 1)
    own = [
        (x, step) for x, step in zip(view.sizes, view.steps, strict=True) if x != (one,)
    ]
    is_whole &= own == [((size,), 1) for size in sizes if size != one]
    if not is_whole:
        refuse(
            op,
            "gathers from a part of a buffer, or scatters to one",
            "take the whole buffer, with the part's start in the index",
        )
    if view.base in facts.partial:
        refuse(
            op, "computes places in a buffer through which programs exchange results"
        )
    nowhere = (None,) * len(sizes)
    zeros = (Linear(),) * len(sizes)
    tile = value.type
    return Access(
        op,
        view.base,
        sizes,
        zeros,
        nowhere,
        tile_shape(tile),
        kept_dims(tile),
        (),
        None,
        (1,) * len(sizes),
    )


def enabled_lanes(mask: SSAValue, values: TileValues) -> SSAValue | None:
    """The lanes of a gather or scatter that are on; None if all are."""
    if isinstance(mask.owner, arith.AndIOp):
        sides = [enabled_lanes(side, values) for side in mask.owner.operands]
        if None in sides:
            return next((side for side in sides if side is not None), None)
    constant = constant_of(mask)
    if isinstance(constant, IntegerAttr) and constant.value.data:
        return None
    return values[mask]
