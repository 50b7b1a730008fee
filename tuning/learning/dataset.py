"""The data set: measured programs as examples, read from a results file.

A *space* is a payload with a schedule, sizes and a device: examples of one space differ
only in their points, and can be ranked against each other. A *family* has payloads that
differ only in their sizes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.tuning.learning.features import ESTIMATE, VERSION

if TYPE_CHECKING:
    from tilewright.tuning.results.database import Database
    from tilewright.tuning.results.records import Record, Setting
    from tilewright.tuning.space.choices import Point


@dataclass(frozen=True)
class Origin:
    """The space of an example, and the larger groups that the space is in."""

    space: str
    family: str
    device: str
    schedule: str = ""
    """Points of equal schedules have equal meanings."""

    @staticmethod
    def of(setting: Setting) -> Origin:
        """The origin of records with this setting."""
        parts = (setting.payload, setting.schedule, setting.sizes, setting.device)
        family = setting.family or setting.payload
        return Origin("/".join(parts), family, setting.device, setting.schedule)


@dataclass(frozen=True)
class Example:
    """A program that ran, and its time."""

    origin: Origin
    point: Point
    features: Mapping[str, float]
    milliseconds: float


def example_of(record: Record) -> Example | None:
    """A record as an example; None where it has no time or no features.

    Features of another version are not comparable. The median of the trial counts, not
    that of the final round: only a few records have the latter.
    """
    features, time = record.features, record.p50
    if record.outcome != "ok" or not time:
        return None
    if features.get("version") != VERSION or features.get(ESTIMATE, 0.0) <= 0:
        return None
    return Example(Origin.of(record.setting), record.point, features, time)


def examples_of(records: Iterable[Record]) -> list[Example]:
    """The records that a model can learn from; one for each program of a space."""
    kept: dict[tuple[str, str], Example] = {}
    for record in records:
        example = example_of(record)
        if example is not None:
            kept[example.origin.space, record.program] = example
    return list(kept.values())


def load(database: Database, setting: Setting, *, measured: bool) -> list[Example]:
    """The examples for a run: its own space first, then near shapes, then its device.

    Estimates and measurements are not mixed.
    """
    # Examples that a model is trained on: more take over a second.
    records = database.learnable(setting, measured=measured, limit=3000)
    return examples_of(reversed(records))
