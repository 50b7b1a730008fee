"""Arithmetic inside a kernel: ops that stay, casts, comparisons, choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, i1
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.analysis.tiles import tile_shape, tile_type
from tilewright.codegen.kernel.masked_lanes import holds_padding
from tilewright.codegen.kernel.operands import bind, cast, constant_of, typed
from tilewright.codegen.lower.index_tiles import (
    as_integers,
    integer_type,
    is_index_tile,
)
from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dialects import arith, math
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import CastOp, CompareOp, element_of, tile_of

if TYPE_CHECKING:
    from tilewright.codegen.lower.kernel import KernelLowering

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
    arith.FPToUIOp,
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
"""Ops that stand in a kernel as they are; `emit/table.py` has a text for each."""

CASTS: tuple[type[Operation], ...] = (
    arith.ExtFOp,
    arith.TruncFOp,
    arith.SIToFPOp,
    arith.FPToSIOp,
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
"""Ops that may have an i1; to the others it is a number, which it is not here."""

_ORDERED = {1: "eq", 2: "gt", 3: "ge", 4: "lt", 5: "le", 13: "ne"}
"""The predicates of `arith.cmpf` that are false, or for `une` true, with a NaN."""
_UNORDERED = {9: "le", 10: "lt", 11: "ge", 12: "gt"}
"""ugt, uge, ult and ule, by the comparison that they are the opposite of."""
_SIGNED = {0: "eq", 1: "ne", 2: "lt", 3: "le", 4: "gt", 5: "ge"}


def lower_same(lowering: KernelLowering, op: Operation) -> None:
    """An op that is its own kernel op, on tiles."""
    if not isinstance(op, _ON_BITS):
        refuse_bits(op, *op.operands, *op.results)
    operands = typed(lowering, *op.operands)
    of = tile_type(op.results[0].type)
    if is_index_tile(op.results[0]):
        width = integer_type(lowering, *op.operands, *op.results)
        operands = as_integers(lowering, operands, width)
        of = tile_of(width, tile_shape(of))
    made = type(op).create(
        operands=operands, result_types=[of], properties=dict(op.properties)
    )
    bind(lowering, op, made)


def lower_cast(lowering: KernelLowering, op: Operation) -> None:
    """A conversion between signed numbers."""
    refuse_bits(op, *op.operands, *op.results)
    (source,) = typed(lowering, op.operands[0])
    result = cast(lowering, source, element_of(op.results[0].type), op)
    result.name_hint = result.name_hint or reader_name(op.results[0].name_hint)
    lowering.values[op.results[0]] = result


def lower_index_cast(
    lowering: KernelLowering, op: arith.IndexCastOp | arith.IndexCastUIOp
) -> None:
    """Between indices, which are i32 or i64 here, and integers."""
    (source,) = typed(lowering, op.operands[0])
    of = element_of(op.results[0].type)
    if is_index_tile(op.results[0]):
        of = integer_type(lowering, op.results[0])
    if element_of(source.type) == of:
        lowering.values[op.results[0]] = source
        return
    if isinstance(op, arith.IndexCastUIOp) and is_index_tile(op.results[0]):
        refuse(op, "an unsigned number as an index", "use index_cast")
    bind(lowering, op, CastOp(source, of))


def refuse_bits(op: Operation, *values: SSAValue) -> None:
    """Refuse an op that reads an i1 as 0 and -1, where Triton has 0 and 1."""
    if any(element_of(value.type) == i1 for value in values):
        refuse(
            op,
            "arithmetic on i1",
            "combine with andi, ori, xori, or select between two numbers",
        )


def lower_select(lowering: KernelLowering, op: SelectOp) -> None:
    """A choice by a condition, lane by lane or as a whole."""
    if holds_padding(lowering, op):
        lowering.values[op.result] = lowering.value(op.true_value)
        return
    choices = typed(lowering, op.true_value, op.false_value)
    condition = lowering.value(op.condition)
    if is_index_tile(op.result):
        width = integer_type(lowering, op.true_value, op.false_value)
        choices = as_integers(lowering, choices, width)
    shape = tile_shape(op.result.type)
    # A scalar condition chooses between tiles too.
    condition = lowering.builder.stretch(condition, shape)
    bind(lowering, op, SelectOp(condition, *choices))


def lower_compare_integers(lowering: KernelLowering, op: arith.CmpiOp) -> None:
    """Signed ones are the kernel's own; unsigned ones stay as they are."""
    predicate = op.predicate.value.data
    if predicate > 1:
        refuse_bits(op, op.lhs)
    width = integer_type(lowering, op.lhs, op.rhs)
    if isinstance(op.lhs.type, IndexType):
        forms = [lowering.indices.linear(operand) for operand in (op.lhs, op.rhs)]
        operands = [lowering.builder.scalar(form, width) for form in forms]
    else:
        operands = typed(lowering, op.lhs, op.rhs)
        if is_index_tile(op.lhs):
            operands = as_integers(lowering, operands, width)
    if predicate in _SIGNED:
        bind(lowering, op, CompareOp(_SIGNED[predicate], *operands))
        return
    made = arith.CmpiOp.create(
        operands=operands,
        result_types=[tile_type(op.result.type)],
        properties=dict(op.properties),
    )
    bind(lowering, op, made)


def lower_compare_floats(lowering: KernelLowering, op: arith.CmpfOp) -> None:
    """Comparisons that NaN fails are the kernel's own; the others are made of them."""
    predicate = op.predicate.value.data
    builder = lowering.builder
    lhs, rhs = typed(lowering, op.lhs, op.rhs)
    of = tile_type(op.result.type)

    def compare(sign: str, left: SSAValue = lhs, right: SSAValue = rhs) -> SSAValue:
        return builder.add(CompareOp(sign, left, right), like=op)

    if predicate in _ORDERED:
        bind(lowering, op, CompareOp(_ORDERED[predicate], lhs, rhs))
    elif predicate in _UNORDERED:
        true = builder.splat(IntegerAttr(1, i1), of)
        bind(lowering, op, arith.XOrIOp(compare(_UNORDERED[predicate]), true))
    elif predicate == 6:
        bind(lowering, op, arith.OrIOp(compare("lt"), compare("gt")))
    elif predicate == 8:
        unordered = arith.OrIOp(compare("ne", lhs, lhs), compare("ne", rhs, rhs))
        bind(lowering, op, arith.OrIOp(compare("eq"), builder.add(unordered)))
    elif predicate == 7:
        bind(
            lowering, op, arith.AndIOp(compare("eq", lhs, lhs), compare("eq", rhs, rhs))
        )
    elif predicate == 14:
        bind(
            lowering, op, arith.OrIOp(compare("ne", lhs, lhs), compare("ne", rhs, rhs))
        )
    else:
        always = IntegerAttr(int(predicate == 15), i1)
        lowering.values[op.result] = builder.splat(always, of)


def lower_power(lowering: KernelLowering, op: math.PowFOp) -> None:
    """A power that multiplications give; `tl` has none of its own."""
    exponent = constant_of(op.operands[1])
    times = exponent.value.data if isinstance(exponent, FloatAttr) else None
    (base,) = typed(lowering, op.operands[0])
    if times == 0.5:
        bind(lowering, op, math.SqrtOp(base))
        return
    if times not in (1, 2, 3, 4):
        refuse(
            op,
            "a power that is not 1, 2, 3, 4 or 0.5",
            "write it with exp2 and log2, if the base is positive",
        )
    result = base
    for _ in range(int(times) - 1):
        result = lowering.builder.add(arith.MulfOp(result, base), like=op)
    lowering.values[op.result] = result
