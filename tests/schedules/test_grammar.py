"""The tables of the parser belong to the grammar, and parse as the grammar does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import lark
import pytest
from lark import Lark

from support.paths import EXAMPLES
from tilewright.schedules.language.parsing.grammar import (
    TABLES,
    build_parser,
    digest,
    load_parser,
)
from tilewright.schedules.language.parsing.parser import Lines

SCHEDULES = sorted(EXAMPLES.rglob("*.tw"))


def test_the_tables_are_up_to_date() -> None:
    tables = json.loads(TABLES.read_text())
    assert (tables["grammar"], tables["lark"]) == (digest(), lark.__version__), (
        "run: python -m tilewright.schedules.language.parsing.grammar"
    )


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_tables_do_not_depend_on_hashes(seed: str) -> None:
    program = (
        "import sys; from tilewright.schedules.language.parsing import grammar; "
        "sys.stdout.write(grammar.tables_text())"
    )
    made = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
    )
    assert made.stdout == TABLES.read_bytes()


@pytest.fixture(scope="module")
def parsers() -> tuple[Lark, Lark]:
    """The parser from the tables, and the one that is built from the grammar."""
    return load_parser(Lines()), build_parser(Lines())


@pytest.mark.parametrize("path", SCHEDULES, ids=lambda path: path.name)
def test_tables_and_grammar_parse_alike(path: Path, parsers: tuple[Lark, Lark]) -> None:
    text = path.read_text() + "\n"
    by_tables, by_grammar = parsers
    assert by_tables.parse(text) == by_grammar.parse(text)


def test_tables_of_another_lark_are_not_used(tmp_path: Path) -> None:
    tables = {"grammar": "", "lark": "0.0.0", "data": None, "memo": None}
    path = tmp_path / "tables.json"
    path.write_text(json.dumps(tables))
    assert load_parser(Lines(), path).parse("schedule a(root) {\n}\n").data == "start"
