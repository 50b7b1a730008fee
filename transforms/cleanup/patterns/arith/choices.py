"""Patterns on comparisons and selections: decide them, or simplify them."""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.types import element_type
from tilewright.transforms.cleanup.build import make, owner_named, remade
from tilewright.transforms.cleanup.constants import (
    Number,
    attribute_of,
    become,
    elementwise,
    filled,
    uniform,
    unsigned,
)
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.cleanup.patterns.arith.integers import width_of
from tilewright.transforms.core.rewriter import Rewriter

EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE = range(10)
"""The predicates of `arith.cmpi`, in upstream's numbers."""

ORDERS: dict[int, Callable[[int, int], bool]] = {
    EQ: lambda a, b: a == b,
    NE: lambda a, b: a != b,
    SLT: lambda a, b: a < b,
    SLE: lambda a, b: a <= b,
    SGT: lambda a, b: a > b,
    SGE: lambda a, b: a >= b,
    ULT: lambda a, b: a < b,
    ULE: lambda a, b: a <= b,
    UGT: lambda a, b: a > b,
    UGE: lambda a, b: a >= b,
}
SWAPPED = {
    **{EQ: EQ, NE: NE, SLT: SGT, SLE: SGE, SGT: SLT, SGE: SLE},
    **{ULT: UGT, ULE: UGE, UGT: ULT, UGE: ULE},
}
"""The same comparison with its operands swapped."""
INVERSE = {
    **{EQ: NE, NE: EQ, SLT: SGE, SLE: SGT, SGT: SLE, SGE: SLT},
    **{ULT: UGE, ULE: UGT, UGT: ULE, UGE: ULT},
}
"""The negated comparison."""


def predicate(op: Operation) -> int:
    """The number of a comparison's predicate."""
    attr = op.properties["predicate"]
    assert isinstance(attr, IntegerAttr)
    return attr.value.data


def compared(op: Operation, by: int, lhs: SSAValue, rhs: SSAValue) -> Operation:
    """A comparison like `op`, with another predicate and other values."""
    new = remade(op, [lhs, rhs])
    new.properties["predicate"] = IntegerAttr(by, i64)
    return new


@fold_on("arith.cmpi")
def decide_integers(op: Operation, rewriter: Rewriter) -> None:
    """Decide a comparison of constants, or of a value with itself."""
    lhs, rhs = op.operands
    by, result = predicate(op), op.results[0].type
    if lhs is rhs:
        become(op, filled(int(ORDERS[by](0, 0)), result), rewriter)
        return
    left, right = attribute_of(lhs), attribute_of(rhs)
    if left is None or right is None:
        return
    bits = width_of(lhs) if by >= ULT else 0

    def decide(a: int, b: int) -> int:
        if bits:
            a, b = unsigned(a, bits), unsigned(b, bits)
        return int(ORDERS[by](a, b))

    answer = elementwise(decide, result, left, right)
    if answer is not None:
        become(op, answer, rewriter)


@fold_on("arith.cmpi")
def compare_truth(op: Operation, rewriter: Rewriter) -> None:
    """`b != false` and `b == true` are `b`; so is an extended `b` that is not 0."""
    lhs, rhs = op.operands
    by, number = predicate(op), uniform(rhs)
    if number is None or by not in (EQ, NE):
        return
    if element_type(lhs.type) == i1:
        if (by, number) in ((NE, 0), (EQ, -1)):
            rewriter.replace(op, [lhs])
        return
    inner = owner_named(lhs, "arith.extui", "arith.extsi")
    if inner is None or element_type(inner.operands[0].type) != i1:
        return
    if (by, number) == (NE, 0):
        rewriter.replace(op, [inner.operands[0]])


@fold_on("arith.cmpi")
def compare_with_constant_right(op: Operation, rewriter: Rewriter) -> None:
    """Move the constant of a comparison to the right."""
    lhs, rhs = op.operands
    if attribute_of(lhs) is not None and attribute_of(rhs) is None:
        op.properties["predicate"] = IntegerAttr(SWAPPED[predicate(op)], i64)
        op.operands = [rhs, lhs]
        rewriter.changed(op)


@pattern_on("arith.cmpi")
def compare_extended(op: Operation, rewriter: Rewriter) -> None:
    """Compare two values that are extended alike before the extension."""
    by = predicate(op)
    if by not in (EQ, NE):
        return
    for name in ("arith.extsi", "arith.extui"):
        inner = [owner_named(operand, name) for operand in op.operands]
        if inner[0] is None or inner[1] is None:
            continue
        values = [inner[0].operands[0], inner[1].operands[0]]
        if values[0].type == values[1].type:
            rewriter.replace_with(op, compared(op, by, *values))
            return


@pattern_on("arith.xori")
def invert_comparison(op: Operation, rewriter: Rewriter) -> None:
    """Replace the negation of a comparison by the opposite comparison."""
    inner = owner_named(op.operands[0], "arith.cmpi")
    if inner is None or uniform(op.operands[1]) != -1:
        return
    by = INVERSE[predicate(inner)]
    rewriter.replace_with(op, compared(inner, by, *inner.operands))


