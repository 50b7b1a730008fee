"""The time of a kernel that memory limits: bytes, and how many are in flight."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.occupancy import programs_on_sm

MOST_TOGETHER = 16
"""Programs of a multiprocessor that have loads in flight at once."""


def memory_seconds(moved: int, programs: int, tile_bytes: int, target: Target) -> float:
    """The time to move some bytes by programs that each hold a tile.

    A multiprocessor needs some 40 KB in flight; small grids leave some idle.
    """
    fitted = target.calibration.memory
    busy = min(1.0, programs / target.sms)
    loaded = tile_bytes * min(MOST_TOGETHER, programs / target.sms)
    in_flight = min(1.0, fitted.least_in_flight + loaded / fitted.full_in_flight)
    rate = target.hbm_bandwidth * fitted.share * busy * in_flight
    return target.calibration.launch + moved / max(rate, 1.0)


@dataclass(frozen=True)
class Traffic:
    """What a kernel moves, and how many programs move it."""

    moved: float
    """Bytes read and written."""
    programs: int
    warps: int
    at_once: float
    """Bytes that a program moves at once: its loads are issued before it waits."""


def streaming_seconds(traffic: Traffic, target: Target) -> float:
    """The time of a kernel whose programs read their tile, compute, and write it."""
    fitted = target.calibration.memory
    thread = traffic.at_once / (target.warp * traffic.warps)
    delay = 1 + fitted.wide_delay * math.log2(max(1.0, thread / fitted.wide_thread))
    # Between equals, four warps.
    delay += 0.01 * abs(math.log2(traffic.warps / 4))
    moving = traffic.moved / _rate(traffic, target)
    return target.calibration.launch + moving * delay


def reduction_seconds(traffic: Traffic, line: float, target: Target) -> float:
    """The time of a kernel whose programs walk along what they read, step by step.

    A step reads `at_once` bytes, and nothing else is in flight until it has arrived.
    `line` is the share of each cache line that a step uses.
    """
    part = target.calibration.memory.part_of_line
    used = min(1.0, part + (1 - part) * line)
    moving = traffic.moved / (_rate(traffic, target) * used)
    return target.calibration.launch + moving


def _rate(traffic: Traffic, target: Target) -> float:
    """The bytes a second that the resident programs of a GPU move."""
    fitted = target.calibration.memory
    resident = programs_on_sm(target, traffic.warps)
    together = max(1.0, min(resident, traffic.programs / target.sms))
    in_flight = together * traffic.at_once
    reached = in_flight / (in_flight + fitted.half_in_flight)
    warps = together * traffic.warps
    reached *= warps / (warps + fitted.half_resident)
    reached *= min(1.0, traffic.programs / target.sms)
    return max(target.hbm_bandwidth * fitted.peak_share * reached, 1.0)
