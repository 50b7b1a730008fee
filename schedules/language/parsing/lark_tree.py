"""Typed access to the trees that Lark makes, whose children are untyped."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

from lark import Token, Tree

from tilewright.ir.errors import Place
from tilewright.ir.text import place_at

LarkTree: TypeAlias = Tree[Token]
Child: TypeAlias = "LarkTree | Token | None"


def as_tree(child: Child) -> LarkTree:
    """A child that the grammar says is a tree."""
    assert isinstance(child, Tree)
    return child


def children_of(tree: LarkTree) -> list[Child]:
    """All children; None stands for an optional part that is not there."""
    # Lark's types leave out the None.
    return cast("list[Child]", tree.children)


def trees_of(tree: Child) -> list[LarkTree]:
    """The children that are trees; none if the tree itself is not there."""
    if tree is None:
        return []
    return [child for child in children_of(as_tree(tree)) if isinstance(child, Tree)]


class Places:
    """Where the parts of one file stand."""

    def __init__(self, file: str):
        self._file = file

    def place(self, child: Child) -> Place:
        """Where a token or a tree begins."""
        if isinstance(child, Token):
            return place_at(self._file, child.line or 1, child.column or 1)
        meta = cast("Any", as_tree(child).meta)
        return place_at(self._file, int(meta.line), int(meta.column))

    def end(self, tree: LarkTree) -> Place:
        """The last character of a tree."""
        meta = cast("Any", tree.meta)
        return place_at(self._file, int(meta.end_line), int(meta.end_column) - 1)
