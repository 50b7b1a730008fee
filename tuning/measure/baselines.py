"""What stands beside a measured time: the card's own ceilings, and a CUDA graph.

For a person who looks at one program; the tuner compares programs with one another and
needs neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilewright.codegen.runtime.graphs import capture
from tilewright.ir.dtypes import byte_width
from tilewright.tuning.measure.ceilings import Ceilings, measure_ceilings
from tilewright.tuning.measure.timing import (
    Clock,
    Timing,
    TimingOptions,
    time_call,
    warm_up,
)

if TYPE_CHECKING:
    from tilewright.tuning.measure.jobs import Reference

SMALL_MS = 0.1
"""Below this the launches matter, and a graph is timed too."""


@dataclass(frozen=True)
class Beside:
    """What to compare one time with."""

    ceilings: Ceilings
    moved: int
    """Bytes: each argument read once, each result written once."""
    replayed: Timing | None
    """The call as a CUDA graph, where it is a short one."""


def measure_beside(
    call: Callable[[], Any],
    timing: Timing,
    reference: Reference,
    dtype: str | None,
    clock: Clock,
    options: TimingOptions,
) -> Beside:
    """Measure it on the current device; `dtype` is that of the program's dots."""
    replayed = None
    if timing.p50 < SMALL_MS:
        graph, _ = capture(call)
        warm_up(graph.replay, clock, options)
        replayed = time_call(graph.replay, clock, options)
    moved = bytes_of(reference)
    return Beside(measure_ceilings(moved, dtype, clock), moved, replayed)


def bytes_of(reference: Reference) -> int:
    """The fewest bytes that a program must move."""
    return sum(
        math.prod(spec.shape) * byte_width(spec.dtype)
        for spec in (*reference.arguments, *reference.results)
    )
