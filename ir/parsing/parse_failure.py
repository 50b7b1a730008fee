"""The bottom layer of the parser: errors in a text.

xDSL's messages name what was expected. This layer adds what was found instead and,
where the text ends too early, the bracket that is still open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.context import Context
from xdsl.parser import Parser, ParserState
from xdsl.utils.lexer import Input, Position, Span

from tilewright.ir.errors import Note, Place, UserError
from tilewright.ir.parsing.failures.brackets import unmatched_bracket
from tilewright.ir.parsing.failures.remedies import remedy_for
from tilewright.ir.parsing.failures.xdsl_messages import expectation
from tilewright.ir.parsing.lexer import PayloadLexer
from tilewright.ir.parsing.sources import place_of_span

_FOUND_LENGTH = 24
"""How much of an unexpected token is shown."""


class FailingParser(Parser):
    """xDSL's parser on our lexer, with errors that carry fact, place and remedy."""

    def __init__(self, context: Context, text: str, name: str):
        super().__init__(context, "", name)
        self._parser_state = ParserState(PayloadLexer(Input(text, name)))

    def place(self) -> Place:
        """Where the parser is."""
        return place_of_span(self._current_token.span)

    def raise_error(
        self,
        msg: str,
        at_position: Span[str] | Position | None = None,
        end_position: Position | None = None,
    ) -> NoReturn:
        """Fail with a message of xDSL, reworded for users."""
        token = self._current_token
        if at_position is None:
            at_position = token.span
        if isinstance(at_position, Position):
            at_position = Span(
                at_position, max(end_position or 0, at_position), self.lexer.input
            )
        is_here = at_position.start == token.span.start
        found = shown(token.text) if is_here else ""
        self.fail(expectation(msg, found), at_position)

    def fail(
        self,
        fact: str,
        at: Span[str] | None = None,
        remedy: str | None = None,
        notes: Sequence[tuple[str, Span[str]]] = (),
    ) -> NoReturn:
        """Fail with a fact about a place; the default is the current token."""
        # Not `at or ...`: an empty span is false, and still a place.
        at = self._current_token.span if at is None else at
        found = [Note(note, place_of_span(span)) for note, span in notes]
        if (brace := self._unclosed_brace()) is not None:
            found.append(Note("this '{' is not closed", place_of_span(brace)))
        raise UserError(fact, place_of_span(at), remedy or remedy_for(fact), found)

    def _unclosed_brace(self) -> Span[str] | None:
        """The `{` before the current token that the text does not close."""
        text = self.lexer.input
        brace = unmatched_bracket(text.content)
        if brace is None or brace.bracket != "{" or brace.closed_by is not None:
            return None
        if brace.start >= self._current_token.span.start:
            return None
        return Span(brace.start, brace.start + 1, text)


def shown(token: str) -> str:
    """A token as it is shown in a message."""
    if not token:
        return "the end of the text"
    if len(token) > _FOUND_LENGTH:
        token = token[: _FOUND_LENGTH - 3] + "..."
    return token if token.startswith('"') else f"'{token}'"
