"""func, scf, cf, gpu, ub: calls, loops, the grid, assertions, barriers, poison."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import SSAValue
from xdsl.traits import SymbolTable

from tilewright.ir.dialects import cf, func, scf, ub
from tilewright.ir.dialects.gpu import BarrierOp
from tilewright.ir.dialects.scf import ForallOp, InParallelOp
from tilewright.ir.dialects.tensor import ParallelInsertSliceOp
from tilewright.ir.dtypes import Array, element
from tilewright.ir.interpreter.core.elementwise import cast, signed, unsigned
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.core.windows import Window, mixed_values, window_of
from tilewright.ir.interpreter.dialects.tensor.tensor_table import (
    shape_of,
    write_window,
    yields,
)

Insertion: TypeAlias = tuple[ParallelInsertSliceOp, Array, Window]
"""A tile that an iteration of a forall hands back, and where it goes."""


def call(interpreter: Interpreter, op: func.CallOp, *arguments: Value) -> Results:
    """Call a function of the same module, which does not call itself."""
    name = op.callee.string_value()
    callee = SymbolTable.lookup_symbol(op, op.callee)
    assert isinstance(callee, func.FuncOp), "verified"
    if callee.is_declaration:
        fail(op, f"the function @{name} has no body")
    if interpreter.is_running(callee):
        fail(op, f"@{name} calls itself; recursion is not supported")
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
    read = unsigned if op.unsigned_cmp is not None else signed
    start, stop, stride = (int(read(bound)) for bound in (lower, upper, step))
    if stride <= 0:
        fail(op, f"the step {stride} is not positive")
    values: Results = carried
    kind = op.body.block.args[0].type
    last = range(start, stop, stride)[-1:]
    if last and int(read(cast(last[0] + stride, kind))) != last[0] + stride:
        fail(op, f"the loop's variable wraps after {last[0]}: {kind} is too narrow")
    for index in range(start, stop, stride):
        values = interpreter.run_region(op.body, (cast(index, kind), *values))
    return values


def if_else(interpreter: Interpreter, op: scf.IfOp, condition: Value) -> Results:
    """One of two regions; an absent else yields nothing."""
    region = op.true_region if condition else op.false_region
    return interpreter.run_region(region) if region.blocks else ()


def index_switch(
    interpreter: Interpreter, op: scf.IndexSwitchOp, index: Value
) -> Results:
    """The region of the case that the index equals, or the default one."""
    cases = zip(op.cases.get_values(), op.case_regions, strict=True)
    region = next((r for case, r in cases if case == index), op.default_region)
    return interpreter.run_region(region)


def execute_region(interpreter: Interpreter, op: scf.ExecuteRegionOp) -> Results:
    """A region, once."""
    if len(op.region.blocks) != 1:
        fail(op, "only regions of one block can be interpreted")
    return interpreter.run_region(op.region)


def parallel(interpreter: Interpreter, op: scf.ParallelOp, *operands: Value) -> Results:
    """A parallel loop nest on buffers; its reductions are combined in order."""
    count = len(op.lower_bounds)
    lower, upper, steps = (
        [int(bound) for bound in operands[start : start + count]]
        for start in (0, count, 2 * count)
    )
    totals: list[Value] = list(operands[3 * count :])
    reduce = op.body.block.last_op
    assert isinstance(reduce, scf.ReduceOp)
    for indices in _iterations(interpreter, op, lower, upper, steps):
        parts = interpreter.run_block(op.body.block, indices)
        totals = [
            interpreter.run_region(region, (total, part))[0]
            for region, total, part in zip(
                reduce.reductions, totals, parts, strict=True
            )
        ]
    return totals


def forall(interpreter: Interpreter, op: ForallOp, *operands: Value) -> Results:
    """A parallel loop nest.

    Every iteration sees the outputs as they were before the loop. What it returns is
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
    op: ForallOp | scf.ParallelOp,
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
    """What the iteration returns: one insertion for each op of the region."""
    insertions: list[Insertion] = []
    for insertion in op.region.block.ops:
        assert isinstance(insertion, ParallelInsertSliceOp), "verified"
        source, dest, *dynamic = map(interpreter.value, insertion.operands)
        insertions.append((insertion, source, window_of(insertion, dest, dynamic)))
    return insertions


def poison(interpreter: Interpreter, op: ub.PoisonOp) -> Results:
    """NaN for floats, so that a use of poison is visible; 0 for integers."""
    of = op.result.type
    row = element(of)
    if row.name == "index" and not isinstance(of, ShapedType):
        return (0,)
    scalar = row.numpy.type(np.nan if row.is_float else 0)
    if isinstance(of, ShapedType):
        return (np.broadcast_to(scalar, shape_of(of)),)
    return (scalar,)


def barrier(interpreter: Interpreter, op: BarrierOp) -> Results:
    """Nothing to wait for: one thread runs everything."""
    return ()


def check_assertion(_: Interpreter, op: cf.AssertOp, condition: Value) -> Results:
    """Stop where an assertion does not hold."""
    if not condition:
        fail(op, f"the assertion does not hold: {op.msg.data}")
    return ()


TABLE: Table = {
    BarrierOp: barrier,
    cf.AssertOp: check_assertion,
    func.CallOp: call,
    func.ReturnOp: yields,
    scf.ForOp: for_loop,
    scf.IfOp: if_else,
    scf.IndexSwitchOp: index_switch,
    scf.ExecuteRegionOp: execute_region,
    scf.ParallelOp: parallel,
    scf.ReduceOp: yields,
    scf.ReduceReturnOp: yields,
    scf.YieldOp: yields,
    ForallOp: forall,
    InParallelOp: in_parallel,
    ub.PoisonOp: poison,
}
