"""Operands of lowered ops: numbers, and results bound to payload values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.codegen.refusal import refuse
from tilewright.codegen.source.names import reader_name
from tilewright.ir.dense import is_splat
from tilewright.ir.dialects import arith, vector
from tilewright.ir.dialects.kernel import CastOp, ExpandDimsOp, FullOp

if TYPE_CHECKING:
    from tilewright.codegen.lower.kernel import KernelLowering


def constant_of(value: SSAValue) -> FloatAttr | IntegerAttr | None:
    """The number a payload value is, or has in every lane."""
    while isinstance(value.owner, vector.BroadcastOp):
        value = value.owner.source
    return constant_of_op(value.owner) if isinstance(value.owner, Operation) else None


def constant_of_op(op: Operation) -> FloatAttr | IntegerAttr | None:
    """The number an `arith.constant` holds, scalar or in every lane."""
    if not isinstance(op, arith.ConstantOp):
        return None
    value = op.value
    if isinstance(value, DenseIntOrFPElementsAttr):
        if not is_splat(value):
            refuse(
                op, "a constant tile with different elements", "pass it as an argument"
            )
        return next(iter(value.iter_attrs()))
    return value if isinstance(value, FloatAttr | IntegerAttr) else None  # pyright: ignore


def bind(lowering: KernelLowering, op: Operation, made: Operation) -> None:
    """Let an op's result be the one of a kernel op, under the payload's name."""
    result = lowering.builder.add(made, like=op)
    result.name_hint = reader_name(op.results[0].name_hint)
    lowering.values[op.results[0]] = result


def cast(
    lowering: KernelLowering, source: SSAValue, of: Attribute, like: Operation
) -> SSAValue:
    """A tile in another element type, converted once for all that need it."""
    builder = lowering.builder
    return builder.once(
        ("cast", source, of),
        builder.level,
        lambda: builder.add(CastOp(source, of), like=like),
    )


def typed(lowering: KernelLowering, *payload: SSAValue) -> list[SSAValue]:
    """Operands, one of them a tile: bare numbers alone would be computed by Python."""
    values = [lowering.value(operand) for operand in payload]
    numbers = [_number_of(value) for value in values]
    if numbers[0] is not None and None not in numbers:
        extents = lowering.extents(payload[0])
        values[0] = lowering.builder.add(FullOp(numbers[0], values[0].type, extents))
    return values


def _number_of(value: SSAValue) -> FloatAttr | IntegerAttr | None:
    """The number that a kernel value is written as."""
    while isinstance(value.owner, vector.BroadcastOp | ExpandDimsOp):
        value = value.owner.source
    return constant_of(value)
