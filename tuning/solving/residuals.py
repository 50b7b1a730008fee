"""What is left of a condition once some of its choices are made.

Nodes are shared: two ways to bind some choices that leave the same condition leave the
same node, so that whoever counts completions counts them once. Sums and products are
flat, with what is known folded into one constant: after K0 = 3 and K1 = 5, as after
K0 = 5 and K1 = 3, `K0 + K1 + K2 <= 20` is `8 + K2 - 20 <= 0`. Every node has bounds,
and a comparison that its bounds decide is a constant.

A choice is a number, its position in the order of the schedule, and its value is the
position of an option. Conditions and numbers are both numbers here: 0 is false.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf, prod
from typing import Any, TypeAlias

from tilewright.transforms.control.formulas import OPERATIONS, Formula, divide

Chosen: TypeAlias = Sequence[int] | Mapping[int, int]
"""The options of choices, by their numbers."""

Bound: TypeAlias = int | float
"""A number, or infinity."""

_HUGE = 1 << 256
"""Bounds beyond this are not exact: that is no use, and no float holds them."""
_DEEPEST = 60
"""How deep a condition may be nested, after sums are made flat, to be simplified."""


class Node:
    """A condition or a number. Equal nodes are one object."""

    __slots__ = ("kind", "parts", "mask", "low", "high", "depth", "serial")

    def __init__(
        self,
        kind: str,
        parts: tuple[Any, ...],
        mask: int,
        bounds: tuple[Bound, Bound],
        depth: int,
        serial: int,
    ) -> None:
        self.kind = kind
        self.parts = parts
        self.mask = mask
        """The choices it depends on, a bit each."""
        self.low, self.high = bounds
        self.depth = depth
        self.serial = serial


class Domain:
    """The options of a choice, as a solver sees them."""

    def __init__(
        self, options: Sequence[object], numbers: Sequence[int | None], optional: bool
    ) -> None:
        """`numbers` has what conditions compute with; None where it is no number."""
        self.options = options
        self.size = len(options) + optional
        self.numbers: list[int | None] = [*numbers, *([None] if optional else [])]
        self.everything = (1 << self.size) - 1
        known = [number for number in numbers if number is not None]
        self.all_numbers = len(known) == self.size
        self.bounds = (min(known), max(known)) if known else (0, 0)

    @property
    def none(self) -> int:
        """The position that stands for a choice that is not open."""
        return len(self.options)

    @cached_property
    def _ascending(self) -> tuple[list[int], list[int]]:
        pairs = sorted((n, i) for i, n in enumerate(self.numbers) if n is not None)
        return [number for number, _ in pairs], [index for _, index in pairs]

    @cached_property
    def _is_sorted(self) -> bool:
        indices = self._ascending[1]
        return indices == list(range(len(indices)))

    def between(self, low: Bound, high: Bound) -> int:
        """The options whose numbers lie from `low` to `high`, a bit each."""
        numbers, indices = self._ascending
        first, last = bisect_left(numbers, low), bisect_right(numbers, high)
        if last <= first:
            return 0
        if self._is_sorted:
            return (1 << last) - (1 << first)
        return sum(1 << index for index in indices[first:last])


def bits(mask: int) -> Iterable[int]:
    """The positions of the bits that are set, the lowest first."""
    if mask.bit_count() * 8 > mask.bit_length():
        text = bin(mask)[:1:-1]
        return [position for position, bit in enumerate(text) if bit == "1"]
    found: list[int] = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


class Residuals:
    """Makes nodes, simplified, and binds choices in them."""

    def __init__(self, domains: Sequence[Domain]) -> None:
        self.domains = domains
        self.work = 0
        """How much was done so far: nodes bound, options filtered."""
        self._nodes: dict[tuple[object, ...], Node] = {}
        self._bound: dict[tuple[Node, int, int], Node] = {}
        self._allowed: dict[Node, int] = {}
        self.false = self.constant(0)
        self.true = self.constant(1)

    # -- making ------------------------------------------------------------------

    def constant(self, value: int) -> Node:
        """A known number."""
        return self._node("constant", (int(value),), (), (value, value))

    def number(self, choice: int) -> Node:
        """The number that a choice's option stands for."""
        bounds = self.domains[choice].bounds
        return self._node("number", (choice,), (), bounds, 1 << choice)

    def picks(self, choice: int, option: int) -> Node:
        """Whether a choice has this option; the one past the last: is not open."""
        return self._node("picks", (choice, option), (), (0, 1), 1 << choice)

    def call(self, function: Callable[..., bool], choices: Sequence[int]) -> Node:
        """A condition that only its function knows; it is given the options."""
        return self._call(function, tuple(choices), (None,) * len(choices))

    def formula(self, formula: Formula, choices: Sequence[int]) -> Node:
        """A formula whose names are these choices."""
        made: dict[int, Node] = {}
        nonzero: list[Node] = []
        parts = _parts_of_chains(formula)
        for number, (kind, *operands) in enumerate(formula.instructions):
            if number in parts:
                continue
            if kind == "constant":
                made[number] = self.constant(operands[0])
                continue
            if kind == "name":
                made[number] = self.number(choices[operands[0]])
                continue
            terms = [(t, made[n]) for t, n in _chain(formula, number, parts)]
            given = [node for _, node in terms]
            if kind in {"/", "%"}:
                nonzero.append(self.compare("!=", given[1], self.false))
            if kind in {"+", "-"}:
                node = self.sum(0, terms)
            else:
                node = self._operation(kind, given)
            if node.depth > _DEEPEST:
                return self.call(lambda *v: formula.holds(v), choices)
            made[number] = node
        return self.all_of([*nonzero, *(made[number] for number in formula.asserted)])

    def _operation(self, kind: str, given: Sequence[Node]) -> Node:
        match kind:
            case "*":
                return self.product(given)
            case "and":
                return self.all_of(given)
            case "or":
                return self.any_of(given)
            case "not":
                return self.negation(given[0])
            case "implies":
                return self.any_of([self.negation(given[0]), given[1]])
            case "==":
                pairs = zip(given, given[1:], strict=False)
                return self.all_of([self.compare(kind, a, b) for a, b in pairs])
            case "!=":
                pairs = (
                    (a, b)
                    for number, a in enumerate(given)
                    for b in given[number + 1 :]
                )
                return self.all_of([self.compare(kind, a, b) for a, b in pairs])
            case "<" | "<=" | ">" | ">=":
                return self.compare(kind, given[0], given[1])
            case _:
                return self._plain(kind, given)

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
        return self._sum(constant, tail)

    def _cell(self, factor: int, node: Node, tail: Node | None) -> Node:
        """A term of a sum and those after it; sums that end alike share them."""
        found = self._nodes.get(("cell", factor, node, tail))
        if found is not None:
            return found
        self.work += 1
        low, high = _scaled(factor, node)
        if tail is not None:
            low, high = low + tail.low, high + tail.high
        nested = (node,) if tail is None else (node, tail)
        bounds = _clamped(low, high)
        return self._node("cell", (factor, node, tail), nested, bounds, flat=True)

    def _sum(self, constant: int, tail: Node | None) -> Node:
        if tail is None:
            return self.constant(constant)
        factor, node, rest = tail.parts
        if constant == 0 and factor == 1 and rest is None:
            assert isinstance(node, Node)
            return node
        least, most = _clamped(constant, constant)
        bounds = _clamped(least + tail.low, most + tail.high)
        return self._node("sum", (constant, tail), (tail,), bounds)

    def product(self, nodes: Iterable[Node]) -> Node:
        """A product; a constant factor goes into a sum."""
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
            ends = [_times(a, b) for a in (low, high) for b in (node.low, node.high)]
            low, high = _clamped(min(ends), max(ends))
        node = self._node("product", tuple(factors), factors, (low, high))
        return node if constant == 1 else self.sum(0, [(constant, node)])

    def compare(self, sign: str, left: Node, right: Node) -> Node:
        """A comparison of two numbers, as one of a number with 0."""
        match sign:
            case "<=":
                return self._at_most(self.sum(0, [(1, left), (-1, right)]))
            case "<":
                return self._at_most(self.sum(1, [(1, left), (-1, right)]))
            case ">=":
                return self._at_most(self.sum(0, [(1, right), (-1, left)]))
            case ">":
                return self._at_most(self.sum(1, [(1, right), (-1, left)]))
            case _:
                difference = self.sum(0, [(1, left), (-1, right)])
                is_zero = self._is_zero(difference)
                return is_zero if sign == "==" else self.negation(is_zero)

    def _at_most(self, node: Node) -> Node:
        if node.high <= 0:
            return self.true
        if node.low > 0:
            return self.false
        return self._node("at_most", (node,), (node,), (0, 1))

    def _is_zero(self, node: Node) -> Node:
        if node.low > 0 or node.high < 0:
            return self.false
        if node.low == node.high == 0:
            return self.true
        return self._node("zero", (node,), (node,), (0, 1))

    def negation(self, node: Node) -> Node:
        """Not a condition."""
        if node.kind == "constant":
            return self.false if node.low else self.true
        if node.kind == "not":
            (inner,) = node.parts
            assert isinstance(inner, Node)
            return inner
        if node.kind == "at_most":
            (inner,) = node.parts
            assert isinstance(inner, Node)
            return self._at_most(self.sum(1, [(-1, inner)]))
        if node.kind in {"all", "any"}:
            join = self.any_of if node.kind == "all" else self.all_of
            return join([self.negation(part) for part in node.parts])
        return self._node("not", (node,), (node,), (0, 1))

    def all_of(self, nodes: Iterable[Node]) -> Node:
        """Conditions that all hold."""
        return self._join("all", nodes, self.true, self.false)

    def any_of(self, nodes: Iterable[Node]) -> Node:
        """Conditions of which one holds."""
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

    def _plain(self, kind: str, given: Sequence[Node]) -> Node:
        """An operation that is computed once its operands are known."""
        if kind == "ite" and given[0].kind == "constant":
            return given[1] if given[0].low else given[2]
        if kind == "ite" and given[1] is given[2]:
            return given[1]
        if kind == "abs" and given[0].low >= 0:
            return given[0]
        if all(node.kind == "constant" for node in given):
            values = [int(node.low) for node in given]
            # Whoever divides also requires that it is not by zero.
            is_zero = kind in {"/", "%"} and values[1] == 0
            return self.constant(0 if is_zero else OPERATIONS[kind](values))
        return self._node(kind, tuple(given), given, _clamped(*_bounds(kind, given)))

    def _call(
        self,
        function: Callable[..., bool],
        choices: tuple[int, ...],
        options: tuple[int | None, ...],
    ) -> Node:
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
            # Nodes are made once and read often: what is known of them is kept.
            depth = 0
            for node in nested:
                mask |= node.mask
                depth = max(depth, node.depth)
            depth += not flat
            found = Node(kind, parts, mask, bounds, depth, len(self._nodes))
            self._nodes[key] = found
        return found

    # -- binding -----------------------------------------------------------------

    def bind(self, node: Node, choice: int, option: int) -> Node:
        """A condition or a number with a choice made."""
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
            return self._call(function, choices, made)
        if kind == "sum":
            return self._bound_sum(node, choice, option)
        bound = [self.bind(part, choice, option) for part in parts]
        match kind:
            case "product":
                return self.product(bound)
            case "at_most":
                return self._at_most(bound[0])
            case "zero":
                return self._is_zero(bound[0])
            case "not":
                return self.negation(bound[0])
            case "all":
                return self.all_of(bound)
            case "any":
                return self.any_of(bound)
            case _:
                return self._plain(kind, bound)

    def _bound_sum(self, node: Node, choice: int, option: int) -> Node:
        constant, cell = node.parts
        assert isinstance(constant, int)
        assert isinstance(cell, Node)
        factor, term, tail = cell.parts
        assert isinstance(factor, int)
        assert isinstance(term, Node)
        rest = tail if isinstance(tail, Node) else None
        if term.kind == "number" and (rest is None or not rest.mask >> choice & 1):
            # Choices are made in the order of the terms: the rest is shared as it is.
            value = self.bind(term, choice, option)
            return self._sum(constant + factor * int(value.low), rest)
        terms: list[tuple[int, Node]] = []
        tail = cell
        while isinstance(tail, Node):
            each, inner, tail = tail.parts
            terms.append((each, self.bind(inner, choice, option)))
        return self.sum(constant, terms)

    def allowed(self, condition: Node) -> int:
        """The options of the only choice left with which a condition holds, as bits."""
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
        """Whether a condition holds once its choices are made; makes no nodes."""
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
                # Whoever divides also requires that it is not by zero.
                return 0
            case _:
                return OPERATIONS[kind](values)


