"""Printable text: control characters become escapes.

File names, locations and names in a payload may hold any character. On a terminal, some
characters move the cursor, change the title or hide earlier output.
"""

from __future__ import annotations


def printable(text: str, keep: str = "") -> str:
    r"""The text with `\x1b` in place of an escape byte, and so on.

    Line breaks, bidirectional marks, unpaired surrogates and whatever else Python calls
    unprintable are shown as escapes, except for the characters in `keep`.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else escaped(char) for char in text
    )


def escaped(char: str) -> str:
    r"""A character as Python escapes it: `\n`, `\x1b`, `\u2028`."""
    return char.encode("unicode_escape").decode("ascii")
