"""A recorded space: a payload, a schedule, and the results of its points.

The file is JSON, compressed by xz. It holds columns, not rows: a column of equal or
similar values compresses well. A point has a number for each choice, the position of
the option that it takes, or null where the choice is not open.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.replay.listed_space import listed_space
from tilewright.tuning.space.choices import Point, canonical
from tilewright.tuning.space.read import read_space
from tilewright.tuning.space.space import Space
from tilewright.tuning.transfer.nearness import ESTIMATE

FORMAT = "tilewright recorded space"
VERSION = 1
SUFFIX = ".space.xz"
SAMPLES = 31
"""Launches of a point that a file keeps: enough for the distribution."""
_MLIR = ("module", "builtin.module")
"""How a schedule in MLIR begins."""


@dataclass(frozen=True)
class RecordedPoint:
    """The result of one point."""

    point: Point
    outcome: str
    """As in a results file: `ok`, `invalid`, `pruned`, ..."""
    program: str = ""
    """Equal for points that give the same program; empty where none was generated."""
    p20: float | None = None
    p50: float | None = None
    p80: float | None = None
    """Milliseconds."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage: transform, emit, compile, check, warm-up, time."""
    estimate: float | None = None
    """The cost model's milliseconds, without the compiler's report."""
    description: Mapping[str, float] = field(default_factory=dict)
    """The features of the program, by name."""
    error: str = ""
    """Why the point failed; empty in older recordings."""
    samples: tuple[float, ...] = ()
    """The milliseconds of single launches, sorted; empty where they were not kept."""
    clear_ms: float | None = None
    """Milliseconds of clearing the L2 cache before a launch; None if unknown."""

    @property
    def milliseconds(self) -> float | None:
        """The median; None where the point did not run."""
        return self.p50 if self.outcome == "ok" else None


@dataclass(frozen=True)
class RecordedSpace:
    """All that a replay needs."""

    name: str
    payload: str
    """MLIR."""
    schedule: str
    """The schedule with its choices open, in the `.tw` language or MLIR; empty where a
    space has no schedule: then it is the recorded points."""
    device: str
    versions: str
    points: tuple[RecordedPoint, ...]

    @cached_property
    def space(self) -> Space:
        """The search space of the schedule, or of the points."""
        if not self.schedule:
            return listed_space(self.name, [one.point for one in self.points])
        kind = "mlir" if self.schedule.startswith(_MLIR) else "tw"
        parsed = Schedule.from_text(self.schedule, f"{self.name}.{kind}")
        return read_space(parsed.module)

    @cached_property
    def by_point(self) -> Mapping[str, RecordedPoint]:
        """The recorded points by `canonical(point)`."""
        return {canonical(one.point): one for one in self.points}

    @cached_property
    def best(self) -> RecordedPoint:
        """The fastest point."""
        worked = [one for one in self.points if one.milliseconds is not None]
        if not worked:
            raise UserError(f"recorded space '{self.name}' has no point that works")
        return min(worked, key=lambda one: one.milliseconds or 0.0)

    @property
    def is_estimated(self) -> bool:
        """Whether its times are the cost model's, of runs without a GPU."""
        return self.device.endswith(ESTIMATE)

    @property
    def is_complete(self) -> bool:
        """Whether every valid point is recorded."""
        return self.space.is_exact() and len(self.by_point) == self.space.count_valid()

    def save(self, path: Path) -> None:
        """Write the file; it has the schedule, so a space without one has no file."""
        if not self.schedule:
            raise UserError(f"recorded space '{self.name}' has no schedule to save")
        text = json.dumps(self._as_json(), separators=(",", ":"))
        path.write_bytes(lzma.compress(text.encode(), preset=9))

    @staticmethod
    def load(path: Path) -> RecordedSpace:
        """Read a file that `save` wrote."""
        try:
            data = json.loads(lzma.decompress(path.read_bytes()))
            if data["format"] != FORMAT or data["version"] != VERSION:
                raise ValueError(f"version {data['version']} is not {VERSION}")
            return _from_json(data)
        except (lzma.LZMAError, ValueError, KeyError, TypeError, IndexError) as error:
            raise UserError(
                f"{path}: not a recorded space: {error}",
                remedy="record it again with benchmarks/search/record_spaces.py",
            ) from error

    def _as_json(self) -> dict[str, Any]:
        choices = self.space.choices
        programs = {
            p: n for n, p in enumerate(_different(o.program for o in self.points))
        }
        stages = _different(s for one in self.points for s in one.seconds)
        features = _different(f for one in self.points for f in one.description)
        errors = _different(one.error for one in self.points if one.error)
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "payload": self.payload,
            "schedule": self.schedule,
            "device": self.device,
            "versions": self.versions,
            "points": {
                name: [
                    choice.options.index(one.point[name]) if name in one.point else None
                    for one in self.points
                ]
                for name, choice in choices.items()
            },
            "outcome": [one.outcome for one in self.points],
            "program": [
                programs[one.program] if one.program else None for one in self.points
            ],
            **{
                name: [_rounded(getattr(one, name)) for one in self.points]
                for name in ("p20", "p50", "p80", "estimate")
            },
            "seconds": {
                stage: [_rounded(one.seconds.get(stage), 3) for one in self.points]
                for stage in stages
            },
            "description": {
                name: [_rounded(one.description.get(name)) for one in self.points]
                for name in features
            },
            "errors": errors,
            "error": [
                errors.index(one.error) if one.error else None for one in self.points
            ],
            "samples": [
                [_rounded(ms) for ms in _thinned(one.samples)] for one in self.points
            ],
        }


def _from_json(data: Mapping[str, Any]) -> RecordedSpace:
    found = RecordedSpace(
        data["name"],
        data["payload"],
        data["schedule"],
        data["device"],
        data["versions"],
        (),
    )
    choices = found.space.choices
    points: list[RecordedPoint] = []
    reasons = data.get("error")
    samples = data.get("samples")
    for row, outcome in enumerate(data["outcome"]):
        point = {
            name: choices[name].options[column[row]]
            for name, column in data["points"].items()
            if column[row] is not None
        }
        program = data["program"][row]
        error = None if reasons is None else reasons[row]
        points.append(
            RecordedPoint(
                point,
                outcome,
                "" if program is None else str(program),
                data["p20"][row],
                data["p50"][row],
                data["p80"][row],
                _row(data["seconds"], row),
                data["estimate"][row],
                _row(data["description"], row),
                "" if error is None else data["errors"][error],
                () if samples is None else tuple(samples[row]),
            )
        )
    return RecordedSpace(
        found.name,
        found.payload,
        found.schedule,
        found.device,
        found.versions,
        tuple(points),
    )


def _row(columns: Mapping[str, Sequence[float | None]], row: int) -> dict[str, float]:
    values = ((name, column[row]) for name, column in columns.items())
    return {name: value for name, value in values if value is not None}


def _thinned(samples: Sequence[float]) -> Sequence[float]:
    """At most `SAMPLES` of sorted samples, at even distances, the middle among them."""
    if len(samples) <= SAMPLES:
        return samples
    step = (len(samples) - 1) / (SAMPLES - 1)
    return [samples[round(place * step)] for place in range(SAMPLES)]


def _different(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _rounded(value: float | None, digits: int = 5) -> float | None:
    """The value with few significant digits: the rest is noise, and takes space."""
    return None if value is None else float(f"{value:.{digits}g}")
