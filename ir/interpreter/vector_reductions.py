"""vector.contract, multi_reduction and reduction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import vector
from tilewright.ir.dialects.vector import ContractOp, IteratorType, MultiReductionOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.bodies import Combiner
from tilewright.ir.interpreter.contraction import contract as contract_loops
from tilewright.ir.interpreter.contraction import reduce_by
from tilewright.ir.interpreter.elementwise import as_is, cast, signed, unsigned, widen
from tilewright.ir.interpreter.registry import Interpreter, Results, Value


def _number(value: Value) -> Any:
    return signed(value) if value.dtype == np.bool_ else widen(value)


_KINDS: dict[CombiningKindFlag, Combiner] = {
    CombiningKindFlag.MUL: Combiner(np.multiply, _number),
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
    CombiningKindFlag.ADD: Combiner(np.add, _number),
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
    return (contract_values(op, lhs, rhs, acc, extents),)


def _extents(op: ContractOp, lhs: Array, rhs: Array) -> list[int]:
    extents: dict[int, int] = {}
    for map, value in zip(maps_of(op)[:2], (lhs, rhs), strict=True):
        for expr, size in zip(map.results, value.shape, strict=True):
            assert isinstance(expr, AffineDimExpr)
            extents[expr.position] = size
    return [extents[loop] for loop in range(len(op.iterator_types))]


def maps_of(op: ContractOp) -> tuple[AffineMap, ...]:
    """The indexing maps of lhs, rhs and accumulator."""
    return tuple(attribute.data for attribute in op.indexing_maps)


def over_loops(map: AffineMap, value: Array, rank: int) -> Array:
    """An operand with one axis a loop, of size 1 for a loop its map does not have."""
    dims = [expr.position for expr in map.results if isinstance(expr, AffineDimExpr)]
    value = value.transpose(np.argsort(dims) if dims else ())
    return np.expand_dims(value, [loop for loop in range(rank) if loop not in dims])


def reduced_loops(op: ContractOp) -> list[int]:
    """The loops that are summed."""
    return [
        loop
        for loop, kind in enumerate(op.iterator_types)
        if kind.data == IteratorType.REDUCTION
    ]


def contract_values(
    op: ContractOp, lhs: Array, rhs: Array, acc: Value, extents: Sequence[int]
) -> Value:
    """The contraction over loops of the given extents."""
    rank = len(extents)
    maps = maps_of(op)
    reduced = reduced_loops(op)
    # Operands are extended to the accumulator's type before they are multiplied.
    accumulator = np.asarray(acc)
    wide = widen(accumulator).dtype
    left = over_loops(maps[0], lhs, rank).astype(wide, copy=False)
    right = over_loops(maps[1], rhs, rank).astype(wide, copy=False)
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
