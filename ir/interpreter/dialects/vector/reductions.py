"""vector.contract, outerproduct, multi_reduction, reduction and scan.

Each may run under a mask: a masked-off lane adds nothing, so poison in it stays where
it is. Narrow floats are combined in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects.vector import (
    ContractOp,
    IteratorType,
    MultiReductionOp,
    OuterProductOp,
    ReductionOp,
    ScanOp,
    dims_of,
)
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.combiners import COMBINERS, neutral_number
from tilewright.ir.interpreter.core.contraction import contract as contract_loops
from tilewright.ir.interpreter.core.contraction import reduce_by
from tilewright.ir.interpreter.core.elementwise import (
    cast,
    choose,
    number,
    typed,
    widen,
)
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Value
from tilewright.ir.interpreter.dialects.math import fused_multiply_add
from tilewright.ir.interpreter.dialects.vector.products import Product
from tilewright.ir.structured.combiners import IDEMPOTENT_KINDS


def _masked(kind: CombiningKindAttr, values: Array, lanes: Array, acc: Array) -> Array:
    """Values with masked-off lanes replaced by something neutral.

    `acc` is the accumulator, laid out like the values. Where it may be combined twice
    it is the better choice: -inf would hide that a `maxnumf` has seen only NaNs.
    """
    if kind.data in IDEMPOTENT_KINDS:
        return choose(lanes, values, acc)
    return choose(lanes, values, neutral_number(kind.data, values.dtype))


def contract(
    interpreter: Interpreter, op: ContractOp, lhs: Array, rhs: Array, acc: Value
) -> Results:
    """acc and the products, combined in the accumulator's type."""
    return (contract_values(op, lhs, rhs, acc, _extents(op, lhs, rhs)),)


def _extents(op: ContractOp, lhs: Array, rhs: Array) -> list[int]:
    extents: dict[int, int] = {}
    for map, value in zip(op.maps[:2], (lhs, rhs), strict=True):
        extents |= dict(zip(dims_of(map), value.shape, strict=True))
    return [extents[loop] for loop in range(len(op.iterator_types))]


def _over_loops(map: AffineMap, value: Array, rank: int) -> Array:
    """An operand with one axis for each loop, of size 1 if its map lacks the loop."""
    dims = dims_of(map)
    value = value.transpose(np.argsort(dims) if dims else ())
    return np.expand_dims(value, [loop for loop in range(rank) if loop not in dims])


def _reduced_loops(op: ContractOp) -> list[int]:
    return [
        loop
        for loop, kind in enumerate(op.iterator_types)
        if kind.data == IteratorType.REDUCTION
    ]


def contract_values(
    op: ContractOp, lhs: Array, rhs: Array, acc: Value, extents: Sequence[int]
) -> Value:
    """The contraction over loops of the given extents."""
    combiner = COMBINERS[op.kind.data]
    start = combiner.read(np.asarray(acc))
    left, right = _factors(op, lhs, rhs, start.dtype, len(extents))
    reduced = _reduced_loops(op)
    if op.kind.data == CombiningKindFlag.ADD:
        total = contract_loops(left, right, extents, reduced)
    else:
        total = reduce_by(combiner.ufunc, left * right, extents, reduced)
    kept = dims_of(op.maps[2])
    rest = [loop for loop in range(len(extents)) if loop not in kept]
    total = total.transpose([*kept, *rest]).reshape([extents[loop] for loop in kept])
    return typed(combiner.ufunc(start, total), op.result.type)


def _factors(
    op: ContractOp, lhs: Array, rhs: Array, dtype: np.dtype[Any], rank: int
) -> tuple[Array, Array]:
    """Both operands over the loops, extended to the accumulator's type first."""
    left = _over_loops(op.maps[0], number(lhs), rank).astype(dtype, copy=False)
    right = _over_loops(op.maps[1], number(rhs), rank).astype(dtype, copy=False)
    return left, right


def masked_contract(
    op: ContractOp, lanes: Array, lhs: Array, rhs: Array, acc: Value
) -> Results:
    """A contraction under a mask over its loops."""
    box = prefix_box(lanes)
    if box is None:
        return (_contract_any_mask(op, lanes, lhs, rhs, acc),)
    if 0 in box:
        return (acc,)
    windows = [tuple(slice(0, box[loop]) for loop in dims_of(map)) for map in op.maps]
    start = np.asarray(acc)
    part = contract_values(
        op, lhs[windows[0]], rhs[windows[1]], start[windows[2]], list(box)
    )
    result = start.copy()
    result[windows[2]] = part
    return (typed(result, op.result.type),)


def _contract_any_mask(
    op: ContractOp, lanes: Array, lhs: Array, rhs: Array, acc: Value
) -> Value:
    """The definition, for a mask that is no box."""
    rank = lanes.ndim
    combiner = COMBINERS[op.kind.data]
    start = combiner.read(np.asarray(acc))
    left, right = _factors(op, lhs, rhs, start.dtype, rank)
    spread = _over_loops(op.maps[2], start, rank)
    products = np.broadcast_to(left * right, lanes.shape)
    products = _masked(op.kind, products, lanes, spread)
    total = reduce_by(combiner.ufunc, products, lanes.shape, _reduced_loops(op))
    kept = dims_of(op.maps[2])
    rest = [loop for loop in range(rank) if loop not in kept]
    total = total.transpose([*kept, *rest]).reshape(start.shape)
    return typed(combiner.ufunc(start, total), op.result.type)


