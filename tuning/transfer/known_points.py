"""The best points that a results file has for a family, nearest first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilewright.tuning.results.records import UNKNOWN_SIZE, sizes_text
from tilewright.tuning.transfer.family import Family
from tilewright.tuning.transfer.nearest_point import nearest_point
from tilewright.tuning.transfer.nearness import (
    FURTHEST,
    OTHER_GENERATION,
    device_distance,
    size_distance,
    target_of,
)

if TYPE_CHECKING:
    import sqlite3

    from tilewright.codegen.targets import Target
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.space.choices import Point, Value
    from tilewright.tuning.space.space import Space

STARTS = 5
"""The most points of near shapes that a search begins with."""

_FURTHEST_START = 64.0
"""The largest ratio of sizes for a starting point, which is measured before use."""
_OTHER_SCHEDULE = 1.0
_ESTIMATED = 2.0
"""Distances that another version of the schedule, and an estimated time, add."""

_SELECT = """
SELECT point, extents, each_p50, p50, final_median, device, measured, schedule,
  payload_name, created
FROM measurements WHERE family = ? AND outcome = 'ok' AND extents != '[]' ORDER BY id
"""


@dataclass(frozen=True)
class Wanted:
    """What a point is wanted for."""

    family: Family
    schedule: str
    """Hash of the schedule with its choices open."""
    target: Target
    measured: bool
    """Whether programs run on a device: estimates then count less."""


@dataclass(frozen=True)
class KnownPoint:
    """The fastest point of one shape on one device."""

    point: Mapping[str, Value]
    sizes: tuple[int, ...]
    milliseconds: float
    device: str
    measured: bool
    schedule: str
    payload_name: str
    created: str
    is_final: bool = False
    """Whether it was in a final round, whose times are the more reliable ones."""

    @property
    def rank(self) -> tuple[bool, float]:
        """Orders points of one shape: those of final rounds first, then by time."""
        return not self.is_final, self.milliseconds

    @property
    def origin(self) -> str:
        """`gemm.mlir 4096x4096x512 on NVIDIA H200, tuned 2026-11-16`."""
        name = f"{self.payload_name} " if self.payload_name else ""
        day = f", tuned {self.created[:10]}" if self.created else ""
        return f"{name}{sizes_text(self.sizes)} on {self.device}{day}"


@dataclass(frozen=True)
class Proposal:
    """A valid point of a space, and the known point that it comes from."""

    point: Point
    known: KnownPoint
    distance: float


def known_points(database: Database, family: str) -> list[KnownPoint]:
    """The fastest point for each schedule, device and shape of a family."""
    columns = database.select("PRAGMA table_info(measurements)", ())
    if "family" not in {column["name"] for column in columns}:
        return []  # a file of an older version, opened to read
    best: dict[tuple[Any, ...], KnownPoint] = {}
    for row in database.select(_SELECT, (family,)):
        for found in _read(row):
            key = (found.schedule, found.device, found.measured, found.sizes)
            if key not in best or found.rank < best[key].rank:
                best[key] = found
    return list(best.values())


def inheritable(
    known: Iterable[KnownPoint], wanted: Wanted, space: Space
) -> list[Proposal]:
    """Points to use without a trial, best first: of this shape, then of near ones.

    On a device, estimates are left out. A point must have a value for every choice
    here, and no other: the schedule is the same, or another version of it.
    """
    usable = [
        one
        for one in known
        if (one.measured or not wanted.measured) and _is_near_card(one, wanted)
    ]
    found = _proposals(usable, wanted, space, FURTHEST)
    return [one for one in found if set(one.point) == set(one.known.point)]


def starting_points(
    known: Iterable[KnownPoint], wanted: Wanted, space: Space, most: int = STARTS
) -> list[Proposal]:
    """Points to begin a search with: of the nearest shapes and devices."""
    usable = [one for one in known if set(one.point) & set(space.choices)]
    return _proposals(usable, wanted, space, _FURTHEST_START, most)


def _proposals(
    known: Iterable[KnownPoint],
    wanted: Wanted,
    space: Space,
    furthest: float,
    most: int = STARTS,
) -> list[Proposal]:
    """The points nearest to the wanted ones, each once."""
    ranked: list[tuple[float, float, KnownPoint]] = []
    for one in known:
        distance = _distance(one, wanted, furthest)
        if distance is not None:
            ranked.append((distance, one.milliseconds, one))
    found: list[Proposal] = []
    for distance, _, one in sorted(ranked, key=lambda entry: entry[:2]):
        if len(found) == most:
            break
        point = nearest_point(space, one.point)
        if point is not None and point not in [other.point for other in found]:
            found.append(Proposal(point, one, distance))
    return found


def _is_near_card(known: KnownPoint, wanted: Wanted) -> bool:
    """Whether a point may serve on the wanted card without a trial."""
    card = target_of(known.device)
    return known.device == wanted.target.name or (
        card is not None and device_distance(wanted.target, card) < OTHER_GENERATION
    )


def _distance(known: KnownPoint, wanted: Wanted, furthest: float) -> float | None:
    """How far a known point is from what is wanted; None if too far."""
    distance = size_distance(wanted.family.sizes, known.sizes, furthest)
    card = target_of(known.device)
    if distance is None:
        return None
    if known.device != wanted.target.name:
        if card is None:
            return None
        distance += device_distance(wanted.target, card)
    if known.schedule != wanted.schedule:
        distance += _OTHER_SCHEDULE
    if not known.measured:
        distance += _ESTIMATED
    return distance


def _read(row: sqlite3.Row) -> list[KnownPoint]:
    """The known points of a row, one for each of its sizes; none if it is damaged."""
    try:
        point: Any = json.loads(row["point"])
        extents: Any = json.loads(row["extents"])
        each: Any = json.loads(row["each_p50"])
    except (ValueError, TypeError, RecursionError):
        return []
    if not isinstance(point, dict) or not isinstance(extents, list):
        return []
    median = row["p50"] if row["final_median"] is None else row["final_median"]
    times = each if len(extents) > 1 else [median]
    words = (row["device"], row["schedule"], row["payload_name"], row["created"])
    is_plain = (
        isinstance(times, list)
        and len(times) == len(extents)
        and all(isinstance(ms, float | int) and ms > 0 for ms in times)
        and all(isinstance(value, int | float | str) for value in point.values())
        and all(isinstance(word, str) for word in words)
        and all(
            isinstance(sizes, list)
            and len(sizes) == len(extents[0])
            and all(type(size) is int for size in sizes)
            for sizes in extents
        )
    )
    if not is_plain:
        return []
    timed = list(zip(extents, times, strict=True))
    if len(extents) > 1 and isinstance(median, float):
        # One program for all sizes, for a payload that leaves them open.
        pairs = zip(*extents, strict=True)
        timed.append((_common(pairs), median))
    return [
        KnownPoint(
            point,
            tuple(sizes),
            float(ms),
            row["device"],
            bool(row["measured"]),
            row["schedule"],
            row["payload_name"],
            row["created"],
            row["final_median"] is not None,
        )
        for sizes, ms in timed
    ]


def _common(sizes: Iterable[tuple[int, ...]]) -> list[int]:
    """The sizes that all runs have; others are unknown."""
    return [each[0] if len(set(each)) == 1 else UNKNOWN_SIZE for each in sizes]
