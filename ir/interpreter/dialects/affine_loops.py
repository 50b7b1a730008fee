"""affine: loops, branches and accesses whose bounds and places are maps."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence

import numpy as np
from xdsl.ir.affine import AffineConstraintKind, AffineMap

from tilewright.ir.dialects import affine
from tilewright.ir.dialects.affine.accesses import AffineAccess
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.elementwise import cast
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.core.windows import checked_indices
from tilewright.ir.interpreter.dialects.tensor.tensor_table import yields
from tilewright.ir.interpreter.dialects.vector.memory import innermost

_COMPARISONS = {
    AffineConstraintKind.eq: operator.eq,
    AffineConstraintKind.ge: operator.ge,
    AffineConstraintKind.le: operator.le,
}


def _values(map: AffineMap, operands: Sequence[Value]) -> list[int]:
    return list(map.eval(operands[: map.num_dims], operands[map.num_dims :]))


def for_loop(interpreter: Interpreter, op: affine.ForOp, *operands: Value) -> Results:
    """A sequential loop from the greatest lower to the least upper bound."""
    first, second = len(op.lower_operands), len(op.upper_operands)
    lower = max(_values(op.lower_map.data, operands[:first]))
    upper = min(_values(op.upper_map.data, operands[first : first + second]))
    carried: Results = operands[first + second :]
    if op.step.value.data == 0:
        fail(op, "the step 0 is not positive")
    for index in range(lower, upper, op.step.value.data):
        carried = interpreter.run_region(op.body, (index, *carried))
    return carried


def parallel(
    interpreter: Interpreter, op: affine.ParallelOp, *operands: Value
) -> Results:
    """A parallel loop nest on buffers."""
    if op.res:
        fail(op, "reductions of affine.parallel cannot be interpreted")
    count = len(op.operands_of("lower"))
    lower = op.lower_map.data
    upper = op.upper_map.data

    def bounds(name: str, map: AffineMap, values: Sequence[Value]) -> list[list[int]]:
        dims, symbols = values[: map.num_dims], values[map.num_dims :]
        return [
            [expr.eval(dims, symbols) for expr in group] for group in op.bounds(name)
        ]

    ranges = [
        range(max(low), min(high), step.value.data)
        for low, high, step in zip(
            bounds("lower", lower, operands[:count]),
            bounds("upper", upper, operands[count:]),
            op.steps,
            strict=True,
        )
    ]
    for indices in itertools.product(*ranges):
        interpreter.run_block(op.body.block, indices)
    return ()


def if_else(interpreter: Interpreter, op: affine.IfOp, *operands: Value) -> Results:
    """The first region if all constraints hold, otherwise the second."""
    data = op.condition.data
    dims, symbols = operands[: data.num_dims], operands[data.num_dims :]
    holds = all(
        _COMPARISONS[constraint.kind](
            constraint.lhs.eval(dims, symbols), constraint.rhs.eval(dims, symbols)
        )
        for constraint in data.constraints
    )
    region = op.then_region if holds else op.else_region
    return interpreter.run_region(region) if region.blocks else ()


def load(
    interpreter: Interpreter, op: affine.LoadOp, of: Array, *operands: Value
) -> Results:
    """One element."""
    found = of[checked_indices(op, of, _values(op.map.data, operands))]
    return (cast(np.copy(found)[()], op.result.type),)


def store(
    interpreter: Interpreter,
    op: affine.StoreOp,
    value: Value,
    target: Array,
    *operands: Value,
) -> Results:
    """Write one element."""
    target[checked_indices(op, target, _values(op.map.data, operands))] = value
    return ()


def vector_load(
    interpreter: Interpreter, op: affine.VectorLoadOp, of: Array, *operands: Value
) -> Results:
    """A vector from the innermost dimensions."""
    indices = _values(op.map.data, operands)
    return (np.array(of[innermost(op, of, indices, op.result.type)]),)


def vector_store(
    interpreter: Interpreter,
    op: affine.VectorStoreOp,
    value: Value,
    target: Array,
    *operands: Value,
) -> Results:
    """A vector into the innermost dimensions."""
    indices = _values(op.map.data, operands)
    target[innermost(op, target, indices, op.value.type)] = value
    return ()


def prefetch(interpreter: Interpreter, op: AffineAccess, *operands: Value) -> Results:
    """A hint changes nothing."""
    return ()


TABLE: Table = {
    affine.ForOp: for_loop,
    affine.ParallelOp: parallel,
    affine.IfOp: if_else,
    affine.YieldOp: yields,
    affine.LoadOp: load,
    affine.StoreOp: store,
    affine.VectorLoadOp: vector_load,
    affine.VectorStoreOp: vector_store,
    affine.PrefetchOp: prefetch,
}
