"""How far two shapes are apart, and two devices.

Distances are binary logarithms of ratios: twice the size, or twice the bandwidth, is a
distance of one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.codegen.targets import TARGETS, Target
from tilewright.tuning.results.records import UNKNOWN_SIZE

FURTHEST = 4.0
"""The largest ratio between two sizes, or features of devices, that counts as near.

Tiles that suit a size suit those of the same order; at a much smaller one they leave
most multiprocessors without work, and the defaults are the better guess.
"""

ESTIMATE = " (cost model)"
"""Ends the name of a device whose results are estimates."""

OTHER_GENERATION = 2.0
"""The distance between two generations of matrix units and copy engines."""


def size_distance(
    wanted: Sequence[int], other: Sequence[int], furthest: float = FURTHEST
) -> float | None:
    """The mean distance of the sizes; None if one differs by more than `furthest`."""
    if len(wanted) != len(other):
        return None
    distances: list[float] = []
    for one, two in zip(wanted, other, strict=True):
        if one == two:
            distances.append(0.0)
        elif min(one, two) <= UNKNOWN_SIZE or max(one, two) > furthest * min(one, two):
            return None
        else:
            distances.append(abs(math.log2(one / two)))
    return sum(distances) / max(len(distances), 1)


def device_distance(wanted: Target, other: Target) -> float:
    """The mean distance of the features that tile sizes and pipelines depend on."""
    if wanted == other:
        return 0.0
    pairs = (
        (wanted.sms, other.sms),
        (wanted.shared_per_block, other.shared_per_block),
        (wanted.l2_bytes, other.l2_bytes),
        (wanted.hbm_bandwidth, other.hbm_bandwidth),
        (wanted.flops("f16"), other.flops("f16")),
    )
    distance = sum(abs(math.log2(one / two)) for one, two in pairs) / len(pairs)
    if wanted.capability[0] != other.capability[0]:
        distance += OTHER_GENERATION
    return distance


def target_of(device: str) -> Target | None:
    """The card of a device's name in a results file; None if it is not known."""
    words = device.removesuffix(ESTIMATE).lower().replace("-", " ").split()
    return next((card for name, card in TARGETS.items() if name in words), None)
