"""Random expressions: applied to traced scalars of a payload, and to numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from tilewright.frontend.builder import maximum, minimum, where

Array = np.ndarray[Any, Any]


class Expression:
    """A random expression: applied to traced scalars, and to numpy arrays."""

    def __init__(self, random: Random, bounds: Sequence[int]):
        self.steps: list[tuple[str, int, int]] = []
        known = list(bounds)
        # The last step takes in every operand that was not used.
        for _ in range(random.randint(1, 4)):
            self._add(random, known, random.randrange(len(known)))
        for position in range(len(bounds)):
            if not any(position in step[1:] for step in self.steps):
                self._add(random, known, position)
        self.bound = known[-1]
        self.largest = max(known)

    def _add(self, random: Random, known: list[int], left: int) -> None:
        kind = random.choice(["add", "sub", "mul", "max", "min", "choose", "twice"])
        right = len(known) - 1
        one, two = known[left], known[right]
        if kind == "mul" and one * two > 2**10:
            kind = "max"
        self.steps.append((kind, left, right))
        bound = {"add": one + two, "sub": one + two, "mul": one * two, "twice": 2 * one}
        known.append(bound.get(kind, max(one, two)))

    def traced(self, *elements: Any) -> Any:
        """On the elements of a body that is traced."""
        return self._run(list(elements), maximum, minimum, where)

    def computed(self, arrays: Sequence[Array]) -> Array:
        """The same on arrays."""
        return self._run(list(arrays), np.maximum, np.minimum, np.where)

    def _run(self, values: list[Any], larger: Any, smaller: Any, choose: Any) -> Any:
        for kind, left, right in self.steps:
            x, y = values[left], values[right]
            values.append(
                {
                    "add": lambda x, y: x + y,
                    "sub": lambda x, y: x - y,
                    "mul": lambda x, y: x * y,
                    "max": larger,
                    "min": smaller,
                    "choose": lambda x, y: choose(x > y, y, x),
                    "twice": lambda x, y: x * 2,
                }[kind](x, y)
            )
        return values[-1]
