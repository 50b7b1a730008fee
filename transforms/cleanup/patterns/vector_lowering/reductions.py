"""Lower `vector.multi_reduction` to reductions of one dimension, or to arithmetic.

Before:
    %r = vector.multi_reduction <add>, %x, %acc [1] : vector<2x4xf32> to vector<2xf32>

After `lowering_strategy = innerreduction`, for each of the two rows:
    %x0 = vector.extract %x[0] : vector<4xf32> from vector<2x4xf32>
    %a0 = vector.extract %acc[0] : f32 from vector<2xf32>
    %r0 = vector.reduction <add>, %x0, %a0 : vector<4xf32> into f32

`innerparallel` moves the reductions to the front, and combines whole rows.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from xdsl.ir import SSAValue

from tilewright.ir.dialects.vector import MultiReductionOp, ReductionOp
from tilewright.ir.types import vector_type
from tilewright.transforms.cleanup.driver import Pattern, pattern
from tilewright.transforms.cleanup.patterns.vector_lowering.steps import Steps, root_of
from tilewright.transforms.core.rewriter import Rewriter

Lowering = Callable[[MultiReductionOp, SSAValue | None, Steps], SSAValue | None]


def _parallel_dims(op: MultiReductionOp) -> list[int]:
    rank = vector_type(op.source).get_num_dims()
    return [dim for dim in range(rank) if dim not in op.dims]


def _reduced(
    op: MultiReductionOp,
    source: SSAValue,
    acc: SSAValue,
    dims: list[int],
    mask: SSAValue | None,
    steps: Steps,
) -> SSAValue:
    """The same reduction of other operands."""
    return steps.masked(MultiReductionOp(op.kind, source, acc, dims), mask)


def _reorder(inner: bool) -> Lowering:
    """Transpose, so that the reductions are the last dimensions, or the first."""

    def reorder(
        op: MultiReductionOp, mask: SSAValue | None, steps: Steps
    ) -> SSAValue | None:
        parallel, reduced = _parallel_dims(op), sorted(op.dims)
        order = [*parallel, *reduced] if inner else [*reduced, *parallel]
        if not parallel or order == sorted(order):
            return None
        new_mask = None if mask is None else steps.transpose(mask, order)
        source = steps.transpose(op.source, order)
        first = len(parallel) if inner else 0
        dims = list(range(first, first + len(reduced)))
        return _reduced(op, source, op.acc, dims, new_mask, steps)

    return reorder


def _flatten(inner: bool) -> Lowering:
    """Collapse the reductions into one dimension, and the others into another."""

    def flatten(
        op: MultiReductionOp, mask: SSAValue | None, steps: Steps
    ) -> SSAValue | None:
        shape = vector_type(op.source).get_shape()
        parallel, reduced = _parallel_dims(op), sorted(op.dims)
        if len(shape) < 2 or (len(shape) == 2 and parallel and reduced):
            return None
        order = [*parallel, *reduced] if inner else [*reduced, *parallel]
        if order != sorted(order):
            return None
        halves = [(parallel, False), (reduced, True)]
        if not inner:
            halves.reverse()
        flat = [prod(shape[dim] for dim in dims) for dims, _ in halves if dims]
        sums = [is_sum for dims, is_sum in halves if dims]
        new_mask = None if mask is None else steps.cast(mask, flat)
        source = steps.cast(op.source, flat)
        kept = [shape[dim] for dim in parallel]
        acc = steps.cast(op.acc, [prod(kept)]) if parallel else op.acc
        dims = [dim for dim, is_sum in enumerate(sums) if is_sum]
        result = _reduced(op, source, acc, dims, new_mask, steps)
        return steps.cast(result, kept) if parallel else result

    return flatten


def _add_dim(
    op: MultiReductionOp, mask: SSAValue | None, steps: Steps
) -> SSAValue | None:
    """Give a reduction of one dimension a parallel one of extent 1."""
    shape = vector_type(op.source).get_shape()
    if len(shape) != 1 or not op.dims:
        return None
    source = steps.cast(op.source, [1, *shape])
    acc = steps.broadcast(op.acc, [1])
    new_mask = None if mask is None else steps.broadcast(mask, [1, *shape])
    return steps.extract(_reduced(op, source, acc, [1], new_mask, steps), 0)


def _combine_rows(
    op: MultiReductionOp, mask: SSAValue | None, steps: Steps
) -> SSAValue | None:
    """Combine the rows of a matrix one after the other."""
    shape = vector_type(op.source).get_shape()
    if len(shape) != 2 or op.dims != (0,):
        return None
    total = op.acc
    for at in range(shape[0]):
        row = steps.extract(op.source, at)
        row_mask = None if mask is None else steps.extract(mask, at)
        total = steps.combine(op.kind.data, row, total, row_mask)
    return total


def _reduce_rows(
    op: MultiReductionOp, mask: SSAValue | None, steps: Steps
) -> SSAValue | None:
    """Reduce each row of a matrix."""
    shape = vector_type(op.source).get_shape()
    if len(shape) != 2 or op.dims != (1,):
        return None
    result = steps.constant(0, op.acc.type)
    for row in range(shape[0]):
        acc = steps.extract(op.acc, row)
        reduction = ReductionOp(op.kind, steps.extract(op.source, row), acc)
        row_mask = None if mask is None else steps.extract(mask, row)
        result = steps.insert(steps.masked(reduction, row_mask), result, row)
    return result


def lower_multi_reduction(strategy: str) -> tuple[Pattern, ...]:
    """The patterns of one lowering strategy."""
    inner = strategy == "innerreduction"
    last = _reduce_rows if inner else _combine_rows
    lowerings: tuple[Lowering, ...] = (_reorder(inner), _flatten(inner), _add_dim, last)

    @pattern(MultiReductionOp)
    def lower(op: MultiReductionOp, rewriter: Rewriter) -> None:
        """Take one step to reductions of rows, or to sums of rows."""
        root, mask = root_of(op)
        for lowering in lowerings:
            steps = Steps()
            if (result := lowering(op, mask, steps)) is not None:
                steps.replace(root, rewriter, result)
                return
            steps.drop()

    return (lower,)
