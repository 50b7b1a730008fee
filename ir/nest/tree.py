"""A loop nest as plain data; sizes that are not known are None."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tilewright.ir.errors import Place
from tilewright.ir.nest.homes import Where


@dataclass(frozen=True)
class Moved:
    """A value that an op reads or writes."""

    name: str
    shape: list[int | None]
    type: str
    bytes: int | None
    """Of one trip."""
    where: Where
    trips: int | None
    """How often it happens in all programs together."""

    @property
    def total(self) -> int | None:
        """The bytes of all trips."""
        if self.bytes is None or self.trips is None:
            return None
        return self.bytes * self.trips


@dataclass
class Traffic:
    """Bytes from memory, to memory, and of results that stay on chip."""

    read: int | None = 0
    written: int | None = 0
    kept: int | None = 0

    def add(self, other: Traffic) -> None:
        """Add some more; what is not known makes the sum unknown."""
        self.read = _sum(self.read, other.read)
        self.written = _sum(self.written, other.written)
        self.kept = _sum(self.kept, other.kept)


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


@dataclass
class OpNode:
    """An op that computes or moves data, or several element-wise ones in a row."""

    op: int
    ops: list[int]
    """All ops, where it stands for several."""
    name: str
    verb: str
    operands: list[str]
    type: str
    reads: list[Moved]
    writes: list[Moved]
    place: Place | None
    flops: int | None
    kept: bool = False
    """Whether it makes a result that stays on chip; loads and stores do not."""
    kind: Literal["op"] = "op"


@dataclass
class LoopNode:
    """A loop inside a program."""

    op: int
    extent: int | None
    step: int | None
    trips: int | None
    stages: int | None
    carries: list[str]
    kept: int | None = 0
    """The bytes of what it carries and later ops use, of all programs."""
    children: list[Node] = field(default_factory=list["Node"])
    kind: Literal["loop"] = "loop"


@dataclass(frozen=True)
class Cut:
    """The result that a grid cuts into tiles."""

    name: str
    shape: list[int | None]
    tile: list[int | None]


@dataclass
class GridNode:
    """A grid of programs."""

    op: int
    name: str
    """The kernel, where it has a name."""
    extents: list[int | None]
    mapping: list[str]
    tiles: list[int | None] | None
    """The tile size along each dimension of the grid."""
    programs: int | None
    result: Cut | None
    children: list[Node] = field(default_factory=list["Node"])
    read: int | None = 0
    written: int | None = 0
    kept: int | None = 0
    kind: Literal["grid"] = "grid"


Node = OpNode | LoopNode | GridNode


@dataclass
class Nest:
    """The nest of a module, and what all of it moves."""

    children: list[Node]
    read: int | None
    written: int | None
    kept: int | None


def traffic_of(nodes: list[Node]) -> Traffic:
    """What some nodes move."""
    total = Traffic()
    for node in nodes:
        if isinstance(node, GridNode):
            total.add(Traffic(node.read, node.written, node.kept))
        elif isinstance(node, LoopNode):
            total.add(traffic_of(node.children))
            total.add(Traffic(kept=node.kept))
        else:
            for moved in node.reads:
                if moved.where == "memory":
                    total.add(Traffic(read=moved.total))
            for moved in node.writes:
                if moved.where == "memory":
                    total.add(Traffic(written=moved.total))
                elif node.kept:
                    total.add(Traffic(kept=moved.total))
    return total
