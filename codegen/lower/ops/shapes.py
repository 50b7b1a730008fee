"""Ops along dimensions of tiles: broadcasts, transposes, casts, reductions, scans."""

from __future__ import annotations

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.tiles import (
    kept_dims,
    tile_order,
    tile_shape,
    tile_type,
)
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.kernel.combiners import check_kind, combine
from tilewright.codegen.lower.ops.arith import refuse_bits
from tilewright.codegen.lower.values import TileValues, bind
from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dialects import kernel, vector
from tilewright.ir.dialects.kernel import (
    ExpandDimsOp,
    ReduceOp,
    ReshapeOp,
    TransOp,
    shape_of,
)
from tilewright.ir.dialects.vector import MultiReductionOp, ShapeCastOp, TransposeOp
from tilewright.ir.structured.combiners import is_neutral


def lower_broadcast(
    op: vector.BroadcastOp, builder: Builder, values: TileValues
) -> None:
    """Repeat a tile along new dimensions."""
    lead = len(shape_of(op.vector.type)) - len(shape_of(op.source.type))
    places = [lead + dim for dim in kept_dims(op.source.type)]
    _spread(op.source, places, op.vector, builder, values)


def _spread(
    source: SSAValue,
    places: list[int],
    result: SSAValue,
    builder: Builder,
    values: TileValues,
) -> None:
    """Broadcast a tile: its dimensions become `places`, it repeats along the others."""
    value = values[source]
    if places != sorted(places):
        order = sorted(range(len(places)), key=places.__getitem__)
        value = builder.add(TransOp(value, order), hint=value.name_hint)
    if places:
        for axis, dim in enumerate(kept_dims(result.type)):
            if dim not in places:
                value = builder.add(ExpandDimsOp(value, axis))
    values[result] = builder.stretch(value, tile_shape(result.type))


def lower_transpose(op: TransposeOp, builder: Builder, values: TileValues) -> None:
    """Permute dimensions, unless the tile was loaded that way."""
    maker = op.vector.owner
    if isinstance(maker, vector.BroadcastOp):
        # A broadcast in the other order moves no data.
        lead = len(op.order) - len(shape_of(maker.source.type))
        places = [op.order.index(lead + dim) for dim in kept_dims(maker.source.type)]
        _spread(maker.source, places, op.result, builder, values)
        return
    order = tile_order(op.vector.type, op.order)
    value = values[op.vector]
    if order in (sorted(order), values.orders.get(op.vector)):
        values[op.result] = value
        return
    bind(op, TransOp(value, order), builder, values)


def lower_shape_cast(op: ShapeCastOp, builder: Builder, values: TileValues) -> None:
    """Reshape a tile, unless the shapes differ only in dimensions of size one."""
    value = values[op.source]
    of = tile_type(op.result.type)
    if value.type == of:
        values[op.result] = value
        return
    extents = builder.axes.tile_extents(op.result)
    bind(op, ReshapeOp(value, of, extents), builder, values)


def lower_extract(op: vector.ExtractOp, values: TileValues) -> None:
    """Drop dimensions of size one."""
    if tile_shape(op.operands[0].type) != tile_shape(op.results[0].type):
        refuse(op, "a single element taken out of a tile")
    values[op.results[0]] = values[op.operands[0]]


_TOTALS = {
    CombiningKindFlag.ADD: "total",
    CombiningKindFlag.MAXIMUMF: "largest",
    CombiningKindFlag.MAXNUMF: "largest",
    CombiningKindFlag.MINIMUMF: "least",
    CombiningKindFlag.MINNUMF: "least",
}
"""The name of a reduction's result, where the payload has none."""


def lower_reduce(
    op: MultiReductionOp | vector.ReductionOp, builder: Builder, values: TileValues
) -> None:
    """Reduce a tile along some dimensions, and combine it with an accumulator."""
    refuse_bits(op, *op.operands)
    if isinstance(op, MultiReductionOp):
        source, dims, acc = op.source, op.dims, op.acc
    else:
        source, dims, acc = op.vector, (0,), op.acc
    value = values[source]
    kind = op.kind.data
    check_kind(op, kind, value)
    kept = kept_dims(source.type)
    for dim in sorted(set(dims) & set(kept), reverse=True):
        value = builder.add(ReduceOp(value, op.kind, kept.index(dim)), like=op)
        value.name_hint = reader_name(op.dest.name_hint) or _TOTALS.get(op.kind.data)
    if acc is not None and not is_neutral(constant_of(acc), kind):
        value = builder.add(combine(op, kind, values[acc], value), like=op)
    values[op.dest] = value


def lower_scan(op: vector.ScanOp, builder: Builder, values: TileValues) -> None:
    """Totals along a dimension, and the last of them: a reduction of the tile."""
    refuse_bits(op, *op.operands)
    if not op.inclusive.value.data:
        refuse(op, "an exclusive scan inside a grid", "use an inclusive one")
    value = values[op.source]
    check_kind(op, op.kind.data, value, scans=True)
    kept = kept_dims(op.source.type)
    if op.dim not in kept:
        values[op.dest] = values[op.accumulated_value] = value
        return
    axis = kept.index(op.dim)
    name = reader_name(op.dest.name_hint) or "totals"
    scan = kernel.ScanOp(value, op.kind, axis)
    values[op.dest] = builder.add(scan, like=op, hint=name)
    if op.accumulated_value.uses.get_length():
        last = builder.add(ReduceOp(value, op.kind, axis), like=op, hint="last")
        values[op.accumulated_value] = last
