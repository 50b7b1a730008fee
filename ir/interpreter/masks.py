"""vector.mask: one op, with only the lanes that are on.

A lane that is off takes no part: it is not transferred, and adds nothing to a
contraction or reduction. So poison in it stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr

from tilewright.ir.dialects import vector
from tilewright.ir.dialects.vector import ContractOp, MaskOp, MultiReductionOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.contraction import reduce_by
from tilewright.ir.interpreter.elementwise import cast, choose, widen
from tilewright.ir.interpreter.registry import Interpreter, Results, Value, fail
from tilewright.ir.interpreter.transfers import read, write
from tilewright.ir.interpreter.vector_reductions import (
    combiner_of,
    contract_values,
    maps_of,
    over_loops,
    reduced_loops,
    typed,
)


def mask(
    interpreter: Interpreter,
    op: MaskOp,
    lanes: Array,
    passthru: Value | None = None,
) -> Results:
    """One op, with only the lanes that are on."""
    masked = op.masked_op
    if masked is None:
        yielded = op.body.block.last_op
        assert yielded is not None
        return tuple(interpreter.value(value) for value in yielded.operands)
    function = _MASKED.get(type(masked))
    if function is None:
        fail(masked, "this op cannot be interpreted under vector.mask")
    results = function(masked, lanes, *map(interpreter.value, masked.operands))
    if passthru is None:
        return results
    (result,) = results
    if np.shape(result) != lanes.shape:
        fail(op, "a pass-through value needs a result with the mask's shape")
    return (choose(lanes, result, passthru),)


def _masked_read(
    op: vector.TransferReadOp, lanes: Array, source: Array, *operands: Value
) -> Results:
    rank = len(op.indices)
    return (read(op, source, operands[:rank], operands[rank], lanes),)


def _masked_write(
    op: vector.TransferWriteOp,
    lanes: Array,
    value: Array,
    source: Array,
    *indices: Value,
) -> Results:
    return write(op, value, source, indices, lanes)


def _masked_contract(
    op: ContractOp, lanes: Array, lhs: Array, rhs: Array, acc: Value
) -> Results:
    box = prefix_box(lanes)
    maps = maps_of(op)
    if box is None:
        return (_contract_any_mask(op, lanes, lhs, rhs, acc),)
    if 0 in box:
        return (acc,)
    windows = [
        tuple(
            slice(0, box[expr.position])
            for expr in map.results
            if isinstance(expr, AffineDimExpr)
        )
        for map in maps
    ]
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
    """The definition, for a mask that is no box: products that are off count zero."""
    if op.kind.data != CombiningKindFlag.ADD:
        fail(op, "only additions can be interpreted under a mask that is no box")
    rank = lanes.ndim
    maps = maps_of(op)
    start = widen(np.asarray(acc))
    left = over_loops(maps[0], lhs, rank).astype(start.dtype)
    right = over_loops(maps[1], rhs, rank).astype(start.dtype)
    products = choose(lanes, left * right, start.dtype.type(0))
    total = products.sum(axis=tuple(reduced_loops(op)), dtype=start.dtype)
    kept = [e.position for e in maps[2].results if isinstance(e, AffineDimExpr)]
    # Summing leaves the kept loops in ascending order; the accumulator has its own.
    total = total.transpose(np.argsort(np.argsort(kept)) if kept else ())
    return typed(start + total, op.result.type)


def prefix_box(lanes: Array) -> tuple[int, ...] | None:
    """The sizes of the box at the origin that is on, if a mask is exactly that."""
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


def _masked_multi_reduction(
    op: MultiReductionOp, lanes: Array, source: Array, acc: Value
) -> Results:
    combiner = combiner_of(op.kind)
    values = combiner.read(source)
    start = combiner.read(np.asarray(acc))
    if not op.dims:
        both = combiner.ufunc(values, start)
        return (typed(choose(lanes, both, start), op.dest.type),)
    neutral = neutral_of(op.kind, values.dtype)
    filled = choose(lanes, values, neutral)
    total = reduce_by(combiner.ufunc, filled, source.shape, op.dims)
    total = combiner.ufunc(start, np.squeeze(total, axis=op.dims))
    return (typed(total, op.dest.type),)


def _masked_reduction(
    op: vector.ReductionOp, lanes: Array, source: Array, acc: Value | None = None
) -> Results:
    combiner = combiner_of(op.kind)
    values = combiner.read(source)
    total: Any = neutral_of(op.kind, values.dtype)
    if lanes.any():
        total = combiner.ufunc.reduce(values[lanes], dtype=values.dtype)
    if acc is not None:
        total = combiner.ufunc(total, combiner.read(acc))
    return (cast(total, op.dest.type),)


def neutral_of(kind: CombiningKindAttr, dtype: np.dtype[Any]) -> Any:
    """The value that changes nothing when combined."""
    is_float = dtype.kind == "f"
    match kind.data:
        case CombiningKindFlag.ADD | CombiningKindFlag.OR | CombiningKindFlag.XOR:
            return dtype.type(0)
        case CombiningKindFlag.MUL:
            return dtype.type(1)
        case CombiningKindFlag.AND:
            return np.invert(dtype.type(0))
        case CombiningKindFlag.MAXUI | CombiningKindFlag.MAXSI:
            return np.iinfo(dtype).min
        case CombiningKindFlag.MINUI | CombiningKindFlag.MINSI:
            return np.iinfo(dtype).max
        case CombiningKindFlag.MAXIMUMF | CombiningKindFlag.MAXNUMF:
            return dtype.type(-np.inf if is_float else 0)
        case CombiningKindFlag.MINIMUMF | CombiningKindFlag.MINNUMF:
            return dtype.type(np.inf if is_float else 0)


_MASKED: dict[type[Operation], Callable[..., Results]] = {
    vector.TransferReadOp: _masked_read,
    vector.TransferWriteOp: _masked_write,
    vector.ReductionOp: _masked_reduction,
    ContractOp: _masked_contract,
    MultiReductionOp: _masked_multi_reduction,
}
