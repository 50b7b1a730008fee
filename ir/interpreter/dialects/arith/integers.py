"""arith on integers: divisions that are checked, shifts, products of twice the width.

Upstream leaves a division by zero undefined, and the division of the smallest number by
-1. Both are errors here, except in a vector's lanes, where the result is 0: a lane that
a mask switches off may hold anything. A shift by the width or more is poison upstream;
here all bits are shifted out.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.dialects import arith
from tilewright.ir.interpreter.core.elementwise import (
    Function,
    choose,
    distinct,
    elementwise,
    lift,
    on_signed,
    on_unsigned,
    signed,
    unsigned,
    width_of,
)
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Semantics,
    Table,
    Value,
    fail,
)
from tilewright.ir.types import is_vector


def dividing(function: Function, read: Function, *, overflows: bool) -> Semantics:
    """An integer division; `overflows` if the smallest number by -1 has no result."""

    def semantics(
        interpreter: Interpreter, op: Operation, lhs: Value, rhs: Value
    ) -> Results:
        type_ = op.results[0].type
        smallest = -(1 << (width_of(type_) - 1))

        def wraps(a: Any, b: Any) -> Any:
            return (a == smallest) & (b == -1) if overflows else np.bool_(False)

        def on_lanes(a: Any, b: Any) -> Any:
            a, b = read(a), read(b)
            undefined = (b == 0) | wraps(a, b)
            safe = choose(undefined, np.ones_like(b), b)
            return choose(undefined, np.zeros_like(b), function(a, safe))

        def on_numbers(a: Any, b: Any) -> Any:
            return function(read(a), read(b))

        if is_vector(type_):
            return (lift(on_lanes, type_, lhs, rhs),)
        dividend, divisor = read(distinct(lhs)), read(distinct(rhs))
        if np.any(divisor == 0):
            fail(op, "division by zero")
        if np.any(wraps(dividend, divisor)):
            fail(op, f"{smallest} divided by -1 does not fit '{type_}'")
        return (lift(on_numbers, type_, lhs, rhs),)

    return semantics


def divide_truncating(lhs: Any, rhs: Any) -> Any:
    """Integer division towards zero; numpy's goes towards minus infinity."""
    quotient = lhs // rhs
    inexact = quotient * rhs != lhs
    return quotient + (inexact & ((lhs < 0) != (rhs < 0)))


def divide_ceiling(lhs: Any, rhs: Any) -> Any:
    """Integer division towards plus infinity."""
    quotient = lhs // rhs
    return quotient + (quotient * rhs != lhs)


def extended_product(read: Function) -> Semantics:
    """Low and high half of a product of twice the width."""

    def semantics(
        interpreter: Interpreter, op: Operation, lhs: Value, rhs: Value
    ) -> Results:
        low_type, high_type = (result.type for result in op.results)
        bits = width_of(low_type)

        def part(a: Any, b: Any, shift: int) -> Any:
            wide: Any = read(a).astype(object) * read(b).astype(object)
            half: Any = (np.asarray(wide, object) >> shift) & ((1 << bits) - 1)
            return np.asarray(half).astype(np.uint64)

        return (
            lift(partial(part, shift=0), low_type, lhs, rhs),
            lift(partial(part, shift=bits), high_type, lhs, rhs),
        )

    return semantics


def addui_extended(
    interpreter: Interpreter, op: arith.AddUIExtendedOp, lhs: Value, rhs: Value
) -> Results:
    """The sum and whether it wrapped."""
    total = lift(on_unsigned(np.add), op.sum.type, lhs, rhs)
    carry = lift(on_unsigned(np.less), op.overflow.type, total, lhs)
    return (total, carry)


TABLE: Table = {
    arith.AddiOp: elementwise(on_signed(np.add)),
    arith.SubiOp: elementwise(on_signed(np.subtract)),
    arith.MuliOp: elementwise(on_signed(np.multiply)),
    arith.AddUIExtendedOp: addui_extended,
    arith.MulSIExtendedOp: extended_product(signed),
    arith.MulUIExtendedOp: extended_product(unsigned),
    arith.DivSIOp: dividing(divide_truncating, signed, overflows=True),
    arith.DivUIOp: dividing(np.floor_divide, unsigned, overflows=False),
    arith.FloorDivSIOp: dividing(np.floor_divide, signed, overflows=True),
    arith.CeilDivSIOp: dividing(divide_ceiling, signed, overflows=True),
    arith.CeilDivUIOp: dividing(divide_ceiling, unsigned, overflows=False),
    arith.RemSIOp: dividing(np.fmod, signed, overflows=False),
    arith.RemUIOp: dividing(np.fmod, unsigned, overflows=False),
    arith.MinSIOp: elementwise(on_signed(np.minimum)),
    arith.MaxSIOp: elementwise(on_signed(np.maximum)),
    arith.MinUIOp: elementwise(on_unsigned(np.minimum)),
    arith.MaxUIOp: elementwise(on_unsigned(np.maximum)),
    arith.AndIOp: elementwise(np.bitwise_and),
    arith.OrIOp: elementwise(np.bitwise_or),
    arith.XOrIOp: elementwise(np.bitwise_xor),
    arith.ShLIOp: elementwise(on_signed(np.left_shift)),
    arith.ShRSIOp: elementwise(on_signed(np.right_shift)),
    arith.ShRUIOp: elementwise(on_unsigned(np.right_shift)),
}
