"""What tells ops apart, as a value that can be compared and hashed.

    read = OpStructure()
    read.add_op(op)
    read.key        # equal for ops that are equal but for names and places

A subclass says what counts of the values from outside of the op. Printing ops and
comparing the texts takes five times as long.
"""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import Attribute, Operation, Region, SSAValue


class OpStructure:
    """The structure of ops, collected op by op."""

    def __init__(self) -> None:
        self.found: list[Hashable] = []
        self.numbers: dict[SSAValue, int] = {}

    @property
    def key(self) -> Hashable:
        """What was found."""
        return tuple(self.found)

    def add_op(self, op: Operation) -> None:
        """An op with all ops inside."""
        numbers, found = self.numbers, self.found
        operands = op.operands
        for index, value in enumerate(operands):
            if value not in numbers:
                self.add_outside(op, index)
        found.append(op.name)
        found.append(tuple([numbers[value] for value in operands]))
        found.append(frozenset(self.properties(op).items()))
        found.append(frozenset(op.attributes.items()))
        for result in op.results:
            self.number(result)
        for region in op.regions:
            self._add_region(region)

    def properties(self, op: Operation) -> dict[str, Attribute]:
        """The properties of an op that count: all of them."""
        return op.properties

    def add_outside(self, op: Operation, index: int) -> None:
        """Number an operand of an op, a value from outside of all ops so far."""
        raise AssertionError(f"'{op.name}' uses a value from outside")

    def number(self, value: SSAValue) -> None:
        """Number a value; its type counts."""
        self.numbers[value] = len(self.numbers)
        self.found.append(value.type)

    def _add_region(self, region: Region) -> None:
        found = self.found
        for block in region.blocks:
            found.append("block")
            for argument in block.args:
                self.number(argument)
            for op in block.ops:
                self.add_op(op)
        found.append("end")
