"""The lexer: MLIR's tokens, matched by one regular expression.

xDSL's lexer looks at characters one by one. This one matches one regular expression and
keeps the text of a token, which makes reading a module a third faster.
"""

from __future__ import annotations

import re
from typing import NoReturn

from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRLexer,
    MLIRToken,
    MLIRTokenKind,
    StringLiteral,
)

from tilewright.ir.errors import UserError
from tilewright.ir.parsing.failures.remedies import remedy_for
from tilewright.ir.parsing.sources import place_of_span

# Possessive: no backtracking over a string that does not end.
_STRING = r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"'

_TOKEN = re.compile(
    r"(?:[ \t\r\n\f\v]++|//[^\n]*+)*+"
    r"(?:(?P<punctuation>->|\{-\#|\#-\}|\.\.\.|[:,=>{}()\[\]<\-+?/*|])"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_$.]*)"
    r"|(?P<prefixed>[%\#!^](?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*))"
    r"|(?P<float>[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<integer>0x[0-9a-fA-F]+|[0-9]+)"
    rf"|(?P<symbol>@(?:[A-Za-z_][A-Za-z0-9_$.]*|{_STRING}))"
    rf"|(?P<string>{_STRING})"
    r")?"
)

_LONGEST_NUMBER = 1000
"""In characters. No type holds a longer number, and Python refuses 4,300 digits."""

_PREFIXED = {
    "%": MLIRTokenKind.PERCENT_IDENT,
    "#": MLIRTokenKind.HASH_IDENT,
    "!": MLIRTokenKind.EXCLAMATION_IDENT,
    "^": MLIRTokenKind.CARET_IDENT,
}

_PLAIN = {
    "word": MLIRTokenKind.BARE_IDENT,
    "float": MLIRTokenKind.FLOAT_LIT,
    "integer": MLIRTokenKind.INTEGER_LIT,
    "symbol": MLIRTokenKind.AT_IDENT,
}

_NEEDS_NAME = {
    "%": "a value's name",
    "#": "an attribute's name",
    "!": "a type's name",
    "^": "a block's name",
    "@": "a symbol's name",
}


class _Token(Token[MLIRTokenKind, str]):
    """A token that keeps its text; xDSL's slices the input at every access."""

    def __init__(self, kind: MLIRTokenKind, span: Span[str], text: str):
        self.kind = kind
        self.span = span
        self._text = text

    @property
    def text(self) -> str:
        """The token itself."""
        return self._text


class PayloadLexer(MLIRLexer):
    """The lexer of payloads and schedules; `pos` is where the next token is sought."""

    def __init__(self, source: Input[str]):
        super().__init__(source)
        self._content = source.content

    def lex(self) -> MLIRToken:
        """The next token."""
        match = _TOKEN.match(self._content, self.pos)
        assert match is not None, "the expression matches the empty text"
        group = match.lastgroup
        if group is None:
            return self._end_or_error(match.end())
        start, self.pos = match.span(group)
        text = match[group]
        if group in ("integer", "float") and len(text) > _LONGEST_NUMBER:
            self._fail(f"a number of {len(text)} characters", start)
        if group == "string":
            return self._string(start)
        if group == "punctuation":
            kind = KIND_BY_PUNCTUATION_SPELLING[text]
        elif group == "prefixed":
            kind = _PREFIXED[text[0]]
        else:
            kind = _PLAIN[group]
        return _Token(kind, Span(start, self.pos, self.input), text)

    def _string(self, start: int) -> MLIRToken:
        """A string literal, or a bytes literal if its escapes are not valid UTF-8."""
        literal = StringLiteral(start, self.pos, self.input)
        text = literal.text
        kind = MLIRTokenKind.STRING_LIT
        if "\\" in text and not _is_utf8(literal.bytes_contents):
            kind = MLIRTokenKind.BYTES_LIT
        return _Token(kind, literal, text)

    def _end_or_error(self, start: int) -> MLIRToken:
        # xDSL relies on the end being one past the content.
        self.pos = start + 1
        if start >= len(self._content):
            return _Token(MLIRTokenKind.EOF, Span(start, start, self.input), "")
        char = self._content[start]
        if char == '"' or self._content.startswith('@"', start):
            self._bad_string(start + (char == "@"))
        if char in _NEEDS_NAME:
            self._fail(f"expected {_NEEDS_NAME[char]} after '{char}'", start)
        if char == ".":
            self._fail("expected '...', found a single '.'", start)
        if not char.isprintable():
            self._fail(
                f"unexpected character {ascii(char)}",
                start,
                "this looks like a binary file, not like MLIR text",
            )
        self._fail(f"unexpected character '{char}'", start)

    def _bad_string(self, start: int) -> NoReturn:
        """Report a string that does not end on its line or has an unknown escape."""
        position = start + 1
        while position < len(self._content):
            char = self._content[position]
            if char in '"\n\v\f':
                break
            if char == "\\":
                escape = self._content[position + 1 : position + 3]
                if not re.match(r'["nt\\]|[0-9A-Fa-f]{2}', escape):
                    self._fail(
                        f"unknown escape '\\{escape[:1]}' in a string",
                        position,
                        'write \\n, \\t, \\\\, \\" or two hexadecimal digits',
                    )
                position += 1
            position += 1
        self._fail("expected '\"' at the end of the string, on the same line", start)

    def _fail(self, fact: str, start: int, remedy: str | None = None) -> NoReturn:
        span = Span(start, start + 1, self.input)
        raise UserError(fact, place_of_span(span), remedy or remedy_for(fact))


def _is_utf8(contents: bytes) -> bool:
    try:
        contents.decode()
    except UnicodeDecodeError:
        return False
    return True