# -- chains ----------------------------------------------------------------------

_GROUPS = {"+": "+", "-": "+", "*": "*", "and": "and", "or": "or"}
"""Operations that are made of all their terms at once, not of two and two."""


def _parts_of_chains(formula: Formula) -> set[int]:
    """The instructions that are but a part of a longer sum, product, ..."""
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
    """The operands of an instruction and of its parts, each with its sign."""
    stack = [(1, number)]
    while stack:
        sign, here = stack.pop()
        if here != number and here not in parts:
            yield sign, here
            continue
        kind, *operands = formula.instructions[here]
        signs = [sign, -sign] if kind == "-" else [sign] * len(operands)
        stack += reversed(list(zip(signs, operands, strict=True)))


# -- bounds ----------------------------------------------------------------------


def _clamped(low: Bound, high: Bound) -> tuple[Bound, Bound]:
    """Bounds that are no tighter, and small enough to compute with infinity.

    A lower bound is never plus infinity: with it, a difference of two huge numbers
    would seem to be huge, too.
    """
    return (
        -inf if low < -_HUGE else min(low, _HUGE),
        inf if high > _HUGE else max(high, -_HUGE),
    )


def _times(a: Bound, b: Bound) -> Bound:
    return 0 if a == 0 or b == 0 else a * b


