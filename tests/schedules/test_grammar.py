"""The tables of the parser belong to the grammar, and parse as the grammar does."""

from __future__ import annotations

from pathlib import Path

import lark
import pytest
from lark import Lark

from support.paths import EXAMPLES
from tilewright.schedules.language.parsing import grammar_tables
from tilewright.schedules.language.parsing.grammar import (
    build_parser,
    digest,
    load_parser,
)
from tilewright.schedules.language.parsing.parser import Lines

SCHEDULES = sorted(EXAMPLES.rglob("*.tw"))


def test_the_tables_are_up_to_date() -> None:
    assert (digest(), lark.__version__) == (
        grammar_tables.GRAMMAR,
        grammar_tables.LARK,
    ), "run: python -m tilewright.schedules.language.parsing.grammar"


@pytest.fixture(scope="module")
def parsers() -> tuple[Lark, Lark]:
    """The parser from the tables, and the one that is built from the grammar."""
    return load_parser(Lines()), build_parser(Lines())


@pytest.mark.parametrize("path", SCHEDULES, ids=lambda path: path.name)
def test_tables_and_grammar_parse_alike(path: Path, parsers: tuple[Lark, Lark]) -> None:
    text = path.read_text() + "\n"
    by_tables, by_grammar = parsers
    assert by_tables.parse(text) == by_grammar.parse(text)


def test_tables_of_another_lark_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar_tables, "LARK", "0.0.0")
    monkeypatch.setattr(grammar_tables, "DATA", None)
    assert load_parser(Lines()).parse("schedule a(root) {\n}\n").data == "start"
