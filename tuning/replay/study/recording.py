"""Reads a recording of the study of tuning cost (`benchmarks/tuning_cost/record.py`).

Version 2 follows the published protocol and is written line by line; version 1 is one
JSON document, of configurations that were chosen among the valid ones.
"""

from __future__ import annotations

import json
import lzma
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.ir.errors import UserError
from tilewright.tuning.space.choices import Point

FORMAT = "tilewright tuning cost"
SUFFIXES = (".json.xz", ".jsonl.xz")
CHOICES = ("BLOCK_M", "BLOCK_N", "BLOCK_K", "num_stages", "num_warps")
REPETITION_MS, WARM_UP_MS = 100.0, 25.0
"""Milliseconds that the published study asks for."""

Input = tuple[int, int, int]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pool:
    """The compilations of a pool of processes."""

    processes: int
    start_seconds: float
    wall_seconds: float
    seconds: Mapping[int, float]
    """By the number of the configuration; some may be missing."""


@dataclass(frozen=True)
class Timing:
    """The timing of one configuration on one input."""

    samples_us: Floats
    """Every launch, in order."""
    estimate_us: float
    """Of a launch and its clear, by the first launches."""
    wall_seconds: float
    around_seconds: float
    """Of the wall time, what is neither warm-up nor repetitions."""
    warm_up_us: float
    """Of a launch of the warm-up."""
    between_us: float
    """Between two launches: the clear."""

    @cached_property
    def median_us(self) -> float:
        """The median of all launches."""
        return float(np.median(self.samples_us))

    @property
    def asked_launches(self) -> int:
        """How many launches the published repetition time would have had."""
        return max(1, int(REPETITION_MS * 1e3 / self.estimate_us))

    @property
    def overhead_seconds(self) -> float:
        """What the published times would have cost besides the launches themselves."""
        warm_ups = max(1, int(WARM_UP_MS * 1e3 / self.estimate_us))
        both = warm_ups * self.warm_up_us + self.asked_launches * self.between_us
        return self.around_seconds + both / 1e6


@dataclass(frozen=True)
class Timings:
    """Configurations that were timed in the same way on one input."""

    part: str
    """`study`; `full`, of the space that is recorded whole; or `clears`."""
    extents: Input
    clear_bytes: int
    repetition_ms: float | None
    """What was asked for; None where the number of launches was bounded instead."""
    found: Mapping[int, Timing]
    """By the number of the configuration."""


@dataclass(frozen=True)
class KernelTime:
    """The launches of one configuration with a clear and without, on one input."""

    launches: int
    seconds: Mapping[int, float]
    """Of the kernels, by the bytes of the clear."""
    clear_seconds: Mapping[int, float]


