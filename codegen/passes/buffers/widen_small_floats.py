"""Compute with 8-bit floats in f32, and round after every op.

Triton loads and stores 8-bit floats, multiplies matrices of them and converts them from
and to other floats of up to 32 bits. It does not support arithmetic, comparisons,
reductions, or conversions from and to integers and f64. f32 has more than twice as many
digits, so rounding twice gives the same result as rounding once.

Before: `%r = arith.addf %a, %b : vector<16xf8E4M3FN>`

After:

    %x = arith.extf %a : vector<16xf8E4M3FN> to vector<16xf32>
    %y = arith.extf %b : vector<16xf8E4M3FN> to vector<16xf32>
    %s = arith.addf %x, %y : vector<16xf32>
    %r = arith.truncf %s : vector<16xf32> to vector<16xf8E4M3FN>
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FloatAttr,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.ir.dense_constants import dense_of
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.arith import SelectOp
from tilewright.ir.dialects.kernel import element_of
from tilewright.ir.dialects.vector import ContractOp, MultiReductionOp, ReductionOp
from tilewright.ir.element_types import ELEMENT_TYPES

_TINY = frozenset(row.attribute for row in ELEMENT_TYPES if row.is_fp8)
_ON_BITS = (arith.ConstantOp, arith.BitcastOp, SelectOp)


def widen_small_floats(module: ModuleOp) -> ModuleOp:
    """Compute such ops in f32, in a copy of the module if there are any."""
    if not any(_is_tiny(op) for op in module.walk()):
        return module
    module = module.clone()
    for op in list(module.walk()):
        if _is_tiny(op):
            _widen(op)
    return module


def _is_tiny(op: Operation) -> bool:
    """Whether an op computes on 8-bit floats in a way that Triton cannot."""
    if isinstance(op, ContractOp):
        return _is_tiny_type(op.acc.type)
    if isinstance(op, _ON_BITS):
        return False
    if isinstance(op, arith.ExtFOp):
        is_wide = isinstance(element_of(op.result.type), Float64Type)
        return is_wide and _is_tiny_type(op.input.type)
    if isinstance(op, arith.TruncFOp):
        is_wide = isinstance(element_of(op.input.type), Float64Type)
        return is_wide and _is_tiny_type(op.result.type)
    is_arithmetic = op.name.startswith(("arith.", "math."))
    if not is_arithmetic and not isinstance(op, MultiReductionOp | ReductionOp):
        return False
    return any(_is_tiny_type(value.type) for value in (*op.operands, *op.results))


def _is_tiny_type(of: Attribute) -> bool:
    return element_of(of) in _TINY


def _wide(of: Attribute) -> Attribute:
    if isinstance(of, VectorType):
        return VectorType(Float32Type(), of.get_shape(), of.scalable_dims)
    return Float32Type()


def _widen(op: Operation) -> None:
    operands: list[SSAValue] = []
    for operand in op.operands:
        if _is_tiny_type(operand.type):
            wider = _wide_constant(operand) or arith.ExtFOp(
                operand, _wide(operand.type)
            )
            _put_before(wider, op)
            operand = wider.results[0]
        operands.append(operand)
    (result,) = op.results
    is_tiny = _is_tiny_type(result.type)
    made = type(op).create(
        operands=operands,
        result_types=[_wide(result.type) if is_tiny else result.type],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
    )
    _put_before(made, op)
    last: Operation = made
    if is_tiny:
        last = arith.TruncFOp(made.results[0], result.type)
        _put_before(last, op)
    last.results[0].name_hint = result.name_hint
    result.replace_all_uses_with(last.results[0])
    Rewriter.erase_op(op)


def _wide_constant(value: SSAValue) -> Operation | None:
    """The same number as an f32 constant."""
    number = constant_of(value)
    if not isinstance(number, FloatAttr):
        return None
    wide, data = _wide(value.type), number.value.data
    if isinstance(wide, VectorType):
        return arith.ConstantOp(dense_of(wide, [data]), wide)
    return arith.ConstantOp(FloatAttr(data, Float32Type()))


def _put_before(made: Operation, op: Operation) -> None:
    made.location = op.location
    Rewriter.insert_op(made, InsertPoint.before(op))
