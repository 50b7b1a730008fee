"""The device time of named ranges, from a trace of torch's profiler.

A kernel belongs to the range in which the host launched it. The trace has both: the
kernel and the call of the driver that launched it share a correlation number, and the
call lies inside a range on its thread. (The profiler's own sums, `device_time_total`,
count a kernel for the ATen op around its launch. Triton's launches have none inside of
a range, so that their time goes elsewhere.)
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_ON_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
_LAUNCHES = ("cuda_runtime", "cuda_driver")
_RANGE = "user_annotation"

Event = Mapping[str, Any]
"""An event of a Chrome trace."""


@dataclass
class Range:
    """A range of a host's thread."""

    name: str
    host_microseconds: float
    outer: Range | None = None
    """The range around it."""
    device_microseconds: float = 0.0
    """Of what was launched in it, but not in a range inside of it."""
    launched: list[str] = field(default_factory=list[str])
    """The kernels, copies and fills."""


@dataclass(frozen=True)
class DeviceTimes:
    """The ranges of a trace, in the order of their begins."""

    ranges: tuple[Range, ...]
    device_microseconds: float
    """Of all kernels, copies and fills in the trace."""
    unlinked: tuple[str, ...] = ()
    """Those whose launch the trace does not have, or that lie in no range."""


def read_trace(path: Path) -> list[Event]:
    """The events of a trace that `export_chrome_trace` wrote."""
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return json.loads(text)["traceEvents"]


def device_times(events: Iterable[Event], prefix: str) -> DeviceTimes:
    """The device time of the ranges whose names start with a prefix."""
    done: dict[int, list[Event]] = defaultdict(list)
    threads: dict[tuple[Any, Any], list[Event]] = defaultdict(list)
    for event in events:
        category = event.get("cat")
        if category in _ON_DEVICE:
            done[_correlation(event)].append(event)
        elif category in _LAUNCHES or (
            category == _RANGE and event["name"].startswith(prefix)
        ):
            threads[event["pid"], event["tid"]].append(event)
    total = sum(float(one["dur"]) for some in done.values() for one in some)
    found: list[tuple[float, Range]] = []
    for some in threads.values():
        found += _ranges(some, done)
    found.sort(key=lambda pair: pair[0])
    left = tuple(one["name"] for some in done.values() for one in some)
    return DeviceTimes(tuple(one for _, one in found), total, left)


def _ranges(
    thread: Sequence[Event], done: dict[int, list[Event]]
) -> list[tuple[float, Range]]:
    """The ranges of a thread, by their begins; what they launched leaves `done`."""
    found: list[tuple[float, Range]] = []
    open_ones: list[tuple[float, Range]] = []
    # The outer one first, of those that begin together.
    for event in sorted(thread, key=lambda one: (one["ts"], -one.get("dur", 0.0))):
        begin = float(event["ts"])
        while open_ones and open_ones[-1][0] <= begin:
            open_ones.pop()
        inner = open_ones[-1][1] if open_ones else None
        if event["cat"] == _RANGE:
            spent = float(event["dur"])
            made = Range(event["name"], spent, inner)
            found.append((begin, made))
            open_ones.append((begin + spent, made))
        elif inner is not None:
            for one in done.pop(_correlation(event), ()):
                inner.device_microseconds += float(one["dur"])
                inner.launched.append(one["name"])
    return found


def _correlation(event: Event) -> int:
    return int(event.get("args", {}).get("correlation", -1))
