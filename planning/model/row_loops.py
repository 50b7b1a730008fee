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
from tilewright.planning.model.rows import Program, smooth_minimum

UNROLLED = 8
"""The compiler unrolls a loop of up to this many iterations."""
OVERLAPPED = 4
"""The iterations of an unrolled loop whose loads overlap."""
SMALL_WARPS = 16
"""The warps of a program of which a multiprocessor has at least four."""


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

    def each(self, target: Target) -> float:
        """The elements of a thread in an iteration."""
        return max(1.0, self.columns / (target.warp * self.warps))


def looped_seconds(loops: RowLoops, rows: int, target: Target) -> float:
    """The time of a kernel with a program for each row."""
    calibration = target.calibration
    fitted, each = calibration.row_loops, loops.each(target)
    instructions = loops.instructions + fitted.combined * loops.combined / each
    latency = fitted.latency + calibration.rows.barrier * loops.combined
    program = Program(loops.warps, loops.columns, 1, loops.read, instructions, 0)
    used = min(target.sms, rows)
    resident = min(program.resident(target), -(-rows // target.sms))
    trips = -(-loops.length // loops.columns)
    overlapped = min(trips, OVERLAPPED) if trips <= UNROLLED else loops.unroll
    # A row that is computed, as of two vectors, is passed over without being read.
    # It counts as what it writes, at least as a byte an element.
    width = (loops.read or max(loops.written, loops.length)) / loops.length
    rate = smooth_minimum(
        loops.columns * width * resident * overlapped / latency,
        fitted.cache_bytes * target.clock,
        width
        / instructions
        * target.lanes
        * target.clock
        * min(1.0, loops.warps * resident / fitted.busy_warps)
        / (1 + fitted.waits * loops.warps * loops.combined),
    )
    covered = loops.passes * width * trips * loops.columns
    wider = 1.0
    if not loops.combined:
        wider += fitted.wider * math.log2(max(each / loops.lanes, 1))
    busy = (covered + loops.written) / rate * rows / used * wider
    if not loops.written and rows > target.sms and loops.warps > SMALL_WARPS:
        busy *= fitted.drained
    kept = calibration.memory.l2_kept * target.l2_bytes
    stays = min(rows, target.sms * resident) * loops.read <= kept
    read = loops.read * (1 if stays else loops.passes)
    rate = target.hbm_bandwidth * calibration.memory.share
    memory = rows * (read + loops.written) / rate
    return calibration.launch + math.hypot(busy**2, memory**2) ** 0.5
