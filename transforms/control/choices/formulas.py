"""Conditions on choices as data, to be evaluated at a point or given to a solver.

A formula is a list of instructions, each on the results of earlier ones, so that a sum
of 5,000 terms is no deeper than a sum of two:

    names ("BM", "BN"), instructions (("name", 0), ("name", 1), ("*", 0, 1),
    ("constant", 16384), ("<=", 2, 3)), asserted (4,)          -- BM * BN <= 16384
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import prod
from typing import TypeAlias

Instruction: TypeAlias = tuple[str, *tuple[int, ...]]
"""An operation, and the numbers of the instructions that are its operands."""


def divide(a: int, b: int) -> int:
    """The Euclidean quotient: the remainder is never negative."""
    return a // b if b > 0 else -(a // -b)


OPERATIONS: Mapping[str, Callable[[Sequence[int]], int]] = {
    "+": sum,
    "*": prod,
    "-": lambda v: v[0] - v[1],
    "/": lambda v: divide(v[0], v[1]),
    "%": lambda v: v[0] % abs(v[1]),
    "abs": lambda v: abs(v[0]),
    "==": lambda v: all(a == b for a, b in pairwise(v)),
    "!=": lambda v: all(a != b for a, b in combinations(v, 2)),
    "<": lambda v: v[0] < v[1],
    "<=": lambda v: v[0] <= v[1],
    ">": lambda v: v[0] > v[1],
    ">=": lambda v: v[0] >= v[1],
    "ite": lambda v: v[1] if v[0] else v[2],
    "and": all,
    "or": any,
    "xor": lambda v: sum(v) % 2 == 1,
    "not": lambda v: not v[0],
    "implies": lambda v: not v[0] or bool(v[1]),
}
"""Every operation of a formula but `name` and `constant`."""


@dataclass(frozen=True)
class Formula:
    """Instructions, and the numbers of those that must hold."""

    names: tuple[str, ...]
    instructions: tuple[Instruction, ...]
    asserted: tuple[int, ...]
    yielded: tuple[int, ...] = ()
    """The numbers of the instructions whose values are results."""

    def holds(self, values: Sequence[int]) -> bool:
        """Whether it holds for these values of its names.

        Where it divides by zero it does not hold: the solvers leave that undefined.
        """
        return self.values(values) is not None

    def values(self, values: Sequence[int]) -> list[int] | None:
        """The results for these values of its names; None if it does not hold."""
        results: list[int] = []
        for kind, *operands in self.instructions:
            if kind == "constant":
                results.append(operands[0])
            elif kind == "name":
                results.append(values[operands[0]])
            else:
                try:
                    given = [results[number] for number in operands]
                    results.append(OPERATIONS[kind](given))
                except ZeroDivisionError:
                    return None
        if not all(results[number] for number in self.asserted):
            return None
        return [int(results[number]) for number in self.yielded]


class FormulaBuilder:
    """Collects instructions that several formulas share."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self._names: dict[str, int] = {}
        self._named: list[str] = []

    def name(self, name: str) -> int:
        """The number of the instruction that gives a choice's value."""
        if name not in self._names:
            self._named.append(name)
            self._names[name] = self.add("name", len(self._named) - 1)
        return self._names[name]

    def constant(self, value: int) -> int:
        """The number of the instruction that gives a constant."""
        return self.add("constant", value)

    def add(self, kind: str, *operands: int) -> int:
        """Add an instruction; its number."""
        self.instructions.append((kind, *operands))
        return len(self.instructions) - 1

    def formula(self, asserted: Iterable[int], yielded: Iterable[int] = ()) -> Formula:
        """A formula with the instructions that these need, and no others."""
        asserted, yielded = list(asserted), list(yielded)
        needed: set[int] = set()
        queue = [*asserted, *yielded]
        while queue:
            number = queue.pop()
            if number in needed:
                continue
            needed.add(number)
            kind, *operands = self.instructions[number]
            if kind not in {"constant", "name"}:
                queue += operands
        names: dict[str, int] = {}
        numbers: dict[int, int] = {}
        kept: list[Instruction] = []
        for number in sorted(needed):
            kind, *operands = self.instructions[number]
            if kind == "name":
                name = self._named[operands[0]]
                operands = [names.setdefault(name, len(names))]
            elif kind != "constant":
                operands = [numbers[operand] for operand in operands]
            numbers[number] = len(kept)
            kept.append((kind, *operands))
        return Formula(
            tuple(names),
            tuple(kept),
            tuple(numbers[number] for number in asserted),
            tuple(numbers[number] for number in yielded),
        )
