"""Baselines for a measured time: the card's ceilings, and the call as a CUDA graph.

`tilewright run` prints them. The tuner compares programs with one another and does not
need them.
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
    from tilewright.tuning.measure.references import Reference

SMALL_MS = 0.1
"""Below this time launches matter, and a CUDA graph of the call is timed too."""


@dataclass(frozen=True)
class Baselines:
    """The card's ceilings and a CUDA graph, to compare a measured time with."""

    ceilings: Ceilings
    moved_bytes: int
    """Each argument read once, each result written once."""
    replayed: Timing | None
    """The time of the call as a CUDA graph, where the call is short."""


def measure_baselines(
    call: Callable[[], Any],
    timing: Timing,
    reference: Reference,
    dot_type: str | None,
    clock: Clock,
    options: TimingOptions,
) -> Baselines:
    """Measure on the current device; `dot_type` is the element type of the dots."""
    replayed = None
    if timing.p50 < SMALL_MS:
        graph, _ = capture(call)
        warm_up(graph.replay, clock, options)
        replayed = time_call(graph.replay, clock, options)
    moved = bytes_moved(reference)
    return Baselines(measure_ceilings(moved, dot_type, clock), moved, replayed)


def bytes_moved(reference: Reference) -> int:
    """The fewest bytes that a program must move."""
    return sum(
        math.prod(spec.shape) * byte_width(spec.dtype)
        for spec in (*reference.arguments, *reference.results)
    )
