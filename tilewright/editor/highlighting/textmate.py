"""The TextMate grammar, which VS Code and many others read."""

from __future__ import annotations

import json
from typing import Any

from tilewright.editor.highlighting.patterns import (
    DOTTED,
    NO_BINDING,
    STARTS,
    one_of,
    plain,
    role,
)
from tilewright.editor.highlighting.words import Words

SCOPE = "source.tilewright"


def textmate(words: Words) -> str:
    """The grammar as JSON; earlier patterns win."""
    patterns = [
        _named("comment.line.double-slash", r"//.*$"),
        _named("string.quoted.double", plain("STRING")),
        _named("string.other.mlir", plain("RAW")),
        _captured(
            rf"({one_of(words.definitions)})[ \t]+([A-Za-z_]\w*)",
            "keyword.declaration",
            "entity.name.function",
        ),
        _named("keyword.declaration", one_of(words.definitions)),
        _captured(
            rf"{STARTS}({one_of([*words.verbs, *words.ops])}){NO_BINDING}",
            "keyword.operator.assignment",
            "support.function.verb",
        ),
        _captured(
            rf"{STARTS}({DOTTED}){NO_BINDING}",
            "keyword.operator.assignment",
            "support.function.op",
        ),
        _named(
            "variable.parameter.option", rf"{one_of(words.options)}(?=[ \t]*=(?!=))"
        ),
        _named("keyword.control", one_of(words.statements)),
        _named("keyword.operator.word", one_of(words.operators)),
        _named("constant.language", one_of(words.constants)),
        _named("support.function.builtin", rf"{one_of(words.functions)}(?=\()"),
        _named("support.constant.role", role(words)),
        _named("keyword.other.form", one_of(words.form_words)),
        _named("constant.numeric", rf"\b{plain('NUMBER')}\b"),
        _named("keyword.operator", r"[-+*/%<>=!]=?"),
        _named("support.constant", rf"\b{DOTTED}"),
        _named("variable.other", r"\b[A-Za-z_]\w*"),
    ]
    grammar = {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/"
        "tmlanguage.json",
        "name": "Tilewright",
        "scopeName": SCOPE,
        "fileTypes": ["tw"],
        "patterns": patterns,
    }
    return json.dumps(grammar, indent=2) + "\n"


def _named(scope: str, match: str) -> dict[str, Any]:
    return {"name": f"{scope}.tilewright", "match": match}


def _captured(match: str, *scopes: str) -> dict[str, Any]:
    captures = {
        str(number): {"name": f"{scope}.tilewright"}
        for number, scope in enumerate(scopes, 1)
    }
    return {"match": match, "captures": captures}
