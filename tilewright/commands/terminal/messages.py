"""Words for the person at the terminal; this file prints them, and no other does."""

from __future__ import annotations

import io
import sys

from tilewright.ir.printable import printable

LAYOUT = "\n\t"
"""Control characters that messages are laid out with."""


def say(text: object, *, error: bool = False) -> None:
    """Print a message to stdout, or to stderr; names in it may hold any character."""
    shown = printable(str(text), keep=LAYOUT)
    print(shown, file=sys.stderr if error else sys.stdout)


def write_out(text: str) -> None:
    """Write a program's text to stdout: to a terminal made safe, to a pipe as it is."""
    if sys.stdout.isatty():
        text = printable(text, keep=LAYOUT)
    sys.stdout.write(text)


def accept_any_character() -> None:
    """Print characters that the terminal's encoding lacks as escapes, not as errors."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
