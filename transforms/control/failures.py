"""`failures(propagate)` and `failures(suppress)`: upstream's numbers for the two words.

The generic form has the number: `failure_propagation_mode = 1 : i32`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i32
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

FailureMode = IntegerAttr[IntegerType | IndexType]


class Mode(StrEnum):
    """What a sequence does when a step does not apply."""

    PROPAGATE = "propagate"
    SUPPRESS = "suppress"


NUMBERS = {Mode.PROPAGATE: 1, Mode.SUPPRESS: 2}
WORDS = {number: mode for mode, number in NUMBERS.items()}


def failure_mode(suppress: bool) -> FailureMode:
    """The mode as an attribute."""
    return IntegerAttr(NUMBERS[Mode.SUPPRESS if suppress else Mode.PROPAGATE], i32)


def suppresses(mode: FailureMode | None) -> bool:
    """Whether a sequence goes on after a step that does not apply."""
    return mode is not None and word_of(mode) == Mode.SUPPRESS


def word_of(mode: FailureMode) -> str:
    """The word for the attribute."""
    return WORDS[mode.value.data]


def verify_mode(mode: FailureMode | None) -> None:
    """Refuse numbers other than the two."""
    if mode is not None and mode.value.data not in WORDS:
        raise VerifyException(
            "attribute 'failure_propagation_mode' must be 1 (propagate) or 2 "
            f"(suppress), but got {mode.value.data}"
        )


def parse_failures(parser: Parser) -> FailureMode:
    """Parse `failures(propagate)` or `failures(suppress)`."""
    parser.parse_keyword("failures")
    return _parse_word(parser)


def parse_optional_failures(parser: Parser) -> FailureMode | None:
    """Parse `failures(..)` where it may be left out."""
    if parser.parse_optional_keyword("failures") is None:
        return None
    return _parse_word(parser)


def _parse_word(parser: Parser) -> FailureMode:
    with parser.in_parens():
        return failure_mode(parser.parse_str_enum(Mode) == Mode.SUPPRESS)
