"""Names for the handles and numbers of a schedule that was built in Python.

Each gets the name of its variable. A name may be bound again, as in `mm, grid = fuse mm
into grid`, unless that would hide a handle that a later statement uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

from tilewright.schedules.builder.values import Binding, Bound, Reference
from tilewright.schedules.language.printing.names import unique_name
from tilewright.schedules.language.syntax import (
    Body,
    Branch,
    Definition,
    ForEach,
    Node,
    Statement,
)


def settled_names(definition: Definition) -> dict[Bound, str]:
    """A name for everything that a definition binds and uses."""
    walk = _Walk()
    walk.definition(definition)
    names: dict[Bound, str] = {}
    holders: dict[str, list[_Bound]] = {}
    for one in walk.bound:
        if one.of.same_as is not None:
            names[one.of] = names[one.of.same_as]
            continue
        word = first = unique_name(one.of.wanted.replace(".", "_"), ())
        number = 1
        while any(walk.hides(one, holder) for holder in holders.get(word, ())):
            number += 1
            word = f"{first}{number}"
        names[one.of] = word
        holders.setdefault(word, []).append(one)
    # What is used and nowhere bound keeps its name, and lowering reports it.
    return {of: of.wanted for of in walk.uses} | names


@dataclass(eq=False)
class _Span:
    """A block: its last position, known once it has been walked."""

    end: int = 0


@dataclass(frozen=True)
class _Bound:
    """Where a name is bound, and the block in which it is known from there on."""

    of: Bound
    position: int
    span: _Span


class _Walk:
    """Finds where names are bound and used, in the order of the text."""

    def __init__(self) -> None:
        self.position = 0
        self.bound: list[_Bound] = []
        self.uses: dict[Bound, list[int]] = {}

    def hides(self, new: _Bound, holder: _Bound) -> bool:
        """Whether a holder of a name is used where `new` would have that name."""
        if holder.position == new.position:
            return True
        uses = self.uses.get(holder.of, ())
        return any(new.position < use <= new.span.end for use in uses)

    def definition(self, definition: Definition) -> None:
        """Walk a schedule or a sequence."""
        names = [parameter.name for parameter in definition.parameters]
        self.body(definition.body, names)

    def body(self, statements: Sequence[Statement], names: Sequence[Node] = ()) -> None:
        """Walk a block, at whose beginning some names are bound."""
        span = _Span()
        self.position += 1
        self._bind(names, span)
        for statement in statements:
            self.position += 1
            inner = statement.names if isinstance(statement, ForEach) else ()
            for each in fields(statement):
                if each.name not in {"target", "targets"}:
                    self._visit(getattr(statement, each.name), inner)
            self.position += 1
            self._bind(_targets(statement), span)
        span.end = self.position

    def _bind(self, names: Sequence[Node], span: _Span) -> None:
        for name in names:
            if isinstance(name, Binding):
                self.bound.append(_Bound(name.of, self.position, span))

    def _visit(self, value: Any, inner: Sequence[Node]) -> None:
        if isinstance(value, tuple):
            for item in cast("tuple[Any, ...]", value):
                self._visit(item, inner)
        elif isinstance(value, Reference):
            self.uses.setdefault(value.of, []).append(self.position)
        elif isinstance(value, Branch):
            self.body(value.body, inner)
        elif isinstance(value, Body):
            self.body(value.statements, inner)
        elif isinstance(value, Node) and not isinstance(value, Binding):
            for each in fields(value):
                self._visit(getattr(value, each.name), inner)


def _targets(statement: Statement) -> Sequence[Node]:
    target = getattr(statement, "target", None)
    return getattr(statement, "targets", ()) if target is None else (target,)
