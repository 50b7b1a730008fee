"""The Pygments lexer: documents, notebooks and the shell colour schedules with it.

Pygments imports it whenever it looks for a lexer, so it reads the words from a file
that was written before and imports no compiler.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

PATTERNS = Path(__file__).with_name("pygments_patterns.json")
"""The patterns, written by `python -m tilewright.editor.highlighting`."""


def _rules() -> list[Any]:
    found: dict[str, str] = json.loads(PATTERNS.read_text(encoding="utf-8"))
    return [
        (r"\s+", Whitespace),
        (r"//[^\n]*", Comment.Single),
        (found["string"], String.Double),
        (found["mlir"], String.Backtick),
        (
            rf"({found['definitions']})([ \t]+)([A-Za-z_]\w*)",
            bygroups(Keyword.Declaration, Whitespace, Name.Class),
        ),
        (found["definitions"], Keyword.Declaration),
        (found["first"], Name.Function),
        (found["options"], Name.Attribute),
        (found["statements"], Keyword),
        (found["operators"], Operator.Word),
        (found["constants"], Keyword.Constant),
        (found["functions"], Name.Builtin),
        (found["roles"], Name.Constant),
        (found["form_words"], Keyword.Pseudo),
        (found["dotted"], Name.Constant),
        (found["name"], Name),
        (found["number"], Number),
        (r"[-+*/%<>=!]=?", Operator),
        (r"[\[\](){},:;]", Punctuation),
    ]


class TilewrightLexer(RegexLexer):
    """Lexes `.tw` files."""

    name = "Tilewright"
    aliases: ClassVar = ["tilewright", "tw"]
    filenames: ClassVar = ["*.tw"]
    url = "https://pypi.org/project/tilewright/"
    version_added = ""
    flags = re.MULTILINE
    tokens: ClassVar = {"root": _rules()}
