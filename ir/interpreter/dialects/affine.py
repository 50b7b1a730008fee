"""affine: index maps; a division by a number that is not positive is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
)

from tilewright.ir.dialects.affine import (
    AffineMapOperation,
    ApplyOp,
    DelinearizeIndexOp,
    LinearizeIndexOp,
    MaxOp,
    MinOp,
)
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Semantics,
    Table,
    Value,
    fail,
    is_array,
)

_DIVISIONS = (
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
    AffineBinaryOpKind.Mod,
)


def evaluated(
    interpreter: Interpreter, op: AffineMapOperation, operands: Sequence[Value]
) -> list[Value]:
    """The results of an op's map."""
    map = op.map.data
    dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
    divisors: Sequence[AffineExpr] | None = interpreter.memo.get(op)
    if divisors is None:
        divisors = interpreter.memo[op] = _doubtful_divisors(map.results)
    for expr in divisors:
        divisor = expr.eval(dims, symbols)
        if np.any(np.less_equal(divisor, 0)):
            fail(op, f"division by {np.min(divisor)}, which is not positive")
    return [expr.eval(dims, symbols) for expr in map.results]


def _doubtful_divisors(results: Sequence[AffineExpr]) -> list[AffineExpr]:
    """The divisors that are not positive constants."""
    found: list[AffineExpr] = []
    for nested in (inner for expr in results for inner in expr.dfs()):
        if isinstance(nested, AffineBinaryOpExpr) and nested.kind in _DIVISIONS:
            divisor = nested.rhs
            if not isinstance(divisor, AffineConstantExpr) or divisor.value <= 0:
                found.append(divisor)
    return found


def apply(interpreter: Interpreter, op: ApplyOp, *operands: Value) -> Results:
    """The value of a map's one result."""
    return evaluated(interpreter, op, operands)


def chosen(
    among_arrays: Callable[..., Any], among_numbers: Callable[[list[Any]], Any]
) -> Semantics:
    """One of a map's results; operands are arrays where a whole region is run."""

    def semantics(
        interpreter: Interpreter, op: AffineMapOperation, *operands: Value
    ) -> Results:
        results = evaluated(interpreter, op, operands)
        if any(is_array(result) for result in results):
            return (reduce(among_arrays, results),)
        return (among_numbers(results),)

    return semantics


def _sizes(
    op: DelinearizeIndexOp | LinearizeIndexOp, values: Sequence[Value], count: int
) -> list[Value]:
    """The sizes of all indices but the first."""
    rest = iter(values)
    sizes = [next(rest) if isinstance(size, SSAValue) else size for size in op.basis]
    for size in sizes:
        if np.any(np.less_equal(size, 0)):
            fail(op, f"division by {np.min(size)}, which is not positive")
    return sizes[len(sizes) - count + 1 :]


def delinearize(
    interpreter: Interpreter, op: DelinearizeIndexOp, index: Value, *basis: Value
) -> Results:
    """Divide by the sizes, from the last to the second."""
    found: list[Value] = []
    for size in reversed(_sizes(op, basis, len(op.multi_index))):
        found.append(index % size)
        index = index // size
    return [index, *reversed(found)]


def linearize(
    interpreter: Interpreter, op: LinearizeIndexOp, *operands: Value
) -> Results:
    """Multiply by the sizes, and add."""
    count = len(op.multi_index)
    indices, basis = operands[:count], operands[count:]
    if not indices:
        return (0,)
    total = indices[0]
    for index, size in zip(indices[1:], _sizes(op, basis, count), strict=True):
        total = total * size + index
    return (total,)


TABLE: Table = {
    ApplyOp: apply,
    MinOp: chosen(np.minimum, min),
    MaxOp: chosen(np.maximum, max),
    DelinearizeIndexOp: delinearize,
    LinearizeIndexOp: linearize,
}
