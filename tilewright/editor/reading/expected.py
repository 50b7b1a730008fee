"""Which parts of a verb's form may come next, after the arguments that are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.editor.reading.cursor import Cursor, Written
from tilewright.schedules.language.syntax import (
    Argument,
    Call,
    Items,
    Literal,
    Name,
    Operator,
    Raw,
    Setting,
)
from tilewright.schedules.language.verbs.forms import (
    Form,
    Group,
    Option,
    Part,
    Slot,
    Word,
)


@dataclass(frozen=True)
class Expected:
    """What may come next; `current` is the slot that is being filled, if one is."""

    parts: tuple[Part, ...]
    current: Slot | None = None

    @property
    def slots(self) -> list[Slot]:
        """The slots that what is typed now may fill."""
        found = [part for part in self.parts if isinstance(part, Slot)]
        return found or ([] if self.current is None else [self.current])


def expected_next(form: Form, cursor: Cursor) -> Expected:
    """What may come after the arguments before the cursor."""
    options = {p.key: p for p in form.parts if isinstance(p, Option)}
    if cursor.key is not None:
        option = options.get(cursor.key)
        return Expected((), option.slot if option is not None else None)
    given = {w.key for w in cursor.arguments if w.key is not None}
    left = [o for key, o in options.items() if key not in given]
    plain = [w for w in cursor.arguments if w.key is None]
    parts = _after(form.parts, [argument_of(w) for w in plain])
    if cursor.open_items is not None:
        lists = [p for p in _slots(parts) if p.kind.accepts(Items(()))]
        slot = next(iter(lists), None)
        return Expected((), slot)
    return Expected((*parts, *left), next(iter(_slots(parts)), None))


def _slots(parts: Sequence[Part]) -> list[Slot]:
    return [part for part in parts if isinstance(part, Slot)]


def _after(parts: Sequence[Part], arguments: Sequence[Argument]) -> list[Part]:
    """The parts that may follow the arguments."""
    rest = list(arguments)
    queue = [part for part in parts if not isinstance(part, Option)]
    found: list[Part] = []
    while queue:
        part = queue.pop(0)
        if isinstance(part, Group):
            if rest and _begins(part.parts[0], rest[0]):
                queue = [*part.parts, *queue]
            elif not rest:
                found.append(part.parts[0])
            continue
        if not rest:
            return [*found, part]
        if not _begins(part, rest[0]):
            return [part]
        rest.pop(0)
    return found


def _begins(part: Part, argument: Argument) -> bool:
    if isinstance(part, Word):
        return isinstance(argument, Name) and argument.text == part.text
    return isinstance(part, Slot) and part.kind.accepts(argument)


def argument_of(written: Written) -> Argument:
    """A tree of the same shape; what it holds does not matter."""
    first = written.first
    if written.key is not None:
        return Setting(written.key, Literal(0))
    if first.text == "[":
        return Items(())
    if any(token.text in ("+", "-", "*", "/", "%") for token in written.tokens):
        return Operator("+", ())
    if first.kind == "STRING":
        return Literal(first.text.strip('"'))
    if first.kind == "RAW":
        return Raw(first.text)
    if first.kind == "NUMBER":
        return Literal(0)
    name = Name(first.text)
    return Call(name, ()) if len(written.tokens) > 1 else name
