"""The parser's layer of locations: every `loc(...)` that mlir-opt prints.

The forms are those of `mlir-opt --mlir-print-debuginfo`. An alias of a location may be
used before it is defined, because MLIR prints the definitions at the end of the file.
The definition is looked up in the text when it is first needed.
"""

from __future__ import annotations

import re

from xdsl.context import Context
from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from tilewright.ir.parsing.literals import LiteralParser
from tilewright.ir.parsing.sources import file_location

_DEFINITION = re.compile(r"^[ \t]*(#[A-Za-z0-9$._-]+)[ \t]*=[ \t]*(?=loc\b)", re.M)


class LocationParser(LiteralParser):
    """Parses locations."""

    def __init__(self, context: Context, text: str, name: str):
        super().__init__(context, text, name)
        self._definitions_at: dict[str, int] | None = None
        """Where each location alias is defined; filled at the first undefined alias."""
        self.looked_ahead: set[str] = set()
        """Location aliases that were read before the parser came to them."""

    def parse_optional_location(self) -> LocationAttr | None:
        """`loc(...)`, if it is there."""
        token = self._current_token
        if token.kind != MLIRTokenKind.BARE_IDENT or token.text != "loc":
            return None
        self._consume_token()
        self.parse_punctuation("(", " in location")
        location = self._parse_location()
        self.parse_punctuation(")", " in location")
        return location

    def _parse_location(self) -> LocationAttr:
        token = self._current_token
        if token.kind == MLIRTokenKind.STRING_LIT:
            return self._parse_named_location()
        if token.kind == MLIRTokenKind.HASH_IDENT:
            self._consume_token()
            return self._location_alias(token.text, token.span)
        word = self.parse_optional_identifier()
        if word == "unknown":
            return UnknownLoc()
        if word == "callsite":
            self.parse_punctuation("(", " in location")
            callee = self._parse_location()
            self.parse_keyword("at", " in location")
            caller = self._parse_location()
            self.parse_punctuation(")", " in location")
            return CallSiteLoc(callee, caller)
        if word == "fused":
            metadata: Attribute = NoneAttr()
            if self.parse_optional_punctuation("<") is not None:
                metadata = self.parse_attribute()
                self.parse_punctuation(">", " in location")
            parts = self.parse_comma_separated_list(
                self.Delimiter.SQUARE, self._parse_location, " in location"
            )
            return FusedLoc(tuple(parts), metadata)
        self.fail(
            "expected a location",
            token.span,
            'such as "f.mlir":1:2, "name", unknown, callsite(... at ...), fused[...]',
        )

    def _parse_named_location(self) -> LocationAttr:
        """`"file":1:2`, `"file":1:2 to 3:4`, `"name"`, `"name"(...)`."""
        name = StringAttr(self.parse_str_literal())
        if self.parse_optional_punctuation(":") is not None:
            line = self.parse_integer(False, False)
            self.parse_punctuation(":", " in location")
            column = self.parse_integer(False, False)
            if self.parse_optional_keyword("to") is not None:
                # The end of a range is not kept.
                self.parse_optional_integer(False, False)
                self.parse_punctuation(":", " in location")
                self.parse_integer(False, False)
            return FileLineColLoc(name, IntAttr(line), IntAttr(column))
        if self.parse_optional_punctuation("(") is None:
            return NameLoc(name, NoneAttr())
        inner = self._parse_location()
        self.parse_punctuation(")", " in location")
        return NameLoc(name, inner)

    def _location_alias(self, name: str, at: Span[str]) -> LocationAttr:
        found = self.attribute_aliases.get(name) or self._defined_later(name)
        if not isinstance(found, LocationAttr):
            what = "is not a location" if found else "is not defined"
            self.fail(f"the location '{name}' {what}", at)
        return found

    def _defined_later(self, name: str) -> Attribute | None:
        """Parse the definition of an alias further down, then return here."""
        if self._definitions_at is None:
            content = str(self.lexer.input.content)
            matches = _DEFINITION.finditer(content)
            self._definitions_at = {match[1]: match.end() for match in matches}
        # Popped, so that a definition that refers to itself terminates.
        position = self._definitions_at.pop(name, None)
        if position is None:
            return None
        here = self.pos
        self._resume_from(position)
        location = self.parse_optional_location()
        self._resume_from(here)
        if location is not None:
            self.looked_ahead.add(name)
            self.attribute_aliases[name] = location
        return location


def placed(explicit: Attribute, here: FileLineColLoc) -> LocationAttr:
    """The location of an op: the explicit one if it names a file, else its place."""
    if isinstance(explicit, LocationAttr) and file_location(explicit) is not None:
        return explicit
    if isinstance(explicit, NameLoc):
        return NameLoc(explicit.desc, here)
    return here
