"""The arguments of a verb: which names are handles and numbers, which are words.

`tile mm by [BM] onto [block.x]`: `mm` and `BM` are names, `by` and `onto` are words of
the form, `block.x` is a word of a slot that takes names of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.ir.errors import UserError
from tilewright.schedules.language.syntax import (
    Action,
    Argument,
    Call,
    Items,
    Name,
    Operator,
    Setting,
)
from tilewright.schedules.language.verbs.forms import (
    Form,
    Group,
    Kind,
    Option,
    Part,
    Slot,
    Word,
)
from tilewright.schedules.language.verbs.vocabulary import BY_NAME

_OWN_WORDS = (Kind.NAMES, Kind.SETTINGS, Kind.STRINGS, Kind.STRING, Kind.ROLE)
"""Slots whose names are not names of the schedule."""


def handles_and_words(action: Action) -> tuple[list[Name], list[Name]]:
    """The names that a statement uses, and the words of its form."""
    verb = BY_NAME.get(action.verb.text)
    if verb is None:
        return list(_names(action.arguments)), []
    own = _own_words(verb.form, action)
    words: list[Name] = []
    names: list[Name] = []
    for argument in action.arguments:
        if any(argument is each for each in own):
            words += _names([argument])
        else:
            names += _names([argument])
    return names, words


def _own_words(form: Form, action: Action) -> list[Argument]:
    """The arguments that are words of the form, or of a slot with names of its own."""
    slots = {slot.field: slot.kind for slot in slots_of(form.parts)}
    try:
        fields = form.match(action.verb, action.arguments)
    except UserError:
        texts = set(words_of(form.parts))
        return [a for a in action.arguments if isinstance(a, Name) and a.text in texts]
    taken = list(fields.values())
    found = [a for a in action.arguments if not _is_among(a, taken)]
    return [
        *(a for a in found if isinstance(a, Name)),
        *(fields[name] for name in fields if slots.get(name) in _OWN_WORDS),
    ]


def _is_among(argument: Argument, taken: Iterable[Argument]) -> bool:
    return any(argument is each for each in taken)


def slots_of(parts: Iterable[Part]) -> Iterator[Slot]:
    """All slots of a form."""
    for part in parts:
        if isinstance(part, Slot):
            yield part
        elif isinstance(part, Option):
            yield part.slot
        elif isinstance(part, Group):
            yield from slots_of(part.parts)


def words_of(parts: Iterable[Part]) -> Iterator[str]:
    """All fixed words of a form."""
    for part in parts:
        if isinstance(part, Word):
            yield part.text
        elif isinstance(part, Group):
            yield from words_of(part.parts)


def options_of(parts: Iterable[Part]) -> list[Option]:
    """The options of a form: `key = value`."""
    return [part for part in parts if isinstance(part, Option)]


def _names(arguments: Iterable[Argument]) -> Iterator[Name]:
    for argument in arguments:
        if isinstance(argument, Name):
            yield argument
        elif isinstance(argument, Setting):
            yield from _names([argument.value])
        elif isinstance(argument, Items):
            yield from _names(argument.items)
        elif isinstance(argument, Call):
            yield from _names(argument.arguments)
        elif isinstance(argument, Operator):
            yield from _names(argument.operands)
