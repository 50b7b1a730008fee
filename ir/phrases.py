"""Phrases that many messages use: a suggestion for a word, a counted noun, units."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


def did_you_mean(word: str, known: Sequence[str]) -> str | None:
    """A remedy that names the known word closest to `word`, if one is close."""
    close = get_close_matches(word, known, n=1)
    return f"did you mean '{close[0]}'?" if close else None


def count(number: int, noun: str) -> str:
    """`1 name`, `2 names`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def in_units(number: float, unit: str) -> str:
    """A number with a prefix: `12.6 MB`."""
    for prefix in ("", "k", "M", "G"):
        if number < 999.5:
            return f"{number:.3g} {prefix}{unit}"
        number /= 1000
    return f"{number:.3g} T{unit}"
