"""The sources of the parameters of a schedule: what their values come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tilewright.tuning.space.choices import Value

Numbers: TypeAlias = tuple[tuple[str, int], ...]
"""Numbers of the payload, by their texts."""


@dataclass(frozen=True)
class Named:
    """A parameter whose value is an open choice."""

    name: str


@dataclass(frozen=True)
class Measured:
    """A number of the payload; None where the payload leaves it open."""

    text: str
    number: int | None


@dataclass(frozen=True)
class Computed:
    """A parameter that is computed from others: its instruction, and its text."""

    number: int
    text: str
    measured: Numbers
    """The numbers of the payload that it is computed from."""


Known: TypeAlias = Named | Computed | Measured | int
"""A source that a constraint can be about."""

Source: TypeAlias = Known | Value
"""The source of a parameter: a choice, a computation, the payload, or a value."""


def text_of(source: Known) -> str:
    """A source in the text of a constraint."""
    if isinstance(source, Named):
        return source.name
    return str(source) if isinstance(source, int) else source.text


def measured_in(sources: Sequence[Known]) -> Numbers:
    """The numbers of the payload that some sources have."""
    found: dict[str, int] = {}
    for source in sources:
        if isinstance(source, Measured) and source.number is not None:
            found[source.text] = source.number
        elif isinstance(source, Computed):
            found.update(source.measured)
    return tuple(found.items())
