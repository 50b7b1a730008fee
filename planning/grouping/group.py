"""A group: the ops of one kernel, the axes they run along, why they are together."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from xdsl.ir import SSAValue

from tilewright.ir.disjoint_sets import DisjointSets
from tilewright.planning.analysis.facts import Operand, OpFacts, Role

POINTWISE = (Role.ELEMENTWISE, Role.MOVEMENT)
"""The roles of ops that neither reduce nor stay alone."""

Place = tuple[int, int]
"""The number of an op, and one of its loops."""


@dataclass(frozen=True)
class Decision:
    """A fusion that was considered: taken or not, and the reason."""

    producer: OpFacts
    reader: OpFacts | None
    taken: bool
    reason: str
    ratio: float = 1.0
    """The time of the other side over that of this one; infinite where the other side
    cannot be faster, 1 where they were not compared."""


@dataclass(frozen=True)
class Axis:
    """Loops of several ops that run along the same dimension of the data."""

    extent: int
    loops: dict[int, int]
    """The loop of each op, by the op's number; ops without the axis are left out."""
    is_reduced: bool
    """Whether an op reduces along it."""
    is_open: bool
    """Whether its extent is known only at run time."""


@dataclass(frozen=True, eq=False)
class Stream:
    """A chain of reductions along one dimension, which ends in a matmul.

    One loop along the dimension computes it (`stream`): matmuls that make the
    elements, reductions, and what is element-wise between them.
    """

    matmul: OpFacts
    """The last matmul; its sum runs along the dimension."""
    others: tuple[OpFacts, ...]
    """Further reductions along it that no reduction of the chain reads."""
    ops: frozenset[OpFacts]
    loop: int
    """The matmul's loop along the dimension."""
    rows: tuple[int, ...]
    """The matmul's loops along its rows: each has running values of its own."""

    @property
    def columns(self) -> tuple[int, ...]:
        """The matmul's loops that the chain lacks: a tile holds them whole."""
        dims = self.matmul.contraction
        assert dims is not None
        kept = [i for i in (*dims.m, *dims.n) if i not in self.rows]
        return tuple(sorted(kept))

    @property
    def length(self) -> int:
        """The extent of the dimension."""
        return self.matmul.extents[self.loop]