def holds_for_floats(by: int, a: float, b: float) -> bool:
    """One of the sixteen predicates: which of <, >, = and unordered make it true."""
    if math.isnan(a) or math.isnan(b):
        return by >= 8
    # 1 to 7 are oeq to ord, 8 to 13 ueq to une, then uno and true.
    ordered = {14: 0, 15: 7}.get(by, by if by < 8 else by - 7)
    return bool(
        (ordered & 1 and a == b) or (ordered & 2 and a > b) or (ordered & 4 and a < b)
    )


@fold_on("arith.cmpf")
def decide_floats(op: Operation, rewriter: Rewriter) -> None:
    """Decide a comparison of constants, or with NaN."""
    lhs, rhs = op.operands
    by, result = predicate(op), op.results[0].type
    if by in (0, 15):
        become(op, filled(int(by == 15), result), rewriter)
        return
    number = uniform(rhs)
    if number is not None and math.isnan(number):
        become(op, filled(int(by >= 8), result), rewriter)
        return
    left, right = attribute_of(lhs), attribute_of(rhs)
    if left is None or right is None:
        return

    def decide(a: float, b: float) -> int:
        return int(holds_for_floats(by, a, b))

    answer = elementwise(decide, result, left, right)
    if answer is not None:
        become(op, answer, rewriter)


@fold_on("arith.select")
def decide_selection(op: Operation, rewriter: Rewriter) -> None:
    """Decide a selection: known condition, equal choices, `c ? true : false`."""
    condition, yes, no = op.operands
    known = uniform(condition)
    if yes is no:
        rewriter.replace(op, [yes])
    elif known is not None:
        rewriter.replace(op, [yes if known else no])
    elif yes.type == i1 and (uniform(yes), uniform(no)) == (-1, 0):
        rewriter.replace(op, [condition])
    else:
        _select_lanes(op, rewriter)


def _select_lanes(op: Operation, rewriter: Rewriter) -> None:
    """Select among constants, lane by lane."""
    condition, yes, no = (attribute_of(operand) for operand in op.operands)
    if condition is None or yes is None or no is None:
        return
    chosen = elementwise(_choose, op.results[0].type, condition, yes, no)
    if chosen is not None:
        become(op, chosen, rewriter)


@fold_on("arith.select")
def select_of_equality(op: Operation, rewriter: Rewriter) -> None:
    """`a == b ? a : b` is `b`; `a != b ? a : b` is `a`."""
    condition, yes, no = op.operands
    inner = owner_named(condition, "arith.cmpi")
    if inner is None or set(inner.operands) != {yes, no}:
        return
    if predicate(inner) == EQ:
        rewriter.replace(op, [no])
    elif predicate(inner) == NE:
        rewriter.replace(op, [yes])


@pattern_on("arith.select")
def select_by_negation(op: Operation, rewriter: Rewriter) -> None:
    """`!c ? a : b` is `c ? b : a`."""
    condition, yes, no = op.operands
    inner = owner_named(condition, "arith.xori")
    if inner is not None and uniform(inner.operands[1]) == -1:
        rewriter.replace_with(op, remade(op, [inner.operands[0], no, yes]))


@pattern_on("arith.select")
def select_again(op: Operation, rewriter: Rewriter) -> None:
    """Decide a selection inside a branch on the same condition."""
    condition, yes, no = op.operands
    for side, choice in ((yes, 1), (no, 2)):
        inner = owner_named(side, "arith.select")
        if inner is not None and inner.operands[0] is condition:
            values = [condition, yes, no]
            values[choice] = inner.operands[choice]
            rewriter.replace_with(op, remade(op, values))
            return


@pattern_on("arith.select")
def select_of_truths(op: Operation, rewriter: Rewriter) -> None:
    """`c ? false : true` is `!c`; `c ? 1 : 0` is `c` extended, `c ? 0 : 1` is `!c`."""
    condition, yes, no = op.operands
    if not isa(kind := yes.type, IntegerType):
        return
    numbers = uniform(yes), uniform(no)
    if kind == i1:
        if numbers == (0, -1):
            rewriter.replace_with(op, make("arith.xori", [condition, no], [i1]))
    elif numbers == (1, 0):
        rewriter.replace_with(op, make("arith.extui", [condition], [kind]))
    elif numbers == (0, 1):
        true = ConstantOp(filled(1, i1))
        inverse = make("arith.xori", [condition, true.result], [i1])
        extended = make("arith.extui", inverse.results, [kind])
        rewriter.replace_with(op, true, inverse, extended)


def _choose(condition: Number, yes: Number, no: Number) -> Number:
    return yes if condition else no


PATTERNS = (
    decide_integers,
    compare_truth,
    compare_with_constant_right,
    compare_extended,
    invert_comparison,
    decide_floats,
    decide_selection,
    select_of_equality,
    select_by_negation,
    select_again,
    select_of_truths,
)
