"""Arithmetic inside a kernel: ops that stay, casts, comparisons, selects."""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType, i1
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.elements.tiles import tile_shape, tile_type
from tilewright.codegen.analysis.masked_lanes import holds_padding
from tilewright.codegen.kernel.builder import Builder
from tilewright.codegen.lower.ops.index_tiles import IndexTiles, is_index_tile
from tilewright.codegen.lower.values import TileValues, bind, typed
from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dialects import arith, math
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import (
    CastOp,
    CompareOp,
    FullOp,
    element_of,
    tile_of,
)
from tilewright.ir.saturation import nearest_integer

SAME: tuple[type[Operation], ...] = (
    arith.AddfOp,
    arith.SubfOp,
    arith.MulfOp,
    arith.DivfOp,
    arith.RemFOp,
    arith.NegfOp,
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.MaxnumfOp,
    arith.MinnumfOp,
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.ShLIOp,
    arith.ShRSIOp,
    arith.ShRUIOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.ExtUIOp,
    arith.UIToFPOp,
    arith.BitcastOp,
    math.ExpOp,
    math.Exp2Op,
    math.ExpM1Op,
    math.LogOp,
    math.Log2Op,
    math.Log10Op,
    math.Log1pOp,
    math.SqrtOp,
    math.RsqrtOp,
    math.TanhOp,
    math.SinhOp,
    math.CoshOp,
    math.ErfOp,
    math.AbsFOp,
    math.AbsIOp,
    math.SinOp,
    math.CosOp,
    math.TanOp,
    math.AtanOp,
    math.AsinOp,
    math.AcosOp,
    math.AsinhOp,
    math.AcoshOp,
    math.AtanhOp,
    math.Atan2Op,
    math.ErfcOp,
    math.CbrtOp,
    math.CopySignOp,
    math.FloorOp,
    math.CeilOp,
    math.TruncOp,
    math.RoundOp,
    math.RoundEvenOp,
    math.FmaOp,
    math.IsNaNOp,
    math.IsInfOp,
    math.IsFiniteOp,
)
"""Ops that a kernel has too; `emit/expressions/table.py` has the expression of each."""

CASTS: tuple[type[Operation], ...] = (
    arith.ExtFOp,
    arith.TruncFOp,
    arith.SIToFPOp,
    arith.ExtSIOp,
    arith.TruncIOp,
)
"""Conversions between signed numbers."""

_ON_BITS: tuple[type[Operation], ...] = (
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.ExtUIOp,
    arith.UIToFPOp,
    math.IsNaNOp,
    math.IsInfOp,
    math.IsFiniteOp,
)
"""Ops that may have i1 operands; the others would read an i1 as a number."""

_ORDERED = {1: "eq", 2: "gt", 3: "ge", 4: "lt", 5: "le", 13: "ne"}
"""The predicates of `arith.cmpf` that are false for NaN; `une` is true."""
_UNORDERED = {9: "le", 10: "lt", 11: "ge", 12: "gt"}
"""ugt, uge, ult and ule, each with the ordered comparison that it negates."""
_SIGNED = {0: "eq", 1: "ne", 2: "lt", 3: "le", 4: "gt", 5: "ge"}


def lower_same(
    op: Operation, builder: Builder, values: TileValues, index_tiles: IndexTiles
) -> None:
    """The same op on tiles."""
    if not isinstance(op, _ON_BITS):
        refuse_bits(op, *op.operands, *op.results)
    operands = typed(builder, values, *op.operands)
    of = tile_type(op.results[0].type)
    if is_index_tile(op.results[0]):
        width = index_tiles.integer_type(*op.operands, *op.results)
        operands = index_tiles.as_integers(operands, width)
        of = tile_of(width, tile_shape(of))
    made = type(op).create(
        operands=operands, result_types=[of], properties=dict(op.properties)
    )
    bind(op, made, builder, values)


def lower_cast(op: Operation, builder: Builder, values: TileValues) -> None:
    """A conversion between signed numbers."""
    refuse_bits(op, *op.operands, *op.results)
    (source,) = typed(builder, values, op.operands[0])
    result = builder.cast(source, element_of(op.results[0].type), op)
    result.name_hint = result.name_hint or reader_name(op.results[0].name_hint)
    values[op.results[0]] = result


def lower_to_integer(
    op: arith.FPToSIOp | arith.FPToUIOp,
    builder: Builder,
    values: TileValues,
    index_tiles: IndexTiles,
) -> None:
    """A float as an integer."""
    is_signed = isinstance(op, arith.FPToSIOp)
    constant = constant_of(op.operands[0])
    of = element_of(op.results[0].type)
    if isinstance(constant, FloatAttr) and isinstance(of, IntegerType) and of != i1:
        # LLVM would make anything of a constant that does not fit.
        width = of.width.data
        number = nearest_integer(constant.value.data, width, is_signed=is_signed)
        bits = number - (number >> (width - 1) << width if number >= 0 else 0)
        extents = builder.axes.tile_extents(op.results[0])
        result = tile_type(op.results[0].type)
        bind(op, FullOp(IntegerAttr(bits, of), result, extents), builder, values)
    elif is_signed:
        lower_cast(op, builder, values)
    else:
        lower_same(op, builder, values, index_tiles)


