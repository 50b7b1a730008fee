"""xDSL's messages, reworded as upstream or this project words them."""

from __future__ import annotations

import re

_PARSE_MESSAGES = {
    "in block definition": "expected an operation, a block or '}'",
    "Expected bare-id or string-literal here as part of attribute entry!": (
        "expected an attribute's name"
    ),
    "Expected region!": "expected a region '{ ... }'",
    "Expected block argument!": "expected a block argument such as '%a: f32'",
    "Expected result SSA value!": "expected a result such as '%0'",
    "Expected an operand.": "expected an operand such as '%0'",
    "Expected shape type.": "expected the element type",
    "Expected ':'function type signature expected": "expected ':' and the op's type",
    "expect symbol name": "expected a symbol's name such as '@name'",
}
"""Messages of xDSL that users cannot understand, and what to say instead."""

_SUBCLASS = r"^(?P<a>\S+) should be of attribute subclassing `"

_PATTERNS = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^Unexpected attribute (?P<a>.+)$", r"'\g<a>' is not allowed here"),
        (r"^(?P<a>.+) should be of base attribute (?P<b>.+)$", r"'\g<a>' is no \g<b>"),
        (rf"{_SUBCLASS}TransformOpHandleType`$", r"'\g<a>' is no handle to ops"),
        (rf"{_SUBCLASS}TransformValueHandleType`$", r"'\g<a>' is no handle to values"),
        (rf"{_SUBCLASS}TransformParamHandleType`$", r"'\g<a>' is no parameter"),
        (
            r"^Expected attribute (?P<a>.+) but got (?P<b>.+)$",
            r"expected '\g<a>', but got '\g<b>'",
        ),
        (
            r"^attribute (?P<a>.+) expected from variable '.*', but got (?P<b>.+)$",
            r"expected '\g<a>' as elsewhere in the op, but got '\g<b>'",
        ),
        (
            r"^integer (?P<a>.+) expected from int variable '.*', but got (?P<b>.+)$",
            r"expected \g<a> as elsewhere in the op, but got \g<b>",
        ),
        (
            r"^Expected (?P<a>\w+) (?:property|attribute) in \S+ operation$",
            r"requires attribute '\g<a>'",
        ),
        (
            r"^(?P<a>\w+) (?:property|attribute) is expected to be a DenseArrayBase.*$",
            r"attribute '\g<a>' must be an array of i32",
        ),
        (
            r"^'@(?P<a>.+)' could not be found in symbol table$",
            r"'\g<a>' does not reference a valid function",
        ),
        (
            r"^Identifier not in space (?P<a>.+)$",
            r"'\g<a>' is neither a dimension nor a symbol of the map",
        ),
        (r"^(?P<a>Expected .+) in shape delimiter, got .*$", r"\g<a> in the shape"),
        (
            r"^zip\(\) argument \d+ is \w+ than argument.*$",
            r"parameter of a type is missing",
        ),
        (
            r"^Expected arguments to have the same types as the function output types: "
            r"expected \[(?P<a>.*)\], got \[(?P<b>.*)\]$",
            r"returns (\g<b>), but the function's results are (\g<a>)",
        ),
        (
            r"^(?![Ee]xpected\b)(?P<a>[^:,.]+?) expected\b(?P<b>.*)$",
            r"expected \g<a>\g<b>",
        ),
    )
]

_LEADS = ("Operation does not verify: ", "Underlying verification failure: ")


def expectation(message: str, found: str) -> str:
    """A parser's message; one about what was expected also says what was found."""
    text = first_line(message)
    text = _reworded(_PARSE_MESSAGES.get(text, text))
    is_complete = any(word in text for word in (" but ", " got ", ", found "))
    if text.startswith("expected") and found and not is_complete:
        return f"{text}, found {found}"
    return text


def clause(message: str, op_name: str) -> str:
    """A verifier's message as a clause that can follow an op's name."""
    text = first_line(message)
    for lead in (*_LEADS, f"'{op_name}' op ", f"'{op_name}' ", f"{op_name} op "):
        text = text.removeprefix(lead)
    return _reworded(text)


def first_line(message: str) -> str:
    """The first line of a message that is not empty."""
    lines = [line for line in message.strip().splitlines() if line.strip()]
    return lines[0].strip() if lines else "invalid IR"


def _reworded(text: str) -> str:
    text = text.rstrip("!.")
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    word, _, _ = text.partition(" ")
    # A clause begins in lower case, unless its first word is a name.
    return text[0].lower() + text[1:] if word.istitle() and word.isalpha() else text
