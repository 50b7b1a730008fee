"""Open orders: steps in any order, and the loops of an op in any order.

    grid = permute steps { a { ... } b { ... } }     order = permute [0, 1, 2]

Both are a `choose` with a branch for each order; the first is the default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from tilewright.ir.errors import UserError
from tilewright.schedules.language.syntax import (
    Action,
    Argument,
    Branch,
    Choose,
    Items,
    Literal,
    Name,
    Order,
    Permute,
    Yield,
)

_MOST = 4
"""The most things that are put in order: there are 24 orders of 4."""


def step_orders(permute: Permute) -> Choose:
    """The `choose` that a `permute` of steps stands for."""
    _check(permute.branches, permute, "steps")
    names = [Name(target.text, place=target.place) for target in permute.targets]
    branches: list[Branch] = []
    for label, order in _steps(permute):
        body = tuple(statement for step in order for statement in step.body)
        end = Yield(tuple(names), place=order[-1].end)
        branches.append(
            Branch(
                Name(label, place=permute.name.place),
                (*body, end) if names else body,
                place=order[0].place,
                end=order[-1].end,
            )
        )
    return Choose(
        permute.targets,
        permute.name,
        tuple(branches),
        branches[0].label,
        place=permute.place,
    )


def loop_orders(action: Action, orders: Mapping[str, Order]) -> Choose | None:
    """The `choose` of a verb with an open order of loops; None if it has none."""
    used = [
        argument.text
        for argument in action.arguments
        if isinstance(argument, Name) and argument.text in orders
    ]
    if not used:
        return None
    order = orders[used[0]]
    results = [Name(target.text, place=target.place) for target in action.targets]
    branches: list[Branch] = []
    for label, numbers in _loops(order):
        listed = Items(
            tuple(Literal(n, place=order.loops.place) for n in numbers),
            place=order.loops.place,
        )
        step = replace(action, arguments=_with(action.arguments, used[0], listed))
        end = Yield(tuple(results), place=action.place)
        branches.append(
            Branch(
                Name(label, place=action.place),
                (step, end) if results else (step,),
                place=action.place,
                end=action.place,
            )
        )
    name = Name(order.target.text, place=order.place)
    targets = tuple(replace(target, kind=None) for target in action.targets)
    return Choose(targets, name, tuple(branches), branches[0].label, place=action.place)


def labels_of(statement: Permute | Order) -> list[str]:
    """The orders to choose from, as labels."""
    found = _steps(statement) if isinstance(statement, Permute) else _loops(statement)
    return [label for label, _ in found]


def check_order(order: Order) -> None:
    """Refuse an order that does not list loops."""
    for item in order.loops.items:
        value = item.value if isinstance(item, Literal) else None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise UserError(
                "permute: expected the number of a loop",
                item.place,
                f"write: {order.target.text} = permute [0, 1, 2]",
            )
    _check(order.loops.items, order, "loops")


def distinct(errors: Sequence[UserError]) -> list[UserError]:
    """Each error once: steps in several orders are lowered several times."""
    return list({str(error): error for error in reversed(errors)}.values())[::-1]


def _steps(permute: Permute) -> Iterator[tuple[str, tuple[Branch, ...]]]:
    for order in permutations(permute.branches[:_MOST]):
        yield "_".join(step.label.text for step in order), order


def _loops(order: Order) -> Iterator[tuple[str, tuple[int, ...]]]:
    numbers = [
        item.value
        for item in order.loops.items[:_MOST]
        if isinstance(item, Literal) and isinstance(item.value, int)
    ]
    for found in permutations(numbers):
        yield "p_" + "_".join(map(str, found)), found


def _with(
    arguments: Sequence[Argument], name: str, value: Items
) -> tuple[Argument, ...]:
    return tuple(
        value if isinstance(a, Name) and a.text == name else a for a in arguments
    )


def _check(parts: Sequence[object], at: Permute | Order, what: str) -> None:
    if not 2 <= len(parts) <= _MOST:
        raise UserError(
            f"permute: it puts 2 to {_MOST} {what} in order, not {len(parts)}",
            at.place,
            f"there would be too many orders; fix the place of some {what}"
            if len(parts) > _MOST
            else "write the statements alone",
        )
