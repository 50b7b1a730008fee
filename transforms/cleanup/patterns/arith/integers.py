"""Patterns on integer arithmetic: compute, drop identities, gather constants.

The patterns are upstream's: `x + 0`, `x * 1`, `x - x`, `x & x`, `max(x, x)`, constants
on the right, `(x + 1) + 2` as one addition. They do not depend on overflow flags.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects.arith import AddiOp, ConstantOp, MuliOp, SubiOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.structured.combiners import (
    IDEMPOTENT_KINDS,
    KIND_OF_NAME,
    absorbing_integer,
    neutral_integer,
)
from tilewright.ir.types import element_type
from tilewright.transforms.cleanup.constants import (
    attribute_of,
    become,
    bits_of,
    elementwise,
    filled,
    uniform,
    unsigned,
    wrapped,
)
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.core.rewriter import Rewriter

Compute = Callable[[int, int, int], int | None]
"""Takes two signed numbers and the width in bits."""


def _quotient(a: int, b: int) -> int:
    """Division towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _divide(a: int, b: int, bits: int) -> int | None:
    if b == 0 or (a == -(1 << (bits - 1)) and b == -1):
        return None
    return _quotient(a, b)


def _shifted(compute: Callable[[int, int, int], int]) -> Compute:
    """A shift; None for a shift by the width or more, which is undefined."""

    def shift(a: int, b: int, bits: int) -> int | None:
        return compute(a, b, bits) if 0 <= b < bits else None

    return shift


def _on_unsigned(compute: Callable[[int, int], int | None]) -> Compute:
    return lambda a, b, bits: compute(unsigned(a, bits), unsigned(b, bits))


