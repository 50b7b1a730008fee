"""The Python signature of every verb, read from the form of its statement.

    tile <target:handle> by <sizes:sizes> [onto <mapping:names>]
    tile(target, by, *, onto=None)

A slot is called after the word before it, or after its field. What the form requires is
positional, what it leaves open is a keyword. A handle that follows optional parts
(`match ... in HANDLE`) may be left out and is then the schedule's root.
"""

from __future__ import annotations

import keyword
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tilewright.schedules.builder.trees import (
    argument_tree,
    setting_tree,
    settings_tree,
)
from tilewright.schedules.language.syntax import MARK, Argument, Name, Setting
from tilewright.schedules.language.verbs.forms import (
    Form,
    Group,
    Kind,
    Option,
    Part,
    Slot,
    Word,
)
from tilewright.schedules.language.verbs.op_schema import Schema, op_named, schema_of
from tilewright.schedules.language.verbs.verb import Verb
from tilewright.transforms.op_sources import PREFIX

VALUE = "value"
"""The parameter with the value of a setting, after the one with its name."""
RESULTS = "results"
"""The parameter with the number of results, where the op may have any number."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a verb's method."""

    name: str
    slot: Slot
    is_optional: bool = False
    is_keyword: bool = False
    """Whether it is given by its name only."""

    @property
    def is_root(self) -> bool:
        """Whether it is the schedule's root unless given."""
        return self.is_optional and self.slot.kind is Kind.HANDLE and self.is_keyword


@dataclass(frozen=True)
class Signature:
    """The method of a verb."""

    verb: Verb

    @property
    def name(self) -> str:
        """The method's name."""
        return python_name(self.verb.name)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters, those that are given by name last."""
        found = list(_parameters(self.verb.form))
        return (
            *(each for each in found if not each.is_keyword),
            *(each for each in found if each.is_keyword),
        )

    @cached_property
    def schemas(self) -> tuple[Schema, ...]:
        """The ops that the verb may make."""
        ops = self.verb.translation.ops
        return tuple(schema_of(op_named(op.removeprefix(PREFIX))) for op in ops)

    @property
    def counts_names(self) -> bool:
        """Whether the verb gives as many results as there are names for them."""
        return len(self.schemas) == 1 and self.gives_several_or_one

    @property
    def gives_several_or_one(self) -> bool:
        """Whether the number of results depends on the statement."""
        return any(is_any for schema in self.schemas for is_any, _ in schema.results)

    @property
    def result_count(self) -> int | None:
        """The number of results, if it is always the same."""
        counts = {len(schema.results) for schema in self.schemas}
        return None if self.gives_several_or_one or len(counts) > 1 else counts.pop()

    def arguments(self, given: Mapping[str, Any]) -> tuple[Argument, ...]:
        """The arguments of the statement, in the order of its form."""
        known = {parameter.name for parameter in self.parameters}
        return tuple(_arguments(self.verb.form.parts, known, given))


def python_name(word: str) -> str:
    """A word of the language as a Python name: `in` is `in_`."""
    word = word.replace(".", "_")
    return f"{word}_" if keyword.iskeyword(word) else word


# -- parameters ------------------------------------------------------------------


def _parameters(form: Form) -> Iterator[Parameter]:
    word: str | None = None
    after_optional = False
    groups = [part for part in form.parts if isinstance(part, Group)]
    # A field that a group and an option may give is given as the group.
    grouped = {each.slot.field for group in groups for each in _optional(group)}
    for part in form.parts:
        if isinstance(part, Word):
            word = part.text
        elif isinstance(part, Slot):
            one = Parameter(_called(part, word), part)
            if after_optional:
                one = replace(one, is_optional=True, is_keyword=True)
            yield one
            word = None
        elif isinstance(part, Option):
            if part.slot.field not in grouped:
                is_optional = part.key == MARK or f"[{part.key} =" in form.text
                name = python_name(part.key)
                yield Parameter(name, part.slot, is_optional, is_keyword=True)
        else:
            found = list(_optional(part))
            after_optional = after_optional or bool(found)
            yield from found


def _optional(group: Group) -> Iterator[Parameter]:
    """The parameters of parts that may be left out; a word makes a keyword.

    So does a role: what is found most often by its place is an op's name.
    """
    word: str | None = None
    for part in group.parts:
        if isinstance(part, Word):
            word = part.text
        else:
            assert isinstance(part, Slot), "a group has words and slots"
            is_keyword = word is not None or part.kind is Kind.ROLE
            yield Parameter(_called(part, word), part, True, is_keyword)


def _called(slot: Slot, word: str | None) -> str:
    return python_name(word or slot.field)


# -- arguments -------------------------------------------------------------------


def _arguments(
    parts: Sequence[Part], known: Collection[str], given: Mapping[str, Any]
) -> Iterator[Argument]:
    word: str | None = None
    for part in parts:
        if isinstance(part, Word):
            word = part.text
            yield Name(word)
        elif isinstance(part, Slot):
            yield _argument(part, given[_called(part, word)], given)
            word = None
        elif isinstance(part, Option):
            key = python_name(part.key)
            if key in known and (value := given.get(key)) is not None:
                tree = argument_tree(part.slot.kind, value)
                assert not isinstance(tree, Setting)
                yield Setting(part.key, tree)
        elif _is_given(part, given):
            yield from _arguments(part.parts, known, given)


def _argument(slot: Slot, value: Any, given: Mapping[str, Any]) -> Argument:
    if slot.kind is Kind.SETTING:
        return setting_tree(value, given.get(VALUE))
    if slot.kind is Kind.SETTINGS:
        return settings_tree(value)
    return argument_tree(slot.kind, value)


def _is_given(group: Group, given: Mapping[str, Any]) -> bool:
    names = [parameter.name for parameter in _optional(group)]
    return bool(names) and all(given.get(name) is not None for name in names)
