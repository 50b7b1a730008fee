"""The order in which the partitions of a program and its copies take their steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Choose = Callable[[Sequence[str]], int]
"""Given who can take a step, choose one by its position: the names of partitions, then
an empty name for each copy under way."""


@dataclass(frozen=True)
class Interleaving:
    """An order of steps. Without arguments: copies end at once, partitions in order."""

    seed: int | None = None
    """Choose at random."""
    late_copies: bool = False
    """A copy ends only when no partition can go on."""
    ahead: str | None = None
    """The partition of this name runs as far as it can before others do."""

    def chooser(self) -> Choose:
        """A function that makes the choices of one program."""
        if self.seed is not None:
            random = np.random.default_rng(self.seed)
            return lambda names: int(random.integers(len(names)))
        return self._choose

    def _choose(self, names: Sequence[str]) -> int:
        if self.ahead is not None and self.ahead in names:
            return names.index(self.ahead)
        if not self.late_copies and "" in names:
            return names.index("")
        return 0
