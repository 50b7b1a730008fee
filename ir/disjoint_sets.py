"""Sets of equal things that grow as things are named, and that are quick to copy."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Value = TypeVar("Value", bound=Hashable)


class DisjointSets(Generic[Value]):
    """Disjoint sets; a value that is named for the first time is a set of its own."""

    def __init__(self) -> None:
        self._above: dict[Value, Value] = {}
        """A value nearer to the representative, which has itself."""

    def __iter__(self) -> Iterator[Value]:
        """Every value, in the order in which they were named."""
        return iter(self._above)

    def copy(self) -> DisjointSets[Value]:
        """The same sets, to be joined further."""
        made = DisjointSets[Value]()
        made._above = self._above.copy()
        return made

    def find(self, value: Value) -> Value:
        """The representative of the set of `value`."""
        above = self._above
        root = above.setdefault(value, value)
        while (further := above[root]) != root:
            root = further
        while (further := above[value]) != root:
            above[value], value = root, further
        return root

    def union_left(self, lhs: Value, rhs: Value) -> bool:
        """Join two sets; the representative of `lhs`'s set represents both.

        Returns whether they were different sets.
        """
        left, right = self.find(lhs), self.find(rhs)
        self._above[right] = left
        return left != right
