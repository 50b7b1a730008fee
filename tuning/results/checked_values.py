"""Values of a results file, checked for their types before they are used.

A results file may come from anywhere. Each function returns the value, or raises
`BadRow`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Value


class BadRow(ValueError):
    """A row that is not a valid record."""


def table(data: Any, name: str) -> dict[Any, Any]:
    """A table of names and values."""
    if not isinstance(data, dict):
        raise BadRow(f"{name} is no table of names and values")
    return data


def items(data: Any, name: str) -> list[Any]:
    """A list."""
    if not isinstance(data, list | tuple):
        raise BadRow(f"{name} is no list")
    return list(data)


def word(table: dict[Any, Any], name: str, default: str | None = None) -> str:
    """The text of a table's entry."""
    value = table.get(name, default)
    return plain_text(value, f"'{name}'")


def plain_text(value: Any, what: str) -> str:
    """A text, in whole characters."""
    if not isinstance(value, str):
        raise BadRow(f"{what} is no text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadRow(f"{what} holds half a character") from error
    return value


def choice_value(value: Any) -> Value:
    """The value of a choice."""
    if isinstance(value, str):
        return plain_text(value, "a choice")
    if not isinstance(value, int | float | bool):
        raise BadRow("a choice has a value that is neither number nor text")
    return value


def a_number(value: Any) -> float:
    """A number, not a truth value."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadRow(f"{value!r} is no number")
    try:
        return float(value)
    except OverflowError as error:
        raise BadRow("a number is too large") from error


def finite(value: Any) -> float:
    """A number that is neither infinite nor undefined."""
    number = a_number(value)
    if not math.isfinite(number):
        raise BadRow(f"{number} is not finite")
    return number


def optional_time(value: Any) -> float | None:
    """Milliseconds, or none."""
    if value is None:
        return None
    return a_time(value)


def a_time(value: Any) -> float:
    """Milliseconds."""
    time = a_number(value)
    if not 0 <= time < math.inf:
        raise BadRow(f"{time} is no time")
    return time


def whole_number(value: Any) -> int:
    """A whole number of at most 64 bits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadRow(f"{value!r} is no whole number")
    if not -(2**63) <= value < 2**63:
        raise BadRow("a whole number has more than 64 bits")
    return value


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise BadRow(f"{value!r} is neither true nor false")
    return value


Word = TypeVar("Word", bound=str)


def one_of(value: Any, known: tuple[Word, ...]) -> Word:
    """One of the words that are known."""
    for word in known:
        if value == word:
            return word
    raise BadRow(f"{value!r} is none of {', '.join(known)}")
