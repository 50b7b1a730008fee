"""Data hazards: loads and stores of the same elements, which Triton does not order.

The threads of a program do not wait for each other between a load and a store, and the
pipeliner moves loads ahead of the stores of earlier iterations. Only a thread's own
elements are in order: a store may follow a load of exactly the same tile. Programs do
not wait for each other either: only one program may read and write a tile. Everything
else is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tilewright.codegen.analysis.elements.atoms import Atom
from tilewright.codegen.analysis.elements.reshapes import memory_of
from tilewright.codegen.analysis.elements.views import Access
from tilewright.codegen.refusal import IN_REGISTERS, refuse


@dataclass
class _Body:
    loads: list[Access] = field(default_factory=list[Access])
    stores: list[Access] = field(default_factory=list[Access])


class Hazards:
    """Watches the loads and stores of a kernel in program order."""

    def __init__(self) -> None:
        self._bodies = [_Body()]

    def load(self, access: Access) -> None:
        """Record a load; refuse it if the program has stored to the buffer before."""
        for body in self._bodies:
            for store in body.stores:
                if _share_memory(store, access):
                    _refuse_load(access)
        self._bodies[-1].loads.append(access)

    def store(self, access: Access) -> None:
        """Record a store; refuse it if another tile of the buffer was loaded before."""
        for body in self._bodies:
            for load in body.loads:
                if _share_memory(load, access) and not same_tile(load, access):
                    refuse(
                        access.op,
                        "writes a buffer that the same kernel has read as another tile",
                        "write to a buffer of its own, or end the grid between the two",
                    )
        self._bodies[-1].stores.append(access)

    def enter(self) -> None:
        """Begin the body of a loop."""
        self._bodies.append(_Body())

    def leave(self, loop: Atom, step: int) -> None:
        """End the body of a loop: the next iteration loads after this one's stores."""
        body = self._bodies.pop()
        for load in body.loads:
            for store in body.stores:
                if _share_memory(store, load) and not _apart(load, store, loop, step):
                    _refuse_load(load)
        self._bodies[-1].loads += body.loads
        self._bodies[-1].stores += body.stores

    def between_programs(self, grid: Iterable[Atom]) -> None:
        """End the program: no other one may touch a tile that it reads and writes."""
        (body,) = self._bodies
        for load in body.loads:
            for store in body.stores:
                if _share_memory(store, load) and not all(
                    _apart(load, store, index, 1) for index in grid
                ):
                    refuse(
                        store.op,
                        "updates a tile in place that several programs share",
                        "compute it in a grid of its own, over its own dimensions",
                    )


def _share_memory(first: Access, second: Access) -> bool:
    """Whether two accesses are to the same memory, maybe in different shapes."""
    return memory_of(first.base) is memory_of(second.base)


def same_tile(load: Access, store: Access) -> bool:
    """Whether each lane of the load is the same element as that lane of the store."""
    if load.base is not store.base:
        return False
    return (load.starts, load.lanes, load.shape, load.steps) == (
        store.starts,
        store.lanes,
        store.shape,
        store.steps,
    )


def _apart(load: Access, store: Access, loop: Atom, step: int) -> bool:
    """Whether each iteration of a loop touches a tile of its own."""
    if not same_tile(load, store):
        return False
    for dim, start in enumerate(load.starts):
        reach = load.reach(dim)
        stride = 0
        for atom, coefficient in start.terms.items():
            if atom == loop:
                stride = abs(coefficient) * step
            elif atom.level >= loop.level:
                # An inner loop, or one that moves along, widens the touched range.
                reach += abs(coefficient) * (atom.high - atom.low)
        if stride >= reach:
            return True
    return False


def _refuse_load(access: Access) -> None:
    refuse(
        access.op,
        "reads a buffer that the same kernel has written before",
        f"{IN_REGISTERS}; or end the grid between the two",
    )
