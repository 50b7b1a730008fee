"""The words of the schedule language and of payloads, for colours and completion.

The tables of the language are the only source: the page has no list of its own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tilewright.ir.launch_attributes.table import LAUNCH_ATTRIBUTES
from tilewright.schedules.language.parsing.grammar import GRAMMAR
from tilewright.schedules.language.verbs.forms import Group, Option, Part, Word
from tilewright.schedules.language.verbs.vocabulary import FUNCTIONS, VERBS
from tilewright.transforms.dialect import schedule_context

_KEYWORD = re.compile(r'^[A-Z_]+(?:\.\d+)?: "([a-z_]+)"$', re.M)
_TWO_WORDS = ("for", "each")
"""`for each` is one token with a space."""


@cache
def keywords() -> tuple[str, ...]:
    """The words that the grammar of schedules fixes."""
    return (*dict.fromkeys(_KEYWORD.findall(GRAMMAR.read_text())), *_TWO_WORDS)


@cache
def op_names() -> tuple[str, ...]:
    """The ops that a payload may have, by their full names."""
    names = schedule_context().op_names()
    own = ("transform.", "kernel.", "builtin.")
    return tuple(sorted(name for name in names if not name.startswith(own)))


def inner_words(parts: tuple[Part, ...]) -> list[str]:
    """The fixed words and the keys of a form."""
    words: list[str] = []
    for part in parts:
        if isinstance(part, Word):
            words.append(part.text)
        elif isinstance(part, Option):
            words.append(part.key)
        elif isinstance(part, Group):
            words += inner_words(part.parts)
    return words


@cache
def language() -> dict[str, Any]:
    """What the page needs to colour both languages."""
    return {
        "keywords": list(keywords()),
        "verbs": [
            {"name": verb.name, "usage": verb.form.usage, "doc": verb.doc}
            for verb in VERBS
        ],
        "words": sorted({word for v in VERBS for word in inner_words(v.form.parts)}),
        "functions": list(FUNCTIONS),
        "attributes": [row.name for row in LAUNCH_ATTRIBUTES],
    }
