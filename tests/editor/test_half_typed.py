"""A half-typed text has a tree with the lines of the text, whatever is missing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.editor_texts import LINEAR
from support.paths import EXAMPLES
from tilewright.editor.reading.names import names_of
from tilewright.editor.reading.partial import read_partial
from tilewright.ir.errors import UserError
from tilewright.schedules.language.parsing.parser import parse

SCHEDULES = sorted(EXAMPLES.rglob("*.tw"))
FILE = "<half-typed>"


def lines_of(text: str) -> list[int]:
    """The lines on which a name is bound."""
    found = names_of(read_partial(text, FILE).file)
    return sorted({binding.spot.line for binding in found.bindings})


@pytest.mark.parametrize(
    "broken",
    [
        "  tail, grid = tile tail by [BM, ",
        "  tail, grid = ",
        '  mm = match "linalg.',
        "  x = )",
        "  x = ]",
        "  tail, grid = tile tail by [BM] onto [\n      block.y",
        "  choose a {",
        "  x, = choose a { fused {",
        "  }",
        "  schedule",
        "  `",
    ],
)
def test_the_other_lines_keep_their_places(broken: str) -> None:
    lines: list[str] = LINEAR.split("\n")
    lines.insert(4, broken)
    text = "\n".join(lines)
    shift = broken.count("\n") + 1
    expected = [1, 2, 3, 4, *(line + shift for line in (5, 7, 8, 9))]
    assert set(expected) <= set(lines_of(text))


def test_a_text_without_mistakes_is_whole() -> None:
    assert not read_partial(LINEAR, FILE).left_out


def test_a_first_line_that_does_not_parse_opens_a_definition_still() -> None:
    text = LINEAR.replace("schedule linear(root) {", "schedule linear(root, {")
    assert {2, 3, 4, 5, 7, 8, 9} <= set(lines_of(text))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("path", SCHEDULES[::4], ids=lambda p: p.name)
def test_any_piece_of_a_schedule_is_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    chance = random.Random(7)
    for _ in range(8):
        cut = chance.randrange(len(text))
        extra = chance.choice('{}[]()="`;,')
        for piece in (text[:cut], text[:cut] + text[cut + 5 :], text[:cut] + extra):
            found = names_of(read_partial(piece, FILE).file)
            last = piece.count("\n") + 1
            assert all(binding.spot.line <= last for binding in found.bindings)


# -- the place of the error --------------------------------------------------------


def error_of(text: str) -> UserError | None:
    """The error of a text that does not parse."""
    try:
        parse(text, FILE)
    except UserError as error:
        return error
    return None


def typed(lines: list[str], number: int) -> Iterator[str]:
    """A text in which one line is being typed, at every stage."""
    line = lines[number]
    for end in range(len(line) - len(line.lstrip()) + 1, len(line)):
        yield "\n".join([*lines[:number], line[:end], *lines[number + 1 :]])


@pytest.mark.slow
@pytest.mark.sampled(12)
@pytest.mark.parametrize(
    "path",
    sorted(SCHEDULES[1::12], key=lambda path: path.stat().st_size),
    ids=lambda p: p.name,
)
def test_the_error_stands_on_the_line_that_is_typed(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        # Without its brace a line leaves the rest of its block behind.
        if "{" in line or "}" in line or not _begins_and_ends(lines, number):
            continue
        for text in typed(lines, number):
            if text.split("\n")[number].rstrip().endswith(","):
                continue  # The names go on in the next line.
            error = error_of(text)
            place = None if error is None else error.place
            assert place is None or place.line == number + 1, (text, error)


def _begins_and_ends(lines: list[str], number: int) -> bool:
    """Whether a line is a statement by itself: no bracket goes on around it."""
    before = "\n".join(lines[:number])
    return before.count("[") == before.count("]") and lines[number].count("[") == lines[
        number
    ].count("]")


@pytest.mark.parametrize(
    ("line", "fact", "column"),
    [
        ("x =", "nothing follows '='", 5),
        ("x = // a comment", "nothing follows '='", 5),
        ("x,", "nothing follows ','", 4),
        ("require BM <=", "nothing follows '<='", 14),
        ("require BM <= 4 or", "nothing follows 'or'", 19),
        ("require BM + ", "nothing follows '+'", 14),
    ],
)
@pytest.mark.parametrize(
    "following",
    ["}", "  y, z = tile mm by [8]\n}", "  y: op = cse mm\n}", "  yield mm\n}"],
)
def test_a_line_that_ends_with_a_sign(
    line: str, fact: str, column: int, following: str
) -> None:
    if line.endswith(",") and "=" in following:
        pytest.skip("the names go on in the next line")
    error = error_of(f"schedule s(mm) {{\n  {line}\n{following}\n")
    assert error is not None and error.place is not None
    assert error.fact == fact
    assert (error.place.line, error.place.column) == (2, column)


@pytest.mark.parametrize("statement", ["include", "include clean", "for each x in"])
def test_a_statement_before_the_end_of_its_block(statement: str) -> None:
    error = error_of(f"schedule s(mm) {{\n  {statement}\n}}\n")
    assert error is not None and error.place is not None
    assert error.fact == "this statement is not finished"
    assert error.place.line == 2 and error.remedy


def test_a_mistake_after_a_line_that_goes_on_stays_where_it_is() -> None:
    error = error_of("schedule s(mm) {\n  x =\n    knob 3\n}\n")
    assert error is not None and error.place is not None and error.place.line == 3


def test_a_brace_that_is_left_over() -> None:
    """The line before the block lost its brace; the block's own end is named."""
    text = "schedule s(mm) {\n  for each x in mm\n    cse x\n  }\n  cse mm\n}\n"
    error = error_of(text)
    assert error is not None and error.place is not None and error.place.line == 2
    error = error_of(text.replace("for each x in mm", "cse mm"))
    assert error is not None and error.place is not None and error.place.line == 4
    assert error.fact == "'}' closes nothing"
