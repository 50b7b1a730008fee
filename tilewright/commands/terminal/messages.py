"""Printing messages and program texts; no other module calls `print`."""

from __future__ import annotations

import io
import sys

from tilewright.ir.printable import printable

LAYOUT = "\n\t"
"""Control characters that are printed as they are."""


def say(text: object, *, error: bool = False) -> None:
    """Print a message to stdout or stderr, with control characters escaped."""
    shown = printable(str(text), keep=LAYOUT)
    print(shown, file=sys.stderr if error else sys.stdout)


def write_out(text: str) -> None:
    """Write a program's text to stdout; a terminal gets control characters escaped."""
    if sys.stdout.isatty():
        text = printable(text, keep=LAYOUT)
    sys.stdout.write(text)


def accept_any_character() -> None:
    """Print characters that the terminal's encoding lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
