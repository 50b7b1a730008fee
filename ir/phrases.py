"""Phrases that many messages use: a suggestion for a misspelt word, a counted noun."""

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
