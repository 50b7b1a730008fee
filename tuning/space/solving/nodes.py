"""Conditions and numbers as nodes, which are simplified and shared when they are made.

Equal conditions are the same node, so that the completions of a condition are counted
once. Sums and products are flat, with all constants folded into one: after K0 = 3 and
K1 = 5, as after K0 = 5 and K1 = 3, `K0 + K1 + K2 <= 20` is `8 + K2 - 20 <= 0`. A sum is
a constant and a linked list of terms, so that sums with the same last terms share them.

A condition is a number too: 0 is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tilewright.transforms.control.choices.formulas import OPERATIONS
from tilewright.tuning.space.solving.bounds import (
    Node,
    bounds_of,
    clamped,
    scaled,
    times,
)
from tilewright.tuning.space.solving.domains import Bound, Domain


class Nodes:
    """Makes and simplifies nodes; equal nodes are the same object."""

    def __init__(self, domains: Sequence[Domain]) -> None:
        self.domains = domains
        self.work = 0
        """A measure of the work so far: nodes bound, options filtered."""
        self._nodes: dict[tuple[object, ...], Node] = {}
        self.false = self.constant(0)
        self.true = self.constant(1)

    def constant(self, value: int) -> Node:
        """A known number."""
        return self._node("constant", (int(value),), (), (value, value))

    def number(self, choice: int) -> Node:
        """The number of a choice's option."""
        bounds = self.domains[choice].bounds
        return self._node("number", (choice,), (), bounds, 1 << choice)

    def picks(self, choice: int, option: int) -> Node:
        """Whether a choice has an option; the one past the last means not open."""
        return self._node("picks", (choice, option), (), (0, 1), 1 << choice)

    def call(self, function: Callable[..., bool], choices: Sequence[int]) -> Node:
        """A condition that only a function can evaluate, given the options."""
        return self.bound_call(function, tuple(choices), (None,) * len(choices))

    def sum(self, constant: int, terms: Iterable[tuple[int, Node]]) -> Node:
        """A sum of multiples."""
        factors: dict[Node, int] = {}
        for factor, node in terms:
            if node.kind == "constant":
                constant += factor * int(node.low)
            elif node.kind == "sum":
                inner, tail = node.parts
                constant += factor * inner
                while isinstance(tail, Node):
                    each, term, tail = tail.parts
                    factors[term] = factors.get(term, 0) + factor * each
            else:
                factors[node] = factors.get(node, 0) + factor
        ordered = sorted(
            factors, key=lambda node: (node.mask & -node.mask, node.serial)
        )
        tail: Node | None = None
        for node in reversed(ordered):
            if factors[node]:
                tail = self._cell(factors[node], node, tail)
        return self.shifted(constant, tail)

    def _cell(self, factor: int, node: Node, tail: Node | None) -> Node:
        """A term of a sum and the terms after it; sums share these lists."""
        found = self._nodes.get(("cell", factor, node, tail))
        if found is not None:
            return found
        self.work += 1
        low, high = scaled(factor, node)
        if tail is not None:
            low, high = low + tail.low, high + tail.high
        nested = (node,) if tail is None else (node, tail)
        bounds = clamped(low, high)
        return self._node("cell", (factor, node, tail), nested, bounds, flat=True)

    def shifted(self, constant: int, tail: Node | None) -> Node:
        """A constant and the terms of a sum."""
        if tail is None:
            return self.constant(constant)
        factor, node, rest = tail.parts
        if constant == 0 and factor == 1 and rest is None:
            assert isinstance(node, Node)
            return node
        least, most = clamped(constant, constant)
        bounds = clamped(least + tail.low, most + tail.high)
        return self._node("sum", (constant, tail), (tail,), bounds)

    def product(self, nodes: Iterable[Node]) -> Node:
        """A product; a constant factor makes it a sum of one term."""
        constant, factors = 1, list[Node]()
        for node in nodes:
            if node.kind == "constant":
                constant *= int(node.low)
            elif node.kind == "product":
                factors += node.parts
            elif node.kind == "sum" and _single(node) is not None:
                factor, inner = _single(node) or (1, node)
                constant *= factor
                factors += inner.parts if inner.kind == "product" else (inner,)
            else:
                factors.append(node)
        if constant == 0 or not factors:
            return self.constant(constant)
        if len(factors) == 1:
            return self.sum(0, [(constant, factors[0])])
        factors.sort(key=lambda node: node.serial)
        low, high = factors[0].low, factors[0].high
        for node in factors[1:]:
            ends = [times(a, b) for a in (low, high) for b in (node.low, node.high)]
            low, high = clamped(min(ends), max(ends))
        node = self._node("product", tuple(factors), factors, (low, high))
        return node if constant == 1 else self.sum(0, [(constant, node)])

    def compare(self, sign: str, left: Node, right: Node) -> Node:
        """A comparison of two numbers, as a comparison of one number with 0."""
        match sign:
            case "<=":
                return self.at_most(self.sum(0, [(1, left), (-1, right)]))
            case "<":
                return self.at_most(self.sum(1, [(1, left), (-1, right)]))
            case ">=":
                return self.at_most(self.sum(0, [(1, right), (-1, left)]))
            case ">":
                return self.at_most(self.sum(1, [(1, right), (-1, left)]))
            case _:
                difference = self.sum(0, [(1, left), (-1, right)])
                equal = self.is_zero(difference)
                return equal if sign == "==" else self.negation(equal)

    def at_most(self, node: Node) -> Node:
        """Whether a number is at most 0."""
        if node.high <= 0:
            return self.true
        if node.low > 0:
            return self.false
        return self._node("at_most", (node,), (node,), (0, 1))

    def is_zero(self, node: Node) -> Node:
        """Whether a number is 0."""
        if node.low > 0 or node.high < 0:
            return self.false
        if node.low == node.high == 0:
            return self.true
        return self._node("zero", (node,), (node,), (0, 1))

    def negation(self, node: Node) -> Node:
        """The negation of a condition."""
        if node.kind == "constant":
            return self.false if node.low else self.true
        if node.kind == "not":
            (inner,) = node.parts
            assert isinstance(inner, Node)
            return inner
        if node.kind == "at_most":
            (inner,) = node.parts
            assert isinstance(inner, Node)
            return self.at_most(self.sum(1, [(-1, inner)]))
        if node.kind in {"all", "any"}:
            join = self.any_of if node.kind == "all" else self.all_of
            return join([self.negation(part) for part in node.parts])
        return self._node("not", (node,), (node,), (0, 1))

    def all_of(self, nodes: Iterable[Node]) -> Node:
        """The conjunction of conditions."""
        return self._join("all", nodes, self.true, self.false)

    def any_of(self, nodes: Iterable[Node]) -> Node:
        """The disjunction of conditions."""
        return self._join("any", nodes, self.false, self.true)

    def _join(self, kind: str, nodes: Iterable[Node], neutral: Node, end: Node) -> Node:
        parts: dict[Node, None] = {}
        for node in nodes:
            for part in node.parts if node.kind == kind else (node,):
                assert isinstance(part, Node)
                if part.kind == "constant":
                    if bool(part.low) == bool(end.low):
                        return end
                    continue
                parts[part] = None
        if not parts:
            return neutral
        if len(parts) == 1:
            return next(iter(parts))
        ordered = tuple(sorted(parts, key=lambda node: node.serial))
        return self._node(kind, ordered, ordered, (0, 1))

    def plain(self, kind: str, given: Sequence[Node]) -> Node:
        """An operation that is computed once its operands are known."""
        if kind == "ite" and given[0].kind == "constant":
            return given[1] if given[0].low else given[2]
        if kind == "ite" and given[1] is given[2]:
            return given[1]
        if kind == "abs" and given[0].low >= 0:
            return given[0]
        if all(node.kind == "constant" for node in given):
            values = [int(node.low) for node in given]
            # A division comes with a condition that the divisor is not zero.
            is_zero = kind in {"/", "%"} and values[1] == 0
            return self.constant(0 if is_zero else OPERATIONS[kind](values))
        return self._node(kind, tuple(given), given, clamped(*bounds_of(kind, given)))

    def bound_call(
        self,
        function: Callable[..., bool],
        choices: tuple[int, ...],
        options: tuple[int | None, ...],
    ) -> Node:
        """A `call` condition after some choices are made."""
        mask = 0
        for choice, option in zip(choices, options, strict=True):
            if option is None:
                mask |= 1 << choice
        if not mask:
            pairs = zip(choices, options, strict=True)
            given = [self.domains[c].options[o] for c, o in pairs if o is not None]
            return self.true if function(*given) else self.false
        return self._node("call", (function, choices, options), (), (0, 1), mask)

    def _node(
        self,
        kind: str,
        parts: tuple[Any, ...],
        nested: Sequence[Node],
        bounds: tuple[Bound, Bound],
        mask: int = 0,
        flat: bool = False,
    ) -> Node:
        key = (kind, *parts)
        found = self._nodes.get(key)
        if found is None:
            # Nodes are made once and read often, so mask and depth are stored.
            depth = 0
            for node in nested:
                mask |= node.mask
                depth = max(depth, node.depth)
            depth += not flat
            found = Node(kind, parts, mask, bounds, depth, len(self._nodes))
            self._nodes[key] = found
        return found


def _single(node: Node) -> tuple[int, Node] | None:
    """The factor and the node of a sum that is a multiple of one node."""
    constant, cell = node.parts
    assert isinstance(cell, Node)
    factor, term, tail = cell.parts
    if constant or tail is not None:
        return None
    return factor, term
