"""The Triton expressions of integer ops beyond `+ - *`: division, shifts, unsigned.

In MLIR the op decides whether an integer is signed, in Triton the type does. So an
unsigned op casts its operands bitwise to unsigned types, and its result back.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from tilewright.codegen.emit.expressions.conversions import to_integer
from tilewright.codegen.emit.expressions.written import (
    Values,
    Written,
    bits,
    broadcast_shape,
    cast,
    infix,
    triton_type,
    unsigned_type,
)
from tilewright.codegen.source.python_text import (
    Binary,
    Call,
    Literal,
    Name,
)
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.kernel import element_of

_UNSIGNED_SIGNS = {6: "<", 7: "<=", 8: ">", 9: ">="}
"""The predicates ult, ule, ugt and uge of `arith.cmpi`."""


def _unsigned(values: Values, value: SSAValue) -> Written:
    """An operand, with its bits as an unsigned number."""
    written = values.get(value)
    of = element_of(value.type)
    assert isinstance(of, IntegerType)
    if written.literal:
        number = int(str(written.text)) % 2**of.width.data
        return Written(Literal(str(number)), (), True)
    if of.width.data == 1:
        # Triton already reads a true i1 as 1.
        return written
    return Written(bits(written, unsigned_type(of)), written.shape)


def _unsigned_infix(operator: str) -> Callable[[Values, Operation], Written]:
    def writer(values: Values, op: Operation) -> Written:
        left, right = (_unsigned(values, operand) for operand in op.operands)
        shape = broadcast_shape(left, right)
        result = Written(Binary(operator, left.text, right.text), shape)
        return Written(bits(result, str(triton_type(op.results[0].type))), shape)

    return writer


def _unsigned_extremum(name: str) -> Callable[[Values, Operation], Written]:
    def writer(values: Values, op: Operation) -> Written:
        left, right = (_unsigned(values, operand) for operand in op.operands)
        shape = broadcast_shape(left, right)
        of = Name(unsigned_type(op.results[0].type))
        # A literal is i32 here, and would make the other operand i32 too.
        texts = tuple(
            Call("tl.cast", (each.text, of)) if each.literal else each.text
            for each in (left, right)
        )
        result = Written(Call(f"tl.{name}imum", texts), shape)
        return Written(bits(result, str(triton_type(op.results[0].type))), shape)

    return writer


def _unsigned_compare(values: Values, op: arith.CmpiOp) -> Written:
    left, right = (_unsigned(values, operand) for operand in op.operands)
    sign = _UNSIGNED_SIGNS[op.predicate.value.data]
    shape = broadcast_shape(left, right)
    return Written(Binary(sign, left.text, right.text), shape)


def _unsigned_cast(values: Values, op: arith.ExtUIOp | arith.UIToFPOp) -> Written:
    source = _unsigned(values, op.operands[0])
    of = op.results[0].type
    if not source.shape:
        return Written(Call("tl.cast", (source.text, triton_type(of))), ())
    return Written(cast(source.text, of), source.shape)


def _to_unsigned(values: Values, op: arith.FPToUIOp) -> Written:
    return to_integer(values, op.operands[0], op.results[0], is_signed=False)


def _bitcast(values: Values, op: arith.BitcastOp) -> Written:
    source = values.get(op.operands[0])
    return Written(bits(source, str(triton_type(op.results[0].type))), source.shape)


INTEGER_WRITERS: dict[type[Operation], Callable[..., Written]] = {
    arith.DivSIOp: infix("//"),
    arith.ShLIOp: infix("<<"),
    arith.ShRSIOp: infix(">>"),
    arith.DivUIOp: _unsigned_infix("//"),
    arith.RemUIOp: _unsigned_infix("%"),
    arith.ShRUIOp: _unsigned_infix(">>"),
    arith.MaxUIOp: _unsigned_extremum("max"),
    arith.MinUIOp: _unsigned_extremum("min"),
    arith.CmpiOp: _unsigned_compare,
    arith.ExtUIOp: _unsigned_cast,
    arith.UIToFPOp: _unsigned_cast,
    arith.FPToUIOp: _to_unsigned,
    arith.BitcastOp: _bitcast,
}
