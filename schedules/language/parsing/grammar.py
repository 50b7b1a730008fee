"""Loads the parser of the schedule language from tables that were built before.

Building the tables from `grammar.lark` takes longer than most schedules take to run, so
`grammar_tables.py` holds them as data. After a change of the grammar:

    python -m tilewright.schedules.language.parsing.grammar

Tables of another grammar or another version of Lark are not used: the parser is then
built from the grammar, which is slower and gives the same parser.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, cast

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import TerminalDef

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar_tables.py")


def load_parser(postlex: PostLex) -> Lark:
    """The parser, from the tables if they fit the grammar and this Lark."""
    from tilewright.schedules.language.parsing import grammar_tables as tables

    if (tables.GRAMMAR, tables.LARK) != (digest(), lark.__version__):
        return build_parser(postlex)
    # Lark's own stand-alone parsers call this; `Lark.load` needs a pickle.
    load = cast("Any", Lark)._load_from_dict
    return load(tables.DATA, tables.MEMO, postlex=postlex)


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
    """The text of `grammar_tables.py`."""
    data, memo = cast("Any", build_parser()).memo_serialize([TerminalDef, Rule])
    lines = [
        '"""The tables of the parser, which grammar.py makes from grammar.lark."""',
        "",
        "from typing import Any",
        "",
        f'GRAMMAR = "{digest()}"',
        f'LARK = "{lark.__version__}"',
        f"DATA: Any = {data!r}",
        f"MEMO: Any = {memo!r}",
    ]
    return "\n".join(lines) + "\n"


def digest() -> str:
    """A checksum of the grammar."""
    return f"{zlib.crc32(GRAMMAR.read_bytes()):08x}"


if __name__ == "__main__":
    TABLES.write_text(tables_text(), encoding="utf-8")
