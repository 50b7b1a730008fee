"""Ill-formed modules: real MLIR rejects each, and so do we, in one located error.

`tests/data/rejected/<dialect>.mlir` holds them. The line at fault follows a comment
`// error: words of our message`.
"""

from __future__ import annotations

from functools import cache

import pytest

from support.ir.snippets import Snippet, snippets_in
from support.mlir_opt import mlir_opt_each, needs_mlir
from support.paths import DATA
from tilewright.ir.context import payload_context
from tilewright.ir.errors import UserError
from tilewright.ir.text import parse_module

SNIPPETS = snippets_in(DATA / "rejected")
EACH = pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
MARK = "// error: "


def expected(snippet: Snippet) -> tuple[int, str]:
    """The line at fault, and words of the message."""
    lines = snippet.text.splitlines()
    marks = [number for number, line in enumerate(lines, 1) if MARK in line]
    assert len(marks) == 1, f"{snippet} needs exactly one '{MARK}'"
    return marks[0] + 1, lines[marks[0] - 1].partition(MARK)[2].strip()


@pytest.mark.sampled(6)
@EACH
def test_one_clear_located_error(snippet: Snippet) -> None:
    line, words = expected(snippet)
    with pytest.raises(UserError) as caught:
        parse_module(snippet.text, "snippet.mlir", payload_context())
    message = str(caught.value)
    assert words in message
    assert message.startswith(f"snippet.mlir:{line}:"), message
    assert snippet.text.splitlines()[line - 1] in message
    assert "^" in message


@cache
def by_real_mlir() -> dict[str, str | None]:
    answers = mlir_opt_each([snippet.text for snippet in SNIPPETS])
    return dict(zip(map(str, SNIPPETS), answers, strict=True))


@EACH
@needs_mlir
def test_real_mlir_rejects_it_too(snippet: Snippet) -> None:
    assert by_real_mlir()[str(snippet)] is None


def test_there_are_as_many_as_promised() -> None:
    assert len(SNIPPETS) >= 60
