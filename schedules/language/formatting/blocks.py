"""Words as statements and blocks: a statement is words and blocks between braces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tilewright.schedules.language.formatting.words import LAST, Word

_ENDS = {"RBRACE", LAST}


@dataclass(frozen=True)
class Block:
    """Statements between braces; `end` is the closing brace, or the end of the text."""

    items: tuple[Item, ...]
    end: Word

    @property
    def is_empty(self) -> bool:
        """Whether it has neither statements nor comments."""
        return not self.items and not self.end.comments


Part: TypeAlias = Word | Block


@dataclass(frozen=True)
class Item:
    """A statement, a definition, a branch or a rule; or knobs that stand side by side.

    A block comes after the word of its opening brace.
    """

    parts: tuple[Part, ...]

    @property
    def first(self) -> Word:
        """The word it begins with."""
        first = self.parts[0]
        assert isinstance(first, Word)
        return first

    @property
    def blocks(self) -> list[Block]:
        """Its blocks."""
        return [part for part in self.parts if isinstance(part, Block)]

    def head(self) -> Iterator[Word]:
        """The words before its first block."""
        for part in self.parts:
            if isinstance(part, Block):
                return
            yield part

    def alone(self) -> list[Item]:
        """Its statements, each as an item of its own."""
        starts = [
            index
            for index, part in enumerate(self.parts)
            if index == 0 or (isinstance(part, Word) and part.begins)
        ]
        ends = [*starts[1:], len(self.parts)]
        return [Item(self.parts[a:b]) for a, b in zip(starts, ends, strict=True)]


def read_blocks(words: Sequence[Word]) -> Block:
    """All words of a text, which ends with a word of the kind `LAST`."""
    return _block(iter(words))


def _block(words: Iterator[Word], is_table: bool = False) -> Block:
    """The words up to the end of a block; in a decision table, `else` is a rule."""
    items: list[Item] = []
    parts: list[Part] = []
    for word in words:
        is_branch = word.kind == "ELSE" and not is_table
        is_next = word.is_after_end or (
            isinstance(_last(parts), Block) and not is_branch
        )
        if parts and (is_next or word.kind in _ENDS):
            items.append(Item(tuple(parts)))
            parts = []
        if word.kind in _ENDS:
            return Block(tuple(items), word)
        parts.append(word)
        if word.kind == "LBRACE":
            first = parts[0]
            is_decide = isinstance(first, Word) and first.kind == "DECIDE"
            parts.append(_block(words, is_decide))
    raise AssertionError("the words do not end")


def _last(parts: Sequence[Part]) -> Part | None:
    return parts[-1] if parts else None
