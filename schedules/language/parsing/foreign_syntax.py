"""Remedies for the syntax of other languages: what to write instead."""

from __future__ import annotations

import re

from tilewright.ir.errors import Place

_CHARACTERS = {
    "#": "a comment begins with // and ends with its line",
    "'": 'a string stands between double quotes: "linalg.fill"',
    "&": "write 'and'",
    "|": "write 'or'",
    "!": "write 'not'",
    "\\": "a line goes on after a comma or an operator, and inside brackets",
}
"""Characters that are not part of the language."""

_COMMENT = "a comment begins with // and ends with its line"
_CALL = (
    "a verb has no parentheses: tile mm by [32, 32]; to run a sequence, write: "
    "include NAME(...)"
)

_LINES = (
    (r"\s*(if|while|switch|match)\b.*\{", "{", "branch with 'choose NAME { a { ... } "
     "b { ... } }', or with 'try { ... } else { ... }'"),
    (r"\s*for\b(?!\s+each)", "{", "write: for each x in xs { ... }"),
    (r"\s*(def|fn|func|function)\b", "", "write: schedule NAME(root) { ... }, or "
     "sequence NAME(root) { ... }"),
    (r"\s*(schedule|sequence)\s+\w+\s*\{", "{", "name its argument: (root) { ... }"),
    (r"\s*from\s+\w+\s+import\b", "", "write: import NAME, and: include "
     "NAME.SEQUENCE(root)"),
    (r"\s*import\b", ",", "import one file a line"),
    (r".*\b(by|onto|to|along|at|interchange)\s+[\w.-]+\s*,", ",", "a list stands in "
     "brackets: [A, B]"),
    (r"\s*require\b", "=", "compare with '=='"),
    (r"\s*%", "%", "names have no '%' here"),
    (r".*\*\*", "*", "there are no powers; multiply: A * A"),
    (r".*/\*", "/", _COMMENT),
    (r".*/\*", "*", _COMMENT),
    (r"\s*[\w.]+\s*\(", "(", _CALL),
    (r"[^(]*=\s*[\w.]+\s*\(.*=", "=", _CALL),
    (r".*\bknob\b", "(", "list the options in brackets: knob [64, 128]"),
    (r".*\bknob\s+[\d.]", "", "list the options in brackets: knob [64, 128]"),
    (r".*\d\s*\.\.", "", "list every value: [16, 32, 64]"),
    (r".*:=", "", "write '=' alone"),
    (r".*==", "==", "write '=' alone; '==' stands in conditions"),
    (r".*(\+=|-=|\*=)", "", "a name is bound with '='"),
)  # fmt: skip
"""A pattern of the line, the unexpected word (any if empty), and the remedy."""


def for_character(character: str) -> str:
    """What to write instead of a character."""
    return _CHARACTERS.get(character, "remove it")


def for_word(word: str, place: Place) -> str | None:
    """What to write instead of a line with an unexpected word."""
    line = place.text or ""
    for pattern, wanted, remedy in _LINES:
        if wanted in ("", word) and re.match(pattern, line.rstrip()):
            return remedy
    return None
