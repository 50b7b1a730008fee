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
SHIFT = 0  # Lark's number of the action that goes to another state
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
    _number_states(data["parser"]["parser"])
    tables = {
        "grammar": digest(),
        "lark": lark.__version__,
        "data": data,
        "memo": memo,
    }
    return json.dumps(tables, separators=(",", ":"), sort_keys=True) + "\n"


def _number_states(parser: dict[str, Any]) -> None:
    """Number tokens by name, and states as they are reached from the start.

    Lark numbers them in the order of sets, which is another one in each process.
    """
    tokens: dict[int, str] = parser["tokens"]
    names = sorted(tokens.values())
    token_number = {name: number for number, name in enumerate(names)}
    rows = {
        state: sorted(
            (token_number[tokens[token]], step) for token, step in row.items()
        )
        for state, row in parser["states"].items()
    }
    reached = {state: number for number, state in enumerate(_reached(parser, rows))}
    parser["tokens"] = dict(enumerate(names))
    parser["states"] = {
        number: {
            token: (action, reached[target] if action == SHIFT else target)
            for token, (action, target) in rows[state]
        }
        for state, number in reached.items()
    }
    for ends in ("start_states", "end_states"):
        parser[ends] = {name: reached[state] for name, state in parser[ends].items()}


def _reached(parser: dict[str, Any], rows: dict[int, list[Any]]) -> list[int]:
    """The states, each behind one that shifts to it."""
    found = dict.fromkeys([*parser["start_states"].values()])
    waiting = list(found)
    for state in waiting:
        for _, (action, target) in rows[state]:
            if action == SHIFT and target not in found:
                found[target] = None
                waiting.append(target)
    return waiting


def digest() -> str:
    """A checksum of the grammar."""
    return f"{zlib.crc32(GRAMMAR.read_bytes()):08x}"


if __name__ == "__main__":
    TABLES.write_text(tables_text(), encoding="utf-8")
