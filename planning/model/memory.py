"""The time of a kernel that memory limits: bytes, and how many are in flight."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.codegen.targets import Target

LAUNCH_SECONDS = 2.5e-6
"""The shortest kernel."""
HBM_SHARE = 0.88
"""The share of the memory's bandwidth that a good kernel reaches."""

HALF_IN_FLIGHT = 6_000
"""Bytes in flight on a multiprocessor that reach half of the bandwidth."""
TURN_SECONDS = 0.15e-6
"""The time between a program and the one that takes its place."""


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
    launches: int = 1


def streaming_seconds(traffic: Traffic, target: Target) -> float:
    """The time of a kernel that reads and writes everything once.

    Programs that fit on a multiprocessor together keep their bytes in flight together;
    the last ones to run leave some multiprocessors idle.
    """
    resident = min(
        target.max_blocks_per_sm, target.max_threads_per_sm // (32 * traffic.warps)
    )
    share = min(resident, max(1.0, traffic.programs / target.sms))
    in_flight = share * traffic.held
    reached = in_flight / (in_flight + HALF_IN_FLIGHT)
    busy = min(1.0, traffic.programs / target.sms)
    rate = target.hbm_bandwidth * HBM_SHARE * reached * busy
    turns = -(-traffic.programs // (target.sms * resident))
    return (
        LAUNCH_SECONDS * traffic.launches
        + traffic.moved / max(rate, 1.0)
        + turns * TURN_SECONDS
    )
