"""Sets of equal things that grow as things are named, on xDSL's disjoint sets."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import deepcopy
from typing import TypeVar

from xdsl.utils.disjoint_set import DisjointSet

Value = TypeVar("Value", bound=Hashable)


class DisjointSets(DisjointSet[Value]):
    """Disjoint sets; a value that is named for the first time is a set of its own."""

    def __iter__(self) -> Iterator[Value]:
        """Every value, in the order in which they were named."""
        return iter(self._values)

    def copy(self) -> DisjointSets[Value]:
        """The same sets, to be joined further."""
        made = DisjointSets(self._values)
        made._base = deepcopy(self._base)
        return made

    def find(self, value: Value) -> Value:
        """The representative of the set of `value`."""
        self._include(value)
        return super().find(value)

    def union_left(self, lhs: Value, rhs: Value) -> bool:
        """Join two sets; the representative of `lhs`'s set represents both."""
        self._include(lhs)
        self._include(rhs)
        return super().union_left(lhs, rhs)

    def _include(self, value: Value) -> None:
        if value not in self._index_by_value:
            self.add(value)
