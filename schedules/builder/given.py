"""Refuses what cannot stand in a call of the builder, at the user's line of Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from tilewright.ir.errors import UserError
from tilewright.ir.phrases import did_you_mean
from tilewright.schedules.builder.call_site import call_site
from tilewright.schedules.language.syntax import RESERVED


class UnknownMethodError(UserError, AttributeError):
    """A schedule has no such method; `hasattr` sees an `AttributeError`."""


def need_text(given: Any, what: str, example: str) -> str:
    """A string; `what` is how the error calls it."""
    if isinstance(given, str):
        return given
    raise _wrong(given, what, f"give a string: {example}")


def need_name(given: Any, what: str, example: str) -> str:
    """A string that the language can write as a name."""
    text = need_text(given, what, example)
    if text.isidentifier() and text not in RESERVED:
        return text
    fact = f"{what}: {text!r} cannot be a name"
    raise UserError(fact, call_site().place, "use letters, digits and '_'")


def need_list(given: Any, what: str, example: str) -> list[Any]:
    """The items of a list; a string is not one."""
    if isinstance(given, Iterable) and not isinstance(given, str | Mapping):
        return list(cast("Iterable[Any]", given))
    raise _wrong(given, what, f"give a list: {example}")


def need_pairs(given: Any, what: str, example: str) -> list[tuple[str, Any]]:
    """The entries of a dictionary whose keys are strings; None has none."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise _wrong(given, what, f"give a dictionary: {example}")
    pairs = cast("Mapping[Any, Any]", given).items()
    return [(need_text(key, what, example), value) for key, value in pairs]


def need_count(given: Any, what: str) -> int:
    """A number of results."""
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return given
    raise _wrong(given, what, "give a number of results: results=2")


def unknown_method(name: str, known: Iterable[str]) -> AttributeError:
    """The error for a method that a schedule does not have."""
    if name.startswith("_"):
        return AttributeError(name)
    remedy = did_you_mean(name, list(known))
    remedy = remedy or f'any transform op is a statement: s.op("{name}", ...)'
    return UnknownMethodError(f"unknown verb '{name}'", call_site().place, remedy)


def _wrong(given: Any, what: str, remedy: str) -> UserError:
    fact = f"{what}: {_shown(given)} cannot stand here"
    return UserError(fact, call_site().place, remedy)


def _shown(given: Any) -> str:
    if given is None or isinstance(given, int | float | str):
        return repr(given)
    return f"a value of type {type(given).__name__}"
