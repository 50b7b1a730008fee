"""The form of a verb: `tile <target:handle> by <sizes:sizes> [onto ...]`.

A form reads the arguments of a statement into named fields, writes fields as a
statement, and gives the usage line of an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TypeAlias

from tilewright.ir.errors import UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.ir.structured.roles import Role
from tilewright.schedules.language.syntax import (
    MARK,
    Argument,
    Call,
    Items,
    Literal,
    Name,
    Operator,
    Setting,
)


class Kind(Enum):
    """What fills a slot: its name in a form, its name in errors, its usage."""

    HANDLE = "handle", "a handle", "HANDLE"
    PARAM = "param", "a number or a knob", "VALUE"
    SIZES = "sizes", "a list of sizes", "[SIZES]"
    NUMBERS = "numbers", "a list of numbers", "[NUMBERS]"
    NAMES = "names", "a list of names", "[NAMES]"
    ROLE = "role", "a role", "ROLE"
    STRING = "string", "a string", '"TEXT"'
    STRINGS = "strings", "a string or a list of strings", '"NAME"'
    SETTING = "setting", "an attribute's name in quotes", '"NAME" [= VALUE]'
    SETTINGS = "settings", "a list of attributes", "[NAME = VALUE]"
    ANY = "any", "a value", "VALUE"

    def __init__(self, key: str, words: str, usage: str):
        self.key = key
        self.words = words
        self.usage = usage

    def accepts(self, argument: Argument) -> bool:
        """Whether an argument may fill such a slot, judging by its syntax."""
        if self is Kind.HANDLE:
            return isinstance(argument, Name | Call)
        if self is Kind.PARAM:
            return isinstance(argument, Name | Literal | Operator | Call)
        if self is Kind.ROLE:
            return isinstance(argument, Name) and argument.text in set(Role)
        if self is Kind.STRING:
            return isinstance(argument, Literal) and isinstance(argument.value, str)
        if self is Kind.STRINGS:
            return isinstance(argument, Items) or Kind.STRING.accepts(argument)
        if self is Kind.SETTING:
            return isinstance(argument, Setting) or Kind.STRING.accepts(argument)
        if self is Kind.ANY:
            return not isinstance(argument, Setting)
        return isinstance(argument, Items)


@dataclass(frozen=True)
class Word:
    """A fixed word."""

    text: str

    @property
    def usage(self) -> str:
        """Its text in a usage line."""
        return self.text


@dataclass(frozen=True)
class Slot:
    """A slot for an argument."""

    field: str
    kind: Kind

    @property
    def usage(self) -> str:
        """Its text in a usage line."""
        return self.kind.usage


@dataclass(frozen=True)
class Option:
    """`key = value`; options come in any order."""

    key: str
    slot: Slot

    @property
    def usage(self) -> str:
        """Its text in a usage line."""
        return f"[{self.key} = {self.slot.usage}]"


@dataclass(frozen=True)
class Group:
    """Parts that may be left out together."""

    parts: tuple[Part, ...]

    @property
    def usage(self) -> str:
        """Its text in a usage line."""
        return f"[{' '.join(part.usage for part in self.parts)}]"


Part: TypeAlias = Word | Slot | Option | Group


@dataclass(frozen=True)
class Form:
    """A verb's form, parsed from its text."""

    text: str

    @cached_property
    def verb(self) -> str:
        """The first word."""
        return self.text.split()[0].removesuffix("?")

    @cached_property
    def is_markable(self) -> bool:
        """Whether a `?` may stand after the verb."""
        return self.text.split()[0].endswith("?")

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts after the verb."""
        parts = tuple(_parts(_TOKEN.findall(self.text)[1:]))
        return (*parts, _MARKED) if self.is_markable else parts

    @cached_property
    def usage(self) -> str:
        """The usage line of errors."""
        verb = f"{self.verb}[?]" if self.is_markable else self.verb
        shown = [part.usage for part in self.parts if part is not _MARKED]
        return " ".join([verb, *shown])

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The required fields."""
        return tuple(part.field for part in self.parts if isinstance(part, Slot))

    def match(self, verb: Name, arguments: Sequence[Argument]) -> dict[str, Argument]:
        """The fields of a statement; raises an error if it does not fit the form."""
        return _Match(self, verb, arguments).fields

    def write(self, fields: Mapping[str, str]) -> str:
        """A statement with these fields."""
        if self.is_markable and fields.get(MARK) == "true":
            fields = {name: text for name, text in fields.items() if name != MARK}
            return " ".join([f"{self.verb}?", *_write(self.parts, fields)])
        return " ".join([self.verb, *_write(self.parts, fields)])


_MARKED = Option(MARK, Slot(MARK, Kind.PARAM))
_TOKEN = re.compile(r"<\w+:\w+>|[\w=]+|\[|\]")
_KINDS = {kind.key: kind for kind in Kind}


def _parts(tokens: list[str]) -> Iterator[Part]:
    while tokens:
        token = tokens.pop(0)
        if token == "]":
            return
        if token == "[":
            yield _group(tuple(_parts(tokens)))
        elif tokens and tokens[0] == "=":
            del tokens[0]
            yield Option(token, _slot(tokens.pop(0)))
        elif token.startswith("<"):
            yield _slot(token)
        else:
            yield Word(token)


def _group(parts: tuple[Part, ...]) -> Part:
    return parts[0] if isinstance(parts[0], Option) else Group(parts)


def _slot(token: str) -> Slot:
    field, kind = token[1:-1].split(":")
    return Slot(field, _KINDS[kind])


