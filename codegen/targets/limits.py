"""What limits a kernel: the part of the GPU that takes it longest.

Plans, estimates of generated programs and reports use these words.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Limit(StrEnum):
    """A part of the GPU that a kernel may wait for."""

    ARITHMETIC = "arithmetic"
    MEMORY = "memory"
    L2 = "L2"
    SHARED = "shared memory"
    LATENCY = "latency"
    LAUNCH = "launch"


def limit_of(seconds: Mapping[Limit, float]) -> Limit:
    """The part with the longest time."""
    return max(seconds, key=lambda part: seconds[part])
