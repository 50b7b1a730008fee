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
    is_bound: bool = False
    """Whether there may be fewer: a run decides some of the constraints."""

    def of(self, noun: str) -> str:
        """`1 valid point`, `at most 24 valid points`."""
        return f"{self} {noun}{'' if self.number == 1 else 's'}"

    def __str__(self) -> str:
        """`576`, `at most 4.1e+30`, or `about 3.2e+11 (+- 4%, estimated)`."""
        if self.error == inf:
            is_some = self.number and not self.is_bound
            return "at least 1" if is_some else "an unknown number of"
        return f"at most {self._shown()}" if self.is_bound else self._shown()

    def _shown(self) -> str:
        shown = str(self.number) if self.number < 10**21 else magnitude(self.number)
        if self.exact:
            return shown
        if self.number > 10**6:
            shown = magnitude(self.number)
        percent = max(1, round(200 * self.error)) if self.error < 10 else 1000
        return f"about {shown} (+- {percent}%, estimated)"