def _scaled(factor: int, node: Node) -> tuple[Bound, Bound]:
    if abs(factor) > _HUGE:
        return -inf, inf
    low, high = _times(factor, node.low), _times(factor, node.high)
    return _clamped(min(low, high), max(low, high))


def _bounds(kind: str, given: Sequence[Node]) -> tuple[Bound, Bound]:
    if kind == "ite":
        return min(given[1].low, given[2].low), max(given[1].high, given[2].high)
    if kind == "abs":
        return 0, max(abs(given[0].low), abs(given[0].high))
    if kind == "xor":
        return 0, 1
    if kind == "%":
        return 0, max(abs(given[1].low), abs(given[1].high), 1) - 1
    if kind == "/" and given[1].low == given[1].high > 0 and abs(given[0].low) != inf:
        low, high, by = given[0].low, given[0].high, int(given[1].low)
        return divide(int(low), by), high if high == inf else divide(int(high), by)
    return -inf, inf


# -- conditions on one number ----------------------------------------------------


def _single(node: Node) -> tuple[int, Node] | None:
    """The factor and the node of a sum that is a multiple of one node."""
    constant, cell = node.parts
    assert isinstance(cell, Node)
    factor, term, tail = cell.parts
    if constant or tail is not None:
        return None
    return factor, term


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
    """The options with which a linear condition holds."""
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
