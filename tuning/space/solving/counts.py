"""The number of points of a space, exact or estimated, and its text."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from tilewright.tuning.space.solving.estimation import magnitude


@dataclass(frozen=True)
class Count:
    """A number of points."""

    number: int
    error: float = 0.0
    """The relative standard error; 0 where the number is exact."""
    exact: bool = True

    @property
    def is_one(self) -> bool:
        """Whether a noun after this number is singular."""
        return self.number == 1

    def __str__(self) -> str:
        """`576`, `4.1e+30`, or `about 3.2e+11 (+- 4%, estimated)`."""
        if self.error == inf:
            return "at least 1" if self.number else "an unknown number of"
        shown = str(self.number) if self.number < 10**21 else magnitude(self.number)
        if self.exact:
            return shown
        if self.number > 10**6:
            shown = magnitude(self.number)
        percent = max(1, round(200 * self.error)) if self.error < 10 else 1000
        return f"about {shown} (+- {percent}%, estimated)"
