"""The domain of a choice: its options as numbers and as sets of bits.

A choice is identified by its position in the schedule, an option by its position in the
list of the choice. A set of options is an integer with a bit for each option. A choice
in a branch has one more option: *not open*.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

Chosen: TypeAlias = Sequence[int] | Mapping[int, int]
"""The options of choices, by their numbers."""

Bound: TypeAlias = int | float
"""A number, or infinity."""


class Domain:
    """The options of a choice."""

    def __init__(
        self, options: Sequence[object], numbers: Sequence[int | None], optional: bool
    ) -> None:
        """Take the options and their `numbers`, None for options that are text."""
        self.options = options
        self.size = len(options) + optional
        self.numbers: list[int | None] = [*numbers, *([None] if optional else [])]
        self.everything = (1 << self.size) - 1
        known = [number for number in numbers if number is not None]
        self.all_numbers = len(known) == self.size
        self.bounds = (min(known), max(known)) if known else (0, 0)

    @property
    def none(self) -> int:
        """The position of the option *not open*."""
        return len(self.options)

    @cached_property
    def _ascending(self) -> tuple[list[int], list[int]]:
        pairs = sorted((n, i) for i, n in enumerate(self.numbers) if n is not None)
        return [number for number, _ in pairs], [index for _, index in pairs]

    @cached_property
    def _is_sorted(self) -> bool:
        indices = self._ascending[1]
        return indices == list(range(len(indices)))

    def between(self, low: Bound, high: Bound) -> int:
        """The options, as bits, whose numbers lie from `low` to `high`."""
        numbers, indices = self._ascending
        first, last = bisect_left(numbers, low), bisect_right(numbers, high)
        if last <= first:
            return 0
        if self._is_sorted:
            return (1 << last) - (1 << first)
        return sum(1 << index for index in indices[first:last])


def bits(mask: int) -> Iterable[int]:
    """The positions of the set bits, the lowest first."""
    if mask.bit_count() * 8 > mask.bit_length():
        text = bin(mask)[:1:-1]
        return [position for position, bit in enumerate(text) if bit == "1"]
    found: list[int] = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