def _write(parts: Sequence[Part], fields: Mapping[str, str]) -> Iterator[str]:
    grouped = {
        slot.field
        for part in parts
        if isinstance(part, Group)
        for slot in part.parts
        if isinstance(slot, Slot)
    }
    for part in parts:
        if isinstance(part, Word):
            yield part.text
        elif isinstance(part, Slot):
            yield fields[part.field]
        elif isinstance(part, Option):
            # A field that a group and an option may give is written as the group.
            if part.slot.field in fields and part.slot.field not in grouped:
                yield f"{part.key} = {fields[part.slot.field]}"
        elif all(p.field in fields for p in part.parts if isinstance(p, Slot)):
            yield from _write(part.parts, fields)


class _Match:
    """Matches the arguments of one statement with a form."""

    def __init__(self, form: Form, verb: Name, arguments: Sequence[Argument]):
        self.fields: dict[str, Argument] = {}
        self._form = form
        self._verb = verb
        self._last: Argument = verb
        options = {p.key: p.slot for p in form.parts if isinstance(p, Option)}
        self._rest = [a for a in arguments if not self._take_option(a, options)]
        self._take(form.parts)
        if self._rest:
            raise self._unexpected(self._rest[0])

    def _take_option(self, argument: Argument, options: Mapping[str, Slot]) -> bool:
        if not isinstance(argument, Setting) or argument.quoted:
            return False
        slot = options.get(argument.key)
        if slot is None:
            raise self._error(
                f"it has no option '{argument.key}'",
                argument,
                did_you_mean(argument.key, list(options)),
            )
        if slot.field in self.fields:
            raise self._error(f"'{argument.key}' is given twice", argument)
        if not slot.kind.accepts(argument.value):
            raise self._error(f"expected {slot.kind.words}", argument.value)
        self.fields[slot.field] = argument.value
        return True

    def _take(self, parts: Sequence[Part]) -> None:
        for part in parts:
            if isinstance(part, Word):
                self._take_word(part)
            elif isinstance(part, Slot):
                self._take_slot(part)
            elif isinstance(part, Group) and self._begins(part):
                self._take(part.parts)

    def _take_word(self, word: Word) -> None:
        if not self._rest:
            raise self._error(f"'{word.text}' is missing", self._last)
        argument = self._rest[0]
        if isinstance(argument, Call) and argument.function.text == word.text:
            raise self._in_parentheses(argument)
        if not isinstance(argument, Name) or argument.text != word.text:
            remedy = None
            if isinstance(argument, Name) and "." in argument.text:
                remedy = f'put quotes around it: "{argument.text}"'
            elif isinstance(argument, Name) and self._takes_role():
                remedy = did_you_mean(argument.text, list(Role))
                if remedy is None and self._last is self._verb:
                    remedy = _ROLES
            fact = f"expected '{word.text}'{_found(argument)}"
            raise self._error(fact, argument, remedy)
        self._last = self._rest.pop(0)

    def _takes_role(self) -> bool:
        """Whether a role may stand here."""
        roles = [
            slot.field
            for part in self._form.parts
            if isinstance(part, Group)
            for slot in part.parts
            if isinstance(slot, Slot) and slot.kind is Kind.ROLE
        ]
        return any(field not in self.fields for field in roles)

    def _take_slot(self, slot: Slot) -> None:
        if not self._rest:
            raise self._error(f"{slot.kind.words} is missing", self._last)
        argument = self._rest[0]
        if not slot.kind.accepts(argument):
            raise self._error(f"expected {slot.kind.words}{_found(argument)}", argument)
        if slot.field in self.fields:
            raise self._error("this is given twice", argument)
        self._last = self.fields[slot.field] = self._rest.pop(0)

    def _begins(self, group: Group) -> bool:
        if not self._rest:
            return False
        first, argument = group.parts[0], self._rest[0]
        if isinstance(first, Word):
            return isinstance(argument, Name) and argument.text == first.text
        return isinstance(first, Slot) and first.kind.accepts(argument)

    def _unexpected(self, argument: Argument) -> UserError:
        words = [
            part.parts[0].text
            for part in self._form.parts
            if isinstance(part, Group) and isinstance(part.parts[0], Word)
        ]
        if isinstance(argument, Call) and argument.function.text in words:
            return self._in_parentheses(argument)
        if not isinstance(argument, Name):
            return self._error("this is one argument too many", argument)
        if argument.text in words:
            return self._error(
                f"'{argument.text}' is given twice, or too late", argument
            )
        options = [part.key for part in self._form.parts if isinstance(part, Option)]
        is_option = argument.text in options
        return self._error(
            f"unexpected '{argument.text}'",
            argument,
            f"write: {argument.text} = VALUE"
            if is_option
            else did_you_mean(argument.text, words)
            or f"write: {self._form.usage}, one statement a line",
        )

    def _in_parentheses(self, argument: Call) -> UserError:
        """The error for `by (32, 32)`, which reads as a call."""
        word = argument.function.text
        fact = f"'(' after '{word}': a list stands in brackets, '[ ]'"
        return self._error(fact, argument)

    def _error(self, fact: str, at: Argument, remedy: str | None = None) -> UserError:
        return UserError(
            f"{self._verb.text}: {fact}",
            at.place,
            remedy or f"write: {self._form.usage}",
        )


_ROLES = (
    f"the roles are {', '.join(Role)}; the name of an op stands between quotes: "
    '"linalg.matmul"'
)


def _found(argument: Argument) -> str:
    if isinstance(argument, Name):
        return f", found '{argument.text}'"
    return f", found {argument.value!r}" if isinstance(argument, Literal) else ""
