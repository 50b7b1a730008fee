"""Reads a recording of the study of tuning cost (`benchmarks/tuning_cost/record.py`).

It has the launches of some configurations of one kernel on many inputs, with L2 clears
of several sizes, and the seconds that pools of several sizes took to compile them.
Every input and clear is a recorded space without a schedule.
"""

from __future__ import annotations

import json
import lzma
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tilewright.ir.errors import UserError
from tilewright.tuning.replay.recorded_space import RecordedPoint, RecordedSpace
from tilewright.tuning.space.choices import Point

FORMAT = "tilewright tuning cost"
VERSION = 1
SUFFIX = ".json.xz"
CHOICES = ("BLOCK_M", "BLOCK_N", "BLOCK_K", "num_stages", "num_warps")

Input = tuple[int, int, int]


@dataclass(frozen=True)
class Pool:
    """The compilations of a pool of processes."""

    processes: int
    start_seconds: float
    wall_seconds: float
    seconds: Mapping[int, float]
    """By the number of the configuration; some may be missing."""


@dataclass(frozen=True)
class TuningCost:
    """A recording of the study."""

    name: str
    device: str
    versions: str
    configurations: tuple[Point, ...]
    failures: Mapping[int, str]
    """The reasons, by the number of the configuration."""
    pools: tuple[Pool, ...]
    clear_us: Mapping[int, float]
    """The microseconds of an L2 clear, by its bytes."""
    launches: Mapping[tuple[Input, int], Mapping[int, tuple[float, ...]]]
    """Sorted microseconds, by input and bytes of the clear, by configuration."""
    missing: int
    """Timings that were planned and not made."""

    @cached_property
    def compile_seconds(self) -> Mapping[int, float]:
        """The seconds of compiling each configuration alone, or nearly.

        Where the pool of one process did not reach a configuration, the seconds are
        those of the largest complete pool, divided by how much slower that one was.
        """
        alone = min(self.pools, key=lambda pool: pool.processes)
        whole = max(self.pools, key=lambda pool: len(pool.seconds))
        shared = [n for n in whole.seconds if n in alone.seconds]
        factor = 1.0
        if shared:
            factor = statistics.median(
                alone.seconds[n] / whole.seconds[n] for n in shared
            )
        return {
            number: alone.seconds.get(number, factor * seconds)
            for number, seconds in whole.seconds.items()
        }

    def speedup(self, pool: Pool) -> float:
        """How many times sooner a pool was done than one process would have been."""
        alone = sum(self.compile_seconds[number] for number in pool.seconds)
        return alone / pool.wall_seconds if pool.wall_seconds else 1.0

    def spaces(self) -> list[RecordedSpace]:
        """A recorded space for each input and size of the L2 clear."""
        return [self.space(extents, clear) for extents, clear in self.launches]

    def space(self, extents: Input, clear: int) -> RecordedSpace:
        """One of them."""
        found = self.launches[extents, clear]
        points = [
            self._point(number, found.get(number), clear)
            for number in range(len(self.configurations))
            if number in found or number in self.failures
        ]
        size = "x".join(map(str, extents))
        name = f"{size}, clear of {clear / (1 << 20):.3g} MB"
        return RecordedSpace(name, "", "", self.device, self.versions, tuple(points))

    def _point(
        self, number: int, launches: Sequence[float] | None, clear: int
    ) -> RecordedPoint:
        point = dict(self.configurations[number])
        seconds = {"compile": self.compile_seconds.get(number, 0.0)}
        if launches is None:
            error = self.failures.get(number, "")
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
        try:
            data = json.loads(lzma.decompress(path.read_bytes()))
            if data["format"] != FORMAT or data["version"] != VERSION:
                raise ValueError(f"version {data['version']} is not {VERSION}")
            return _from_json(path.name.removesuffix(SUFFIX), data)
        except (lzma.LZMAError, ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"{path}: not a recording of tuning cost: {error}",
                remedy="record it again with benchmarks/tuning_cost/record.py",
            ) from error


def _from_json(name: str, data: Mapping[str, Any]) -> TuningCost:
    environment = data["environment"]
    launches: dict[tuple[Input, int], dict[int, tuple[float, ...]]] = {}
    for one in data["measurements"]:
        m, n, k = one["input"]
        known = launches.setdefault(((m, n, k), one["clear_bytes"]), {})
        for number, samples in enumerate(one["samples_us"]):
            if samples:
                more = [float(us) for us in samples]
                known[number] = tuple(sorted([*known.get(number, ()), *more]))
    return TuningCost(
        name,
        environment["gpu"] or "no GPU",
        f"torch {environment['torch']}, triton {environment['triton']}",
        tuple({c: one[c] for c in CHOICES} for one in data["configurations"]),
        {
            number: one["failure"]
            for number, one in enumerate(data["configurations"])
            if one["failure"]
        },
        tuple(
            Pool(
                pool["processes"],
                pool["start_seconds"],
                pool["wall_seconds"],
                {int(number): s for number, s in pool["seconds"].items()},
            )
            for pool in data["compiling"]
            if pool["seconds"]
        ),
        {int(size): us for size, us in data["clear_us"].items()},
        launches,
        len(data["missing"]),
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
