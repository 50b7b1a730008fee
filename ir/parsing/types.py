"""The parser's layer of types and affine maps, which remembers what it has read.

A module repeats a few types and maps thousands of times, and parsing them is most of
the work. The same text always means the same type, so it is parsed once.
"""

from __future__ import annotations

import re

from xdsl.context import Context
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Attribute, TypeAttribute
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

from tilewright.ir.indexing.semi_affine import MapParser
from tilewright.ir.parsing.failures.xdsl_messages import first_line
from tilewright.ir.parsing.parse_failure import FailingParser, shown
from tilewright.ir.parsing.shaped_types import checked

_TYPE = re.compile(r"[A-Za-z0-9_$.]+(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>)?")
_MAP = re.compile(r"<[^<>]*->[^<>]*>")


class TypeParser(FailingParser):
    """Parses types and affine maps, each text once."""

    def __init__(self, context: Context, text: str, name: str):
        super().__init__(context, text, name)
        self._content = text
        self._known_types: dict[str, TypeAttribute] = {}
        self._known_maps: dict[str, AffineMapAttr] = {}

    def parse_optional_type(self) -> TypeAttribute | None:
        """A type, if there is one."""
        token = self._current_token
        if token.kind != MLIRTokenKind.BARE_IDENT:
            return self._parse_checked_type()
        match = _TYPE.match(self._content, token.span.start)
        assert match is not None, "a bare identifier matches"
        known = self._known_types.get(match[0])
        if known is not None:
            self._resume_from(match.end())
            return known
        found = self._parse_checked_type()
        if found is not None and self._has_read_up_to(match.end()):
            self._known_types[match[0]] = found
        return found

    def _parse_checked_type(self) -> TypeAttribute | None:
        start = self._current_token.span
        try:
            found = super().parse_optional_type()
            return None if found is None else checked(found)
        except VerifyException as error:
            self.fail(first_line(str(error)), start)

    def _parse_builtin_affine_map(self) -> AffineMapAttr:
        match = _MAP.match(self._content, self._current_token.span.start)
        if match is None:
            return super()._parse_builtin_affine_map()
        known = self._known_maps.get(match[0])
        if known is not None:
            self._resume_from(match.end())
            return known
        found = super()._parse_builtin_affine_map()
        if self._has_read_up_to(match.end()):
            self._known_maps[match[0]] = found
        return found

    def parse_affine_map(self) -> AffineMap:
        """An affine map, semi-affine ones included."""
        return MapParser(self._parser_state).parse_affine_map()

    def parse_affine_set(self) -> AffineSet:
        """An affine set, with the limits of a map."""
        return MapParser(self._parser_state).parse_affine_set()

    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        """An extent, which must fit i64 as upstream's do."""
        token = self._current_token
        extent = super().parse_shape_dimension(allow_dynamic)
        if extent >= 2**63:
            self.fail(
                f"invalid dimension: {shown(token.text)} does not fit i64", token.span
            )
        return extent

    def parse_ranked_shape(self) -> tuple[list[int], Attribute]:
        """`(extent x)* type`, with spaces anywhere; xDSL allows none before a type."""
        extents: list[int] = []
        kinds = (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION)
        while self._current_token.kind in kinds:
            extents.append(self.parse_shape_dimension())
            self.parse_shape_delimiter()
        of = self.expect(self.parse_optional_type, "Expected shape type.")
        return extents, of

    def _has_read_up_to(self, end: int) -> bool:
        """Whether the parser has read exactly what the expression matched."""
        return end <= self.pos and not self._content[end : self.pos].strip()
