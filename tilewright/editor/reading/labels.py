"""The branches that a written label names: `tail == fused`, `default "2-pass"`.

An order of steps is written as their labels in a row: `steps == tiles_clean`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from tilewright.schedules.language.syntax import (
    Action,
    Choose,
    Constant,
    Literal,
    Name,
    Node,
    Operator,
    Permute,
    Statement,
    Value,
)


def compared(value: Operator) -> Iterator[tuple[Name, Name]]:
    """Names and labels that `==` may compare: either side may be the label."""
    if value.sign not in ("==", "!=") or len(value.operands) != 2:
        return
    left, right = value.operands
    for choice, written in ((left, right), (right, left)):
        label = _label(written)
        if isinstance(choice, Name) and label is not None:
            yield choice, label


def decided(setting: Statement) -> tuple[Name, Name] | None:
    """The choice and the label of `tail = fused`, a setting of a decision table."""
    match setting:
        case Action((choice,), label, ()):
            return choice, label
        case Constant(choice, Literal() as value) if label := _label(value):
            return choice, label
        case _:
            return None


def branches_named(choice: Node, label: Name) -> Iterator[Name]:
    """The labels of branches in a written label, each at its own place."""
    label = _without_quote(label)
    if not isinstance(choice, Permute):
        if isinstance(choice, Choose):
            yield label
        return
    labels = [branch.label.text for branch in choice.branches]
    column = label.place.column
    for text in _order(labels, label.text):
        yield Name(text, place=replace(label.place, column=column))
        column += len(text) + 1


def _order(labels: Sequence[str], written: str) -> Sequence[str]:
    if len(written) != len("_".join(labels)):
        return ()
    orders = permutations(labels)
    return next((order for order in orders if "_".join(order) == written), ())


def _label(value: Value) -> Name | None:
    if isinstance(value, Name):
        return value
    if isinstance(value, Literal) and isinstance(value.value, str):
        return Name(value.value, place=value.place)
    return None


def _without_quote(label: Name) -> Name:
    """A label whose place is its first letter, not the quote before it."""
    place = label.place
    if (place.text or "")[place.column - 1 : place.column] != '"':
        return label
    return Name(label.text, place=replace(place, column=place.column + 1))
