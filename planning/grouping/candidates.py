"""A change of the groups that the search considers, and its estimate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.planning.grouping.changes import Change
from tilewright.planning.grouping.group import Group


@dataclass(frozen=True, eq=False)
class Candidate:
    """A change of the groups."""

    before: tuple[Group, ...]
    after: tuple[Group, ...]
    change: Change
    """What asks for it."""


@dataclass(frozen=True)
class Compared:
    """The seconds of a change, and of what it would replace."""

    together: float
    apart: float

    @property
    def saved(self) -> float:
        """What orders changes; all that no kernel computed before is worth a second."""
        return 1.0 if math.isinf(self.apart) else self.apart - self.together

    @property
    def gain(self) -> float:
        """The time of the groups as they are, over that of the change."""
        return self.apart / self.together if self.together else 1.0

    @property
    def loss(self) -> float:
        """The time of the change, over that of the groups as they are."""
        return self.together / self.apart if self.apart else 1.0

    @property
    def words(self) -> str:
        """Both times, as a reader of `--explain` finds them."""
        if math.isinf(self.together):
            return "no kernel is known that computes both"
        alone = f"{self.apart * 1e6:.1f} us apart"
        if math.isinf(self.apart):
            alone = "no kernel alone"
        return f"{self.together * 1e6:.1f} us together, {alone}"
