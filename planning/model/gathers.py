"""The time of a kernel that reads elements one by one, such as those of a window.

A warp's access takes the cache of a multiprocessor a clock for each line that its lanes
ask for: 32 lanes that lie side by side ask for one, and for four if each lane has four
neighbouring results and reads the elements of one after the other. A thread with one
result computes its indices for that one alone, which takes instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.codegen.targets import Target

LINE, WORD = 128, 4
"""The bytes of a cache line, and the least that a lane takes of one."""
READ_INSTRUCTIONS = 6
"""Instructions for each element read: its address, the load, what is computed of it."""
INDEX_INSTRUCTIONS = 40
"""Instructions for the indices of a result, or of neighbouring ones in a row."""
LANES = 128
"""The lanes of a multiprocessor that compute in a clock."""
SHARPNESS = 4
"""How far the slowest part decides alone: the exponent of the norm of all parts."""


@dataclass(frozen=True)
class Windows:
    """The reads of a kernel that gathers."""

    elements: int
    """The results."""
    steps: Sequence[float]
    """For each read of a result, the bytes between those of neighbouring results."""


def gather_seconds(
    windows: Windows, thread: float, streaming: float, target: Target
) -> float:
    """The time with as many neighbouring results a thread.

    `streaming` is the time of the memory alone. With 4 results a thread, an H200 takes
    308 us for 3x3 windows that move by 2 over 32x64x256x256 elements of f32, where this
    says 327 us of the caches; with one it takes 153 us, as the memory does. For windows
    of 8 over 12288 rows of 8192 it takes 441 us with 4, 310 us with 2, 357 us with one.
    """
    asked = sum(min(LINE, max(WORD, step * thread)) for step in windows.steps)
    caches = windows.elements * asked / target.shared_bandwidth
    count = READ_INSTRUCTIONS * len(windows.steps) + INDEX_INSTRUCTIONS / thread
    instructions = windows.elements * count / (LANES * target.sms * target.clock)
    parts = (streaming, caches, instructions)
    return sum(part**SHARPNESS for part in parts) ** (1 / SHARPNESS)
