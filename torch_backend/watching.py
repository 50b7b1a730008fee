"""Tells tools which segments are lowered while they watch; nobody watches usually.

with watching() as segments:
    ...      # compile and call models
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from tilewright.torch_backend.lowering.lower import Lowered
from tilewright.torch_backend.partition.segments import Segment
from tilewright.torch_backend.report import Report


@dataclass(frozen=True)
class LoweredSegment:
    """A segment of a graph and its payload, which is compiled next."""

    report: Report
    """The report of its graph; of the graph's last attempt, if it was cut again."""
    name: str
    segment: Segment
    lowered: Lowered


_listeners: list[list[LoweredSegment]] = []
"""Lists to append to; of the whole process, since autograd compiles in its threads."""


@contextmanager
def watching() -> Generator[list[LoweredSegment]]:
    """Collect the segments that are lowered meanwhile."""
    found: list[LoweredSegment] = []
    _listeners.append(found)
    try:
        yield found
    finally:
        _listeners.pop()


def tell(segment: LoweredSegment) -> None:
    """Tell the tools that watch."""
    for found in _listeners:
        found.append(segment)


def is_watched() -> bool:
    """Whether a tool watches."""
    return bool(_listeners)
