"""The comments of a `.tw` text, by statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.schedules.language.comments.notes import Comments, Notes
from tilewright.schedules.language.formatting.blocks import Block, Item, read_blocks
from tilewright.schedules.language.formatting.layout import lay_out
from tilewright.schedules.language.formatting.words import (
    LAST,
    Comment,
    Word,
    read_words,
)

_OTHERS = ("IMPORT", "DECIDE")
"""The words that begin an item of a file which is no definition."""


def tw_comments(text: str, file: str) -> Comments:
    """The comments of a text that can be parsed."""
    comments = Comments(file)
    whole = read_blocks(read_words(text, file))
    definitions = [item for item in whole.items if item.first.kind not in _OTHERS]
    if definitions:
        comments.begins(definitions[0].first.line)
    _read(whole, comments, None)
    tables = [item for item in whole.items if item.first.kind == "DECIDE"]
    if tables:
        is_last = tables[-1] is whole.items[-1]
        behind = _behind(whole.end.comments) if is_last else ()
        end = Word(LAST, "", 1, 1, behind)
        comments.table = lay_out(Block(tuple(map(_alone, tables)), end))
    return comments


def _alone(item: Item) -> Item:
    """An item without the comment behind the item above it."""
    found = item.first.comments
    first = replace(item.first, comments=found[len(_behind(found)) :])
    return Item((first, *item.parts[1:]))


def _behind(found: tuple[Comment, ...]) -> tuple[Comment, ...]:
    """The comment that stands behind the word before, if there is one."""
    return found[:1] if found and not found[0].is_alone else ()


def _read(block: Block, comments: Comments, around: Notes | None) -> None:
    """Read a block; `around` are the notes of the statement that has it."""
    above: Item | None = None
    for item in block.items:
        found = item.first.comments
        if item.first.kind == "IMPORT":
            comments.top += _lines(found, item.first.has_blank and above is None)
            above = item
            continue
        if item.first.kind == "DECIDE":
            _beside(found, above, around, comments)
            above = item
            continue
        start = item.first.line
        for word in item.head():
            comments.continues(start, word.line)
        notes = comments.at(start)
        is_after_import = above is not None and above.first.kind == "IMPORT"
        lone = found if is_after_import else _beside(found, above, around, comments)
        notes.above += _lines(lone, item.first.has_blank and not is_after_import)
        for word in item.parts[1:]:
            if isinstance(word, Word):
                notes.above += [comment.text for comment in word.comments]
        for inner in item.blocks:
            _read(inner, comments, notes)
        if any(word.kind == "CHOOSE" for word in item.head()):
            for number, branch in enumerate(item.blocks[0].items):
                comments.has_branch(start, number, branch.first.line)
        above = item
    lone = block.end.comments
    if above is not None and above.first.kind == "DECIDE":
        lone = lone[len(_behind(lone)) :]  # the table has the others
    elif above is None or above.first.kind != "IMPORT":
        lone = _beside(block.end.comments, above, around, comments)
    if around is None:
        comments.end += _lines(lone, False)
    elif above is None:
        around.above += [comment.text for comment in lone]
    else:
        comments.at(above.first.line).below += _lines(lone, False)


def _beside(
    found: Sequence[Comment],
    above: Item | None,
    around: Notes | None,
    comments: Comments,
) -> Sequence[Comment]:
    """Give a comment behind a statement to that statement; gives the others."""
    if not found or found[0].is_alone:
        return found
    first, *others = found
    if above is None:
        assert around is not None, "a comment at the begin of a text is alone"
        if around.beside:
            return found  # behind `else {`: it stands above the branch's first line
        around.behind(first.text)
        return others
    notes = comments.at(above.first.line)
    if above.blocks and above.blocks[-1].end.line != above.first.line:
        notes.closing = first.text
    else:
        notes.behind(first.text)
    return others


def _lines(found: Sequence[Comment], has_blank: bool) -> list[str]:
    """Comments and the empty lines before them and after them."""
    lines: list[str] = []
    for comment in found:
        lines += ["", comment.text] if comment.has_blank else [comment.text]
    return [*lines, ""] if has_blank else lines
