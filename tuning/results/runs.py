"""Tuning runs as a results file has them: what was tried, when, and every sample.

The functions here and in `reader.py` are what other parts read a results file by.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from tilewright.tuning.results import checked_values as checked
from tilewright.tuning.results.records import Record, Setting
from tilewright.tuning.results.tuning_result import Origin

if TYPE_CHECKING:
    from tilewright.tuning.space.choices import Point

Ending: TypeAlias = Literal["", "finished", "interrupted", "failed"]
"""How a run ended; empty while it is under way, and where it was killed."""

SampleKind: TypeAlias = Literal["trial", "final"]
"""A trial is timed on its own; a final round times programs in turn."""

ALL_SIZES = -1
"""The size of samples that are geometric means over all sizes."""


@dataclass(frozen=True)
class Run:
    """One tuning run over one payload and one schedule on one device."""

    number: int
    """In the file; 0 for results that belong to no run: older and imported ones."""
    setting: Setting
    measured: bool
    """False where the times are the cost model's."""
    strategy: str = ""
    seed: int = 0
    command: str = ""
    """The command line; empty for a run from Python."""
    started: str = ""
    """UTC, ISO 8601; of the oldest record, for results that belong to no run."""
    ending: Ending = ""
    wall_seconds: float | None = None
    """None where the run has not ended; `RunTrial.at_seconds` has what is known."""
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    """Where the time went, by stage (`tuning_result.STAGES`)."""

    @property
    def is_recorded(self) -> bool:
        """Whether the file knows the run, or only its results."""
        return self.number > 0


@dataclass(frozen=True)
class RunTrial:
    """A trial of a run, and its record."""

    number: int
    """In the order in which points were proposed."""
    point: Point
    """By the names of this run's schedule; the record may have older names."""
    record: Record
    origin: Origin
    at_seconds: float | None = None
    """When it ended, from the start of the command; None for older records."""
    estimate: float | None = None
    """The cost model's milliseconds, where the program was compiled in the run."""
    place: int = 0
    """The number of the record in the file."""

    @property
    def milliseconds(self) -> float | None:
        """The trial's median, without the final round; None where it failed."""
        return self.record.p50 if self.record.outcome == "ok" else None


@dataclass(frozen=True)
class Samples:
    """The milliseconds of every repetition of one timing, in the order of the calls."""

    kind: SampleKind
    size: int
    """Which of the timed sizes, from 0; `ALL_SIZES`: the mean over all."""
    milliseconds: tuple[float, ...]
    run: int
    """The number of the run that took them."""
    created: str


def packed(milliseconds: tuple[float, ...]) -> bytes:
    """Samples as 32-bit little-endian floats: a clock has fewer digits than these."""
    return _little_endian(array("f", milliseconds)).tobytes()


def unpacked(data: bytes) -> tuple[float, ...]:
    """The samples that `packed` wrote; raises `ValueError` for other bytes."""
    values = array("f")
    values.frombytes(data)
    return tuple(_little_endian(values))


def run_from_data(data: Mapping[str, Any], setting: Setting) -> Run:
    """A run as plain data; raises `BadRow` for a wrong type."""
    return Run(
        checked.whole_number(data.get("number")),
        setting,
        checked.flag(data.get("measured")),
        checked.plain_text(data.get("strategy"), "the strategy"),
        checked.whole_number(data.get("seed")),
        checked.plain_text(data.get("command"), "the command"),
        checked.plain_text(data.get("started"), "the start"),
        checked.one_of(data.get("ending"), get_args(Ending)),
        checked.optional_time(data.get("wall_seconds")),
        {
            checked.plain_text(stage, "a stage"): checked.a_number(value)
            for stage, value in checked.table(data.get("seconds"), "seconds").items()
        },
    )


def trial_from_data(data: Mapping[str, Any], record: Record, place: int) -> RunTrial:
    """A trial as plain data; raises `BadRow` for a wrong type."""
    return RunTrial(
        checked.whole_number(data.get("number")),
        {
            checked.plain_text(name, "a choice"): checked.choice_value(value)
            for name, value in checked.table(data.get("point"), "point").items()
        },
        record,
        checked.one_of(data.get("origin"), get_args(Origin)),
        checked.optional_time(data.get("at_seconds")),
        checked.optional_time(data.get("estimate")),
        place,
    )


def samples_from_data(
    data: Mapping[str, Any], milliseconds: tuple[float, ...]
) -> Samples:
    """The samples of a timing; raises `BadRow` for a wrong type."""
    return Samples(
        checked.one_of(data.get("kind"), get_args(SampleKind)),
        checked.whole_number(data.get("size")),
        tuple(map(checked.a_time, milliseconds)),
        checked.whole_number(data.get("run")),
        checked.plain_text(data.get("created"), "the time"),
    )


def _little_endian(values: array[float]) -> array[float]:
    if sys.byteorder == "big":
        values.byteswap()
    return values
