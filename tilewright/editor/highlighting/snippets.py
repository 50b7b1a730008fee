"""Snippets of VS Code: a definition, a knob, a choice, and every verb."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tilewright.editor.answers.completion import snippet_of
from tilewright.schedules.language.verbs.vocabulary import VERBS

_STRUCTURES: Mapping[str, tuple[str, list[str]]] = {
    "schedule": (
        "a schedule with its payload",
        [
            "// payload: ${1:payload.mlir}",
            "schedule ${2:name}(root) {",
            '  ${3:mm} = match "${4:linalg.matmul}" in root',
            "  $0",
            "}",
        ],
    ),
    "sequence": (
        "statements that schedules include",
        ["sequence ${1:name}(${2:handle}) {", "  $0", "}"],
    ),
    "knob": ("a number to choose", ["${1:BM} = knob [${2:64, 128}] default ${3:128}"]),
    "choose": (
        "a branch to choose",
        [
            "${1:handle} = choose ${2:name} default ${3:first} {",
            "  ${3:first} {",
            "    $0",
            "    yield ${1:handle}",
            "  }",
            "  ${4:second} {",
            "    yield ${1:handle}",
            "  }",
            "}",
        ],
    ),
    "permute": (
        "steps in an order to choose",
        [
            "permute ${1:steps} {",
            "  ${2:first} { $0 }",
            "  ${3:second} { }",
            "}",
        ],
    ),
    "for each": (
        "a block for each op of a handle",
        ["for each ${1:op} in ${2:ops} {", "  $0", "}"],
    ),
}
"""Statements with blocks, which no form describes."""


def snippets() -> str:
    """The snippets as JSON."""
    found = {
        name: {"prefix": name, "description": told, "body": body}
        for name, (told, body) in _STRUCTURES.items()
    }
    for verb in sorted(VERBS, key=lambda verb: verb.name):
        found[f"verb {verb.name}"] = {
            "prefix": verb.name,
            "description": verb.doc,
            "body": [snippet_of(verb.form)],
        }
    return json.dumps(found, indent=2) + "\n"
