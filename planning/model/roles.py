"""The time of kernels whose warps have roles: one loads, groups of four compute.

The loader runs ahead, from tile to tile, so a tile has no time of filling. Its end is
not hidden: all groups finish a tile at once, and nothing is multiplied meanwhile. Two
groups share a multiprocessor, and one computes exponentials while the other multiplies;
what is left of them is a number of clocks for each element. Of many instructions, only
so many are hidden. Each step corrects all the
sums, so steps of more columns do that less often.

The numbers are `RoleNumbers` of the calibration, fitted to times of generated kernels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.matmul_numbers import RoleNumbers
from tilewright.planning.model.matmuls import MatmulWork
from tilewright.planning.model.streams import StreamWork

Floats = NDArray[np.float64]
GROUPS = 2
"""Groups of warps that compute."""
GROUP = 128
"""Threads of a group."""
GROUP_ROWS = 64
"""The rows that an instruction multiplies, so those of a group at least."""
BARRIERS = 1024
"""The bytes of shared memory that a program leaves for barriers, generously."""


@dataclass(frozen=True)
class RoleTile:
    """The sizes of a program's tile; of a stream, `columns` are those of a step."""

    rows: int
    columns: int
    step: int
    persistent: bool
    group: int = 1
    """Matrices of a stream whose tiles alternate in the order of tiles."""
    late: bool = True
    """Whether matmuls of a stream run beside exponentials of the next step."""


def role_stream_seconds(work: StreamWork, tile: RoleTile, target: Target) -> float:
    """The time of a stream."""
    fitted = target.calibration.roles
    clocks = work.flops * target.sms * target.clock / (work.rate * fitted.stream_share)
    clocks += fitted.element_clocks
    hidden = min(work.instructions, fitted.hidden)
    shown = work.instructions - hidden
    instructions = fitted.instruction_clocks * hidden + fitted.shown_clocks * shown
    clocks += instructions / target.lanes
    clocks += 0.0 if tile.late else fitted.apart_clocks
    step = tile.rows * (tile.columns * clocks + work.features * fitted.sum_clocks)
    end = fitted.stream_end if tile.persistent else fitted.stream_program
    tiles = _steps(work, tile) * step / target.clock + end
    memory = work.moved / target.hbm_bandwidth
    start = target.calibration.launch + fitted.start
    return start + max(_longest(tiles, work.batch, tile, target), memory)


def role_matmul_seconds(work: MatmulWork, tile: RoleTile, target: Target) -> float:
    """The time of a matmul with its tail."""
    fitted = target.calibration.roles
    tiles = work.batch * -(-work.m // tile.rows) * -(-work.n // tile.columns)
    steps = -(-work.k // tile.step)
    rate = work.peak * fitted.matrix_share / target.sms
    multiplied = 2 * tile.rows * tile.columns * tile.step / rate
    loaded = (tile.rows + tile.columns) * tile.step * work.width
    loading = loaded / (fitted.port_bytes * target.clock)
    elements = tile.rows * tile.columns
    stored = work.written * elements / max(work.m * work.n * work.batch, 1)
    end = fitted.end if tile.persistent else fitted.program
    end += stored / (fitted.store_bytes * target.clock)
    end += _tail_clocks(work.tail * elements / (GROUPS * GROUP), fitted) / target.clock
    one = steps * max(multiplied, loading) + end
    memory = work.moved / target.hbm_bandwidth
    start = target.calibration.launch + fitted.start
    return start + max(-(-tiles // target.sms) * one, memory)


def _tail_clocks(instructions: float, fitted: RoleNumbers) -> float:
    """The clocks of a tail, by the instructions of a thread.

    They are written out for all elements of a thread, and each group of warps has its
    own: a long tail of many elements is fetched anew for every tile.
    """
    missed = max(0.0, instructions - fitted.cached)
    return fitted.tail_clocks * instructions + fitted.missed_clocks * missed


def _steps(work: StreamWork, tile: RoleTile) -> Floats:
    """The steps of each tile of a matrix, the last row's first.

    A mask leaves to each row what is before it, or no more than some window.
    """
    count = -(-work.rows // tile.rows)
    if work.share == 1:
        return np.full(count, work.length / tile.columns)
    window = work.length * (1 - math.sqrt(max(0.0, 1 - 2 * work.share)))
    rows = np.arange(count, 0, -1) * (work.length / count)
    visited = np.minimum(rows, window + tile.rows / 2)
    return visited / tile.columns


def _longest(tiles: Floats, batch: int, tile: RoleTile, target: Target) -> float:
    """The seconds of the busiest multiprocessor, by those of each tile of a matrix.

    A program of one tile starts where one has ended. Programs that go on to further
    tiles take every so many of them, in their order, however long they are.
    """
    if not tile.persistent:
        mean = float(tiles.sum()) * batch / target.sms
        rounds = len(tiles) * batch / target.sms
        longest = float(tiles.max())
        return longest * math.ceil(rounds) if rounds <= 2 else mean + longest / 2
    groups, rest = divmod(batch, tile.group)
    order = np.concatenate(
        [np.tile(np.repeat(tiles, tile.group), groups), np.repeat(tiles, rest)]
    )
    padded = np.pad(order, (0, -len(order) % target.sms))
    return float(padded.reshape(-1, target.sms).sum(axis=0).max())
