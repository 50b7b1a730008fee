"""The limit on the nesting of a text, checked before it is parsed.

Parsing, verifying, copying and printing recurse as deeply as the text is nested. With
this limit, and Python's recursion limit raised to match, none of them overflows the
stack.
"""

from __future__ import annotations

import re
import sys

from xdsl.utils.lexer import Input, Span

from tilewright.ir.errors import UserError
from tilewright.ir.parsing.sources import place_of_span

MOST_NESTED = 128
"""The deepest nesting of brackets: regions, types, attributes, affine expressions."""

_RECURSION_LIMIT = 6000
"""Enough for 40 calls for each level of nesting. Python 3.11 and later do not use the
C stack for calls of Python functions."""

_BRACKETS = re.compile(r'"(?:[^"\\\n]|\\.)*+"|//[^\n]*+|->|[<>]=|[(\[{<]|[)\]}>]')


def allow_nesting() -> None:
    """Let Python recurse as deeply as texts may be nested."""
    if sys.getrecursionlimit() < _RECURSION_LIMIT:
        sys.setrecursionlimit(_RECURSION_LIMIT)


def check_nesting(text: str, name: str) -> None:
    """Refuse a text whose brackets are nested too deeply."""
    depth = deepest = start = 0
    for match in _BRACKETS.finditer(text):
        bracket = match[0]
        if bracket in "([{<":
            depth += 1
            if depth == MOST_NESTED + 1 and not start:
                start = match.start()
            deepest = max(deepest, depth)
        elif bracket in ")]}>" and depth:
            depth -= 1
    if deepest <= MOST_NESTED:
        return
    place = place_of_span(Span(start, start + 1, Input(text, name)))
    raise UserError(
        f"the text is nested {deepest} deep",
        place,
        f"the limit is {MOST_NESTED}",
    )
