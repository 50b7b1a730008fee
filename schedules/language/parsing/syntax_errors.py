"""Finds further syntax errors: leaves out the wrong line and parses the rest again.

A line with a brace cannot be left out, because the lines after it depend on it; the
search ends there.
"""

from __future__ import annotations

from tilewright.ir.errors import UserError
from tilewright.ir.text import remember_source
from tilewright.schedules.language.parsing.parser import parse

_MOST = 20
"""The most errors that are reported."""


def syntax_errors(text: str, file: str, first: UserError) -> list[UserError]:
    """All errors of a text that can be found, given the first."""
    errors = [first]
    lines = text.split("\n")
    error: UserError | None = first
    try:
        while error is not None and len(errors) < _MOST:
            place = error.place
            if place is None or not 0 < place.line <= len(lines):
                break
            line = lines[place.line - 1]
            if not line.strip() or "{" in line or "}" in line:
                break
            lines[place.line - 1] = ""
            error = _first_error("\n".join(lines), file)
            if error is not None and "'}'" in error.fact:
                break  # the block is empty without the lines left out
            if error is not None:
                errors.append(error)
    finally:
        remember_source(file, text)
    return errors


def _first_error(text: str, file: str) -> UserError | None:
    try:
        parse(text, file)
    except UserError as error:
        return error
    return None
