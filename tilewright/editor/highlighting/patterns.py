"""Regular expressions that every grammar uses, in the syntax that all of them share."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tilewright.editor.highlighting.words import Words
from tilewright.editor.reading.scanner import terminal

STARTS = r"(^[ \t]*|[=;{}][ \t]*)"
"""What stands before the first word of a statement."""
NO_BINDING = r"(?![ \t]*(?:=(?!=)|,|:))"
"""A name before `=`, a comma or a colon is bound, and no verb."""
DOTTED = r"[a-z_][a-z_0-9]*(?:\.[a-z_][a-z_0-9]*)+"
"""An op by its name, such as `structured.split`."""


def one_of(words: Iterable[str]) -> str:
    """One of the words, as a whole word; `for each` may have several spaces."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    texts = [re.escape(word).replace(r"\ ", r"[ \t]+") for word in ordered]
    return rf"\b(?:{'|'.join(texts)})\b"


def role(words: Words) -> str:
    """A role behind a verb that takes one; lookbehinds have a fixed length."""
    behind = "|".join(f"(?<={verb} )|(?<={verb}[?] )" for verb in words.role_verbs)
    return rf"(?:{behind}){one_of(words.roles)}"


def plain(name: str) -> str:
    """The pattern of a terminal of the grammar, without capturing groups."""
    return re.sub(r"\((?!\?)", "(?:", terminal(name))
