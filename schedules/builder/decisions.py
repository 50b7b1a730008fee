"""Decision tables in Python: which point a schedule has at which sizes.

    M = s.size("M", "x", 0)
    s.decide(M <= 64, BM=16, loads="pointers")
    s.decide(BM=128, loads="descriptors")

The first rule whose condition holds is taken; the last one has no condition.
"""

from __future__ import annotations

from typing import Any

from tilewright.ir.errors import UserError
from tilewright.schedules.builder.call_site import call_site
from tilewright.schedules.builder.given import need_name
from tilewright.schedules.builder.recording import Recording
from tilewright.schedules.builder.references import placed
from tilewright.schedules.builder.values import Computed, Condition, operand
from tilewright.schedules.language.syntax import (
    Constant,
    Literal,
    Name,
    SizeName,
    SizeRule,
    Statement,
    Target,
)


class Size(Computed):
    """A size of the payload's arguments, to compare with a number in a table."""

    def __init__(self, name: str):
        super().__init__(Name(name))


class DecisionMethods:
    """The rules of a decision table, as methods of a schedule under construction."""

    _recording: Recording

    def size(self, name: str, argument: str, dim: int) -> Size:
        """Name a dimension of an argument of the payload: `M = s.size("M", "x", 0)`."""
        usage = 's.size("M", "x", 0)'
        name = need_name(name, "size", usage)
        of = Name(need_name(argument, "size", usage))
        place = call_site().place
        if isinstance(dim, bool) or not isinstance(dim, int) or dim < 0:  # pyright: ignore
            fact = f"size: {dim!r} is not a dimension"
            raise UserError(fact, place, f"give its number: {usage}")
        made = placed(SizeName(Name(name), of, dim), place)
        self._recording.sizes.append(made)
        return Size(name)

    def decide(
        self, condition: Condition | None = None, /, **point: int | float | str | bool
    ) -> None:
        """Add a rule: the point of the schedule where a condition on sizes holds.

        The rule without a condition is the last one, for all other sizes.
        """
        place = call_site().place
        tested = None
        if condition is not None:
            if not isinstance(condition, Condition):  # pyright: ignore
                raise UserError(
                    f"decide: {condition!r} is not a condition",
                    place,
                    "compare a size with a number: s.decide(M <= 64, BM=16)",
                )
            tested = operand(condition)
        settings = tuple(_setting(name, value) for name, value in point.items())
        self._recording.rules.append(placed(SizeRule(tested, settings), place))


def _setting(name: str, value: Any) -> Statement:
    tree = operand(value)
    if not isinstance(tree, Literal):
        raise UserError(
            f"decide: the value of '{name}' is not a constant",
            call_site().place,
            "give one of its options",
        )
    return Constant(Target(name), tree)
