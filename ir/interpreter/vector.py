"""vector: contractions, reductions, shapes and masks.

Under `vector.mask` a lane that is off takes no part: it is not transferred, adds
nothing to a contraction or reduction. So poison in it stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.vector import (
    ContractOp,
    IteratorType,
    MaskOp,
    MultiReductionOp,
    ShapeCastOp,
    TransposeOp,
    YieldOp,
)
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.bodies import Combiner
from tilewright.ir.interpreter.contraction import contract as contract_loops
from tilewright.ir.interpreter.contraction import reduce_by
from tilewright.ir.interpreter.elementwise import (
    as_is,
    cast,
    choose,
    elementwise,
    in_f32,
    signed,
    unsigned,
    widen,
)
from tilewright.ir.interpreter.math import fused_multiply_add
from tilewright.ir.interpreter.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.tensor import shape_of, yields
from tilewright.ir.interpreter.transfers import (
    read,
    transfer_read,
    transfer_write,
    write,
)
from tilewright.ir.interpreter.windows import checked_window, mixed_values

_KINDS: dict[CombiningKindFlag, Combiner] = {
    CombiningKindFlag.MUL: Combiner(np.multiply, widen),
    CombiningKindFlag.MINUI: Combiner(np.minimum, unsigned),
    CombiningKindFlag.MINSI: Combiner(np.minimum, signed),
    CombiningKindFlag.MINNUMF: Combiner(np.fmin, widen),
    CombiningKindFlag.MAXUI: Combiner(np.maximum, unsigned),
    CombiningKindFlag.MAXSI: Combiner(np.maximum, signed),
    CombiningKindFlag.MAXNUMF: Combiner(np.fmax, widen),
    CombiningKindFlag.AND: Combiner(np.bitwise_and, as_is),
    CombiningKindFlag.OR: Combiner(np.bitwise_or, as_is),
    CombiningKindFlag.XOR: Combiner(np.bitwise_xor, as_is),
    CombiningKindFlag.MAXIMUMF: Combiner(np.maximum, widen),
    CombiningKindFlag.MINIMUMF: Combiner(np.minimum, widen),
    CombiningKindFlag.ADD: Combiner(np.add, widen),
}


def combiner_of(kind: CombiningKindAttr) -> Combiner:
    """numpy's function for `#vector.kind<...>`."""
    return _KINDS[kind.data]


def typed(value: Array, of: Attribute) -> Value:
    """A computed array as a vector, or as the scalar that it holds."""
    return cast(value if isinstance(of, ShapedType) else value[()], of)


def contract(
    interpreter: Interpreter, op: ContractOp, lhs: Array, rhs: Array, acc: Value
) -> Results:
    """acc plus the sum of products, in the accumulator's type."""
    extents = _extents(op, lhs, rhs)
    return (_contract(op, lhs, rhs, acc, extents),)


def _extents(op: ContractOp, lhs: Array, rhs: Array) -> list[int]:
    extents: dict[int, int] = {}
    for map, value in zip(_maps(op)[:2], (lhs, rhs), strict=True):
        for expr, size in zip(map.results, value.shape, strict=True):
            assert isinstance(expr, AffineDimExpr)
            extents[expr.position] = size
    return [extents[loop] for loop in range(len(op.iterator_types))]


def _maps(op: ContractOp) -> tuple[AffineMap, ...]:
    return tuple(attribute.data for attribute in op.indexing_maps)


def _over_loops(map: AffineMap, value: Array, rank: int) -> Array:
    dims = [expr.position for expr in map.results if isinstance(expr, AffineDimExpr)]
    value = value.transpose(np.argsort(dims) if dims else ())
    return np.expand_dims(value, [loop for loop in range(rank) if loop not in dims])


def _reduced(op: ContractOp) -> list[int]:
    return [
        loop
        for loop, kind in enumerate(op.iterator_types)
        if kind.data == IteratorType.REDUCTION
    ]


def _contract(
    op: ContractOp, lhs: Array, rhs: Array, acc: Value, extents: Sequence[int]
) -> Value:
    rank = len(extents)
    maps = _maps(op)
    reduced = _reduced(op)
    # Operands are extended to the accumulator's type before they are multiplied.
    accumulator = np.asarray(acc)
    wide = widen(accumulator).dtype
    left = _over_loops(maps[0], lhs, rank).astype(wide, copy=False)
    right = _over_loops(maps[1], rhs, rank).astype(wide, copy=False)
    if op.kind.data == CombiningKindFlag.ADD:
        total = contract_loops(left, right, extents, reduced)
    else:
        total = reduce_by(combiner_of(op.kind).ufunc, left * right, extents, reduced)
    kept = [e.position for e in maps[2].results if isinstance(e, AffineDimExpr)]
    rest = [loop for loop in range(rank) if loop not in kept]
    total = total.transpose([*kept, *rest]).reshape([extents[loop] for loop in kept])
    result = combiner_of(op.kind).ufunc(widen(accumulator), total)
    return typed(result, op.result.type)


def multi_reduction(
    interpreter: Interpreter, op: MultiReductionOp, source: Array, acc: Value
) -> Results:
    """Combine some dimensions into an accumulator."""
    return (_multi_reduction(op, source, acc),)


