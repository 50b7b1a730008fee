"""Numbers and conditions on knobs: they are written, renamed and evaluated.

A term is a tree of the schedule language. A condition is stated once: the schedule has
it as `require`, and the planner tests points with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from typing import TypeAlias

from tilewright.schedules.language.syntax import (
    Argument,
    Items,
    Literal,
    Name,
    Operator,
    Setting,
    Value,
)

Term: TypeAlias = int | str | Value
"""A number, the name of a knob, or an expression."""
Given: TypeAlias = "Term | Setting | Sequence[Given]"
"""An argument of a verb; a string is a name or a word of the verb."""


def tree(given: Given) -> Argument:
    """An argument as the schedule language has it."""
    if isinstance(given, str):
        return Name(given)
    if isinstance(given, int):
        return Literal(given)
    if isinstance(given, Sequence):
        return Items(tuple(map(tree, given)))
    return given


def term(given: Term) -> Value:
    """A term as a tree."""
    found = tree(given)
    assert not isinstance(found, Setting)
    return found


def text(value: str) -> Literal:
    """A string, which a schedule has in quotes."""
    return Literal(value)


def times(*factors: Term) -> Value:
    """`a * b * c`; factors of 1 are left out."""
    kept = [term(factor) for factor in factors if factor != 1] or [Literal(1)]
    return reduce(lambda left, right: Operator("*", (left, right)), kept)


def ceiling(dividend: Term, divisor: Term) -> Value:
    """`cdiv(a, b)`: a quotient, rounded up."""
    return Operator("cdiv", (term(dividend), term(divisor)))


def smaller(left: Term, right: Term) -> Value:
    """`min(a, b)`."""
    return Operator("min", (term(left), term(right)))


def ascending(*terms: Term) -> Operator:
    """`a <= b <= c`."""
    trees = [term(each) for each in terms]
    pairs = zip(trees, trees[1:], strict=False)
    found = [Operator("<=", pair) for pair in pairs]
    return reduce(lambda left, right: Operator("and", (left, right)), found)


def equal(left: Term, right: Term) -> Operator:
    """`a == b`."""
    return Operator("==", (term(left), term(right)))


def either(left: Operator, right: Operator) -> Operator:
    """`a or b`."""
    return Operator("or", (left, right))


def renamed(value: Value, names: Mapping[str, str]) -> Value:
    """A term with other names for some knobs."""
    if isinstance(value, Name):
        return Name(names.get(value.text, value.text))
    if isinstance(value, Operator):
        operands = tuple(renamed(operand, names) for operand in value.operands)
        return replace(value, operands=operands)
    return value


def holds(condition: Value, point: Mapping[str, int]) -> bool:
    """Whether a condition holds at a point."""
    return bool(evaluated(condition, point))


def always_holds(condition: Value, options: Mapping[str, Sequence[int]]) -> bool:
    """Whether a condition holds for all options of its knobs."""
    names = list(dict.fromkeys(_names(condition)))
    return all(
        holds(condition, dict(zip(names, values, strict=True)))
        for values in product(*(options[name] for name in names))
    )


def _names(value: Value) -> Iterator[str]:
    if isinstance(value, Name):
        yield value.text
    elif isinstance(value, Operator):
        for operand in value.operands:
            yield from _names(operand)


def evaluated(value: Value, point: Mapping[str, int]) -> int:
    """A term at a point."""
    if isinstance(value, Name):
        return point[value.text]
    if isinstance(value, Literal):
        assert isinstance(value.value, int)
        return value.value
    assert isinstance(value, Operator)
    left, right = (evaluated(operand, point) for operand in value.operands)
    match value.sign:
        case "*":
            return left * right
        case "cdiv":
            return -(-left // right)
        case "min":
            return min(left, right)
        case "<=":
            return left <= right
        case "==":
            return left == right
        case "and":
            return left and right
        case _:
            assert value.sign == "or"
            return left or right
