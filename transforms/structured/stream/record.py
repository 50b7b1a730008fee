"""What a step of streaming records, for those who compare numbers.

Elements of a chain are computed from running values, and what divides them all divides
their sum instead. A payload that rounds such elements rounds numbers of other sizes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RoundsAnew:
    """The step rounds elements of a chain at other sizes than the payload does."""