COMPUTE: dict[str, Compute] = {
    "arith.addi": lambda a, b, _: a + b,
    "arith.subi": lambda a, b, _: a - b,
    "arith.muli": lambda a, b, _: a * b,
    "arith.andi": lambda a, b, _: a & b,
    "arith.ori": lambda a, b, _: a | b,
    "arith.xori": lambda a, b, _: a ^ b,
    "arith.maxsi": lambda a, b, _: max(a, b),
    "arith.minsi": lambda a, b, _: min(a, b),
    "arith.maxui": _on_unsigned(max),
    "arith.minui": _on_unsigned(min),
    "arith.divsi": _divide,
    "arith.divui": _on_unsigned(lambda a, b: a // b if b else None),
    "arith.remsi": lambda a, b, _: a - _quotient(a, b) * b if b else None,
    "arith.remui": _on_unsigned(lambda a, b: a % b if b else None),
    "arith.ceildivsi": lambda a, b, bits: _divide(a, b, bits) and -(-a // b),
    "arith.ceildivui": _on_unsigned(lambda a, b: -(-a // b) if b else None),
    "arith.floordivsi": lambda a, b, bits: _divide(a, b, bits) and a // b,
    "arith.shli": _shifted(lambda a, b, _: a << b),
    "arith.shrsi": _shifted(lambda a, b, _: a >> b),
    "arith.shrui": _shifted(lambda a, b, bits: unsigned(a, bits) >> b),
}
RIGHT_IDENTITY = {
    "arith.subi": 0,
    "arith.divsi": 1,
    "arith.divui": 1,
    "arith.ceildivsi": 1,
    "arith.ceildivui": 1,
    "arith.floordivsi": 1,
    "arith.shli": 0,
    "arith.shrsi": 0,
    "arith.shrui": 0,
}
"""Right operands for which the result is the left one, except of combiners."""
OF_EQUALS = {"arith.subi": 0, "arith.xori": 0}
"""The results of ops whose two operands are the same value."""


def width_of(value: SSAValue) -> int:
    """The width of an integer or of a vector's lanes, in bits."""
    return bits_of(element_type(value.type))


@fold_on(*KIND_OF_NAME)
def constants_right(op: Operation, rewriter: Rewriter) -> None:
    """Move the constant operand of a commutative op to the right."""
    lhs, rhs = op.operands
    if attribute_of(lhs) is not None and attribute_of(rhs) is None:
        op.operands = [rhs, lhs]
        rewriter.changed(op)


@fold_on(*COMPUTE)
def compute_integers(op: Operation, rewriter: Rewriter) -> None:
    """Compute with constants."""
    lhs, rhs = (attribute_of(operand) for operand in op.operands)
    if lhs is None or rhs is None:
        return
    bits = width_of(op.results[0])
    compute = COMPUTE[op.name]

    def combine(a: int, b: int) -> int | None:
        return compute(a, b, bits)

    result = elementwise(combine, op.results[0].type, lhs, rhs)
    if result is not None:
        become(op, result, rewriter)


@fold_on(*COMPUTE)
def integer_identities(op: Operation, rewriter: Rewriter) -> None:
    """`x + 0`, `x * 0`, `x - x`, `x | x`, ..."""
    lhs, rhs = op.operands
    if lhs is rhs:
        if KIND_OF_NAME.get(op.name) in IDEMPOTENT_KINDS:
            rewriter.replace(op, [lhs])
        elif op.name in OF_EQUALS:
            become(op, filled(OF_EQUALS[op.name], op.results[0].type), rewriter)
        return
    number = uniform(rhs)
    if number is None:
        return
    bits = width_of(rhs)
    number = wrapped(int(number), bits)
    if number == _right_identity(op.name, bits):
        rewriter.replace(op, [lhs])
    elif number == _absorbing(op.name, bits):
        rewriter.replace(op, [rhs])
    elif op.name in ("arith.remsi", "arith.remui") and number == wrapped(1, bits):
        become(op, filled(0, op.results[0].type), rewriter)


def _right_identity(name: str, bits: int) -> int | None:
    kind = KIND_OF_NAME.get(name)
    number = RIGHT_IDENTITY.get(name) if kind is None else neutral_integer(kind, bits)
    return None if number is None else wrapped(number, bits)


def _absorbing(name: str, bits: int) -> int | None:
    kind = KIND_OF_NAME.get(name)
    return None if kind is None else absorbing_integer(kind, bits)


@fold_on("arith.addi")
def add_what_was_subtracted(op: Operation, rewriter: Rewriter) -> None:
    """`(a - b) + b` and `b + (a - b)` are `a`."""
    for side, other in (op.operands, reversed(op.operands)):
        inner = side.owner
        if isinstance(inner, SubiOp) and inner.operands[1] is other:
            rewriter.replace(op, [inner.operands[0]])
            return


@fold_on("arith.subi")
def subtract_what_was_added(op: Operation, rewriter: Rewriter) -> None:
    """`(a + b) - b` is `a`, `(a + b) - a` is `b`."""
    inner = op.operands[0].owner
    if not isinstance(inner, AddiOp):
        return
    lhs, rhs = inner.operands
    if rhs is op.operands[1]:
        rewriter.replace(op, [lhs])
    elif lhs is op.operands[1]:
        rewriter.replace(op, [rhs])


@fold_on("arith.xori")
def undo_exclusive_or(op: Operation, rewriter: Rewriter) -> None:
    """`(a ^ b) ^ b` is `a`, `(a ^ b) ^ a` is `b`."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != op.name:
        return
    lhs, rhs = inner.operands
    if rhs is op.operands[1]:
        rewriter.replace(op, [lhs])
    elif lhs is op.operands[1]:
        rewriter.replace(op, [rhs])


def _terms(value: SSAValue) -> tuple[SSAValue, int, int] | None:
    """`(x, sign, constant)` where a value is `sign * x + constant`."""
    inner = value.owner
    if not isinstance(inner, AddiOp | SubiOp):
        return None
    lhs, rhs = inner.operands
    if (number := constant_int(rhs)) is not None:
        return lhs, 1, number if isinstance(inner, AddiOp) else -number
    if isinstance(inner, SubiOp) and (number := constant_int(lhs)) is not None:
        return rhs, -1, number
    return None


@pattern_on("arith.addi", "arith.subi")
def gather_constants(op: Operation, rewriter: Rewriter) -> None:
    """`(x + 1) + 2`, `(x - 1) + 2`, `2 - (x + 1)`, ...: one op with one constant."""
    lhs, rhs = op.operands
    is_sum = isinstance(op, AddiOp)
    if (number := constant_int(rhs)) is not None:
        if (inner := _terms(lhs)) is None:
            return
        value, sign, constant = inner
        constant += number if is_sum else -number
    elif not is_sum and (number := constant_int(lhs)) is not None:
        if (inner := _terms(rhs)) is None:
            return
        value, sign, constant = inner
        sign, constant = -sign, number - constant
    else:
        return
    _replace_sum(op, value, sign, constant, rewriter)


def _replace_sum(
    op: Operation, value: SSAValue, sign: int, constant: int, rewriter: Rewriter
) -> None:
    """Write `sign * value + constant` in upstream's canonical form."""
    lhs, rhs = op.operands
    inner = (lhs if constant_int(rhs) is not None else rhs).owner
    # `(x - 1) - 2` stays a subtraction; every other sum of x becomes an addition.
    subtracts = (
        sign == 1
        and isinstance(op, SubiOp)
        and isinstance(inner, SubiOp)
        and constant_int(rhs) is not None
    )
    attr = filled(-constant if subtracts else constant, op.results[0].type)
    number = ConstantOp(attr)
    if sign == -1:
        rewriter.replace_with(op, number, SubiOp(number.result, value))
    elif subtracts:
        rewriter.replace_with(op, number, SubiOp(value, number.result))
    else:
        rewriter.replace_with(op, number, AddiOp(value, number.result))


@pattern_on("arith.addi")
def add_of_negative(op: Operation, rewriter: Rewriter) -> None:
    """`x + y * -1` is `x - y`."""
    for side, other in (op.operands, tuple(reversed(op.operands))):
        inner = side.owner
        if (
            isinstance(inner, Operation)
            and inner.name == "arith.muli"
            and constant_int(inner.operands[1]) == -1
        ):
            rewriter.replace_with(op, SubiOp(other, inner.operands[0]))
            return


@pattern_on("arith.subi")
def subtract_from_difference(op: Operation, rewriter: Rewriter) -> None:
    """`(a - b) - a` is `0 - b`."""
    inner = op.operands[0].owner
    if isinstance(inner, SubiOp) and inner.operands[0] is op.operands[1]:
        zero = ConstantOp(filled(0, op.results[0].type))
        rewriter.replace_with(op, zero, SubiOp(zero.result, inner.operands[1]))


@pattern_on("arith.muli")
def gather_factors(op: Operation, rewriter: Rewriter) -> None:
    """`(x * 2) * 3` is `x * 6`."""
    lhs, rhs = op.operands
    inner = lhs.owner
    if not isinstance(inner, MuliOp) or (outer := constant_int(rhs)) is None:
        return
    if (number := constant_int(inner.operands[1])) is None:
        return
    factor = ConstantOp(filled(outer * number, op.results[0].type))
    rewriter.replace_with(op, factor, MuliOp(inner.operands[0], factor.result))


PATTERNS = (
    constants_right,
    compute_integers,
    integer_identities,
    add_what_was_subtracted,
    subtract_what_was_added,
    undo_exclusive_or,
    gather_constants,
    add_of_negative,
    subtract_from_difference,
    gather_factors,
)
