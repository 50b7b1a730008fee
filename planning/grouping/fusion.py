"""A fusion that the rules judge: an op, and the group of its readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.planning.analysis.facts import OpFacts, Role
from tilewright.planning.grouping.group import Group
from tilewright.planning.grouping.tails import Tails

Uses = Sequence[tuple[OpFacts, int]]
"""The readers of an op in a group, each with the operand that reads it."""


@dataclass(frozen=True)
class Fusion:
    """An op that may be computed in the kernel of a group that reads it."""

    tails: Tails
    facts: OpFacts
    uses: Uses
    group: Group
    stored: bool
    """Whether the result is stored too, for readers outside the group."""
    target: Target

    @property
    def is_read_by_product(self) -> bool:
        """Whether a product is among the readers."""
        return any(reader.role == Role.CONTRACTION for reader, _ in self.uses)

    def joined_loops(self) -> list[tuple[int, tuple[int, int]]]:
        """The loops of the op, with the axes that its readers give them."""
        found: list[tuple[int, tuple[int, int]]] = []
        for reader, position in self.uses:
            made = self.facts.result_loops(reader.op.operands[position])
            for own, loop in zip(made, reader.operands[position].loops, strict=True):
                if own is not None and loop is not None:
                    found.append((own, self.group.axis(reader, loop)))
        return found