def lower_index_cast(
    op: arith.IndexCastOp | arith.IndexCastUIOp,
    builder: Builder,
    values: TileValues,
    index_tiles: IndexTiles,
) -> None:
    """A conversion between indices, here i32 or i64, and integers."""
    (source,) = typed(builder, values, op.operands[0])
    of = element_of(op.results[0].type)
    if is_index_tile(op.results[0]):
        of = index_tiles.integer_type(op.results[0])
    if element_of(source.type) == of:
        values[op.results[0]] = source
        return
    if isinstance(op, arith.IndexCastUIOp) and is_index_tile(op.results[0]):
        refuse(op, "an unsigned number as an index", "use index_cast")
    bind(op, CastOp(source, of), builder, values)


def refuse_bits(op: Operation, *values: SSAValue) -> None:
    """Refuse an op that reads an i1 as 0 and -1, where Triton has 0 and 1."""
    if any(element_of(value.type) == i1 for value in values):
        refuse(
            op,
            "arithmetic on i1",
            "combine with andi, ori, xori, or select between two numbers",
        )


def lower_select(
    op: SelectOp, builder: Builder, values: TileValues, index_tiles: IndexTiles
) -> None:
    """A select by a condition, lane by lane or of whole tiles."""
    if holds_padding(op, values.paddings):
        values[op.result] = values[op.true_value]
        return
    choices = typed(builder, values, op.true_value, op.false_value)
    condition = values[op.condition]
    if is_index_tile(op.result):
        width = index_tiles.integer_type(op.true_value, op.false_value)
        choices = index_tiles.as_integers(choices, width)
    shape = tile_shape(op.result.type)
    # A scalar condition can select between whole tiles.
    condition = builder.stretch(condition, shape)
    bind(op, SelectOp(condition, *choices), builder, values)


def lower_compare_integers(
    op: arith.CmpiOp, builder: Builder, values: TileValues, index_tiles: IndexTiles
) -> None:
    """Signed comparisons become `kernel.compare`; unsigned ones stay."""
    predicate = op.predicate.value.data
    if predicate > 1:
        refuse_bits(op, op.lhs)
    width = index_tiles.integer_type(op.lhs, op.rhs)
    if isinstance(op.lhs.type, IndexType):
        operands = [index_tiles.scalar(operand, width) for operand in (op.lhs, op.rhs)]
    else:
        operands = typed(builder, values, op.lhs, op.rhs)
        if is_index_tile(op.lhs):
            operands = index_tiles.as_integers(operands, width)
    if predicate in _SIGNED:
        bind(op, CompareOp(_SIGNED[predicate], *operands), builder, values)
        return
    made = arith.CmpiOp.create(
        operands=operands,
        result_types=[tile_type(op.result.type)],
        properties=dict(op.properties),
    )
    bind(op, made, builder, values)


def lower_compare_floats(
    op: arith.CmpfOp, builder: Builder, values: TileValues
) -> None:
    """Ordered comparisons become `kernel.compare`; the others combine several."""
    predicate = op.predicate.value.data
    lhs, rhs = typed(builder, values, op.lhs, op.rhs)
    of = tile_type(op.result.type)

    def compare(sign: str, left: SSAValue = lhs, right: SSAValue = rhs) -> SSAValue:
        return builder.add(CompareOp(sign, left, right), like=op)

    if predicate in _ORDERED:
        made = CompareOp(_ORDERED[predicate], lhs, rhs)
    elif predicate in _UNORDERED:
        true = builder.splat(IntegerAttr(1, i1), of)
        made = arith.XOrIOp(compare(_UNORDERED[predicate]), true)
    elif predicate == 6:
        made = arith.OrIOp(compare("lt"), compare("gt"))
    elif predicate == 8:
        unordered = arith.OrIOp(compare("ne", lhs, lhs), compare("ne", rhs, rhs))
        made = arith.OrIOp(compare("eq"), builder.add(unordered))
    elif predicate == 7:
        made = arith.AndIOp(compare("eq", lhs, lhs), compare("eq", rhs, rhs))
    elif predicate == 14:
        made = arith.OrIOp(compare("ne", lhs, lhs), compare("ne", rhs, rhs))
    else:
        always = IntegerAttr(int(predicate == 15), i1)
        values[op.result] = builder.splat(always, of)
        return
    bind(op, made, builder, values)


def lower_power(op: math.PowFOp, builder: Builder, values: TileValues) -> None:
    """A small power by multiplications; others by a helper, since `tl` has none."""
    exponent = constant_of(op.operands[1])
    times = exponent.value.data if isinstance(exponent, FloatAttr) else None
    (base,) = typed(builder, values, op.operands[0])
    if times == 0.5:
        bind(op, math.SqrtOp(base), builder, values)
        return
    if times not in (1, 2, 3, 4):
        base, power = typed(builder, values, *op.operands)
        bind(op, math.PowFOp(base, power), builder, values)
        return
    result = base
    for _ in range(int(times) - 1):
        result = builder.add(arith.MulfOp(result, base), like=op)
    values[op.result] = result
