"""Residual conditions: what remains of a condition after some choices are made.

`bind` makes a choice in a node and returns the remaining node. `allowed` returns the
options that satisfy a condition on one choice, by arithmetic where it is linear.
`holds` evaluates a condition after all its choices are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, prod

from tilewright.transforms.control.choices.formulas import OPERATIONS
from tilewright.tuning.space.solving.bounds import Node
from tilewright.tuning.space.solving.domains import Chosen, Domain, bits
from tilewright.tuning.space.solving.nodes import Nodes


class Residuals(Nodes):
    """Makes nodes and binds choices in them."""

    def __init__(self, domains: Sequence[Domain]) -> None:
        super().__init__(domains)
        self._bound: dict[tuple[Node, int, int], Node] = {}
        self._allowed: dict[Node, int] = {}

    # -- binding -----------------------------------------------------------------

    def bind(self, node: Node, choice: int, option: int) -> Node:
        """A condition or a number after a choice is made."""
        if not node.mask >> choice & 1:
            return node
        key = (node, choice, option)
        found = self._bound.get(key)
        if found is None:
            self.work += 1
            found = self._bound[key] = self._bound_node(node, choice, option)
        return found

    def _bound_node(self, node: Node, choice: int, option: int) -> Node:
        kind, parts = node.kind, node.parts
        if kind == "number":
            value = self.domains[choice].numbers[option]
            return self.constant(0 if value is None else value)
        if kind == "picks":
            return self.true if parts[1] == option else self.false
        if kind == "call":
            if option == self.domains[choice].none:
                return self.true
            function, choices, options = parts
            made = tuple(
                option if c == choice else o
                for c, o in zip(choices, options, strict=True)
            )
            return self.bound_call(function, choices, made)
        if kind == "sum":
            return self._bound_sum(node, choice, option)
        bound = [self.bind(part, choice, option) for part in parts]
        match kind:
            case "product":
                return self.product(bound)
            case "at_most":
                return self.at_most(bound[0])
            case "zero":
                return self.is_zero(bound[0])
            case "not":
                return self.negation(bound[0])
            case "all":
                return self.all_of(bound)
            case "any":
                return self.any_of(bound)
            case _:
                return self.plain(kind, bound)

    def _bound_sum(self, node: Node, choice: int, option: int) -> Node:
        constant, cell = node.parts
        assert isinstance(constant, int)
        assert isinstance(cell, Node)
        factor, term, tail = cell.parts
        assert isinstance(factor, int)
        assert isinstance(term, Node)
        rest = tail if isinstance(tail, Node) else None
        if term.kind == "number" and (rest is None or not rest.mask >> choice & 1):
            # Choices are made in the order of the terms, so the rest can be shared.
            value = self.bind(term, choice, option)
            return self.shifted(constant + factor * int(value.low), rest)
        terms: list[tuple[int, Node]] = []
        tail = cell
        while isinstance(tail, Node):
            each, inner, tail = tail.parts
            terms.append((each, self.bind(inner, choice, option)))
        return self.sum(constant, terms)

    def allowed(self, condition: Node) -> int:
        """The options, as bits, that satisfy a condition with one open choice."""
        found = self._allowed.get(condition)
        if found is None:
            found = self._allowed[condition] = self._filter(condition)
        return found

    def _filter(self, condition: Node) -> int:
        choice = condition.mask.bit_length() - 1
        domain = self.domains[choice]
        linear = _linear(condition)
        if linear is not None and domain.all_numbers:
            self.work += 1
            return _solved(domain, *linear)
        self.work += domain.size
        found = 0
        for option in range(domain.size):
            if self.holds(condition, {choice: option}):
                found |= 1 << option
        return found

    # -- evaluating --------------------------------------------------------------

    def holds(self, condition: Node, chosen: Chosen) -> bool:
        """Whether a condition holds, given all its choices; makes no nodes."""
        return bool(self._value(condition, chosen))

    def _value(self, node: Node, chosen: Chosen) -> int:
        kind, parts = node.kind, node.parts
        if kind == "constant":
            return parts[0]
        if kind == "number":
            return self.domains[parts[0]].numbers[chosen[parts[0]]] or 0
        if kind == "picks":
            return chosen[parts[0]] == parts[1]
        if kind == "sum":
            total, tail = parts
            while tail is not None:
                factor, term, tail = tail.parts
                total += factor * self._value(term, chosen)
            return total
        if kind == "all":
            return all(self._value(part, chosen) for part in parts)
        if kind == "any":
            return any(self._value(part, chosen) for part in parts)
        if kind == "call":
            bound = node
            for choice in bits(node.mask):
                bound = self.bind(bound, choice, chosen[choice])
            return bound.parts[0]
        values = [self._value(part, chosen) for part in parts]
        match kind:
            case "product":
                return prod(values)
            case "at_most":
                return values[0] <= 0
            case "zero":
                return values[0] == 0
            case "/" | "%" if values[1] == 0:
                # A division comes with a condition that the divisor is not zero.
                return 0
            case _:
                return OPERATIONS[kind](values)


# -- conditions on one number ----------------------------------------------------


def _linear(condition: Node) -> tuple[str, int, int] | None:
    """`at_most`, `zero` or `not zero` of `constant + factor * choice`, in parts."""
    kind, inner = condition.kind, condition.parts[0] if condition.parts else None
    if kind == "not" and isinstance(inner, Node) and inner.kind == "zero":
        kind, inner = "other", inner.parts[0]
    if kind not in {"at_most", "zero", "other"} or not isinstance(inner, Node):
        return None
    if inner.kind == "number":
        return kind, 0, 1
    if inner.kind != "sum":
        return None
    constant, cell = inner.parts
    assert isinstance(cell, Node)
    factor, term, tail = cell.parts
    if tail is not None or not isinstance(term, Node) or term.kind != "number":
        return None
    return kind, constant, factor


def _solved(domain: Domain, kind: str, constant: int, factor: int) -> int:
    """The options that satisfy a linear condition."""
    if kind == "at_most":
        # constant + factor * x <= 0
        if factor > 0:
            found = domain.between(-inf, -constant // factor)
        else:
            found = domain.between(-(-constant // -factor), inf)
    else:
        value, rest = divmod(-constant, factor)
        found = 0 if rest else domain.between(value, value)
        if kind == "other":
            found = domain.everything & ~found
    return found
