"""Element-wise ops on running values: small tensors without the streamed dimension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.transforms.core.extents import Extent, OpList, dim_size
from tilewright.transforms.structured.new_ops import empty, generic
from tilewright.transforms.structured.stream.algebra.expressions import (
    Depends,
    Expression,
    Leaf,
)


@dataclass(frozen=True)
class Placed:
    """A tensor, and the loop of an op that each of its dimensions runs along."""

    tensor: SSAValue
    loops: tuple[int, ...]

    def map_from(self, rank: int) -> AffineMap:
        """The indexing map of an op with this many loops."""
        return AffineMap(rank, 0, tuple(map(AffineExpr.dimension, self.loops)))


@dataclass(frozen=True)
class Frame:
    """How loops are numbered in the ops that are written.

    With chunks there is one more loop, number 0. In some states every running value
    has a dimension along it, in front of its own.
    """

    has_chunks: bool = False
    is_of_chunk: bool = False

    def fixed(self, map_: AffineMap) -> AffineMap:
        """The map of a tensor without the dimension of the chunks."""
        if not self.has_chunks:
            return map_
        dims = [AffineExpr.dimension(n + 1) for n in range(map_.num_dims)]
        results = (e.replace_dims_and_symbols(dims, []) for e in map_.results)
        return AffineMap(map_.num_dims + 1, 0, tuple(results))

    def running(self, map_: AffineMap) -> AffineMap:
        """The map of a running value."""
        moved = self.fixed(map_)
        if not self.is_of_chunk:
            return moved
        results = (AffineExpr.dimension(0), *moved.results)
        return AffineMap(moved.num_dims, 0, results)


@dataclass(frozen=True)
class State:
    """The running values at one moment: before a tile, after it, or after the loop."""

    name: str
    value_of: Callable[[SSAValue], SSAValue]
    """The tensor that a reduction's result is at this moment."""
    count: SSAValue | None = None
    """The number of elements seen, for means; None: means stay as they are."""
    frame: Frame = Frame()
    is_before: bool = False
    """Whether it is the moment before the first tile, in the first iteration."""

    def map_of(self, leaf: Leaf) -> AffineMap:
        """How the loops of the op that is written index a leaf."""
        assert leaf.map is not None
        is_running = leaf.depends == Depends.RUNNING
        return (
            self.frame.running(leaf.map) if is_running else self.frame.fixed(leaf.map)
        )


def loops_of(e: Expression, state: State | None = None) -> tuple[int, ...]:
    """The loops that the leaves of an expression are indexed by, in their order."""
    found: list[int] = []
    for leaf in e.leaves():
        map_ = leaf.map if state is None else state.map_of(leaf)
        assert map_ is not None
        for expr in map_.results:
            found += [dim for dim in sorted(expr.used_dims()) if dim not in found]
    return tuple(found)


class RowOp:
    """An element-wise op over some loops, while it is being written.

    First everything that it reads is named, then `build` writes its body.
    """

    def __init__(self, loops: tuple[int, ...], length: int | None, new_ops: OpList):
        self.loops = loops
        self._length = length
        self._new_ops = new_ops
        self._tensors: list[SSAValue] = []
        self._maps: list[AffineMap] = []

    def read(self, tensor: SSAValue, map_: AffineMap) -> int:
        """Read a tensor by a map of the original loops; its position among inputs."""
        used = {dim for expr in map_.results for dim in expr.used_dims()}
        assert used <= set(self.loops), "a row op reads along a loop that it lacks"
        names = [AffineExpr.constant(0)] * map_.num_dims
        for dim, loop in enumerate(self.loops):
            names[loop] = AffineExpr.dimension(dim)
        own = AffineMap(
            len(self.loops),
            0,
            tuple(e.replace_dims_and_symbols(names, []) for e in map_.results),
        )
        for position, known in enumerate(zip(self._tensors, self._maps, strict=True)):
            if known == (tensor, own):
                return position
        self._tensors.append(tensor)
        self._maps.append(own)
        return len(self._tensors) - 1

    def read_placed(self, placed: Placed) -> int:
        """Read a tensor whose dimensions run along some of the loops."""
        return self.read(placed.tensor, placed.map_from(max(self.loops, default=0) + 1))

    def read_leaves(self, e: Expression, state: State) -> None:
        """Read what an expression needs."""
        for leaf in e.leaves():
            self.read(_tensor(leaf, state), state.map_of(leaf))

    def build(
        self,
        write: Callable[[Body], SSAValue],
        of: Attribute,
        into: SSAValue | None = None,
    ) -> Placed:
        """Add the op; its result is new, or replaces the tensor `into`."""
        if into is None:
            into = empty(self._sizes(), of, self._new_ops)

        def fill(body: Body) -> list[SSAValue]:
            return [write(body)]

        maps = [*self._maps, AffineMap.identity(len(self.loops))]
        made = generic(self._tensors, [into], maps, [], fill, self._new_ops)
        return Placed(made.results[0], self.loops)

    def _sizes(self) -> list[Extent]:
        sizes: dict[int, Extent] = {}
        for tensor, map_ in zip(self._tensors, self._maps, strict=True):
            for dim, expr in enumerate(map_.results):
                if isinstance(expr, AffineDimExpr) and expr.position not in sizes:
                    sizes[expr.position] = dim_size(tensor, dim, self._new_ops)
        return [sizes[dim] for dim in range(len(self.loops))]

    def value(
        self, e: Expression, body: Body, state: State, *, mean: bool = False
    ) -> SSAValue:
        """Write an expression whose leaves are read; with `mean`, as `is_mean` says."""
        if e.leaf is not None:
            if e.leaf.map is not None:
                at = self.read(_tensor(e.leaf, state), state.map_of(e.leaf))
                return body.args[at]
            owner = e.value.owner
            if isinstance(owner, arith.ConstantOp):
                return body.append(owner.clone()).results[0]
            return e.leaf.value
        values = [self.value(arg, body, state, mean=mean) for arg in e.args]
        if mean and state.count is not None and is_mean(e, self._length):
            of = state.count.type
            total = body.convert(values[0 if e.args[0].is_running else 1], of)
            return body.convert(body.add("arith.divf", total, state.count), e.type)
        written = dict(zip(e.op.operands, values, strict=True))
        return body.append(e.op.clone(written)).results[0]


def _tensor(leaf: Leaf, state: State) -> SSAValue:
    is_running = leaf.depends == Depends.RUNNING
    return state.value_of(leaf.value) if is_running else leaf.value


def is_mean(e: Expression, length: int | None) -> bool:
    """Whether an expression divides a running value by the length of the stream."""
    if length is None or len(e.args) != 2:
        return False
    first, second = e.args
    if isinstance(e.op, arith.DivfOp):
        return first.is_running and second.constant == length
    if isinstance(e.op, arith.MulfOp) and first.is_running != second.is_running:
        number = second.constant if first.is_running else first.constant
        return number is not None and abs(number * length - 1) < 1e-6
    return False