def prefix_box(lanes: Array) -> tuple[int, ...] | None:
    """The sizes of the box at the origin that a mask is; None if it is no box."""
    if lanes.size == 0 or not lanes[(0,) * lanes.ndim]:
        return None if lanes.any() else (0,) * lanes.ndim
    box: list[int] = []
    for axis in range(lanes.ndim):
        line = lanes[tuple(slice(None) if a == axis else 0 for a in range(lanes.ndim))]
        box.append(line.size if line.all() else int(np.argmin(line)))
    inside = lanes[tuple(slice(0, size) for size in box)]
    if not inside.all() or np.count_nonzero(lanes) != inside.size:
        return None
    return tuple(box)


def outer_product(
    interpreter: Interpreter,
    op: OuterProductOp,
    lhs: Array,
    rhs: Value,
    acc: Array | None = None,
) -> Results:
    """Every product, combined with the accumulator."""
    left = lhs[:, None] if np.ndim(rhs) else lhs
    combiner = COMBINERS[op.kind.data]
    if acc is None:
        return (typed(number(left) * number(np.asarray(rhs)), op.result.type),)
    wide = widen(left)
    if op.kind.data == CombiningKindFlag.ADD and wide.dtype.kind == "f":
        total = fused_multiply_add(wide, widen(np.asarray(rhs)), widen(acc))
        return (typed(total, op.result.type),)
    product = typed(number(left) * number(np.asarray(rhs)), op.result.type)
    total = combiner.ufunc(combiner.read(product), combiner.read(acc))
    return (typed(total, op.result.type),)


def multi_reduction(
    interpreter: Interpreter, op: MultiReductionOp, source: Value, acc: Value
) -> Results:
    """Combine some dimensions into an accumulator."""
    combiner = COMBINERS[op.kind.data]
    start = combiner.read(np.asarray(acc))
    if isinstance(source, Product):
        total = np.squeeze(source.sum_over(op.dims), axis=op.dims)
        return (typed(start + total, op.dest.type),)
    values = combiner.read(source)
    if op.dims:
        values = reduce_by(combiner.ufunc, values, source.shape, op.dims)
        values = np.squeeze(values, axis=op.dims)
    return (typed(combiner.ufunc(start, values), op.dest.type),)


def masked_multi_reduction(
    op: MultiReductionOp, lanes: Array, source: Array, acc: Value
) -> Results:
    """Reduce the active lanes; the accumulator if there is none."""
    combiner = COMBINERS[op.kind.data]
    start = combiner.read(np.asarray(acc))
    spread = np.expand_dims(start, op.dims)
    values = _masked(op.kind, combiner.read(source), lanes, spread)
    if not op.dims:
        both = combiner.ufunc(start, values)
        return (typed(choose(lanes, both, start), op.dest.type),)
    total = reduce_by(combiner.ufunc, values, source.shape, op.dims)
    total = combiner.ufunc(start, np.squeeze(total, axis=op.dims))
    return (typed(total, op.dest.type),)


def reduction(
    interpreter: Interpreter, op: ReductionOp, source: Value, acc: Value | None = None
) -> Results:
    """Combine a whole vector into a scalar."""
    lanes = np.ones(np.shape(source), np.bool_)
    return masked_reduction(op, lanes, source, acc)


def masked_reduction(
    op: ReductionOp, lanes: Array, source: Value, acc: Value | None = None
) -> Results:
    """Combine the active lanes."""
    combiner = COMBINERS[op.kind.data]
    values = combiner.read(np.asarray(source))[lanes]
    total: Any = neutral_number(op.kind.data, values.dtype)
    if values.size:
        total = combiner.ufunc.reduce(values, dtype=values.dtype)
    if acc is not None:
        start = combiner.read(np.asarray(acc))
        total = combiner.ufunc(start, total) if values.size else start
    return (cast(total, op.dest.type),)


def scan(
    interpreter: Interpreter, op: ScanOp, source: Array, initial: Array
) -> Results:
    """Running totals. An inclusive scan does not look at the initial value.

    That is upstream's lowering, and so is an exclusive scan's accumulated value: the
    last total, which the last element is not in.
    """
    combiner = COMBINERS[op.kind.data]
    values = combiner.read(source)
    if not op.inclusive:
        first = np.expand_dims(combiner.read(np.asarray(initial)), op.dim)
        before = np.delete(values, -1, axis=op.dim)
        values = np.concatenate([first, before], axis=op.dim)
    totals = combiner.ufunc.accumulate(values, axis=op.dim, dtype=values.dtype)
    last = np.take(totals, -1, axis=op.dim)
    return (typed(totals, op.dest.type), typed(last, op.accumulated_value.type))
