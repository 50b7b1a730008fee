"""Unroll one loop of a contraction: a contraction for each of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IntegerType, VectorType
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from tilewright.ir.dialects import arith
from tilewright.ir.dialects.vector import (
    ContractOp,
    IteratorType,
    ReductionOp,
    dims_of,
)
from tilewright.ir.types import is_vector, vector_type
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps

Layout = tuple[tuple[int, ...], ...]
"""The loops that lhs, rhs and accumulator run along."""
Lowered = SSAValue | None
ADD = CombiningKindAttr(CombiningKindFlag.ADD)


@dataclass(frozen=True)
class Loops:
    """The loops of a contraction."""

    kinds: str
    """`p` for each parallel loop, `r` for each reduction."""
    layout: Layout

    @staticmethod
    def of(op: ContractOp) -> Loops:
        """The loops of `op`."""
        kinds = "".join(
            "r" if kind.data == IteratorType.REDUCTION else "p"
            for kind in op.iterator_types
        )
        return Loops(kinds, tuple(dims_of(map_) for map_ in op.maps))


def unroll_one_loop(op: ContractOp, mask: SSAValue | None, steps: Steps) -> Lowered:
    """Unroll the first loop of both factors, of lhs or of rhs; then reductions."""
    left, right, _ = Loops.of(op).layout
    kinds = Loops.of(op).kinds
    both = [loop for loop in left if loop in right]
    batch = [loop for loop in range(len(kinds)) if loop in both and kinds[loop] == "p"]
    summed = [loop for loop in both if kinds[loop] == "r"]
    free = [loop for loop in (*left, *right) if loop not in both]
    for loop in (*batch, *free):
        return _unroll_parallel(op, loop, mask, steps)
    if summed and not is_vector(op.acc.type):
        return _unroll_reduction(op, mask, steps)
    return None


def _unroll_parallel(
    op: ContractOp, loop: int, mask: SSAValue | None, steps: Steps
) -> Lowered:
    left, right, result = Loops.of(op).layout
    factor, dims = (op.lhs, left) if loop in left else (op.rhs, right)
    extent = vector_type(factor).get_shape()[dims.index(loop)]
    if loop not in result and extent != 1:
        return None
    if not is_vector(op.acc.type):
        return None
    total = steps.constant(0, op.acc.type)
    for at in range(extent):
        parts = [
            _without(steps, value, _position(dims, loop), at)
            for value, dims in ((op.lhs, left), (op.rhs, right), (op.acc, result))
        ]
        part_mask = None if mask is None else _without(steps, mask, loop, at)
        part = steps.masked(_smaller(op, loop, *parts), part_mask)
        total = _with(steps, part, total, _position(result, loop), at)
    return total


def _unroll_reduction(op: ContractOp, mask: SSAValue | None, steps: Steps) -> Lowered:
    left, right, _ = Loops.of(op).layout
    if 0 not in left or 0 not in right:
        return None
    if len(left) == 1:
        if len(right) != 1:
            return None
        is_integer = isinstance(op.acc.type, IntegerType)
        times = arith.MuliOp if is_integer else arith.MulfOp
        product = steps.binary(times, op.lhs, op.rhs)
        return steps.masked(ReductionOp(ADD, product, op.acc), mask)
    total = op.acc
    for at in range(vector_type(op.lhs).get_shape()[left.index(0)]):
        lhs = _without(steps, op.lhs, left.index(0), at)
        rhs = _without(steps, op.rhs, right.index(0), at)
        part_mask = None if mask is None else _without(steps, mask, 0, at)
        total = steps.masked(_smaller(op, 0, lhs, rhs, total), part_mask)
    return total


def _position(dims: Sequence[int], loop: int) -> int | None:
    return dims.index(loop) if loop in dims else None


def _smaller(
    op: ContractOp, loop: int, lhs: SSAValue, rhs: SSAValue, acc: SSAValue
) -> ContractOp:
    """The contraction without one loop."""
    kinds = [kind for at, kind in enumerate(op.iterator_types) if at != loop]
    return ContractOp(
        lhs,
        rhs,
        acc,
        ArrayAttr([AffineMapAttr(_map_without(map_, loop)) for map_ in op.maps]),
        ArrayAttr(kinds),
        op.kind,
    )


def _map_without(map_: AffineMap, loop: int) -> AffineMap:
    results: list[AffineExpr] = [
        AffineDimExpr(dim if dim < loop else dim - 1)
        for dim in dims_of(map_)
        if dim != loop
    ]
    return AffineMap(map_.num_dims - 1, 0, tuple(results))


def _without(steps: Steps, value: SSAValue, dim: int | None, at: int) -> SSAValue:
    """A vector at one place of a dimension; as it is if it lacks the dimension."""
    if dim is None:
        return value
    if dim == 0:
        return steps.extract(value, at)
    of = vector_type(value)
    shape = [*of.get_shape()]
    del shape[dim]
    result = steps.constant(0, VectorType(of.element_type, shape))
    for row in range(shape[0]):
        part = _without(steps, steps.extract(value, row), dim - 1, at)
        result = steps.insert(part, result, row)
    return result


def _with(
    steps: Steps, value: SSAValue, into: SSAValue, dim: int | None, at: int
) -> SSAValue:
    """A vector with one place of a dimension replaced."""
    if dim is None:
        return value
    if dim == 0:
        return steps.insert(value, into, at)
    for row in range(vector_type(into).get_shape()[0]):
        before = steps.extract(into, row)
        part = _with(steps, steps.extract(value, row), before, dim - 1, at)
        into = steps.insert(part, into, row)
    return into
