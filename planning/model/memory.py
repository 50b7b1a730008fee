"""The time of a kernel that memory limits: bytes, and how many are in flight."""

from __future__ import annotations

from tilewright.codegen.targets import Target

LAUNCH_SECONDS = 2.5e-6
"""The shortest kernel."""
HBM_SHARE = 0.88
"""The share of the memory's bandwidth that a good kernel reaches."""


def memory_seconds(moved: int, programs: int, tile_bytes: int, target: Target) -> float:
    """The time to move some bytes by programs that each hold a tile.

    A multiprocessor needs some 40 KB in flight; small grids leave some idle.
    """
    busy = min(1.0, programs / target.sms)
    in_flight = min(1.0, 0.35 + tile_bytes * min(16, programs / target.sms) / 40_000)
    rate = target.hbm_bandwidth * HBM_SHARE * busy * in_flight
    return LAUNCH_SECONDS + moved / max(rate, 1.0)