@dataclass(frozen=True)
class StudyRecording:
    """A recording of the study."""

    name: str
    device: str
    versions: str
    version: int
    is_dry: bool
    configurations: tuple[Point, ...]
    drawn: tuple[int, ...]
    """Numbers of the configurations of the study."""
    full: tuple[int, ...]
    """Numbers of the configurations of the space that is recorded in full."""
    failures: Mapping[int, str]
    """The reasons, by the number of the configuration."""
    pools: tuple[Pool, ...]
    clear_us: Mapping[int, float]
    """The microseconds of an L2 clear, by its bytes."""
    study_clear: int
    """Bytes of the clear that the study is timed with."""
    timings: tuple[Timings, ...]
    kernels: tuple[KernelTime, ...] = ()
    missing: tuple[str, ...] = ()
    is_ended: bool = True
    """Whether the recorder came to its end."""

    @cached_property
    def study(self) -> Mapping[Input, Mapping[int, Timing]]:
        """The timings of the study, by input and configuration."""
        return {one.extents: one.found for one in self.timings if one.part == "study"}

    @property
    def full_space(self) -> Timings | None:
        """The space that is recorded in full."""
        return next((one for one in self.timings if one.part == "full"), None)

    @property
    def invalid(self) -> Mapping[int, str]:
        """The drawn configurations that do not work."""
        return {n: self.failures[n] for n in self.drawn if n in self.failures}

    @cached_property
    def compile_seconds(self) -> Mapping[int, float]:
        """The seconds of compiling each configuration alone, or nearly.

        Where the pool of one process did not reach a configuration, the seconds are
        those of the pool with the most processes, divided by how much slower that was.
        """
        if not self.pools:
            return {}
        ordered = sorted(self.pools, key=lambda pool: pool.processes)
        alone = ordered[0].seconds
        crowded: dict[int, float] = {}
        for pool in ordered[1:]:
            crowded |= pool.seconds
        factors = [alone[n] / crowded[n] for n in crowded if n in alone]
        factor = statistics.median(factors) if factors else 1.0
        return {
            **{number: factor * seconds for number, seconds in crowded.items()},
            **alone,
        }

    def speedup(self, pool: Pool) -> float:
        """How many times sooner a pool was done than one process would have been."""
        alone = sum(self.compile_seconds[number] for number in pool.seconds)
        return alone / pool.wall_seconds if pool.wall_seconds else 1.0

    @staticmethod
    def load(path: Path) -> StudyRecording:
        """Read a file that `record.py` wrote."""
        name = path.name
        for suffix in SUFFIXES:
            name = name.removesuffix(suffix)
        try:
            first, *others = _lines(path)
            if first["format"] != FORMAT or first["version"] not in (1, 2):
                raise ValueError(f"version {first['version']} is not 1 or 2")
            if first["version"] == 1:
                return _from_document(name, first)
            return _Reader(name, first).read(others)
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from error
        except (
            lzma.LZMAError,
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
        ) as error:
            raise UserError(
                f"{path}: not a recording of tuning cost: {error}",
                remedy="record it again with benchmarks/tuning_cost/record.py",
            ) from error


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file; a line that was cut short ends them."""
    with lzma.open(path) as file:
        try:
            for line in file:
                yield json.loads(line)
        except EOFError:
            return


@dataclass
class _Reader:
    """Collects the lines of version 2."""

    name: str
    header: Mapping[str, Any]
    failures: dict[int, str] = field(default_factory=dict)
    pools: list[Pool] = field(default_factory=list)
    timings: list[Timings] = field(default_factory=list)
    kernels: list[KernelTime] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    study_clear: int = 0
    is_ended: bool = False

    def read(self, lines: Sequence[Mapping[str, Any]]) -> StudyRecording:
        """All lines behind the header."""
        for line in lines:
            self._add(line)
        header = self.header
        return StudyRecording(
            self.name,
            *_where(header["environment"]),
            2,
            bool(header["dry"]),
            tuple({c: one[c] for c in CHOICES} for one in header["configurations"]),
            tuple(header["drawn"]),
            tuple(header["full"]),
            self.failures,
            tuple(pool for pool in self.pools if pool.seconds),
            self._clear_us(),
            self.study_clear,
            tuple(self.timings),
            tuple(self.kernels),
            tuple(self.missing),
            self.is_ended,
        )

    def _add(self, line: Mapping[str, Any]) -> None:
        match line["kind"]:
            case "pool":
                self.pools.append(_pool(line))
                for number, one in line["resources"].items():
                    if "failure" in one:
                        self.failures.setdefault(int(number), one["failure"])
            case "clears":
                self.study_clear = line["study_bytes"]
            case "failures":
                self.failures |= {int(n): e for n, e in line["failures"].items()}
            case "timings":
                self.timings.append(_timings(line))
            case "kernels":
                self.kernels.append(_kernel_time(line))
            case "end":
                self.missing += line["missing"]
                self.is_ended = True
            case other:
                raise ValueError(f"a line of the unknown kind '{other}'")

    def _clear_us(self) -> dict[int, float]:
        """Of each size of clear: the least time between two launches."""
        found: dict[int, list[float]] = {}
        for timings in self.timings:
            each = found.setdefault(timings.clear_bytes, [])
            each += [one.between_us for one in timings.found.values()]
        return {
            size: float(np.median(each)) if size else 0.0
            for size, each in sorted(found.items())
        }


def _where(environment: Mapping[str, Any]) -> tuple[str, str]:
    versions = f"torch {environment['torch']}, triton {environment['triton']}"
    return environment["gpu"] or "no GPU", versions


def _pool(data: Mapping[str, Any]) -> Pool:
    return Pool(
        data["processes"],
        data["start_seconds"],
        data["wall_seconds"],
        {int(number): float(s) for number, s in data["seconds"].items()},
    )


def _timings(line: Mapping[str, Any]) -> Timings:
    m, n, k = line["input"]
    found: dict[int, Timing] = {}
    for place, number in enumerate(line["numbers"]):
        samples = np.array(line["samples_us"][place], dtype=float)
        estimate = max(float(line["estimate_us"][place]), 1e-3)
        warm_up = float(line["warm_up_seconds"][place])
        repetition = float(line["repetition_seconds"][place])
        wall = float(line["wall_seconds"][place])
        warm_ups = max(1, int(line["warm_up_ms"] * 1e3 / estimate))
        between = max(repetition * 1e6 - float(samples.sum()), 0.0) / len(samples)
        found[number] = Timing(
            samples,
            estimate,
            wall,
            max(wall - warm_up - repetition, 0.0),
            warm_up * 1e6 / warm_ups,
            between,
        )
    return Timings(
        line["part"], (m, n, k), line["clear_bytes"], line["repetition_ms"], found
    )


def _kernel_time(line: Mapping[str, Any]) -> KernelTime:
    return KernelTime(
        line["launches"],
        {int(size): float(s) for size, s in line["seconds"].items()},
        {int(size): float(s) for size, s in line["clear_seconds"].items()},
    )


def _from_document(name: str, data: Mapping[str, Any]) -> StudyRecording:
    """Version 1: the study is what was timed with a clear of the card's size."""
    clear_us = {int(size): float(us) for size, us in data["clear_us"].items()}
    sizes = sorted(clear_us)
    study_clear = sizes[1] if len(sizes) > 1 else sizes[0]
    merged: dict[tuple[Input, int], dict[int, Timing]] = {}
    for one in data["measurements"]:
        m, n, k = one["input"]
        clear = one["clear_bytes"]
        found = merged.setdefault(((m, n, k), clear), {})
        walls = one.get("wall_seconds") or [None] * len(one["samples_us"])
        for number, samples in enumerate(one["samples_us"]):
            if samples:
                known = found.get(number)
                found[number] = _bounded(samples, walls[number], clear_us[clear], known)
    count = len(data["configurations"])
    return StudyRecording(
        name,
        *_where(data["environment"]),
        1,
        bool(data.get("dry", False)),
        tuple({c: one[c] for c in CHOICES} for one in data["configurations"]),
        tuple(range(count)),
        (),
        {n: e for n, one in enumerate(data["configurations"]) if (e := one["failure"])},
        tuple(_pool(pool) for pool in data["compiling"] if pool["seconds"]),
        clear_us,
        study_clear,
        tuple(
            Timings(
                "study" if clear == study_clear else "clears",
                extents,
                clear,
                None,
                found,
            )
            for (extents, clear), found in merged.items()
        ),
        missing=tuple(str(one) for one in data["missing"]),
    )


def _bounded(
    samples_us: Sequence[float],
    wall_seconds: float | None,
    clear_us: float,
    before: Timing | None,
) -> Timing:
    """A timing of version 1: some launches, without a warm-up of so many seconds."""
    samples = np.array(samples_us, dtype=float)
    timed = (float(samples.sum()) + len(samples) * clear_us) / 1e6
    wall = timed if wall_seconds is None else wall_seconds
    if before is not None:
        samples = np.concatenate([before.samples_us, samples])
    median = float(np.median(samples))
    around = max(wall - timed, 0.0)
    return Timing(samples, median + clear_us, wall, around, median, clear_us)
