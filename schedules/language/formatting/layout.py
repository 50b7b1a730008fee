"""Statements, blocks, comments and empty lines as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.schedules.language.formatting.blocks import Block, Item
from tilewright.schedules.language.formatting.fill import WIDTH, Line, beside, fill
from tilewright.schedules.language.formatting.spacing import (
    flat,
    is_flat,
    one_line,
    paddings,
)
from tilewright.schedules.language.formatting.words import Word

_STEP = 2
"""How far the statements of a block are indented."""


def lay_out(block: Block) -> str:
    """The text of a whole file."""
    layout = _Layout()
    layout.block(block, 0)
    return "".join(f"{line}\n" for line in _with_comments(layout.lines))


class _Layout:
    """Writes lines, from the top to the bottom."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def block(self, block: Block, indent: int) -> None:
        """The statements of a block, and the comments before its end."""
        items = [each for item in block.items for each in _fitting(item, indent)]
        is_first = True
        has_blocks = False
        for item, padding in zip(items, paddings(items), strict=True):
            is_apart = indent == 0 and (has_blocks or bool(item.blocks))
            self._before(item.first, indent, is_first, is_apart)
            self._item(item, indent, padding)
            is_first, has_blocks = False, bool(item.blocks)
        self._before(block.end, indent, is_first, False)

    def _before(self, word: Word, indent: int, is_first: bool, is_apart: bool) -> None:
        """The comments and the empty line before a statement, or before an end."""
        comments = list(word.comments)
        if comments and not comments[0].is_alone:
            beside(self.lines[-1], comments.pop(0))
        blanks = [comment.has_blank for comment in comments]
        is_end = word.kind in {"RBRACE", "$END"}
        blanks.append(word.has_blank and not is_end)
        if is_first:
            blanks[0] = False
        elif is_apart and not any(blanks):
            blanks[0] = True
        for comment, has_blank in zip(comments, blanks, strict=False):
            self._blank(has_blank)
            self.lines.append(Line(" " * indent + comment.text))
        self._blank(blanks[-1])

    def _blank(self, is_wanted: bool) -> None:
        if is_wanted:
            self.lines.append(Line(""))

    def _item(self, item: Item, indent: int, padding: tuple[int, int]) -> None:
        head = list(item.head())
        lines = list(fill(head, indent, padding))
        if item.blocks and is_flat(item):
            rest = flat(item)[len(one_line(head)) :]
            if len(lines[-1].text) + len(rest) <= WIDTH:
                lines[-1].text += rest
                self.lines += lines
                return
        self.lines += lines
        for index, part in enumerate(item.parts):
            if index < len(head):
                continue
            if isinstance(part, Block):
                self._braces(part, indent)
            elif isinstance(item.parts[index - 1], Block) and part.comments:
                self._before(part, indent, True, False)
                self.lines.append(Line(" " * indent + part.text))
            else:
                self.lines[-1].text += f" {part.text}"

    def _braces(self, block: Block, indent: int) -> None:
        """A block after its opening brace."""
        if block.is_empty:
            self.lines[-1].text += " }"
            return
        self.block(block, indent + _STEP)
        self.lines.append(Line(" " * indent + "}"))


def _fitting(item: Item, indent: int) -> list[Item]:
    """The statements of an item on one line, or on a line each if that is too long."""
    parts = item.alone()
    is_long = len(parts) > 1 and indent + len(flat(item)) > WIDTH
    return parts if is_long else [item]


def _with_comments(lines: Sequence[Line]) -> Iterator[str]:
    """The lines with the comments behind them; aligned ones stay aligned."""
    commented = [line for line in lines if line.comment]
    for run in _runs(commented):
        widest = max(len(line.text) for line in run)
        for line in run:
            line.text = f"{line.text:{widest}}  {line.comment}"
    return (line.text for line in lines)


def _runs(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """The lines in runs whose comments stood in one column."""
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or lines[index].column != lines[start].column:
            yield lines[start:index]
            start = index
