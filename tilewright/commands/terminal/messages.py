"""Printing messages and program texts; no other module calls `print`."""

from __future__ import annotations

import io
import sys

from tilewright.ir.printable import printable

LAYOUT = "\n\t"
"""Control characters that are printed as they are."""


def say(text: object, *, error: bool = False) -> None:
    """Print a message to stdout or stderr, with control characters escaped."""
    stream = sys.stderr if error else sys.stdout
    if stream is not None:  # it was closed, and `print` would take the other one
        print(printable(str(text), keep=LAYOUT), file=stream)


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
