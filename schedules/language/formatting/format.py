"""Format a text of the schedule language."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.errors import CompilerBug
from tilewright.schedules.language.formatting.blocks import read_blocks
from tilewright.schedules.language.formatting.layout import lay_out
from tilewright.schedules.language.formatting.words import Word, read_words


def format_text(text: str, file: str = "schedule.tw") -> str:
    """The text in the one layout; its meaning and its comments stay.

    Raises the parser's error where the text cannot be parsed.
    """
    text = text.replace("\r\n", "\n")
    words = read_words(text, file)
    formatted = lay_out(read_blocks(words))
    if _content(read_words(formatted, file)) != _content(words):
        raise CompilerBug(f"formatting {file} would change more than its layout")
    return formatted


def _content(words: Sequence[Word]) -> list[tuple[str, str, bool]]:
    """The words, the statements they begin, and the comments."""
    found: list[tuple[str, str, bool]] = []
    for word in words:
        found += [("comment", comment.text, False) for comment in word.comments]
        found.append((word.kind, word.text, word.begins))
    return found
