"""Tuning runs as a results file has them: what was tried, when, and every sample.

The functions here and in `reader.py` are what other parts read a results file by.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from tilewright.tuning.results.records import Record, Setting

if TYPE_CHECKING:
    from tilewright.tuning.results.tuning_result import Origin
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


def _little_endian(values: array[float]) -> array[float]:
    import sys

    if sys.byteorder == "big":
        values.byteswap()
    return values