@dataclass(eq=False)
class Group:
    """The ops of one kernel, in program order; the last one is the sink.

    The kernel tiles the sink; every other op is fused into the sink's tiles.
    """

    ops: list[OpFacts]
    places: DisjointSets[Place] = field(default_factory=DisjointSets[Place])
    decisions: list[Decision] = field(default_factory=list[Decision])
    also_sinks: list[OpFacts] = field(default_factory=list[OpFacts])
    """Other ops whose results leave the kernel, and which no op of it reads.

    Their axes outside of reductions are the sink's, in the same order. They are tiled
    as the sink is, and their grids become one (`Lines.tile_sink` writes both).
    """
    leaving: set[OpFacts] = field(default_factory=set[OpFacts])
    """The ops whose results are stored: the sinks, and ops that are read elsewhere."""
    prologues: set[OpFacts] = field(default_factory=set[OpFacts])
    """Producers of a contraction's operands, which are computed in its inner loop."""
    stream: Stream | None = None
    """The chain that the kernel streams, if it does."""

    _listed: list[OpFacts] | None = field(default=None, init=False, repr=False)
    _members: set[OpFacts] = field(default_factory=set[OpFacts], init=False, repr=False)
    """The ops of `_listed`, which is `ops` unless these have changed."""

    @property
    def sink(self) -> OpFacts:
        """The op whose tiles are the kernel's."""
        return self.ops[-1]

    @property
    def sinks(self) -> list[OpFacts]:
        """The ops that are tiled, in program order; all others are fused."""
        return sorted([*self.also_sinks, self.sink], key=lambda facts: facts.number)

    @property
    def fused(self) -> list[OpFacts]:
        """The ops that are computed inside the tiles of the sinks."""
        return [facts for facts in self.ops if facts not in self.sinks]

    @property
    def fills(self) -> list[OpFacts]:
        """The ops that read nothing."""
        return [facts for facts in self.ops if facts.role == Role.FILL]

    @property
    def contractions(self) -> list[OpFacts]:
        """The matmuls of the group."""
        return [facts for facts in self.ops if facts.role == Role.CONTRACTION]

    @property
    def reductions(self) -> list[OpFacts]:
        """The reductions that are no matmuls."""
        return [f for f in self.ops if f.reduced and f.role != Role.CONTRACTION]

    @property
    def exponentials(self) -> list[OpFacts]:
        """The ops with exponentials in their bodies."""
        return [
            facts
            for facts in self.ops
            if any(op.name == "math.exp" for op in facts.op.body.block.ops)
        ]

    @property
    def flops(self) -> int:
        """The arithmetic of all ops."""
        return sum(facts.flops for facts in self.ops)

    @cached_property
    def made(self) -> frozenset[SSAValue]:
        """The results of its ops."""
        return frozenset(result for facts in self.ops for result in facts.op.results)

    @cached_property
    def read(self) -> frozenset[SSAValue]:
        """The operands of its ops."""
        return frozenset(value for facts in self.ops for value in facts.op.operands)

    def has(self, facts: OpFacts) -> bool:
        """Whether an op is in the group."""
        if self._listed is not self.ops:
            self._listed, self._members = self.ops, set(self.ops)
        return facts in self._members

    def axis(self, facts: OpFacts, loop: int) -> Place:
        """The representative of the axis of an op's loop."""
        return self.places.find((facts.number, loop))

    def reduced_axes(self) -> set[Place]:
        """The axes along which an op that is no matmul reduces."""
        return {
            self.axis(facts, loop)
            for facts in self.reductions
            for loop in facts.reduced
        }

    def axes(self) -> list[Axis]:
        """All axes: the sink's in the order of its loops, then the others."""
        found: dict[Place, Axis] = {}
        reduced = {self.axis(f, loop) for f in self.ops for loop in f.reduced}
        for facts in [self.sink, *reversed(self.ops[:-1])]:
            for loop, extent in enumerate(facts.extents):
                place = self.axis(facts, loop)
                is_open = loop in facts.open_loops
                axis = found.setdefault(
                    place, Axis(extent, {}, place in reduced, is_open)
                )
                axis.loops.setdefault(facts.number, loop)
        return list(found.values())

    def grid_axes(self) -> list[Axis]:
        """The parallel axes of the sink along which no op reduces."""
        return [
            axis
            for axis in self.axes()
            if self.sink.number in axis.loops and not axis.is_reduced
        ]

    def inner_axes(self) -> list[Axis]:
        """The axes that the grid does not cut: a tile holds or loops over them."""
        number = self.sink.number
        return [a for a in self.axes() if number not in a.loops or a.is_reduced]

    def outside_inputs(self) -> list[Operand]:
        """The tensors that the kernel reads from memory, each once."""
        made = {result for facts in self.ops for result in facts.op.results}
        found: dict[object, Operand] = {}
        for facts in self.ops:
            for operand in facts.operands:
                if operand.is_read and operand.value not in made:
                    found.setdefault(operand.value, operand)
        return list(found.values())

    def stored(self) -> list[Operand]:
        """The tensors that the kernel writes to memory."""
        return [o for facts in self.ops if facts in self.leaving for o in facts.outputs]

    @property
    def moved_bytes(self) -> int:
        """The bytes that the kernel reads and writes, each tensor once."""
        operands = [*self.outside_inputs(), *self.stored()]
        return sum(operand.bytes for operand in operands)

    def grids(self) -> list[list[tuple[OpFacts, int]]]:
        """The loops of each sink that the grid cuts: no op reduces along them."""
        reduced = {self.axis(f, loop) for f in self.ops for loop in f.reduced}
        return [
            [
                (sink, loop)
                for loop in range(len(sink.extents))
                if self.axis(sink, loop) not in reduced
            ]
            for sink in self.sinks
        ]


def is_consistent(places: DisjointSets[Place], facts: OpFacts) -> bool:
    """Whether the loops of an op run along different axes."""
    axes = {places.find((facts.number, loop)) for loop in range(len(facts.extents))}
    return len(axes) == len(facts.extents)
