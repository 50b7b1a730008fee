"""Every name of a text: where it is bound, where it is used, what it stands for.

It reads the tree alone, so it works on a text with mistakes. A statement of a new kind
needs no case here: its names are uses, its targets are bindings, its bodies are scopes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import Any

from tilewright.editor.reading.labels import branches_named, compared, decided
from tilewright.editor.reading.positions import Spot, spot_of
from tilewright.editor.reading.roles import handles_and_words
from tilewright.schedules.language.syntax import (
    Action,
    Assign,
    Body,
    Call,
    Choose,
    Constant,
    Decide,
    Definition,
    File,
    ForEach,
    Include,
    Kind,
    Knob,
    Name,
    Node,
    Operator,
    Order,
    Parameter,
    Permute,
    SizeName,
    SizeRule,
    Target,
    Try,
)


class Meaning(StrEnum):
    """What a name stands for."""

    HANDLE = "handle"
    KNOB = "knob"
    NUMBER = "number"
    CHOICE = "choice"
    BRANCH = "branch"
    SEQUENCE = "sequence"
    SCHEDULE = "schedule"
    SIZE = "size"


@dataclass(frozen=True, eq=False)
class Scope:
    """A block."""

    start: Spot
    end: Spot
    parent: Scope | None = None
    only: str | None = None
    """The one name of the blocks around it that it sees; None if it sees all."""

    def sees(self, name: str, other: Scope) -> bool:
        """Whether a name of another scope can be seen from this one."""
        if self is other:
            return True
        if self.parent is None or self.only not in (None, name):
            return False
        return self.parent.sees(name, other)


@dataclass(frozen=True, eq=False)
class Binding:
    """A name where it gets its meaning."""

    name: str
    spot: Spot
    meaning: Meaning
    scope: Scope
    node: Node
    """The statement or definition that binds it."""
    definition: Definition | None = None
    choice: str | None = None
    """Of a branch: the name of its `choose`."""


@dataclass(frozen=True, eq=False)
class Occurrence:
    """A name in the text, and the binding it refers to, if there is one."""

    name: str
    spot: Spot
    binding: Binding | None
    definition: Definition | None


@dataclass
class Names:
    """All names of a file."""

    bindings: list[Binding] = field(default_factory=list[Binding])
    occurrences: list[Occurrence] = field(default_factory=list[Occurrence])
    verbs: list[Action] = field(default_factory=list[Action])
    scopes: list[Scope] = field(default_factory=list[Scope])

    def at(self, spot: Spot) -> Occurrence | None:
        """The name under a spot; the end of a name belongs to it."""
        for found in self.occurrences:
            if found.spot.line == spot.line and (
                found.spot.column <= spot.column <= found.spot.column + len(found.name)
            ):
                return found
        return None

    def visible(self, spot: Spot) -> dict[str, Binding]:
        """The names that a statement at a spot can use, the latest binding of each."""
        inner = self.scope_at(spot)
        if inner is None:
            return {}
        return {
            each.name: each
            for each in self.bindings
            if inner.sees(each.name, each.scope)
            and (each.spot < spot or each.meaning in _SEEN_BEFORE)
        }

    def scope_at(self, spot: Spot) -> Scope | None:
        """The innermost block around a spot."""
        around = [s for s in self.scopes if s.start <= spot <= s.end]
        return max(around, key=lambda scope: scope.start, default=None)

    def statement_on(self, line: int) -> Action | None:
        """The statement with a verb that begins on a line."""
        return next((a for a in self.verbs if a.place.line == line), None)


def names_of(file: File) -> Names:
    """The names of a file."""
    reader = _Reader()
    reader.file(file)
    return reader.names


_SEEN_BEFORE = (Meaning.SEQUENCE, Meaning.SCHEDULE, Meaning.CHOICE)
"""Names that may be used before the text binds them."""

_NUMBERS = (Meaning.KNOB, Meaning.NUMBER, Meaning.SIZE)

_LAST = 1_000_000_000


class _Reader:
    """Walks the tree in the order of the text."""

    def __init__(self) -> None:
        self.names = Names()
        self._definition: Definition | None = None
        self._globals: dict[str, Binding] = {}
        self._choices: dict[str, Binding] = {}
        """Choices have names of their own: `tail = choose tail { ... }`."""
        self._branches: dict[str, dict[str, Binding]] = {}
        """By choice and label."""
        self._whole = Scope(Spot(1, 1), Spot(_LAST, 1))

    def file(self, file: File) -> None:
        """All definitions; a sequence may be used before its definition."""
        for each in file.definitions:
            self._bind(
                each.name,
                Meaning.SCHEDULE if each.is_schedule else Meaning.SEQUENCE,
                self._whole,
                each,
                self._globals,
            )
        for each in file.definitions:
            self._define(each)
        self._definition = None
        for each in file.decisions:
            self._decide(each)

    def _define(self, node: Definition) -> None:
        self._definition = node
        scope = self._scope(spot_of(node.place), spot_of(node.end), None)
        env: dict[str, Binding] = {}
        for choose in _all_chooses(node.body):
            # A condition may name a `choose` that comes later, and its branches.
            self._bind(choose.name, Meaning.CHOICE, scope, choose, self._choices)
            choice = choose.name.text
            labels = self._branches.setdefault(choice, {})
            for each in choose.branches:
                self._bind(each.label, Meaning.BRANCH, scope, each, labels, choice)
        for parameter in node.parameters:
            self._bind(parameter.name, _meaning(parameter), scope, parameter, env)
        self._statements(node.body, env, scope)

    def _decide(self, node: Decide) -> None:
        scope = self._scope(spot_of(node.place), Spot(_LAST, 1), None)
        env = {
            each.name: each
            for each in self.names.bindings
            if each.meaning in (Meaning.KNOB, Meaning.CHOICE)
        }
        for size in node.sizes:
            self._bind(size.name, Meaning.SIZE, scope, size, env)
        for rule in node.rules:
            self._rule(rule, env)

    def _rule(self, rule: SizeRule, env: Mapping[str, Binding]) -> None:
        if rule.condition is not None:
            self._uses(rule.condition, env)
        for setting in rule.settings:
            # `BM = 16` sets a choice: the name is a use, not a binding.
            named = decided(setting)
            if named is not None and self._label(*named):
                self._use(named[0], self._choices)
                continue
            for part in _parts(setting):
                self._uses(part, env)

    def _statements(
        self, statements: Iterable[Node], env: dict[str, Binding], scope: Scope
    ) -> None:
        for statement in statements:
            self._statement(statement, env, scope)

    def _statement(self, node: Node, env: dict[str, Binding], scope: Scope) -> None:
        if isinstance(node, Action):
            self.names.verbs.append(node)
            handles, _ = handles_and_words(node)
            for name in handles:
                self._use(name, env)
        elif isinstance(node, Choose | Permute):
            self._choose(node, env, scope)
        elif isinstance(node, Try):
            if node.scope is not None:
                self._use(node.scope, env)
            seen = "root" if node.scope is None else node.scope.text
            kept = {seen: env[seen]} if seen in env else {}
            for body in node.branches:
                self._body(body, kept, scope, only=seen)
        elif isinstance(node, ForEach):
            for value in node.values:
                self._uses(value, env)
            self._body(node.body, env, scope, binds=node.names)
        elif isinstance(node, Include | Assign):
            if isinstance(node, Include):
                self._use(node.call.function, self._globals)
            for argument in node.call.arguments:
                self._uses(argument, env)
        else:
            self._any(node, env, scope)
        meaning = _meaning(node)
        for target in _targets(node):
            self._bind(target, meaning, scope, node, env)

    def _any(self, node: Node, env: dict[str, Binding], scope: Scope) -> None:
        for part in _parts(node):
            if isinstance(part, Body):
                self._body(part, env, scope)
            elif not isinstance(part, Target):
                self._uses(part, env)

    def _choose(
        self, node: Choose | Permute, env: dict[str, Binding], scope: Scope
    ) -> None:
        """The branches; those of a `permute` see what the ones before them bound."""
        if isinstance(node, Choose) and node.default is not None:
            self._label(node.name, node.default)
        shared = dict(env)
        for branch in node.branches:
            inner = self._scope(spot_of(branch.place), spot_of(branch.end), scope)
            is_step = isinstance(node, Permute)
            self._statements(branch.body, shared if is_step else dict(env), inner)

    def _body(
        self,
        body: Body,
        env: Mapping[str, Binding],
        scope: Scope,
        *,
        only: str | None = None,
        binds: Iterable[Name] = (),
    ) -> None:
        inner = self._scope(spot_of(body.place), spot_of(body.end), scope, only)
        env = dict(env)
        for name in binds:
            # The loop's name stands before its block, and is seen in it alone.
            self._bind(name, Meaning.HANDLE, inner, body, env)
        self._statements(body.statements, env, inner)

    # -- recording ---------------------------------------------------------------

    def _scope(
        self, start: Spot, end: Spot, parent: Scope | None, only: str | None = None
    ) -> Scope:
        scope = Scope(start, end, parent or self._whole, only)
        self.names.scopes.append(scope)
        return scope

    def _bind(
        self,
        name: Name,
        meaning: Meaning,
        scope: Scope,
        node: Node,
        env: dict[str, Binding],
        choice: str | None = None,
    ) -> None:
        spot, definition = spot_of(name.place), self._definition
        made = Binding(name.text, spot, meaning, scope, node, definition, choice)
        self.names.bindings.append(made)
        env[name.text] = made
        self.names.occurrences.append(Occurrence(name.text, spot, made, definition))

    def _use(self, name: Name, env: Mapping[str, Binding]) -> None:
        self.names.occurrences.append(
            Occurrence(
                name.text, spot_of(name.place), env.get(name.text), self._definition
            )
        )

    def _label(self, choice: Name, written: Name) -> bool:
        """Use the branches that a label of a choice names; whether there are some."""
        of = self._choices.get(choice.text)
        found = [] if of is None else list(branches_named(of.node, written))
        for name in found:
            self._use(name, self._branches[choice.text])
        return bool(found)

    def _compares(self, value: Operator, env: Mapping[str, Binding]) -> bool:
        """Whether it is `tail == fused`; if so, both are used."""
        for choice, label in compared(value):
            bound = env.get(choice.text)
            is_number = bound is not None and bound.meaning in _NUMBERS
            if not is_number and self._label(choice, label):
                self._use(choice, self._choices)
                return True
        return False

    def _uses(self, value: object, env: Mapping[str, Binding]) -> None:
        """The uses in a value, whatever its kind."""
        if isinstance(value, Name):
            self._use(value, env)
        elif isinstance(value, Kind):
            return
        elif isinstance(value, Operator) and self._compares(value, env):
            return
        elif isinstance(value, Call):
            for argument in value.arguments:
                self._uses(argument, env)
        elif isinstance(value, Node):
            for part in _parts(value):
                self._uses(part, env)


def _meaning(node: Node) -> Meaning:
    if isinstance(node, Knob):
        return Meaning.KNOB
    if isinstance(node, Constant):
        return Meaning.NUMBER
    if isinstance(node, Order):
        return Meaning.CHOICE
    if isinstance(node, SizeName):
        return Meaning.SIZE
    if isinstance(node, Parameter) and node.kind is not None and not node.kind.quoted:
        is_handle = node.kind.text in ("op", "value")
        return Meaning.HANDLE if is_handle else Meaning.NUMBER
    return Meaning.HANDLE


def _targets(node: Node) -> list[Target]:
    return [part for part in _parts(node) if isinstance(part, Target)]


def _parts(node: Node) -> Iterator[Any]:
    """The nodes that stand directly in a node, in the order of its fields."""
    assert is_dataclass(node)
    for each in fields(node):
        value = getattr(node, each.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Node):
                yield part


def _all_chooses(statements: Iterable[Node]) -> Iterator[Choose | Permute]:
    for node in statements:
        if isinstance(node, Choose | Permute):
            yield node
            for branch in node.branches:
                yield from _all_chooses(branch.body)
        else:
            for part in _parts(node):
                if isinstance(part, Body):
                    yield from _all_chooses(part.statements)
