"""The ops that a streamed dimension runs through.

A chain has three kinds of ops, all in one block:

- *streamed* ops have the dimension as a parallel loop: products that make the elements,
  and element-wise ops on them;
- *reductions* have it as a reduction loop;
- ops *between* have it not, and compute something from results of reductions that a
  later op of the chain reads, such as a mean from a sum.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp
from tilewright.ir.structured.bodies import is_elementwise, is_straight_line, yielded
from tilewright.ir.structured.loops import is_reduction
from tilewright.ir.types import is_tensor
from tilewright.transforms.core.base import TransformOp
from tilewright.transforms.structured.stream.algebra.expressions import (
    Depends,
    Expression,
    Leaf,
)


@dataclass
class Chain:
    """The ops along one dimension, and the loop that it is in each of them."""

    targets: tuple[StructuredOp, ...]
    axis: dict[StructuredOp, int] = field(default_factory=dict[StructuredOp, int])
    """The loop of each streamed op and each reduction."""
    between: set[StructuredOp] = field(default_factory=set[StructuredOp])
    along: set[tuple[SSAValue, int]] = field(default_factory=set[tuple[SSAValue, int]])
    """The dimensions of tensors that are the streamed one."""
    within: Collection[StructuredOp] | None = None
    """The ops that may be part of it; None for all ops of the block."""
    repeated: set[SSAValue] = field(default_factory=set[SSAValue])
    """Results of streamed ops that repeat a running value along the dimension."""

    @property
    def block(self) -> Block:
        """The block of all ops."""
        parent = self.targets[0].parent
        assert parent is not None
        return parent

    @property
    def ops(self) -> list[StructuredOp]:
        """All ops, in the order of the block."""
        return [
            op
            for op in self.block.ops
            if isinstance(op, StructuredOp) and (op in self.axis or op in self.between)
        ]

    @property
    def reductions(self) -> list[StructuredOp]:
        """The ops that reduce the dimension, in the order of the block."""
        return [op for op in self.ops if self.reduces(op)]

    def reduces(self, op: Operation) -> bool:
        """Whether an op reduces the dimension."""
        return (
            isinstance(op, StructuredOp)
            and op in self.axis
            and is_reduction(op, self.axis[op])
        )

    def is_local(self, op: Operation | Block) -> TypeGuard[StructuredOp]:
        """Whether an op is a structured op of the block that may be in the chain."""
        return (
            isinstance(op, StructuredOp)
            and op.parent is self.block
            and (self.within is None or op in self.within)
        )

    def is_running(self, value: SSAValue) -> bool:
        """Whether a tensor changes in every iteration, and not along the dimension."""
        owner = value.owner
        return (
            value in self.repeated
            or isinstance(owner, StructuredOp)
            and (self.reduces(owner) or owner in self.between)
        )


def find_chain(
    user: TransformOp,
    targets: Sequence[StructuredOp],
    loops: Sequence[int],
    within: Collection[StructuredOp] | None = None,
) -> Chain:
    """The chain that ends at reductions along the given loop of each.

    With `within`, of these ops alone; all others count as computed before.
    """
    chain = Chain(tuple(targets), within=within)
    for op, loop in zip(targets, loops, strict=True):
        _add(user, chain, op, loop)
    while _grow(user, chain):
        pass
    chain.between = _between(chain)
    for op in chain.ops:
        if op in chain.axis and not chain.reduces(op) and _can_be_put_in(op):
            for result, value in zip(op.results, yielded(op), strict=True):
                if expression_of(user, chain, op, value).is_running:
                    chain.repeated.add(result)
    return chain


def loops_of_reader(chain: Chain, leaf: Leaf, reader: StructuredOp) -> dict[int, int]:
    """The loops of a reduction as loops of an op that reads its result as `leaf`."""
    op, value = leaf.value.owner, leaf.value
    assert isinstance(op, StructuredOp) and leaf.map is not None
    found = {chain.axis[op]: chain.axis[reader]}
    output = op.maps[len(op.inputs) + _number(value)]
    for own, other in zip(output.results, leaf.map.results, strict=True):
        if isinstance(own, AffineDimExpr) and isinstance(other, AffineDimExpr):
            found[own.position] = other.position
    return found


def _add(user: TransformOp, chain: Chain, op: StructuredOp, loop: int) -> None:
    known = chain.axis.setdefault(op, loop)
    if known != loop:
        raise user.refuse(
            f"loops {known} and {loop} of '{op.name}' both run along the dimension", op
        )
    # What a result starts from is not followed: the tile gets a start of its own.
    pairs = [*zip(op.inputs, op.maps, strict=False)]
    pairs += zip(op.results, op.maps[len(op.inputs) :], strict=True)
    for value, map_ in pairs:
        for dim, expr in enumerate(map_.results):
            if loop not in expr.used_dims():
                continue
            if not isinstance(expr, AffineDimExpr):
                raise user.refuse(
                    f"'{op.name}' reads a window along the dimension: {expr}",
                    op,
                    "stream a dimension that every operand is indexed by alone",
                )
            chain.along.add((value, dim))


def _grow(user: TransformOp, chain: Chain) -> bool:
    """Add the producers that the chain reads along the dimension; False at the end."""
    for value, dim in list(chain.along):
        op = value.owner
        if not chain.is_local(op) or op in chain.axis:
            continue
        map_ = op.maps[len(op.inputs) + _number(value)]
        expr = map_.results[dim]
        if not isinstance(expr, AffineDimExpr):
            raise user.refuse(f"'{op.name}' does not index its result by loops", op)
        _add(user, chain, op, expr.position)
        return True
    for op in _producers(chain):
        if op in chain.axis:
            continue
        for operand, map_ in zip(op.inputs, op.maps, strict=False):
            for dim, expr in enumerate(map_.results):
                if (
                    isinstance(expr, AffineDimExpr)
                    and is_reduction(op, expr.position)
                    and _leads_to(chain, operand, dim)
                ):
                    _add(user, chain, op, expr.position)
                    return True
    return False


def _leads_to(chain: Chain, value: SSAValue, dim: int) -> bool:
    """Whether a dimension of a tensor is the streamed one, as far back as one sees."""
    if (value, dim) in chain.along:
        return True
    op = value.owner
    if not chain.is_local(op) or op in chain.axis:
        return False
    expr = op.maps[len(op.inputs) + _number(value)].results[dim]
    return isinstance(expr, AffineDimExpr) and any(
        _leads_to(chain, operand, position)
        for operand, position in op.dims_of_loop(expr.position)
        if operand is not value
    )


def _producers(chain: Chain) -> Iterator[StructuredOp]:
    """The structured ops of the block that the chain reads from, however far back."""
    seen: set[Operation] = set()
    waiting: list[Operation] = list(chain.axis)
    while waiting:
        op = waiting.pop()
        for operand in op.operands:
            owner = operand.owner
            if chain.is_local(owner) and owner not in seen:
                seen.add(owner)
                waiting.append(owner)
                yield owner


def _between(chain: Chain) -> set[StructuredOp]:
    """The ops without the dimension on a way from a reduction to an op of the chain."""
    found: set[StructuredOp] = set()
    for op in reversed(list(_in_order(chain))):
        if op in chain.axis:
            continue
        is_read = any(
            use.operation in chain.axis or use.operation in found
            for result in op.results
            for use in result.uses
        )
        if is_read and _depends_on_reduction(chain, op):
            found.add(op)
    return found


def _in_order(chain: Chain) -> Iterator[StructuredOp]:
    for op in chain.block.ops:
        if chain.is_local(op):
            yield op


def _depends_on_reduction(chain: Chain, op: StructuredOp) -> bool:
    waiting: list[Operation] = [op]
    while waiting:
        for operand in waiting.pop().operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner.parent is chain.block:
                if chain.reduces(owner):
                    return True
                waiting.append(owner)
    return False


def expression_of(
    user: TransformOp,
    chain: Chain,
    op: StructuredOp,
    value: SSAValue,
    loops: AffineMap | None = None,
) -> Expression:
    """What a scalar of an op's body is, with the bodies of other ops put in.

    `loops` gives the op's loops in terms of those of the op that is asked about.
    """
    if isinstance(value, BlockArgument) and value.block is op.body.block:
        return _element(user, chain, op, value, loops)
    owner = value.owner
    if not isinstance(owner, Operation):
        return Expression(value, leaf=Leaf(value, None, Depends.NOTHING))
    if isinstance(owner, IndexOp):
        loop = owner.dim.value.data
        kind = Depends.STREAMED if loop == chain.axis.get(op) else Depends.NOTHING
        index = AffineExpr.dimension(loop) if loops is None else loops.results[loop]
        return Expression(value, leaf=Leaf(value, None, kind, index))
    if owner.parent is not op.body.block or isinstance(owner, arith.ConstantOp):
        return Expression(value, leaf=Leaf(value, None, Depends.NOTHING))
    args = (expression_of(user, chain, op, v, loops) for v in owner.operands)
    return Expression(value, tuple(args))


def _element(
    user: TransformOp,
    chain: Chain,
    op: StructuredOp,
    argument: BlockArgument,
    loops: AffineMap | None,
) -> Expression:
    """What an element of an operand is."""
    operand = op.operands[argument.index]
    map_ = op.maps[argument.index]
    seen = map_ if loops is None else map_.compose(loops)
    if not is_tensor(operand.type):
        return Expression(argument, leaf=Leaf(operand, None, Depends.NOTHING))
    producer = operand.owner
    is_inside = isinstance(producer, StructuredOp) and (
        producer in chain.axis or producer in chain.between
    )
    if not is_inside:
        streams = any(chain.axis.get(op) in expr.used_dims() for expr in map_.results)
        kind = Depends.STREAMED if streams else Depends.NOTHING
        return Expression(argument, leaf=Leaf(operand, seen, kind))
    assert isinstance(producer, StructuredOp)
    if chain.reduces(producer):
        return Expression(argument, leaf=Leaf(operand, seen, Depends.RUNNING))
    if not _can_be_put_in(producer):
        if producer in chain.between:
            raise user.refuse(
                f"'{producer.name}' between two reductions of the chain is not "
                f"element-wise",
                producer,
                "only element-wise ops may compute a running value from another",
            )
        if _reads_running(chain, producer):
            raise user.refuse(
                f"'{producer.name}' reads a running value and is not element-wise",
                producer,
                "only element-wise ops and reductions of the chain may read one",
            )
        return Expression(argument, leaf=Leaf(operand, seen, Depends.STREAMED))
    out = producer.maps[len(producer.inputs) + _number(operand)]
    inverse = _inverse(out)
    inner = inverse.compose(seen)
    result = yielded(producer)[_number(operand)]
    return expression_of(user, chain, producer, result, inner)


def _reads_running(chain: Chain, op: StructuredOp) -> bool:
    """Whether a streamed op depends on running values, directly or through others."""
    return any(
        chain.is_running(operand)
        or (
            isinstance(owner := operand.owner, StructuredOp)
            and owner in chain.axis
            and _reads_running(chain, owner)
        )
        for operand in op.operands
    )


def _can_be_put_in(op: StructuredOp) -> bool:
    """Whether an element of the result depends on one element of each operand."""
    outputs = op.body.block.args[len(op.inputs) :]
    return (
        is_elementwise(op)
        and is_straight_line(op.body.block)
        and not any(arg.first_use for arg in outputs)
    )


def length_of(chain: Chain) -> int | None:
    """The extent of the streamed dimension, if it is known."""
    for op, loop in chain.axis.items():
        extent = op.get_static_loop_ranges()[loop]
        if extent >= 0:
            return extent
    return None


def _inverse(permutation: AffineMap) -> AffineMap:
    """The loops of an op from the position in its result."""
    results = [AffineExpr.constant(0)] * permutation.num_dims
    for dim, expr in enumerate(permutation.results):
        assert isinstance(expr, AffineDimExpr)
        results[expr.position] = AffineExpr.dimension(dim)
    return AffineMap(len(permutation.results), 0, tuple(results))


def _number(value: SSAValue) -> int:
    assert isinstance(value, OpResult)
    return value.index
