"""Printing errors, warnings and remarks, all to stderr."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.commands.terminal.messages import say
from tilewright.ir.errors import Note, UserError
from tilewright.ir.errors import remark as remark_text


def raise_all(errors: Sequence[UserError]) -> None:
    """Print all errors but the last, and raise the last."""
    for error in errors[:-1]:
        say(error, error=True)
    if errors:
        raise errors[-1]


def warn(warnings: Sequence[UserError]) -> None:
    """Print warnings."""
    for warning in warnings:
        say(warning.message("warning"), error=True)


def remark(remarks: Sequence[Note]) -> None:
    """Print remarks about failures that the schedule suppresses."""
    for note in remarks:
        say(remark_text(note.fact, note.place), error=True)
