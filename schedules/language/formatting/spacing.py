"""The spaces between two words, and columns that an author has aligned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilewright.schedules.language.formatting.blocks import Block, Item
from tilewright.schedules.language.formatting.words import Word

_OPENING = {"LPAR", "LSQB"}
_ATTACHED = {"COMMA", "COLON", "RPAR", "RSQB"}
"""Words that stand right behind the word before them."""
_OPERANDS = {"NAME", "NUMBER", "NEGATIVE", "STRING", "RAW", "RPAR", "RSQB"}
_BESIDE = "    "
"""Between statements that share a line: knobs, and what follows them."""


def space(words: Sequence[Word], index: int) -> str:
    """The spaces before a word that stands on the line of the word before it."""
    word, before = words[index], words[index - 1]
    if word.begins and before.kind not in {"LBRACE", "ELSE"} and not word.is_after_end:
        return _BESIDE
    if word.kind in _ATTACHED or before.kind in _OPENING:
        return ""
    if word.kind == "LPAR" and before.kind == "NAME":
        return ""  # a call
    if word.kind == "LSQB" and words[0].kind == "DECIDE":
        return ""  # `x[0]` is a size; in a statement, a list is an argument
    is_sign = before.kind == "MINUS" and (
        index == 1 or words[index - 2].kind not in _OPERANDS
    )
    return "" if is_sign and word.kind != "NUMBER" else " "


def one_line(words: Sequence[Word]) -> str:
    """Words on one line."""
    gaps = (space(words, i) if i else "" for i in range(len(words)))
    return "".join(f"{gap}{word.text}" for gap, word in zip(gaps, words, strict=True))


def flat(item: Item) -> str:
    """An item with all its blocks on one line."""
    words: list[Word] = []
    text = ""
    for part in item.parts:
        if isinstance(part, Block):
            text += one_line(words) + _flat_block(part)
            words = []
        else:
            if text and not words:
                text += " "
            words.append(part)
    return text + one_line(words)


def _flat_block(block: Block) -> str:
    if not block.items:
        return " }"
    text = ""
    for item in block.items:
        gap = "; " if text and item.first.is_after_end else " "
        text += f"{gap}{flat(item)}"
    return f"{text} }}"


def is_flat(item: Item) -> bool:
    """Whether all blocks of an item stand on one line or are empty."""
    words = [part for part in item.parts if isinstance(part, Word)]
    braces = [word for word in words if word.kind == "LBRACE"]
    # A comment before an `else` would end the line.
    has_comments = any(word.comments for word in words if word.kind == "ELSE")
    return not has_comments and all(
        block.is_empty or brace.line == block.end.line
        for brace, block in zip(braces, item.blocks, strict=True)
    )


# -- aligned columns ---------------------------------------------------------------


@dataclass(frozen=True)
class _Anchor:
    """The `=` or the `{` of an item, which may stand below that of the item before."""

    kind: str
    index: int
    written: int
    """Its distance from the begin of the item as it is written.

    -1 on another line, or without a space before it: then nothing is aligned.
    """
    width: int
    """The same with single spaces."""


def paddings(items: Sequence[Item]) -> list[tuple[int, int]]:
    """For each item, the word that is moved to the right, and by how many spaces.

    Items on consecutive lines keep a column that their author has aligned.
    """
    anchors = [_anchor(item) for item in items]
    found: list[tuple[int, int]] = []
    for first, end in _runs(items, anchors):
        run = anchors[first:end]
        widest = max((anchor.width for anchor in run if anchor is not None), default=0)
        found += [
            (0, 0) if anchor is None else (anchor.index, widest - anchor.width)
            for anchor in run
        ]
    return found


def _runs(
    items: Sequence[Item], anchors: Sequence[_Anchor | None]
) -> Iterator[tuple[int, int]]:
    """The runs of items whose anchors are aligned; a run may be a single item."""
    start = 0
    for index in range(1, len(items) + 1):
        if index < len(items) and _is_aligned(
            anchors[index - 1], anchors[index], items[index].first
        ):
            continue
        yield start, index
        start = index


def _is_aligned(above: _Anchor | None, here: _Anchor | None, first: Word) -> bool:
    return (
        above is not None
        and here is not None
        and above.kind == here.kind
        and above.written == here.written >= 0
        and first.is_first
        and not first.has_blank
        and not any(comment.is_alone for comment in first.comments)
    )


def _anchor(item: Item) -> _Anchor | None:
    words = list(item.head())
    index = _binding(words)
    if index is None and item.blocks:
        index = len(words) - 1
    if index is None:
        return None
    word = words[index]
    width = len(one_line(words[: index + 1])) - len(word.text)
    written = word.column - words[0].column
    if word.line != words[0].line or written < width:
        written = -1
    return _Anchor(word.kind, index, written, width)


def _binding(words: Sequence[Word]) -> int | None:
    """The `=` after the names that a statement binds."""
    for index, word in enumerate(words):
        if word.kind == "EQUAL":
            return index or None
        is_next = index % 2 == 1
        if is_next != (word.kind in {"COMMA", "COLON"}):
            return None
    return None
