"""Text to IR and back: the entry point to parser, verifier and printer.

xDSL's parser records only explicit `loc(...)`. Ours attaches file, line and column to
every op, so that later errors can point at the source.
"""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError

from tilewright.ir.context import LazyContext
from tilewright.ir.errors import Note, UserError
from tilewright.ir.parsing.failures.op_names import RENAMED
from tilewright.ir.parsing.failures.remedies import remedy_for
from tilewright.ir.parsing.failures.xdsl_messages import expectation
from tilewright.ir.parsing.nesting import allow_nesting, check_nesting
from tilewright.ir.parsing.parse_failure import shown
from tilewright.ir.parsing.parser import PayloadParser
from tilewright.ir.parsing.sources import (
    STDIN,
    place_at,
    place_of,
    place_of_span,
    read_text,
    remember_source,
    source_name,
)
from tilewright.ir.printing import to_nameless_text, to_text
from tilewright.ir.verifying import verify, verify_op

__all__ = [
    "RENAMED",
    "STDIN",
    "parse_module",
    "place_at",
    "place_of",
    "read_module",
    "read_text",
    "remember_source",
    "source_name",
    "to_nameless_text",
    "to_text",
    "verify",
    "verify_op",
]


def parse_module(text: str, name: str, context: LazyContext) -> ModuleOp:
    """Parse and verify a module; errors carry place, fact and remedy."""
    remember_source(name, text)
    allow_nesting()
    check_nesting(text, name)
    parser = PayloadParser(context, text, name)
    try:
        module = parser.parse_module()
    except ParseError as error:
        raise _parse_failure(error) from error
    except RecursionError:
        place = parser.place()
        raise UserError("the text is nested too deeply", place) from None
    verify(module)
    return module


def read_module(path: Path, context: LazyContext) -> ModuleOp:
    """Parse a module from a file."""
    return parse_module(read_text(path), source_name(path), context)


def _parse_failure(error: ParseError) -> UserError:
    notes: list[Note] = []
    if isinstance(error, MultipleSpansParseError):
        for span, message in error.refs:
            notes.append(Note(message or "see here", place_of_span(span)))
    fact = expectation(error.msg, shown(error.span.text))
    return UserError(fact, place_of_span(error.span), remedy_for(fact), notes)
