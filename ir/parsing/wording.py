"""Messages of xDSL's in the words of this project."""

from __future__ import annotations

import re

_PARSE_MESSAGES = {
    "in block definition": "expected an operation, a block or '}'",
    "Could not parse entire input!": "expected an operation",
    "Expected bare-id or string-literal here as part of attribute entry!": (
        "expected an attribute's name"
    ),
    "Expected region!": "expected a region '{ ... }'",
    "Expected block argument!": "expected a block argument such as '%a: f32'",
    "Expected result SSA value!": "expected a result such as '%0'",
    "Expected an operand.": "expected an operand such as '%0'",
    "Dense attribute must be typed!": "expected the type of the dense literal",
    "Expected shape type.": "expected the element type",
    "expect symbol name": "expected a symbol's name such as '@name'",
}
"""What xDSL says that no user could make sense of."""

_EXPECTED = re.compile(r"^(?P<what>[^;]+?) expected\b(?P<rest>.*)$", re.DOTALL)


def first_line(message: str) -> str:
    """The first line of a message that says anything."""
    lines = [line for line in message.strip().splitlines() if line.strip()]
    return lines[0].strip() if lines else "invalid IR"


def expectation(message: str) -> str:
    """A parser's message, as `expected X ...` where it is about what was expected."""
    text = first_line(message)
    text = _PARSE_MESSAGES.get(text, text).rstrip("!.")
    match = _EXPECTED.match(text)
    if match and not text.startswith(("Expected", "expected")):
        text = f"expected {match['what']}{match['rest']}"
    return lowered(text)


def lowered(text: str) -> str:
    """A sentence as a clause: its first word in small letters, unless a name."""
    word, _, _ = text.partition(" ")
    if word[1:].islower() and word.isalpha():
        return text[0].lower() + text[1:]
    return text


_LEADS = (
    "Operation does not verify: ",
    "Underlying verification failure: ",
)


def clause(message: str, op_name: str | None = None) -> str:
    """A verifier's message as a clause that can follow an op's name."""
    text = first_line(message)
    for lead in _LEADS:
        text = text.removeprefix(lead)
    if op_name is not None:
        for lead in (f"'{op_name}' ", f"Operation {op_name} ", f"{op_name} op "):
            text = text.removeprefix(lead)
    return lowered(text.rstrip(".!"))
