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
from tilewright.transforms.structured.stream.expressions import Depends, Expression


@dataclass(frozen=True)
class Placed:
    """A tensor, and the loop of an op that each of its dimensions runs along."""

    tensor: SSAValue
    loops: tuple[int, ...]

    def map_from(self, rank: int) -> AffineMap:
        """The indexing map of an op with this many loops."""
        return AffineMap(rank, 0, tuple(map(AffineExpr.dimension, self.loops)))


@dataclass(frozen=True)
class State:
    """The running values at one moment: before a tile, after it, or after the loop."""

    name: str
    value_of: Callable[[SSAValue], SSAValue]
    """The tensor that a reduction's result is at this moment."""
    count: SSAValue | None = None
    """The number of elements seen, for means; None: means stay as they are."""


def loops_of(e: Expression) -> tuple[int, ...]:
    """The loops that the leaves of an expression are indexed by, in their order."""
    found: list[int] = []
    for leaf in e.leaves():
        assert leaf.map is not None
        for expr in leaf.map.results:
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
        self._body: Body | None = None

    def read(self, tensor: SSAValue, map_: AffineMap) -> int:
        """Read a tensor by a map of the original loops; its position among inputs."""
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
            assert leaf.map is not None
            self.read(_tensor(leaf.value, leaf.depends, state), leaf.map)

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
                tensor = _tensor(e.leaf.value, e.leaf.depends, state)
                return body.args[self.read(tensor, e.leaf.map)]
            owner = e.value.owner
            if isinstance(owner, arith.ConstantOp):
                return body.append(owner.clone()).results[0]
            return e.leaf.value
        values = [self.value(arg, body, state, mean=mean) for arg in e.args]
        if mean and state.count is not None and is_mean(e, self._length):
            total = values[0 if e.args[0].is_running else 1]
            return body.add("arith.divf", total, state.count)
        written = dict(zip(e.op.operands, values, strict=True))
        return body.append(e.op.clone(written)).results[0]


def _tensor(value: SSAValue, depends: Depends, state: State) -> SSAValue:
    return state.value_of(value) if depends == Depends.RUNNING else value


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
