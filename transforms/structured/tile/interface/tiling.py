"""`Tiling`: an op computed tile by tile.

A tile is an offset and a size for each loop of the op. Tiling asks for the loops, the
tensors that the results are collected in, the op on one tile, and where its values
belong. Fusion asks the other way around: for the tile that computes a part of a result.

To make an op tileable, write a file in this folder with a subclass, and add it to
`table.py`. The tile ops and the fuse ops then take it; they know no op by its name.
This is a whole one, for an op on tensors whose loops are the dimensions of its result:

    class NegateTiling(Tiling):
        op: NegateOp

        @property
        def iterators(self) -> Sequence[IteratorType]:
            return [IteratorType.PARALLEL] * len(shape_of(self.op.result.type))

        def ranges(self, new_ops: OpList) -> list[Extent]:
            dims = range(len(self.iterators))
            return [dim_size(self.op.output, dim, new_ops) for dim in dims]

        def destinations(self, new_ops: OpList) -> list[SSAValue]:
            return [self.op.output]

        def tile(
            self, tile: Part, into: Sequence[SSAValue], new_ops: OpList
        ) -> Tiled:
            values = (self.op.input, *into)
            tiled = NegateOp(*(sliced(v, *tile, new_ops) for v in values))
            new_ops.add(tiled)
            return Tiled.by(tiled)

        def part_of_result(self, result: int, tile: Part, new_ops: OpList) -> Part:
            return tile

        def loops_of_result(self, result: int, part: Part, new_ops: OpList) -> Part:
            return part

An op that cannot compute parts of its results alone has no `loops_of_result`, and says
so by `has_parts`: it can be tiled, and as a producer it is copied whole. If the tile
that computes a part is not simply a tile of the loops (unpacking reads whole tiles and
cuts off the rest), override `tile_of_result` as well.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.ir import Operation, SSAValue

from tilewright.ir.dialects import tensor
from tilewright.ir.dialects.linalg import IteratorType
from tilewright.ir.dialects.tensor import Slice
from tilewright.transforms.core.extents import Extent, OpList


class Part(NamedTuple):
    """Where a tile begins and how long it is: in the loops, or in a tensor."""

    offsets: Sequence[Extent]
    sizes: Sequence[Extent]

    @property
    def slice(self) -> Slice:
        """The offsets, sizes and strides of a slice."""
        return list(self.offsets), list(self.sizes), [1] * len(self.sizes)


@dataclass(frozen=True)
class Tiled:
    """An op on one tile. Everything that computes it was added to the list of ops."""

    op: Operation
    """The op that handles follow to."""
    values: tuple[SSAValue, ...]
    """What it computes of each result; nothing on buffers."""
    slices: tuple[tensor.ExtractSliceOp, ...]
    """The slices of operands that it reads: fusion goes on from them."""

    @staticmethod
    def by(op: Operation) -> Tiled:
        """A tile that one op computes, of the slices that are its operands."""
        owners = dict.fromkeys(operand.owner for operand in op.operands)
        slices = [o for o in owners if isinstance(o, tensor.ExtractSliceOp)]
        return Tiled(op, tuple(op.results), tuple(slices))


@dataclass(frozen=True)
class Refusal:
    """Why an op cannot be tiled, and what to do about it."""

    fact: str
    remedy: str | None = None
    is_doubt: bool = False
    """Whether upstream tiles it all the same, and computes other numbers."""


class Tiling(ABC):
    """What tiling and fusion ask of an op."""

    WRITES_DESTINATIONS: ClassVar[bool] = True
    """Whether the op has destination operands."""

    def __init__(self, op: Operation):
        self.op = op

    @property
    def reads_destinations(self) -> bool:
        """Whether a result may depend on what its destination holds."""
        return self.WRITES_DESTINATIONS

    def why_not(self, cut: Sequence[int]) -> Refusal | None:
        """Why these loops cannot be cut into tiles; None if they can."""
        return None

    @property
    @abstractmethod
    def iterators(self) -> Sequence[IteratorType]:
        """Which loops the op has, the outermost first."""

    @abstractmethod
    def ranges(self, new_ops: OpList) -> list[Extent]:
        """How often each loop runs; loops begin at 0."""

    @abstractmethod
    def destinations(self, new_ops: OpList) -> list[SSAValue]:
        """The tensors that loops over tiles start from, one a result; none on buffers.

        An op without destination operands makes empty tensors.
        """

    @abstractmethod
    def tile(self, tile: Part, into: Sequence[SSAValue], new_ops: OpList) -> Tiled:
        """The op on one tile of its loops.

        `into` stands for the destination operands: tensors of the shape of the whole
        results, one for each of `destinations`.
        """

    @abstractmethod
    def part_of_result(self, result: int, tile: Part, new_ops: OpList) -> Part:
        """The part of a result that a tile of the loops computes."""

    @property
    def has_parts(self) -> bool:
        """Whether parts of its results can be computed alone, and so be fused."""
        return True

    def why_no_part(self, result: int, part: Part) -> str | None:
        """Why this part of a result cannot be computed alone; None if it can."""
        return None if self.has_parts else f"'{self.op.name}' computes no parts"

    def loops_of_result(self, result: int, part: Part, new_ops: OpList) -> Part:
        """The tile of the loops that computes a part of a result, if it has parts."""
        raise NotImplementedError

    def tile_of_result(
        self, result: int, part: Part, into: Sequence[SSAValue], new_ops: OpList
    ) -> Tiled:
        """The op on the tile that computes a part of a result."""
        return self.tile(self.loops_of_result(result, part, new_ops), into, new_ops)
