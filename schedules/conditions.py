"""Conditions on knobs (`require`) to ops of the smt dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects import smt as xsmt
from xdsl.dialects.smt import BoolType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.ir.dialects import smt
from tilewright.ir.errors import UserError
from tilewright.schedules.syntax import Condition, Literal, Name

_ARITHMETIC: Mapping[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "+": smt.IntAddOp,
    "-": smt.IntSubOp,
    "*": smt.IntMulOp,
    "/": smt.IntDivOp,
    "%": smt.IntModOp,
}

_COMPARISON: Mapping[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "<": lambda a, b: smt.IntCmpOp(smt.IntPredicate.LT, a, b),
    "<=": lambda a, b: smt.IntCmpOp(smt.IntPredicate.LE, a, b),
    ">": lambda a, b: smt.IntCmpOp(smt.IntPredicate.GT, a, b),
    ">=": lambda a, b: smt.IntCmpOp(smt.IntPredicate.GE, a, b),
    "==": smt.EqOp,
    "!=": smt.DistinctOp,
}

_LOGIC: Mapping[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "and": xsmt.AndOp,
    "or": xsmt.OrOp,
    "xor": xsmt.XOrOp,
    "implies": xsmt.ImpliesOp,
}

_ONE: Mapping[str, tuple[Callable[[SSAValue], Operation], type[Attribute], str]] = {
    "not": (xsmt.NotOp, BoolType, "a comparison"),
    "abs": (smt.IntAbsOp, smt.IntType, "a number"),
}


def lower_condition(
    condition: Condition, known: Mapping[str, SSAValue], block: Block
) -> None:
    """Add the ops of a condition to `block`, and the assertion that it holds."""
    value = _value(condition, known, block)
    _expect(value, BoolType, "a comparison", condition)
    block.add_op(xsmt.AssertOp(value))


def names_in(condition: Condition) -> Iterator[Name]:
    """Every name a condition uses, as often as it does."""
    if isinstance(condition, Name):
        yield condition
    elif not isinstance(condition, Literal):
        for operand in condition.operands:
            yield from names_in(operand)


def _value(
    condition: Condition, known: Mapping[str, SSAValue], block: Block
) -> SSAValue:
    if isinstance(condition, Name):
        return known[condition.text]
    if isinstance(condition, Literal):
        value = condition.value
        if isinstance(value, bool):
            return _emit(block, xsmt.ConstantBoolOp(value))
        if isinstance(value, int):
            return _emit(block, smt.IntConstantOp(value))
        raise UserError(
            "require: expected a whole number", condition.place, "such as 64"
        )
    sign = condition.sign
    operands = [_value(operand, known, block) for operand in condition.operands]
    if sign in _ONE and len(operands) == 1:
        build, kind, words = _ONE[sign]
        _expect(operands[0], kind, words, condition.operands[0])
        return _emit(block, build(operands[0]))
    if sign == "ite" and len(operands) == 3:
        return _emit(block, smt.IteOp(*operands))
    for table, kind, words in (
        (_ARITHMETIC, smt.IntType, "a number"),
        (_COMPARISON, smt.IntType, "a number"),
        (_LOGIC, BoolType, "a comparison"),
    ):
        if sign in table and len(operands) == 2:
            for operand, node in zip(operands, condition.operands, strict=True):
                _expect(operand, kind, words, node)
            return _emit(block, table[sign](*operands))
    raise UserError(
        f"require: no function '{sign}' of {len(operands)} argument(s)",
        condition.place,
        "there are abs(a), implies(a, b), xor(a, b), ite(condition, a, b)",
    )


def _emit(block: Block, op: Operation) -> SSAValue:
    block.add_op(op)
    return op.results[0]


def _expect(
    value: SSAValue, kind: type[Attribute], words: str, node: Condition
) -> None:
    if not isinstance(value.type, kind):
        raise UserError(
            f"require: this is not {words}",
            node.place,
            "such as: require BM * BN <= 128 * 128",
        )
