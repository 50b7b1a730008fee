"""Forms of JSON: what a value must be, as functions that are put together.

    point = object_with(name=is_a(str), extents=list_of(count))
    point(value, "points[3]")       # raises Wrong: points[3].extents is missing

The first value that is something else is named with its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Form = Callable[[Any, str], None]
"""Raises `Wrong` for a value at a place that is something else."""


class Wrong(Exception):
    """The place of a value, and what is wrong with it."""


def kind_of(value: Any) -> str:
    """What JSON calls a value."""
    names = {dict: "an object", list: "a list", str: "a text", type(None): "null"}
    numbers = {bool: "true or false", int: "a number", float: "a number"}
    return {**names, **numbers}.get(type(value), type(value).__name__)


def is_a(kind: type, *values: Any) -> Form:
    """A value of a class; one of these, if some are given."""

    def check(value: Any, place: str) -> None:
        if type(value) is not kind:
            wanted = kind_of(kind())
            raise Wrong(f"{place} is {kind_of(value)} instead of {wanted}")
        if values and value not in values:
            raise Wrong(f"{place} is {value!r}, which this loader does not know")

    return check


def count(value: Any, place: str) -> None:
    """A number that is not negative."""
    is_a(int)(value, place)
    if value < 0:
        raise Wrong(f"{place} is negative")


def or_null(form: Form) -> Form:
    """A value of a form, or null."""

    def check(value: Any, place: str) -> None:
        if value is not None:
            form(value, place)

    return check


def list_of(form: Form, length: int | None = None) -> Form:
    """A list of values of a form, of this length if one is given."""

    def check(value: Any, place: str) -> None:
        is_a(list)(value, place)
        if length is not None and len(value) != length:
            raise Wrong(f"{place} has {len(value)} entries instead of {length}")
        for number, one in enumerate(value):
            form(one, f"{place}[{number}]")

    return check


def each(*forms: Form) -> Form:
    """A list with a form for each entry."""

    def check(value: Any, place: str) -> None:
        list_of(lambda *_: None, len(forms))(value, place)
        for number, (form, one) in enumerate(zip(forms, value, strict=True)):
            form(one, f"{place}[{number}]")

    return check


def by_name(form: Form) -> Form:
    """An object of any names."""

    def check(value: Any, place: str) -> None:
        is_a(dict)(value, place)
        for name, one in value.items():
            form(one, f"{place}.{name}")

    return check


def object_with(optional: dict[str, Form] | None = None, /, **forms: Form) -> Form:
    """An object with these names; others are left alone."""

    def check(value: Any, place: str) -> None:
        is_a(dict)(value, place or "it")
        for name, form in forms.items():
            at = f"{place}.{name}" if place else name
            if name not in value:
                raise Wrong(f"{at} is missing")
            form(value[name], at)
        for name, form in (optional or {}).items():
            if name in value:
                form(value[name], f"{place}.{name}")

    return check


def one_of(forms: dict[str, Form], key: str) -> Form:
    """An object whose form depends on one of its values."""

    def check(value: Any, place: str) -> None:
        object_with(**{key: is_a(str, *forms)})(value, place)
        forms[value[key]](value, place)

    return check


def anything(value: Any, place: str) -> None:
    """Any value."""
