"""Reads of what the same program has written: not ordered in Triton, so refused.

The threads of a program do not wait for each other between a store and a load, and the
pipeliner moves loads ahead of the stores of earlier iterations.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tilewright.codegen.indices import Atom
from tilewright.codegen.refusal import refuse
from tilewright.codegen.views import Access


@dataclass
class _Body:
    loads: list[Access] = field(default_factory=list[Access])
    stores: list[Access] = field(default_factory=list[Access])


class Hazards:
    """Watches the loads and stores of a kernel in program order."""

    def __init__(self) -> None:
        self._bodies = [_Body()]

    def load(self, access: Access) -> None:
        """Note a load; refuse it where the program has stored to the buffer before."""
        for body in self._bodies:
            for store in body.stores:
                if store.base is access.base:
                    _refuse(access)
        self._bodies[-1].loads.append(access)

    def store(self, access: Access) -> None:
        """Note a store."""
        self._bodies[-1].stores.append(access)

    def enter(self) -> None:
        """A loop's body begins."""
        self._bodies.append(_Body())

    def leave(self, loop: Atom, step: int) -> None:
        """A loop's body ends: its next iteration loads after this one has stored."""
        body = self._bodies.pop()
        for load in body.loads:
            for store in body.stores:
                if store.base is load.base and not _apart(load, store, loop, step):
                    _refuse(load)
        self._bodies[-1].loads += body.loads
        self._bodies[-1].stores += body.stores


def _apart(load: Access, store: Access, loop: Atom, step: int) -> bool:
    """Whether iterations touch different elements: each has a tile of its own."""
    if load.starts != store.starts or load.lanes != store.lanes:
        return False
    for start, lane in zip(load.starts, load.lanes, strict=True):
        length = 1 if lane is None else max(load.shape[lane], store.shape[lane])
        for atom, coefficient in start.terms:
            if atom == loop and abs(coefficient) * step >= length:
                return True
    return False


def _refuse(access: Access) -> None:
    refuse(
        access.op,
        "reads a buffer that the same kernel has written before",
        "hoist the accumulator out of the loop, or end the grid between the two",
    )
