"""Finds the line that ends too early when the parser stops on the next one.

The parser goes on after a line that ends with a sign, such as `mm =`, and does not see
the end of a line before `}`. While a person types, the mistake is at that line's end.
"""

from __future__ import annotations

import re

from lark import Token

from tilewright.schedules.language.syntax import KEYWORDS

END = "_END"
"""The token that ends a statement."""

_SIGN = re.compile(r"(?:[<>=!]=|[-+*/%<>=,]|\b(?:and|or|not))\Z")
"""A line that ends so goes on in the next one."""

_REMEDIES = {
    "=": "write a verb or a number behind it",
    ",": "write another name behind it, or remove it",
}

_KIND = r"(?:\s*:\s*(?:[\w.]+|\"[^\"\n]*\"))?"
_BOUND = rf"(?:[\w.]+{_KIND}\s*,\s*)*[\w.]+{_KIND}\s*=(?!=)"
_BEGINS_AFTER_EQUAL = re.compile(rf"\s*(?:{_BOUND}|(?:require|yield)\b)")
_BEGINS = re.compile(rf"\s*(?:{_BOUND}|(?:{'|'.join(KEYWORDS)})\b|[^\W\d][\w.]*\s+\w)")
"""The begin of a statement: names and `=`, a keyword, or a verb and its argument."""

_STRING_OR_COMMENT = re.compile(r'"[^"\n]*"|`[^`\n]*`|//[^\n]*')


def unfinished_line(token: Token, text: str) -> tuple[str, int, str | None] | None:
    """What is wrong with the line before an unexpected token, where, and a remedy.

    None if that line is not to blame.
    """
    position = token.start_pos or 0
    before = _code_before(text, position)
    is_end = token.type in {"RBRACE", END}
    if not (is_end and _SIGN.search(before)):
        line = text.rfind("\n", 0, position) + 1
        above = _code_before(text, line)
        is_first = not text[line:position].strip()
        if _should_have_gone_on(above, text[line:], is_first):
            before = above
        elif not is_end or "\n" not in text[len(before) : position]:
            return None
    if sign := _SIGN.search(before):
        remedy = _REMEDIES.get(sign[0], "give a number or a name")
        return f"nothing follows '{sign[0]}'", sign.start(), remedy
    last_word = re.search(r"\S*\Z", before)
    start = len(before) if last_word is None else last_word.start()
    return "this statement is not finished", start, None


def _should_have_gone_on(above: str, here: str, is_first: bool) -> bool:
    """Whether a line ends with a sign, and the next one does not continue it.

    `is_first` tells that the first word of the next line is unexpected already.
    """
    sign = _SIGN.search(above)
    if sign is None or is_first:
        return sign is not None
    begins = _BEGINS_AFTER_EQUAL if sign[0] == "=" else _BEGINS
    return begins.match(here) is not None


def _code_before(text: str, position: int) -> str:
    """The text before a position, without the spaces and comments at its end."""
    before = text[:position].rstrip()
    while (start := _comment_at_end(before)) is not None:
        before = before[:start].rstrip()
    return before


def _comment_at_end(text: str) -> int | None:
    """Where the comment that ends a text begins."""
    for found in _STRING_OR_COMMENT.finditer(text, text.rfind("\n") + 1):
        if found[0].startswith("//"):
            return found.start()
    return None
