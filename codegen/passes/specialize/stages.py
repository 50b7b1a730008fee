"""What is loaded when: the stages of a kernel, and the rings that they fill.

Loads of one block whose tiles one op reads first, and one reads last, are a stage.
Stages that load the same blocks of the same buffers one after the other share a ring:
the first iteration of a loop that stands in front of it, and the loop; the parts of a
loop that a mask has split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.codegen.refusal import refuse
from tilewright.ir.dialects import scf
from tilewright.ir.dialects.kernel import (
    DescriptorLoadOp,
    FuncOp,
    ReshapeOp,
    TransOp,
)
from tilewright.ir.launch_attributes.table import RING


@dataclass(frozen=True, eq=False)
class Ring:
    """Slots in shared memory that are filled and read in turn."""

    name: str
    slots: int


@dataclass(frozen=True, eq=False)
class Stage:
    """Tiles that are loaded together into a slot of a ring."""

    ring: Ring
    loads: tuple[DescriptorLoadOp, ...]
    first_reader: Operation
    """The op of the loads' block that reads a tile first, or has the op that does."""
    last_reader: Operation

    @property
    def home(self) -> Block:
        """The block that loads."""
        return _home(self.loads)


@dataclass(frozen=True, eq=False)
class _Use:
    """A stage without its ring."""

    loads: tuple[DescriptorLoadOp, ...]
    first: Operation
    last: Operation
    slots: int

    @property
    def loaded(self) -> tuple[tuple[SSAValue, Attribute], ...]:
        return tuple((load.descriptor, load.result.type) for load in self.loads)

    def spans(self, op: Operation) -> bool:
        """Whether its tiles are there while an op runs."""
        home = _home(self.loads)
        if not _is_inside(op, home):
            return False
        ops = list(home.ops)
        at = ops.index(_in_block(op, home))
        return ops.index(self.first) <= at <= ops.index(self.last)


def find_stages(kernel: FuncOp) -> tuple[Stage, ...]:
    """The stages of a kernel in the order of its blocks."""
    groups: list[list[_Use]] = []
    for use in _uses(kernel):
        for group in groups:
            is_alike = group[0].loaded == use.loaded
            if is_alike and not any(_overlap(use, other) for other in group):
                group.append(use)
                break
        else:
            groups.append([use])
    rings: dict[_Use, Ring] = {}
    taken: set[str] = set()
    for group in groups:
        name = _name(group[0].loads, taken)
        ring = Ring(name, max(*(use.slots for use in group), _most_of_a_block(group)))
        rings |= dict.fromkeys(group, ring)
    return tuple(
        Stage(ring, use.loads, use.first, use.last) for use, ring in rings.items()
    )


def _uses(kernel: FuncOp) -> Iterator[_Use]:
    for block in _blocks(kernel.body.block):
        by_reader: dict[tuple[Operation, Operation], list[DescriptorLoadOp]] = {}
        for load in loads_of(block):
            found = _readers_in(load, block)
            by_reader.setdefault((found[0], found[-1]), []).append(load)
        around = block.parent_op()
        ring = None if around is None else around.attributes.get(RING)
        slots = ring.value.data if isinstance(ring, IntegerAttr) else 1
        for (first, last), loads in by_reader.items():
            yield _Use(tuple(loads), first, last, slots)


def _most_of_a_block(group: Sequence[_Use]) -> int:
    """How many of some uses are in one block.

    The loader waits for a slot of each before it goes on. Without a slot for each, it
    would load the next tile only when the last part of this one is read.
    """
    return max(Counter(_home(use.loads) for use in group).values())


def _overlap(one: _Use, other: _Use) -> bool:
    """Whether the tiles of two uses may be there at one time."""
    return any(one.spans(op) for op in (other.first, other.last)) or any(
        other.spans(op) for op in (one.first, one.last)
    )


def _name(loads: Sequence[DescriptorLoadOp], taken: set[str]) -> str:
    name = "_".join(load.result.name_hint or "tile" for load in loads)
    while name in taken:
        name += "_2"
    taken.add(name)
    return name


def loads_of(block: Block) -> list[DescriptorLoadOp]:
    """The loads of a block, without those in its loops."""
    return [op for op in block.ops if isinstance(op, DescriptorLoadOp)]


def _home(loads: Sequence[DescriptorLoadOp]) -> Block:
    block = loads[0].parent
    assert block is not None
    return block


def _blocks(block: Block) -> Iterator[Block]:
    """A block and those of the loops in it; loads elsewhere are refused."""
    yield block
    for op in block.ops:
        for region in op.regions:
            for inner in region.blocks:
                if isinstance(op, scf.ForOp):
                    yield from _blocks(inner)
                elif any(isinstance(o, DescriptorLoadOp) for o in inner.walk()):
                    refuse(
                        op,
                        "specialize: a tile is loaded in a branch, which the loader "
                        "does not take",
                        "leave 'specialize' off this grid",
                    )


def readers(value: SSAValue) -> Iterator[tuple[Operation, SSAValue]]:
    """The ops that read a loaded tile, and as what: reshaped, transposed."""
    for use in value.uses:
        if isinstance(use.operation, ReshapeOp | TransOp):
            yield from readers(use.operation.result)
        else:
            yield use.operation, value


def _readers_in(load: DescriptorLoadOp, block: Block) -> list[Operation]:
    """The ops of a block that read a tile, or hold an op that does, in order."""
    holding = {_in_block(op, block) for op, _ in readers(load.result)}
    return [op for op in block.ops if op in holding]


def _is_inside(op: Operation, block: Block) -> bool:
    around = block.parent_op()
    return around is not None and around.is_ancestor(op) and around is not op


def _in_block(op: Operation, block: Block) -> Operation:
    while op.parent is not block:
        around = op.parent_op()
        assert around is not None
        op = around
    return op
