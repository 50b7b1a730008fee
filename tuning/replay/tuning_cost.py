"""A recording of the study of tuning cost as recorded spaces without a schedule.

Every input and size of the L2 clear is one; so is the space that is recorded in full.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
from tilewright.tuning.replay.study.recording import (
    SUFFIXES,
    Input,
    Pool,
    StudyRecording,
    Timing,
)
from tilewright.tuning.space.choices import Point

__all__ = ["SUFFIXES", "Input", "TuningCost"]


@dataclass(frozen=True)
class TuningCost:
    """The launches of a recording, by input and clear."""

    recording: StudyRecording

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.recording.name

    @property
    def device(self) -> str:
        """The GPU."""
        return self.recording.device

    @property
    def versions(self) -> str:
        """Of torch and Triton."""
        return self.recording.versions

    @property
    def configurations(self) -> tuple[Point, ...]:
        """The configurations of the study."""
        known = self.recording.configurations
        return tuple(known[number] for number in self.recording.drawn)

    @property
    def failures(self) -> Mapping[int, str]:
        """The reasons, by the number of the configuration."""
        return self.recording.invalid

    @property
    def pools(self) -> tuple[Pool, ...]:
        """Pools that compiled the configurations of the study."""
        drawn = set(self.recording.drawn)
        return tuple(p for p in self.recording.pools if set(p.seconds) <= drawn)

    @property
    def clear_us(self) -> Mapping[int, float]:
        """The microseconds of an L2 clear, by its bytes."""
        return self.recording.clear_us

    @property
    def study_clear(self) -> int:
        """Bytes of the clear that winners are judged with."""
        return self.recording.study_clear

    @property
    def missing(self) -> int:
        """Timings that were planned and not made."""
        return len(self.recording.missing)

    @property
    def compile_seconds(self) -> Mapping[int, float]:
        """The seconds of compiling each configuration alone, or nearly."""
        return self.recording.compile_seconds

    def speedup(self, pool: Pool) -> float:
        """How many times sooner a pool was done than one process would have been."""
        return self.recording.speedup(pool)

    @cached_property
    def launches(self) -> Mapping[tuple[Input, int], Mapping[int, tuple[float, ...]]]:
        """Sorted microseconds, by input and bytes of the clear, by configuration.

        Of whole sets of configurations only.
        """
        return {
            (one.extents, one.clear_bytes): {
                number: _sorted(timing) for number, timing in one.found.items()
            }
            for one in self.recording.timings
            if one.part == "study" or (one.part == "clears" and self._is_first_version)
        }

    @property
    def _is_first_version(self) -> bool:
        return self.recording.version == 1

    def spaces(self) -> list[RecordedSpace]:
        """A recorded space for each input and clear, and that recorded in full."""
        found = [self.space(extents, clear) for extents, clear in self.launches]
        full = self.recording.full_space
        if full is not None:
            size = "x".join(map(str, full.extents))
            name = f"{size}, the full space"
            recorded = {number: _sorted(one) for number, one in full.found.items()}
            numbers = self.recording.full
            found.append(self._space(name, numbers, recorded, full.clear_bytes))
        return found

    def space(self, extents: Input, clear: int) -> RecordedSpace:
        """One of them."""
        size = "x".join(map(str, extents))
        name = f"{size}, clear of {clear / (1 << 20):.3g} MB"
        return self._space(
            name, self.recording.drawn, self.launches[extents, clear], clear
        )

    def _space(
        self,
        name: str,
        numbers: Sequence[int],
        found: Mapping[int, Sequence[float]],
        clear: int,
    ) -> RecordedSpace:
        points = [
            self._point(number, found.get(number), clear)
            for number in numbers
            if number in found or number in self.recording.failures
        ]
        return RecordedSpace(name, "", "", self.device, self.versions, tuple(points))

    def _point(
        self, number: int, launches: Sequence[float] | None, clear: int
    ) -> RecordedPoint:
        point = dict(self.recording.configurations[number])
        seconds = {"compile": self.compile_seconds.get(number, 0.0)}
        if launches is None:
            error = self.recording.failures.get(number, "")
            outcome = "compile_error"
            return RecordedPoint(point, outcome, seconds=seconds, error=error)
        clear_ms = self.clear_us.get(clear, 0.0) / 1e3
        samples = tuple(one / 1e3 for one in launches)
        seconds["time"] = sum(samples) / 1e3 + len(samples) * clear_ms / 1e3
        return RecordedPoint(
            point,
            "ok",
            str(number),
            p20=_quantile(samples, 0.2),
            p50=_quantile(samples, 0.5),
            p80=_quantile(samples, 0.8),
            seconds=seconds,
            samples=samples,
            clear_ms=clear_ms,
        )

    @staticmethod
    def load(path: Path) -> TuningCost:
        """Read a file that `record.py` wrote."""
        return TuningCost(StudyRecording.load(path))


def _sorted(timing: Timing) -> tuple[float, ...]:
    return tuple(np.sort(timing.samples_us).tolist())


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
