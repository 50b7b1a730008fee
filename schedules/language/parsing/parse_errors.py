"""Errors of the parser in the words of the language, each with a remedy."""

from __future__ import annotations

from typing import Any, cast

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from tilewright.ir.errors import Note, Place, UserError
from tilewright.ir.parsing.failures.brackets import CLOSERS, unmatched_bracket
from tilewright.ir.text import place_at
from tilewright.schedules.language.parsing.foreign_syntax import for_character, for_word
from tilewright.schedules.language.parsing.unfinished import END, unfinished_line
from tilewright.schedules.language.syntax import RESERVED, WORDS_OF_STATEMENTS

_RESERVED = {word.replace(" ", "_").upper() for word in RESERVED}
"""The tokens of reserved words."""

_NEVER_BOUND = _RESERVED | {word.upper() for word in WORDS_OF_STATEMENTS}
"""The tokens of words that no statement binds."""

_DEFINING = {"SCHEDULE", "SEQUENCE", "DECIDE", "IMPORT"}
"""The tokens that stand at the top of a file."""

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a string",
    "IN": "'in'",
    "COMPARE": "a comparison",
    "TIMES": "an operator",
    "PLUS": "an operator",
    "MINUS": "an operator",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "EQUAL": "'='",
    "COMMA": "','",
    "COLON": "':'",
    END: "the end of the line",
    "SCHEDULE": "'schedule'",
    "SEQUENCE": "'sequence'",
}


def parse_failure(error: UnexpectedInput, text: str, file: str) -> UserError:
    """The error for a failure of Lark."""
    if isinstance(error, UnexpectedCharacters):
        place = place_at(file, error.line, error.column)
        char = place.text[error.column - 1] if place.text else ""
        if char == '"':
            return UserError("this string has no end", place, "close it with '\"'")
        remedy = for_word(char, place) if char == "." else None
        remedy = remedy or for_character(char)
        return UserError(f"unexpected character '{char}'", place, remedy)
    assert isinstance(error, UnexpectedToken)
    token = cast("Token", cast("Any", error).token)
    if (open_ := _unclosed(text, file, token.line or 1)) is not None:
        return open_
    expected = set(cast("Any", error).accepts or error.expected)
    place = place_at(file, token.line or 1, token.column or 1)
    if token.type == "$END":
        return UserError("the text ends too early", place, _expecting(expected))
    if (found := unfinished_line(token, text)) is not None:
        fact, position, remedy = found
        place = _place_of(text, position, file)
        remedy = remedy or _expecting(expected) or "write its end, or remove it"
        return UserError(fact, place, remedy)
    shown = "end of line" if token.type == END else f"'{token}'"
    if (remedy := for_word(str(token), place)) is not None:
        return UserError(f"unexpected {shown}", place, remedy)
    if token.type in _NEVER_BOUND and _is_bound_here(token, place):
        return UserError(f"{shown} is a reserved word", place, "choose another name")
    if (word := _bound_word(token, place)) is not None:
        return UserError(f"'{word}' is a reserved word", place, "choose another name")
    if token.type in _DEFINING and not _is_bound(token, place):
        return UserError(
            f"{shown} does not belong inside a definition",
            place,
            "end the definition with '}' before it",
        )
    if token.type in _RESERVED and "NAME" in expected and END not in expected:
        return UserError(f"{shown} is a reserved word", place, "choose another name")
    if END in expected and token.type in {"NAME", *_RESERVED}:
        return UserError(
            f"unexpected {shown} after the end of a statement",
            place,
            "put it on a line of its own, or ';' before it",
        )
    return UserError(f"unexpected {shown}", place, _expecting(expected))


def _is_bound(token: Token, place: Place) -> bool:
    """Whether a word stands where a name is bound or used."""
    line = place.text or ""
    before, after = line[: place.column - 1], line[place.column - 1 + len(token) :]
    return bool(before.strip(" ;{")) or after.lstrip()[:1] in {"=", ",", ":"}


def _is_bound_here(token: Token, place: Place) -> bool:
    """Whether a word is the first of a statement, and followed by '='."""
    line = place.text or ""
    before, after = line[: place.column - 1], line[place.column - 1 + len(token) :]
    return not before.strip(" ;{") and after.lstrip()[:1] == "="


def _bound_word(token: Token, place: Place) -> str | None:
    """The reserved word before an unexpected '='."""
    before = (place.text or "")[: place.column - 1].split()
    is_reserved = bool(before) and before[-1].upper() in _RESERVED
    return before[-1] if token.type == "EQUAL" and is_reserved else None


def _expecting(expected: set[str]) -> str | None:
    words = sorted({_WORDS[name] for name in expected if name in _WORDS})
    return f"expected {' or '.join(words)}" if 0 < len(words) <= 5 else None


def _unclosed(text: str, file: str, line: int) -> UserError | None:
    """The error for a bracket that does not match, if there is one.

    `line` is where the parser stopped. A bracket below it that closes nothing is left
    over from a block whose first line is wrong.
    """
    found = unmatched_bracket(text)
    if found is None:
        return None
    place = _place_of(text, found.start, file)
    closer = CLOSERS.get(found.bracket)
    if closer is None:
        if place.line > line:
            return None
        return UserError(f"'{found.bracket}' closes nothing", place, "remove it")
    if found.closed_by is not None:
        fact = f"'{found.bracket}' is closed by '{found.closed_by}'"
        return UserError(fact, place, f"add '{closer}'")
    end = _place_of(text, len(text.rstrip()), file)
    note = Note("the text ends here", end)
    fact = f"'{found.bracket}' is never closed"
    return UserError(fact, place, f"add '{closer}'", [note])


def _place_of(text: str, position: int, file: str) -> Place:
    line = text.count("\n", 0, position) + 1
    return place_at(file, line, position - text.rfind("\n", 0, position))
