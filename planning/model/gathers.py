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
from tilewright.codegen.targets.accesses import LINE, WORD


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
    fitted = target.calibration.gathers
    asked = sum(min(LINE, max(WORD, step * thread)) for step in windows.steps)
    caches = windows.elements * asked / target.shared_bandwidth
    count = fitted.read * len(windows.steps) + fitted.index / thread
    instructions = windows.elements * count / (target.lanes * target.sms * target.clock)
    parts = (streaming, caches, instructions)
    return sum(part**fitted.sharpness for part in parts) ** (1 / fitted.sharpness)
