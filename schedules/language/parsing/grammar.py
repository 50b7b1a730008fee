"""Loads the parser of the schedule language from tables that were built before.

Building the tables from `grammar.lark` takes longer than most schedules take to run, so
`grammar_tables.json` holds them. After a change of the grammar:

    python -m tilewright.schedules.language.parsing.grammar

Tables of another grammar or another version of Lark are not used: the parser is then
built from the grammar, which is slower and gives the same parser.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, cast

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import TerminalDef

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar_tables.json")


def load_parser(postlex: PostLex, path: Path = TABLES) -> Lark:
    """The parser, from the tables if they fit the grammar and this Lark."""
    tables: Any = json.loads(path.read_bytes())
    if (tables["grammar"], tables["lark"]) != (digest(), lark.__version__):
        return build_parser(postlex)
    parser = tables["data"]["parser"]["parser"]
    parser["tokens"] = _by_number(parser["tokens"])
    parser["states"] = {
        number: _by_number(row) for number, row in _by_number(parser["states"]).items()
    }
    # Lark's own stand-alone parsers call this; `Lark.load` needs a pickle.
    load = cast("Any", Lark)._load_from_dict
    return load(tables["data"], _by_number(tables["memo"]), postlex=postlex)


def _by_number(table: dict[str, Any]) -> dict[int, Any]:
    """A table by number; JSON makes every key a text."""
    return {int(key): value for key, value in table.items()}


def build_parser(postlex: PostLex | None = None) -> Lark:
    """The parser, built from the grammar."""
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        postlex=postlex,
        maybe_placeholders=True,
        propagate_positions=True,
    )


def tables_text() -> str:
    """The text of `grammar_tables.json`."""
    data, memo = cast("Any", build_parser()).memo_serialize([TerminalDef, Rule])
    tables = {
        "grammar": digest(),
        "lark": lark.__version__,
        "data": data,
        "memo": memo,
    }
    return json.dumps(tables, separators=(",", ":")) + "\n"


def digest() -> str:
    """A checksum of the grammar."""
    return f"{zlib.crc32(GRAMMAR.read_bytes()):08x}"


if __name__ == "__main__":
    TABLES.write_text(tables_text(), encoding="utf-8")
