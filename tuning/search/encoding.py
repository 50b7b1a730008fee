"""Points as numbers, for models that learn from their times.

A point has one code for each choice: the rank of its option, or -1 where the choice is
not open. Options that are numbers are ranked by size, so that 64 lies between 32 and
128; other options have no order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.tuning.space.choices import Alternative, Choice, Knob, Value

if TYPE_CHECKING:
    from tilewright.tuning.space.space import Space

Codes: TypeAlias = NDArray[np.int64]
"""One row for each point, one column for each choice."""
Vectors: TypeAlias = NDArray[Any]
"""Floating-point numbers."""


class Encoding:
    """Encodes the points of one space."""

    def __init__(self, space: Space) -> None:
        self.choices: tuple[Choice, ...] = tuple(space.choices.values())
        self._ranks = [
            {_typed(option): rank for rank, option in enumerate(ranked_options(choice))}
            for choice in self.choices
        ]

    def codes(self, points: Sequence[Mapping[str, Value]]) -> Codes:
        """The codes of each point."""
        rows = [
            [
                ranks[_typed(point[choice.name])] if choice.name in point else -1
                for choice, ranks in zip(self.choices, self._ranks, strict=True)
            ]
            for point in points
        ]
        return np.array(rows, dtype=np.int64).reshape(len(points), len(self.choices))

    def vectors(self, points: Sequence[Mapping[str, Value]]) -> Vectors:
        """The codes as numbers between 0 and 1; unordered options get a column each."""
        codes = self.codes(points)
        columns: list[NDArray[Any]] = []
        for place, choice in enumerate(self.choices):
            column = codes[:, place]
            last = max(1, len(choice.options) - 1)
            if is_ordered(choice) or len(choice.options) <= 2:
                columns.append(np.where(column < 0, -0.5, column / last))
            else:
                columns += [
                    np.where(column == rank, 1.0, 0.0)
                    for rank in range(len(choice.options))
                ]
        return np.stack(columns, axis=1) if columns else np.zeros((len(points), 0))


def is_ordered(choice: Choice) -> bool:
    """Whether the options are numbers."""
    return isinstance(choice, Knob) and not any(
        isinstance(option, bool | str) for option in choice.options
    )


def is_structural(choice: Choice) -> bool:
    """Whether a choice selects a structure, not a number: a branch, a word, a flag."""
    if isinstance(choice, Alternative) or not is_ordered(choice):
        return True
    return set(choice.options) == {0, 1}


def ranked_options(choice: Choice) -> list[Value]:
    """The options in ascending order, where they are numbers."""
    if not is_ordered(choice):
        return list(choice.options)
    return sorted(choice.options, key=float)


def _typed(value: Value) -> tuple[type, Value]:
    # In Python 1 == True.
    return type(value), value
