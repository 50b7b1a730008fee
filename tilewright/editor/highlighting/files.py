"""The files that are written from the tables, and their texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tilewright.editor.highlighting.patterns import (
    DOTTED,
    NO_BINDING,
    one_of,
    plain,
    role,
)
from tilewright.editor.highlighting.snippets import snippets
from tilewright.editor.highlighting.textmate import textmate
from tilewright.editor.highlighting.vim import vim
from tilewright.editor.highlighting.words import Words, all_words

_HERE = Path(__file__).resolve().parent
EDITORS = _HERE.parents[2] / "editors"
"""The folder of what editors install; it is part of the repository, not of a wheel."""


def files() -> Mapping[Path, str]:
    """The text of every file."""
    words = all_words()
    return {
        EDITORS / "vscode" / "syntaxes" / "tilewright.tmLanguage.json": textmate(words),
        EDITORS / "vscode" / "snippets" / "tilewright.json": snippets(),
        EDITORS / "vim" / "syntax" / "tilewright.vim": vim(words),
        _HERE / "pygments_patterns.json": _pygments(words),
    }


def _pygments(words: Words) -> str:
    # Pygments tries a rule at each position, and lookbehinds have a fixed length. A
    # verb is told from a name by what follows it, which is enough on a first word.
    begins = r"(?:(?<=^)|(?<=[=;{}] )|(?<=  ))"
    first = one_of([*words.verbs, *words.ops])
    patterns = {
        "string": plain("STRING"),
        "mlir": plain("RAW"),
        "definitions": one_of(words.definitions),
        "first": rf"{begins}(?:{first}|{DOTTED}){NO_BINDING}(?!\()",
        "options": rf"{one_of(words.options)}(?=[ \t]*=(?!=))",
        "statements": one_of(words.statements),
        "operators": one_of(words.operators),
        "constants": one_of(words.constants),
        "functions": rf"{one_of(words.functions)}(?=\()",
        "roles": role(words),
        "form_words": one_of(words.form_words),
        "dotted": rf"\b{DOTTED}",
        "name": r"\b[A-Za-z_]\w*",
        "number": plain("NUMBER"),
    }
    return json.dumps(patterns, indent=2) + "\n"
