"""Building the node of a requirement from the instructions in the schedule.

A sum of a hundred terms is a chain of additions in the schedule. It becomes one node
with all its terms at once, without nodes for the partial sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.transforms.control.choices.formulas import Formula
from tilewright.tuning.space.solving.bounds import Node
from tilewright.tuning.space.solving.nodes import Nodes

_DEEPEST = 60
"""The deepest nesting, after sums are flattened, of a condition that is simplified."""


def condition_of(nodes: Nodes, formula: Formula, choices: Sequence[int]) -> Node:
    """The condition of a formula over these choices."""
    made: dict[int, Node] = {}
    nonzero: list[Node] = []
    parts = _parts_of_chains(formula)
    for number, (kind, *operands) in enumerate(formula.instructions):
        if number in parts:
            continue
        if kind == "constant":
            made[number] = nodes.constant(operands[0])
            continue
        if kind == "name":
            made[number] = nodes.number(choices[operands[0]])
            continue
        terms = [(t, made[n]) for t, n in _chain(formula, number, parts)]
        given = [node for _, node in terms]
        if kind in {"/", "%"}:
            nonzero.append(nodes.compare("!=", given[1], nodes.false))
        if kind in {"+", "-"}:
            node = nodes.sum(0, terms)
        else:
            node = _operation(nodes, kind, given)
        if node.depth > _DEEPEST:
            return nodes.call(lambda *v: formula.holds(v), choices)
        made[number] = node
    return nodes.all_of([*nonzero, *(made[number] for number in formula.asserted)])


def _operation(nodes: Nodes, kind: str, given: Sequence[Node]) -> Node:
    match kind:
        case "*":
            return nodes.product(given)
        case "and":
            return nodes.all_of(given)
        case "or":
            return nodes.any_of(given)
        case "not":
            return nodes.negation(given[0])
        case "implies":
            return nodes.any_of([nodes.negation(given[0]), given[1]])
        case "==":
            pairs = zip(given, given[1:], strict=False)
            return nodes.all_of([nodes.compare(kind, a, b) for a, b in pairs])
        case "!=":
            pairs = (
                (a, b) for number, a in enumerate(given) for b in given[number + 1 :]
            )
            return nodes.all_of([nodes.compare(kind, a, b) for a, b in pairs])
        case "<" | "<=" | ">" | ">=":
            return nodes.compare(kind, given[0], given[1])
        case _:
            return nodes.plain(kind, given)


_GROUPS = {"+": "+", "-": "+", "*": "*", "and": "and", "or": "or"}
"""Associative operations, whose chains become one node."""


def _parts_of_chains(formula: Formula) -> set[int]:
    """The instructions that are part of a longer chain of the same operation."""
    users: dict[int, list[str]] = {number: ["assert"] for number in formula.asserted}
    for kind, *operands in formula.instructions:
        if kind not in {"constant", "name"}:
            for operand in operands:
                users.setdefault(operand, []).append(kind)
    return {
        number
        for number, (kind, *_) in enumerate(formula.instructions)
        if kind in _GROUPS
        and len(used := users.get(number, [])) == 1
        and _GROUPS.get(used[0]) == _GROUPS[kind]
    }


def _chain(formula: Formula, number: int, parts: set[int]) -> Iterator[tuple[int, int]]:
    """The operands of a whole chain, each with its sign."""
    stack = [(1, number)]
    while stack:
        sign, here = stack.pop()
        if here != number and here not in parts:
            yield sign, here
            continue
        kind, *operands = formula.instructions[here]
        signs = [sign, -sign] if kind == "-" else [sign] * len(operands)
        stack += reversed(list(zip(signs, operands, strict=True)))