def _multi_reduction(op: MultiReductionOp, source: Array, acc: Value) -> Value:
    combiner = combiner_of(op.kind)
    start = combiner.read(np.asarray(acc))
    if not op.dims:
        return typed(combiner.ufunc(combiner.read(source), start), op.dest.type)
    if any(source.shape[dim] == 0 for dim in op.dims):
        return acc
    total = reduce_by(combiner.ufunc, combiner.read(source), source.shape, op.dims)
    total = np.squeeze(total, axis=op.dims)
    return typed(combiner.ufunc(start, total), op.dest.type)


def reduction(
    interpreter: Interpreter,
    op: vector.ReductionOp,
    source: Array,
    acc: Value | None = None,
) -> Results:
    """Combine a whole one-dimensional vector into a scalar."""
    combiner = combiner_of(op.kind)
    total = reduce_by(combiner.ufunc, combiner.read(source), source.shape, [0])[0]
    if acc is not None:
        total = combiner.ufunc(total, combiner.read(acc))
    return (cast(total, op.dest.type),)


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
    maps = _maps(op)
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
    part = _contract(op, lhs[windows[0]], rhs[windows[1]], start[windows[2]], list(box))
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
    maps = _maps(op)
    start = widen(np.asarray(acc))
    left = _over_loops(maps[0], lhs, rank).astype(start.dtype)
    right = _over_loops(maps[1], rhs, rank).astype(start.dtype)
    products = choose(lanes, left * right, start.dtype.type(0))
    total = products.sum(axis=tuple(_reduced(op)), dtype=start.dtype)
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


def broadcast(
    interpreter: Interpreter, op: vector.BroadcastOp, source: Value
) -> Results:
    """Repeat along leading and unit dimensions; a view."""
    return (np.broadcast_to(source, shape_of(op.vector.type)),)


def transpose(interpreter: Interpreter, op: TransposeOp, source: Array) -> Results:
    """Permute the dimensions; a view."""
    return (source.transpose(op.order),)


def shape_cast(interpreter: Interpreter, op: ShapeCastOp, source: Array) -> Results:
    """Another shape, elements in row-major order."""
    return (source.reshape(shape_of(op.result.type)),)


def create_mask(
    interpreter: Interpreter, op: vector.CreateMaskOp, *sizes: Value
) -> Results:
    """A box at the origin; a size past the vector's, or negative, is brought in."""
    shape = shape_of(op.mask_vector.type)
    lanes = np.zeros(shape, np.bool_)
    lanes[tuple(slice(0, max(0, int(size))) for size in sizes)] = True
    return (lanes,)


def extract(
    interpreter: Interpreter, op: vector.ExtractOp, source: Array, *dynamic: Value
) -> Results:
    """A lane or a slice, by its leading indices."""
    position = mixed_values(op.static_position, iter(dynamic))
    checked_window(
        op, source.shape[: len(position)], position, *[[1] * len(position)] * 2
    )
    return (typed(source[tuple(position)], op.result.type),)


def insert(
    interpreter: Interpreter,
    op: vector.InsertOp,
    source: Value,
    dest: Array,
    *dynamic: Value,
) -> Results:
    """A copy with a lane or a slice replaced."""
    position = mixed_values(op.static_position, iter(dynamic))
    checked_window(
        op, dest.shape[: len(position)], position, *[[1] * len(position)] * 2
    )
    result = dest.copy()
    result[tuple(position)] = source
    return (result,)


def load(
    interpreter: Interpreter, op: vector.LoadOp, source: Array, *indices: Value
) -> Results:
    """A vector from the innermost dimensions of a buffer."""
    return (source[_innermost(op, source, indices, op.result.type)].copy(),)


def store(
    interpreter: Interpreter,
    op: vector.StoreOp,
    value: Array,
    target: Array,
    *indices: Value,
) -> Results:
    """A vector into the innermost dimensions of a buffer."""
    target[_innermost(op, target, indices, op.vector.type)] = value
    return ()


def _innermost(
    op: Operation, of: Array, indices: Sequence[Value], vector_type: Attribute
) -> tuple[slice | int, ...]:
    shape = shape_of(vector_type)
    outer = of.ndim - len(shape)
    sizes = [*[1] * outer, *shape]
    window = checked_window(op, of.shape, indices, sizes, [1] * of.ndim)
    return tuple(s.start if d < outer else s for d, s in enumerate(window))


TABLE: Table = {
    vector.TransferReadOp: transfer_read,
    vector.TransferWriteOp: transfer_write,
    vector.BroadcastOp: broadcast,
    vector.CreateMaskOp: create_mask,
    vector.ReductionOp: reduction,
    vector.FMAOp: elementwise(in_f32(fused_multiply_add)),
    vector.ExtractOp: extract,
    vector.InsertOp: insert,
    vector.LoadOp: load,
    vector.StoreOp: store,
    ContractOp: contract,
    MultiReductionOp: multi_reduction,
    TransposeOp: transpose,
    ShapeCastOp: shape_cast,
    MaskOp: mask,
    YieldOp: yields,
}
