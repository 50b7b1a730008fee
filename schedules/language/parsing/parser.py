"""Text of the schedule language to its tree, with errors a person can act on."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from lark import Lark
from lark.exceptions import UnexpectedInput

from tilewright.ir.errors import UserError
from tilewright.ir.text import place_at, remember_source
from tilewright.schedules.language.parsing.grammar import load_parser
from tilewright.schedules.language.parsing.parse_errors import parse_failure
from tilewright.schedules.language.parsing.statements import StatementReader
from tilewright.schedules.language.parsing.tokens import DEEPEST, Lines, TooDeepError
from tilewright.schedules.language.syntax import File


@cache
def _lark() -> Lark:
    return load_parser(Lines())


def parse(text: str, file: str) -> File:
    """Parse a text; `file` is what errors and locations call it."""
    remember_source(file, text)
    try:
        tree = cast("Any", _lark()).parse(text + "\n")
    except UnexpectedInput as error:
        raise parse_failure(error, text, file) from error
    except TooDeepError as error:
        place = place_at(file, error.token.line or 1, error.token.column or 1)
        raise UserError(
            f"this is nested more than {DEEPEST} deep",
            place,
            "give parts names of their own, or make them sequences",
        ) from None
    return StatementReader(file).file(tree)
