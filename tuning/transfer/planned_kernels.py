"""The best points of planned kernels in a results file: defaults of later plans.

A tuning run of a planned schedule records, for each kernel, its signature, the sketch
and the point that won. A later plan takes the point of the nearest shape, for the same
card, structure and element types, if no extent differs by more than a quarter.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from tilewright.planning.recorded import KernelSignature, RecordedPoint
from tilewright.tuning.results.database import Database
from tilewright.tuning.results.records import text_hash
from tilewright.tuning.transfer.nearness import size_distance

FURTHEST_KERNEL = 1.25
"""The largest ratio of an extent: the planner's own pick knows the shape."""

_TABLE = """
CREATE TABLE IF NOT EXISTS planned_kernels (
  id INTEGER PRIMARY KEY,
  target TEXT NOT NULL,
  structure TEXT NOT NULL,
  extents TEXT NOT NULL,
  sketch TEXT NOT NULL,
  point TEXT NOT NULL,
  created TEXT NOT NULL,
  UNIQUE (target, structure, extents)
)
"""
_EXISTS = "SELECT 1 FROM sqlite_master WHERE name = 'planned_kernels'"
_INSERT = """
INSERT OR REPLACE INTO planned_kernels
  (target, structure, extents, sketch, point, created) VALUES (?, ?, ?, ?, ?, ?)
"""
_SELECT = """
SELECT extents, sketch, point, created FROM planned_kernels
  WHERE target = ? AND structure = ? ORDER BY id DESC
"""
_SELECT_ALL = "SELECT * FROM planned_kernels ORDER BY id"


@dataclass(frozen=True)
class PlannedKernel:
    """The best point of a planned kernel."""

    signature: KernelSignature
    sketch: str
    point: dict[str, int | str]
    """The values of its knobs, and the branches of its choices."""
    created: str = ""
    """UTC, ISO 8601; set when recorded."""


class PlannedKernels:
    """The recorded kernels of a results file; call it with a signature to look up."""

    def __init__(self, database: Database, file: str = ""):
        """`file` is the name that the source of a point says, if it is unusual."""
        self._database = database
        self._file = f" ({file})" if file else ""

    def record(
        self,
        signature: KernelSignature,
        sketch: str,
        point: dict[str, int | str],
        created: str = "",
    ) -> None:
        """Keep the best point of a kernel; it replaces an older one of its shape."""
        created = created or datetime.now(UTC).isoformat(timespec="seconds")
        extents = json.dumps(signature.extents)
        with self._database.writing() as connection:
            connection.execute(_TABLE)
            connection.execute(
                _INSERT,
                (
                    signature.target,
                    signature.structure,
                    extents,
                    sketch,
                    json.dumps(point),
                    created,
                ),
            )

    def all(self) -> list[PlannedKernel]:
        """Every recorded kernel, oldest first."""
        if not self._database.select(_EXISTS, ()):
            return []
        found: list[PlannedKernel] = []
        for row in self._database.select(_SELECT_ALL, ()):
            read = _read(row["extents"], row["sketch"], row["point"], row["created"])
            if read is not None:
                signature = KernelSignature(
                    row["target"], row["structure"], tuple(read[0])
                )
                found.append(
                    PlannedKernel(
                        signature,
                        read[1].sketch,
                        {**read[1].point, **read[1].words},
                        row["created"],
                    )
                )
        return found

    def stamp(self) -> str:
        """A hash of all points, which changes when one is recorded."""
        if not self._database.select(_EXISTS, ()):
            return ""
        rows = self._database.select(_SELECT_ALL, ())
        return text_hash("\n".join(repr(tuple(row)) for row in rows))

    def has(self, wanted: KernelSignature) -> bool:
        """Whether a point of this very shape is recorded."""
        if not self._database.select(_EXISTS, ()):
            return False
        rows = self._database.select(_SELECT, (wanted.target, wanted.structure))
        return any(row["extents"] == json.dumps(wanted.extents) for row in rows)

    def __call__(self, wanted: KernelSignature) -> RecordedPoint | None:
        """The recorded point of the nearest shape, if one is near enough."""
        if not self._database.select(_EXISTS, ()):
            return None
        rows = self._database.select(_SELECT, (wanted.target, wanted.structure))
        nearest: tuple[float, RecordedPoint] | None = None
        for row in rows:
            read = _read(row["extents"], row["sketch"], row["point"], row["created"])
            if read is None:
                continue
            extents, found = read
            distance = size_distance(wanted.extents, extents, FURTHEST_KERNEL)
            if distance is not None and (nearest is None or distance < nearest[0]):
                nearest = distance, found
        if nearest is None:
            return None
        distance, found = nearest
        source = found.source + self._file
        return replace(found, source=source, is_of_this_shape=distance == 0)


def _read(
    extents: str, sketch: str, point: str, created: str
) -> tuple[list[int], RecordedPoint] | None:
    """A row as a shape and a point; None if it is damaged."""
    try:
        shape: Any = json.loads(extents)
        values: Any = json.loads(point)
    except ValueError:
        return None
    if not isinstance(shape, list) or not isinstance(values, dict):
        return None
    if any(type(each) is not int for each in shape):
        return None
    numbers = {name: each for name, each in values.items() if type(each) is int}
    words = {name: each for name, each in values.items() if type(each) is str}
    if len(numbers) + len(words) < len(values):
        return None
    sizes = "x".join(map(str, shape))
    source = f"tuned on {created[:10]} at {sizes}"
    return shape, RecordedPoint(sketch, numbers, source, words)
