"""Range certificates: between which sizes a point stays near the best of each size.

A certificate rests on samples. It says how many sizes in its range were timed, and
nothing about the sizes between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.ir.phrases import count
from tilewright.tuning.transfer.size_tree import TimedSize

NEAR = 0.03
"""How much slower than the best of a size a point may be."""


@dataclass(frozen=True)
class Certificate:
    """The longest range of one size in which a candidate stays near the best."""

    size: str
    low: int
    high: int
    sampled: int
    """Sizes in the range at which all candidates were timed."""
    worst: float
    """The most that it loses there against the best candidate of a size."""

    def __str__(self) -> str:
        """`within 3% for M in [64, 900], at 4 sampled sizes (at most 1.2% slower)`."""
        where = f"{self.size} in [{self.low}, {self.high}]"
        if self.low == self.high:
            where = f"{self.size} = {self.low}"
        sizes = count(self.sampled, "sampled size")
        return (
            f"within {NEAR:.0%} of the best for {where}, at {sizes} "
            f"(at most {self.worst:.1%} slower)"
        )


def certificate(
    timed: Sequence[TimedSize], candidate: int, near: float = NEAR
) -> Certificate | None:
    """The certificate of a candidate; None if it is near the best of no size.

    There is none either if several sizes vary: a range is that of one size.
    """
    names = {name for one in timed for name in one.sizes}
    if len(names) != 1:
        return None
    (name,) = names
    ordered = sorted(timed, key=lambda one: one.sizes[name])
    runs: list[list[TimedSize]] = [[]]
    for one in ordered:
        if one.regret(candidate) <= near:
            runs[-1].append(one)
        else:
            runs.append([])
    longest = max(runs, key=len)
    if not longest:
        return None
    return Certificate(
        name,
        longest[0].sizes[name],
        longest[-1].sizes[name],
        len(longest),
        max(one.regret(candidate) for one in longest),
    )
