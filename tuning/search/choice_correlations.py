"""The correlations of points: those of their options, choice by choice.

A correlation is high for equal options, lower for ranks that are further apart, low for
different branches. A pair of points has two: the mean and the product over all choices.
Both are products of matrices. One has a row for each point, with a 1 for each option
that the point has; the other has the correlations of all options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tilewright.tuning.search.encoding import Codes, Vectors, is_ordered

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Choice


class ChoiceCorrelations:
    """The correlations of points of one space.

    `length` is the number of ranks after which the correlation of numbers has fallen to
    1/e.
    """

    def __init__(self, choices: Sequence[Choice], length: float) -> None:
        tables = [_table(choice, length) for choice in choices]
        self._sizes = np.array([len(table) for table in tables], dtype=np.int64)
        self._starts = np.cumsum(self._sizes) - self._sizes
        count = int(self._sizes.sum())
        self._means = np.zeros((count, count), dtype=np.float32)
        self._logarithms = np.zeros_like(self._means)
        for start, table in zip(self._starts.tolist(), tables, strict=True):
            block = slice(start, start + len(table))
            self._means[block, block] = table / len(tables)
            self._logarithms[block, block] = np.log(table)

    def options(self, codes: Codes) -> Vectors:
        """A row for each point, with a 1 for each option that it has."""
        rows = np.zeros((len(codes), len(self._means)), dtype=np.float32)
        if self._sizes.size:
            # The code of a choice that is not open is -1: the last row of its table.
            columns = self._starts + codes % self._sizes
            rows[np.arange(len(codes))[:, None], columns] = 1.0
        return rows

    def of(self, left: Vectors, right: Vectors) -> tuple[Vectors, Vectors]:
        """The mean and the product over all choices, for each pair of points."""
        means = (left @ self._means) @ right.T
        return means, np.exp((left @ self._logarithms) @ right.T)


def _table(choice: Choice, length: float) -> Vectors:
    """The correlations of the options; the last row is for a choice that is closed."""
    count = len(choice.options)
    steps = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    inner = np.exp(-steps / length) if is_ordered(choice) else _others(count)
    # The correlation of any option and a choice that is not open.
    table = np.full((count + 1, count + 1), 0.2)
    table[:count, :count] = inner
    table[count, count] = 1.0
    return table


def _others(count: int) -> Vectors:
    # The correlation of options without an order.
    return np.where(np.eye(count) > 0, 1.0, 0.4)
