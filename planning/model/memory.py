"""The time of a kernel that memory limits: bytes, and how many are in flight."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.codegen.targets import Target

LAUNCH_SECONDS = 2.5e-6
"""The shortest kernel."""
HBM_SHARE = 0.88
"""The share of the memory's bandwidth that a good kernel reaches."""

HALF_IN_FLIGHT = 4_000
"""Bytes in flight on a multiprocessor that reach half of the bandwidth."""
HALF_RESIDENT = 3.2
"""Warps on a multiprocessor that keep memory busy half of the time: a warp that waits
for its data, or combines it, asks for none."""
PEAK_SHARE = 0.95
"""The share of the memory's bandwidth that is reached with all of that in flight."""
WIDE_THREAD = 64
"""Bytes that a thread moves at once without delaying the ones after it."""


def memory_seconds(moved: int, programs: int, tile_bytes: int, target: Target) -> float:
    """The time to move some bytes by programs that each hold a tile.

    A multiprocessor needs some 40 KB in flight; small grids leave some idle.
    """
    busy = min(1.0, programs / target.sms)
    in_flight = min(1.0, 0.35 + tile_bytes * min(16, programs / target.sms) / 40_000)
    rate = target.hbm_bandwidth * HBM_SHARE * busy * in_flight
    return LAUNCH_SECONDS + moved / max(rate, 1.0)


@dataclass(frozen=True)
class Traffic:
    """What a kernel moves, and how many programs move it."""

    moved: float
    """Bytes read and written."""
    programs: int
    warps: int
    held: float
    """Bytes that a program moves at once: its loads are issued before it waits."""


def streaming_seconds(traffic: Traffic, target: Target) -> float:
    """The time of a kernel whose programs read their tile, compute, and write it."""
    thread = traffic.held / (32 * traffic.warps)
    delay = 1 + 0.03 * math.log2(max(1.0, thread / WIDE_THREAD))
    delay += 0.01 * abs(math.log2(traffic.warps / 4))
    return LAUNCH_SECONDS + traffic.moved / _rate(traffic, target) * delay


def reduction_seconds(traffic: Traffic, line: float, target: Target) -> float:
    """The time of a kernel whose programs walk along what they read, step by step.

    A step reads `held` bytes, and nothing else is in flight until it has arrived.
    `line` is the share of each cache line that a step uses.
    """
    used = min(1.0, 0.6 + 0.4 * line)
    return LAUNCH_SECONDS + traffic.moved / (_rate(traffic, target) * used)


def _rate(traffic: Traffic, target: Target) -> float:
    """The bytes a second that the resident programs of a card move."""
    resident = min(
        target.max_blocks_per_sm, target.max_threads_per_sm // (32 * traffic.warps)
    )
    together = max(1.0, min(resident, traffic.programs / target.sms))
    in_flight = together * traffic.held
    reached = in_flight / (in_flight + HALF_IN_FLIGHT)
    warps = together * traffic.warps
    reached *= warps / (warps + HALF_RESIDENT)
    reached *= min(1.0, traffic.programs / target.sms)
    return max(target.hbm_bandwidth * PEAK_SHARE * reached, 1.0)
