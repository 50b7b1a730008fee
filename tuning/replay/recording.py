"""Makes a recorded space from the records of a results file.

Estimates and descriptions need no GPU: `described` builds every point again, here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tilewright.tuning.learning.features import ESTIMATE, FITS, VERSION
from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
from tilewright.tuning.results.records import Record
from tilewright.tuning.search.guide import Guide
from tilewright.tuning.space.choices import canonical

BATCH = 64
"""Points that a guide describes at once."""


def recorded_space(
    name: str,
    payload: str,
    schedule: str,
    records: Sequence[Record],
    samples: Callable[[Record], Sequence[float]] = lambda record: (),
) -> RecordedSpace:
    """A recorded space without estimates; the last record of a point counts.

    Failures of the environment say nothing about a point and are left out. `samples`
    gives the milliseconds of a record's launches.
    """
    kept: dict[str, RecordedPoint] = {}
    for record in records:
        if record.cause == "environment" and record.outcome != "ok":
            continue
        kept[canonical(record.point)] = RecordedPoint(
            record.point,
            record.outcome,
            record.program,
            record.p20,
            record.p50,
            record.p80,
            record.seconds,
            record.features.get(ESTIMATE),
            record.features,
            record.error,
            tuple(sorted(samples(record))) if record.outcome == "ok" else (),
        )
    devices = {record.setting.device for record in records}
    used = {record.setting.versions for record in records}
    versions = {f"torch {one.torch}, triton {one.triton}" for one in used}
    return RecordedSpace(
        name,
        payload,
        schedule,
        ", ".join(sorted(devices)),
        "; ".join(sorted(versions)),
        tuple(kept.values()),
    )


def described(
    recorded: RecordedSpace,
    guide: Guide,
    tell: Callable[[int, int], None] = lambda done, all_points: None,
) -> RecordedSpace:
    """The recorded space with descriptions and estimates of all points.

    The guide describes the points that have no description of this version.
    """
    points: list[RecordedPoint] = []
    for batch in _batches(recorded.points):
        asked = [one for one in batch if not _is_described(one)]
        found = dict(
            zip(map(id, asked), guide.describe([a.point for a in asked]), strict=True)
        )
        for one in batch:
            description = {**one.description, **(found.get(id(one)) or {})}
            fits = description.get(FITS, 0.0) > 0
            estimate = description[ESTIMATE] if fits else None
            points.append(replace(one, estimate=estimate, description=description))
        tell(len(points), len(recorded.points))
    return replace(recorded, points=tuple(points))


def _is_described(one: RecordedPoint) -> bool:
    return one.description.get("version") == VERSION


def _batches(points: Sequence[RecordedPoint]) -> Iterable[Sequence[RecordedPoint]]:
    for first in range(0, len(points), BATCH):
        yield points[first : first + BATCH]
