"""Decisions of the planner that are made the other way.

A grouping follows from the estimates and from such changes, so a set of changes stands
for a structure: `group_ops` gives its kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a change asks for."""

    APART = "apart"
    """Two ops are in no common kernel: `ops` are a producer and its reader, or two
    siblings."""
    JOINED = "joined"
    """Kernels become one: `ops` are their sinks."""
    RECOMPUTED = "recomputed"
    """Every kernel that reads an op computes it."""
    STORED = "stored"
    """One kernel computes an op and stores it."""


@dataclass(frozen=True, order=True)
class Change:
    """One decision that is made the other way; ops are known by their numbers."""

    kind: Kind
    ops: tuple[int, ...]


Changes = frozenset[Change]
NO_CHANGES: Changes = frozenset()


def strangers(changes: Changes) -> dict[int, set[int]]:
    """The ops that each op shares no kernel with."""
    found: dict[int, set[int]] = {}
    for change in changes:
        if change.kind == Kind.APART:
            one, other = change.ops
            found.setdefault(one, set()).add(other)
    return found


@dataclass(frozen=True)
class OpenDecision:
    """What the planner has decided, as the changes that would decide otherwise.

    Equal kernels have equal decisions; they change together.
    """

    changes: Changes
    ratio: float
    """The time of the other side over that of the side taken, when it was decided;
    1 where the two were not compared."""
