"""The words of a statement on lines: an author's breaks stay, long lines get more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tilewright.schedules.language.formatting.spacing import space
from tilewright.schedules.language.formatting.words import Comment, Word

WIDTH = 100
"""The longest line that is not broken."""
_CONTINUED = 4
"""How far a line that goes on is indented."""
_CLOSING = {"RPAR", "RSQB"}
_DEPTH = {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}


@dataclass
class Line:
    """A line of the output; `column` is where its comment stood, from 1."""

    text: str
    comment: str = ""
    column: int = 0


@dataclass
class _Brackets:
    """The brackets that are open at the end of a line."""

    indent: int
    columns: list[int] = field(default_factory=list[int])
    """Where the lines inside each bracket begin."""
    hanging: list[int] = field(default_factory=list[int])
    """Where a closing bracket stands that begins a line."""

    def start(self, word: Word) -> int:
        """The column of a line that goes on with a word."""
        if not self.columns:
            return self.indent + _CONTINUED
        return self.hanging[-1] if word.kind in _CLOSING else self.columns[-1]

    def read(self, word: Word, is_last: bool, line: int, column: int) -> None:
        """Notice a bracket; `column` is the one after it."""
        if word.kind in {"LPAR", "LSQB"}:
            self.columns.append(line + _CONTINUED if is_last else column)
            self.hanging.append(line if is_last else column - 1)
        elif word.kind in _CLOSING and self.columns:
            self.columns.pop()
            self.hanging.pop()


def fill(
    words: Sequence[Word], indent: int, padding: tuple[int, int] = (0, 0)
) -> Iterator[Line]:
    """The lines of a statement, or of its part before a block.

    `padding` has the word that is moved to the right, and by how many spaces.
    """
    brackets = _Brackets(indent)
    start = 0
    while start < len(words):
        column = brackets.start(words[start]) if start else indent
        if start:
            yield from _lone_comments(words[start], column)
        end = _line_end(words, start, column, padding)
        line = Line(" " * column)
        for index in range(start, end):
            gap = space(words, index) if index > start else ""
            pad = " " * padding[1] if index == padding[0] else ""
            line.text += gap + pad + words[index].text
            is_last = index + 1 == end
            brackets.read(words[index], is_last, column, len(line.text))
        if end < len(words) and words[end].comments:
            beside(line, words[end].comments[0])
        yield line
        start = end


def beside(line: Line, comment: Comment) -> None:
    """Put a comment behind a line if it stood behind one."""
    if not comment.is_alone:
        line.comment, line.column = comment.text, comment.column


def _lone_comments(word: Word, indent: int) -> Iterator[Line]:
    """The comments before a word that have lines of their own."""
    for comment in word.comments:
        if comment.is_alone:
            yield Line(" " * indent + comment.text)


def _line_end(
    words: Sequence[Word], start: int, column: int, padding: tuple[int, int]
) -> int:
    """The word that the next line begins with."""
    cuts: list[tuple[int, int]] = []
    """Where the line may end, each with the depth of brackets there."""
    depth = 0
    for index in range(start, len(words)):
        word = words[index]
        if index > start:
            if word.comments or (word.is_first and word.kind != "ELSE"):
                return index
            if _may_break(words, index, depth):
                if column > WIDTH and not cuts:
                    return index
                cuts.append((index, depth))
            column += len(space(words, index))
        column += len(word.text) + (padding[1] if index == padding[0] else 0)
        if column > WIDTH and cuts:
            return cuts[-1][0]
        depth += _DEPTH.get(word.kind, 0)
        # A list that has ended is not broken for what comes after it.
        while cuts and cuts[-1][1] > depth:
            cuts.pop()
    return len(words)


def _may_break(words: Sequence[Word], index: int, depth: int) -> bool:
    """Whether a line may end before a word: the statement goes on in the next."""
    if words[index].kind in {"AND", "OR"}:
        return True
    is_list = depth > 0 or words[0].kind in {"YIELD", "DECIDE"}
    return words[index - 1].kind == "COMMA" and is_list
