"""Shared memory and barriers of one program.

Each access to a tile is an event. `Known` is a set of events that are over, as far as a
partition can tell: arriving at a barrier passes the set on, and waiting takes it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.registry import fail

Known = set[int]

_events = itertools.count(1)


def new_event() -> int:
    """An access, or the completion of a copy."""
    return next(_events)


@dataclass(eq=False)
class Tile:
    """One slot of a ring: its numbers, and the accesses that may still matter."""

    name: str
    data: Array
    written: int | None = None
    """The event of the last write; None before the first one."""
    reads: set[int] = field(default_factory=set[int])
    """The events of the reads since then."""
    unfenced: bool = False
    """Whether a partition has written it and not yet passed a fence."""
    unsynced: bool = False
    """Whether the warps that wrote it have not yet waited for one another."""

    def check_read(self, op: Operation, known: Known, who: str) -> int:
        """The event of a read, which must come after the last write."""
        if self.written is None or self.written not in known:
            fail(
                op,
                f"{who} reads {self.name}, which is not full: nothing that it waited "
                "for says that the tile has been written",
                "wait for the barrier that the copy completes",
            )
        event = new_event()
        self.reads.add(event)
        return event

    def check_write(self, op: Operation, known: Known, who: str) -> int:
        """The event of a write, which must come after all reads and the last write."""
        if not self.reads <= known:
            fail(
                op,
                f"{who} writes {self.name}, which is still read: nothing that it "
                "waited for says that the reads are over",
                "wait for a barrier at which the readers arrive, and let them arrive "
                "after their products are complete",
            )
        if self.written is not None and self.written not in known:
            fail(op, f"{who} writes {self.name}, which another copy still writes")
        event = new_event()
        self.written, self.reads = event, set()
        return event


@dataclass(eq=False)
class View:
    """A tile as an op reads it: reshaped or transposed."""

    tile: Tile
    change: Callable[[Array], Array]

    @property
    def data(self) -> Array:
        """The numbers, a view."""
        return self.change(self.tile.data)


@dataclass(eq=False)
class Barrier:
    """A barrier as the hardware has it: arrivals, bytes that are expected, a phase."""

    name: str
    arrivals: int
    phase: int = 0
    arrived: int = 0
    bytes: int = 0
    """Bytes that copies have still to bring in this phase."""
    gathering: Known = field(default_factory=set[int])
    passed_on: Known = field(default_factory=set[int])

    def has_passed(self, parity: int) -> bool:
        """Whether the phase of a parity has ended."""
        return self.phase % 2 != parity

    def arrive(self, op: Operation, known: Known, who: str) -> None:
        """Count an arrival."""
        if self.arrived == self.arrivals:
            fail(
                op,
                f"{who} arrives at {self.name} once more than phase {self.phase} "
                f"counts: {self.arrivals}",
                "let each partition arrive once a phase",
            )
        self.arrived += 1
        self.gathering |= known
        self._end_phase()

    def complete(self, op: Operation, size: int, known: Known) -> None:
        """Count the bytes of a copy."""
        if size > self.bytes:
            fail(
                op,
                f"a copy brings {size} bytes to {self.name}, which expects "
                f"{self.bytes} in phase {self.phase}",
                "expect the bytes of all copies before they start",
            )
        self.bytes -= size
        self.gathering |= known
        self._end_phase()

    def _end_phase(self) -> None:
        if self.arrived == self.arrivals and self.bytes == 0:
            self.phase, self.arrived = self.phase + 1, 0
            self.passed_on, self.gathering = self.gathering, set()

    def state(self) -> str:
        """`phase 3, 1 of 2 arrivals, 4096 bytes to come`."""
        to_come = f", {self.bytes} bytes to come" if self.bytes else ""
        return (
            f"phase {self.phase}, {self.arrived} of {self.arrivals} arrivals{to_come}"
        )


@dataclass(eq=False)
class Copy:
    """A copy that has started and is not complete."""

    op: Operation
    finish: Callable[[], None]


def poison(tile: Tile) -> None:
    """Fill a tile with NaN, or with the largest integer, while a copy writes it."""
    kind = tile.data.dtype
    is_float = kind.kind not in "iub"
    tile.data[...] = np.nan if is_float else np.iinfo(kind).max
