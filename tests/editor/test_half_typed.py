"""A half-typed text has a tree with the lines of the text, whatever is missing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.editor_texts import LINEAR
from support.paths import EXAMPLES
from tilewright.editor.reading.names import names_of
from tilewright.editor.reading.partial import read_partial

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
    lines = LINEAR.split("\n")
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
