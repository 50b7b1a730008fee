"""Syntax errors after the first: a line at fault is left out and the rest read again.

A line with a brace cannot be left out, because what follows depends on it; the search
ends there.
"""

from __future__ import annotations

from tilewright.ir.errors import UserError
from tilewright.ir.text import remember_source
from tilewright.schedules.language.parsing.parser import parse

_MOST = 20
"""Errors after which a reader has seen enough."""


def syntax_errors(text: str, file: str, first: UserError) -> list[UserError]:
    """All errors of a text whose first is known; only that where nothing is certain."""
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
                break  # a block that the lines left out have emptied
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
