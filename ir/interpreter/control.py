"""func, scf, affine, ub: calls, loops, the parallel grid, index maps, poison."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from tilewright.ir.dialects import affine, func, scf, ub
from tilewright.ir.dialects.affine import MaxOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.dtypes import Array, element
from tilewright.ir.interpreter.elementwise import cast
from tilewright.ir.interpreter.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
    find_function,
    is_array,
)
from tilewright.ir.interpreter.tensor import shape_of, write_window, yields
from tilewright.ir.interpreter.windows import Window, mixed_values, window_of

Insertion: TypeAlias = tuple[ParallelInsertSliceOp, Array, Window]
"""A tile that an iteration of a forall hands back, and where it goes."""


def call(interpreter: Interpreter, op: func.CallOp, *arguments: Value) -> Results:
    """Call a function of the same module."""
    callee = find_function(interpreter.module, op.callee.string_value())
    return interpreter.call(callee, arguments)


def for_loop(
    interpreter: Interpreter,
    op: scf.ForOp,
    lower: Value,
    upper: Value,
    step: Value,
    *carried: Value,
) -> Results:
    """A sequential loop that carries values."""
    if step <= 0:
        fail(op, f"the step {step} is not positive")
    values: Results = carried
    kind = op.body.block.args[0].type
    for index in range(int(lower), int(upper), int(step)):
        values = interpreter.run_region(op.body, (cast(index, kind), *values))
    return values


def if_else(interpreter: Interpreter, op: scf.IfOp, condition: Value) -> Results:
    """One of two regions; an absent else yields nothing."""
    region = op.true_region if condition else op.false_region
    return interpreter.run_region(region) if region.blocks else ()


def forall(interpreter: Interpreter, op: ForallOp, *operands: Value) -> Results:
    """A parallel loop nest.

    Every iteration sees the outputs as they were before the loop; what it hands back is
    written into copies of them. Buffers are written while an iteration runs.
    """
    values = iter(operands)
    lower = mixed_values(op.static_lower_bound, values)
    upper = mixed_values(op.static_upper_bound, values)
    steps = mixed_values(op.static_step, values)
    before: list[Array] = list(values)
    after = [output.copy() for output in before]
    targets: dict[SSAValue, Array] = dict(zip(op.shared_outs, after, strict=True))
    for indices in _iterations(interpreter, op, lower, upper, steps):
        insertions: Sequence[Insertion] = interpreter.run_block(
            op.body.block, (*indices, *before)
        )
        for insertion, source, window in insertions:
            write_window(insertion, targets[insertion.dest][window], source)
    return after


def _iterations(
    interpreter: Interpreter,
    op: ForallOp,
    lower: Sequence[int],
    upper: Sequence[int],
    steps: Sequence[int],
) -> list[tuple[int, ...]]:
    if any(step <= 0 for step in steps):
        fail(op, f"the steps {list(steps)} are not all positive")
    ranges = map(range, lower, upper, steps)
    points: list[tuple[int, ...]] = list(itertools.product(*ranges))
    if interpreter.random is not None:
        order = interpreter.random.permutation(len(points))
        points = [points[int(position)] for position in order]
    return points


def in_parallel(interpreter: Interpreter, op: InParallelOp) -> Results:
    """What the iteration hands back: one insertion for each op of the region."""
    insertions: list[Insertion] = []
    for insertion in op.region.block.ops:
        if not isinstance(insertion, ParallelInsertSliceOp):
            fail(insertion, "only parallel_insert_slice may stand in in_parallel")
        source, dest, *dynamic = map(interpreter.value, insertion.operands)
        insertions.append((insertion, source, window_of(insertion, dest, dynamic)))
    return insertions


def _evaluate(map: AffineMap, operands: Sequence[Value]) -> tuple[Value, ...]:
    return map.eval(operands[: map.num_dims], operands[map.num_dims :])


def affine_apply(
    interpreter: Interpreter, op: affine.ApplyOp, *operands: Value
) -> Results:
    """The value of a map's one result."""
    return _evaluate(op.map.data, operands)


def affine_min(interpreter: Interpreter, op: affine.MinOp, *operands: Value) -> Results:
    """The least of a map's results."""
    results = _evaluate(op.map.data, operands)
    if any(is_array(result) for result in results):
        least = results[0]
        for result in results[1:]:
            least = np.minimum(least, result)
        return (least,)
    return (min(results),)


def affine_max(interpreter: Interpreter, op: MaxOp, *operands: Value) -> Results:
    """The greatest of a map's results."""
    results = _evaluate(op.map.data, operands)
    if any(is_array(result) for result in results):
        greatest = results[0]
        for result in results[1:]:
            greatest = np.maximum(greatest, result)
        return (greatest,)
    return (max(results),)


def poison(interpreter: Interpreter, op: ub.PoisonOp) -> Results:
    """NaN for floats, so that a use of poison shows; 0 for integers."""
    of = op.result.type
    row = element(of)
    if row.name == "index" and not isinstance(of, ShapedType):
        return (0,)
    scalar = row.numpy.type(np.nan if row.is_float else 0)
    if isinstance(of, ShapedType):
        return (np.broadcast_to(scalar, shape_of(of)),)
    return (scalar,)


TABLE: Table = {
    func.CallOp: call,
    func.ReturnOp: yields,
    scf.ForOp: for_loop,
    scf.IfOp: if_else,
    scf.YieldOp: yields,
    ForallOp: forall,
    InParallelOp: in_parallel,
    affine.ApplyOp: affine_apply,
    affine.MinOp: affine_min,
    MaxOp: affine_max,
    ub.PoisonOp: poison,
}
