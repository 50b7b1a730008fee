"""The time of kernels that loop over rows: passes, the L2 cache, bytes in flight.

Passes overlap with those of other programs: while some read a row again from the L2
cache, others read theirs from memory. The numbers were fitted to softmax, norms and
cross-entropy on an H200 (`docs/performance.md`).

Where lanes combine their results in every iteration, most of 65 measured points of six
chains are within 15%; those of 32 warps are taken for too slow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.planning.model.memory import HBM_SHARE, LAUNCH_SECONDS
from tilewright.planning.model.rows import BARRIER, Program, smooth_minimum

USED_L2 = 0.5
"""The share of the L2 cache that keeps rows until they are read again."""
LATENCY = 0.8e-6
"""The time of a load."""
CACHE_BYTES = 60
"""The bytes that a multiprocessor reads from the L2 cache in a cycle."""
UNROLLED = 8
"""The compiler unrolls a loop of up to this many iterations."""
OVERLAPPED = 4
"""The iterations of an unrolled loop whose loads overlap."""
BUSY_WARPS = 32
"""The warps that keep the arithmetic of a multiprocessor busy."""
WIDER = 0.2
"""The cost of doubling the elements of a thread: its accesses wait for each other."""
SMALL_WARPS, DRAINED = 16, 1.2
"""The cost of larger programs that store nothing: a multiprocessor has one or two of
them, and waits for the last warp of each."""
WAITS = 0.017
"""How much longer arithmetic takes, for each warp that waits where lanes combine."""
COMBINED = 31
"""The instructions of a thread to combine the lanes of a program: shuffles, then
shared memory twice. Counted in the machine code of several kernels."""


@dataclass(frozen=True)
class RowLoops:
    """The loops of one program over one row."""

    warps: int
    columns: int
    """The columns of an iteration."""
    lanes: int
    """The elements of the widest access."""
    unroll: int
    length: int
    read: float
    """The bytes of a row that each pass reads."""
    written: float
    passes: int
    instructions: float
    """Machine instructions for each element, in one pass."""
    combined: float = 0.0
    """How often the lanes of an iteration combine their results, on average over the
    passes. Where they never do, each lane has results of its own."""

    @property
    def each(self) -> float:
        """The elements of a thread in an iteration."""
        return max(1.0, self.columns / (32 * self.warps))


def looped_seconds(loops: RowLoops, rows: int, target: Target) -> float:
    """The time of a kernel with a program for each row."""
    instructions = loops.instructions + COMBINED * loops.combined / loops.each
    latency = LATENCY + BARRIER * loops.combined
    program = Program(loops.warps, loops.columns, 1, loops.read, instructions, 0)
    used = min(target.sms, rows)
    resident = min(program.resident(target), -(-rows // target.sms))
    trips = -(-loops.length // loops.columns)
    overlapped = min(trips, OVERLAPPED) if trips <= UNROLLED else loops.unroll
    width = loops.read / loops.length
    rate = smooth_minimum(
        loops.columns * width * resident * overlapped / latency,
        CACHE_BYTES * target.clock,
        width
        / instructions
        * 128
        * target.clock
        * min(1.0, loops.warps * resident / BUSY_WARPS)
        / (1 + WAITS * loops.warps * loops.combined),
    )
    covered = loops.passes * loops.read * trips * loops.columns / loops.length
    wider = 1.0
    if not loops.combined:
        wider += WIDER * math.log2(max(loops.each / loops.lanes, 1))
    busy = (covered + loops.written) / rate * rows / used * wider
    if not loops.written and rows > target.sms and loops.warps > SMALL_WARPS:
        busy *= DRAINED
    stays = min(rows, target.sms * resident) * loops.read <= USED_L2 * target.l2_bytes
    read = loops.read * (1 if stays else loops.passes)
    memory = rows * (read + loops.written) / (target.hbm_bandwidth * HBM_SHARE)
    return LAUNCH_SECONDS + math.hypot(busy**2, memory**2) ** 0.5
