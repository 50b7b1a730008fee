"""Components: choices that share conditions, with a decision diagram of valid values.

The diagram has a layer for each choice. A state stands for all assignments to the
choices before it that leave the same conditions and the same options for the choices
after it. Edges are options; those that lead to the same state are one edge. A condition
on a single choice becomes a restriction of its options. A state is not made where a
later choice has no options left.

A complete diagram counts and indexes all valid values. A component with too many states
is not completed; it is searched and estimated instead (`estimation.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from tilewright.tuning.space.solving.bounds import Node
from tilewright.tuning.space.solving.domains import bits
from tilewright.tuning.space.solving.residuals import Residuals

Edges: TypeAlias = list[tuple[int, "State"]]
"""Options, as bits, and the state that they lead to."""


class State:
    """The remaining conditions and options after some choices are made."""

    __slots__ = ("layer", "pending", "options", "edges", "count")

    def __init__(
        self,
        layer: int,
        pending: tuple[Node, ...],
        options: tuple[tuple[int, int], ...],
    ) -> None:
        self.layer = layer
        self.pending = pending
        self.options = options
        """The options of choices that have fewer left than at the start."""
        self.edges: Edges | None = None
        self.count = 0
        """The number of ways to make the remaining choices; set by `build`."""


class Restriction:
    """A restriction of options, and the results of searches within it."""

    def __init__(self, options: Mapping[int, int]) -> None:
        self.options = options
        self.dead: set[State] = set()
        self.alive: set[State] = set()


class Component:
    """Choices, in the order of the schedule, that share conditions."""

    def __init__(
        self,
        residuals: Residuals,
        choices: Sequence[int],
        conditions: Sequence[Node],
        options: Mapping[int, int],
    ) -> None:
        """Take the options that conditions on single choices allow as `options`."""
        self.choices = tuple(choices)
        self._residuals = residuals
        self.options = options
        self._begin: dict[int, list[Node]] = {choice: [] for choice in choices}
        for condition in conditions:
            lowest = (condition.mask & -condition.mask).bit_length() - 1
            self._begin[lowest].append(condition)
        self.conditions = tuple(conditions)
        self._states: dict[tuple[object, ...], State] = {}
        self.start = self._state(0, (), ())
        self.exact = False
        self._unrestricted = Restriction({})

    @property
    def work(self) -> int:
        """The work so far, in all components."""
        return self._residuals.work

    # -- states ------------------------------------------------------------------

    def _state(
        self,
        layer: int,
        pending: tuple[Node, ...],
        options: tuple[tuple[int, int], ...],
    ) -> State:
        key = (layer, pending, options)
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = State(layer, pending, options)
        return found

    def is_end(self, state: State) -> bool:
        """Whether every choice is made."""
        return state.layer == len(self.choices)

    def edges(self, state: State) -> Edges:
        """The edges of a state, without those that are known to lead nowhere."""
        if state.edges is None:
            state.edges = self._expanded(state)
        return state.edges

    def _expanded(self, state: State) -> Edges:
        choice = self.choices[state.layer]
        left = dict(state.options)
        domain = left.pop(choice, self.options[choice])
        touched = list(self._begin[choice])
        untouched: list[Node] = []
        for condition in state.pending:
            (touched if condition.mask >> choice & 1 else untouched).append(condition)
        self._residuals.work += 1
        if not touched:
            rest = tuple(sorted(left.items()))
            return [(domain, self._state(state.layer + 1, tuple(untouched), rest))]
        found: dict[State, int] = {}
        for option in bits(domain):
            child = self._after(state.layer, touched, untouched, left, choice, option)
            if child is not None:
                found[child] = found.get(child, 0) | 1 << option
        return [(mask, child) for child, mask in found.items()]

    def _after(
        self,
        layer: int,
        touched: Sequence[Node],
        untouched: Sequence[Node],
        options: Mapping[int, int],
        choice: int,
        option: int,
    ) -> State | None:
        """The state after one more choice; None where a condition fails."""
        residuals = self._residuals
        pending = dict.fromkeys(untouched)
        left = dict(options)
        residuals.work += 1
        for condition in touched:
            rest = residuals.bind(condition, choice, option)
            if rest.kind == "constant":
                if not rest.low:
                    return None
                continue
            if rest.mask & (rest.mask - 1):
                pending[rest] = None
                continue
            other = rest.mask.bit_length() - 1
            allowed = left.get(other, self.options[other]) & residuals.allowed(rest)
            if not allowed:
                return None
            if allowed != self.options[other]:
                left[other] = allowed
        ordered = sorted(pending, key=lambda node: node.serial)
        return self._state(layer + 1, tuple(ordered), tuple(sorted(left.items())))

    # -- the whole diagram -------------------------------------------------------

    def build(self, limit: int) -> bool:
        """Complete the diagram and count; False where that exceeds `limit` of work."""
        until = self.work + limit
        layers: list[list[State]] = [[self.start]]
        for _ in self.choices:
            following: dict[State, None] = {}
            for state in layers[-1]:
                for _, child in self.edges(state):
                    following[child] = None
                if self.work > until:
                    return False
            layers.append(list(following))
        for state in layers.pop():
            state.count = 1
        for layer in reversed(layers):
            for state in layer:
                edges = [edge for edge in self.edges(state) if edge[1].count]
                state.edges = edges
                state.count = sum(mask.bit_count() * to.count for mask, to in edges)
        self.exact = True
        return True

    def steps(self, state: State) -> Iterator[tuple[int, State]]:
        """The options in order, with the states that they lead to."""
        edges = self.edges(state)
        if len(edges) == 1:
            ((mask, child),) = edges
            for option in bits(mask):
                yield option, child
            return
        flat = [(option, child) for mask, child in edges for option in bits(mask)]
        flat.sort(key=lambda step: step[0])
        yield from flat

    def holds(self, options: Sequence[int]) -> bool:
        """Whether an option for each choice, in order, is a valid value."""
        chosen = [0] * (self.choices[-1] + 1)
        for choice, option in zip(self.choices, options, strict=True):
            chosen[choice] = option
        return all(self._residuals.holds(c, chosen) for c in self.conditions)

    # -- searching ---------------------------------------------------------------

    def search(
        self, state: State, limit: int, within: Restriction | None = None
    ) -> bool | None:
        """Whether the remaining choices can be made; None beyond `limit` of work."""
        if within is None:
            within = self._unrestricted
            if self.exact:
                return state.count > 0
        if state in within.dead:
            return False
        if self.is_end(state) or state in within.alive:
            return True
        until = self.work + limit
        stack = [(state, iter(self._within(state, within)))]
        while stack:
            if self.work > until:
                return None
            here, children = stack[-1]
            child = next(children, None)
            if child is None:
                within.dead.add(here)
                stack.pop()
            elif self.is_end(child) or child in within.alive:
                within.alive.update(one for one, _ in stack)
                return True
            elif child not in within.dead:
                stack.append((child, iter(self._within(child, within))))
        return False

    def _within(self, state: State, within: Restriction) -> list[State]:
        wanted = within.options.get(self.choices[state.layer], -1)
        return [child for mask, child in self.edges(state) if mask & wanted]

    def carried(self) -> dict[int, int]:
        """The options, as bits, that occur in valid values, by choice."""
        found = dict.fromkeys(self.choices, 0)
        layer = {self.start: None}
        for choice in self.choices:
            following: dict[State, None] = {}
            for state in layer:
                for mask, child in self.edges(state):
                    found[choice] |= mask
                    following[child] = None
            layer = following
        return found
