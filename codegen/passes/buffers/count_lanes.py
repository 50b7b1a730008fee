"""Compute vectors of evenly spaced numbers instead of storing them.

**Before** (buffer level)

    %i = arith.constant dense<[4, 6, 8, 10]> : vector<4xindex>

**After**

    %s = vector.step : vector<4xindex>
    %d = arith.muli %s, %twos : vector<4xindex>
    %i = arith.addi %d, %fours : vector<4xindex>

`vectorize_children_and_apply_patterns` writes the indices of a loop as such a table, as
upstream does. Triton has an instruction for it, and no tables.

**Requires** one dimension of integers or indices.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from tilewright.ir.dense_constants import dense_of, is_splat, numbers_of
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.vector import StepOp


def count_lanes(module: ModuleOp) -> ModuleOp:
    """Replace such tables, in a copy of the module if there are any."""
    if not any(_start_and_step(op) for op in module.walk()):
        return module
    module = module.clone()
    for op in list(module.walk()):
        if (found := _start_and_step(op)) is not None:
            _replace(op, *found)
    return module


def _start_and_step(op: Operation) -> tuple[int, int] | None:
    """The first number of a table and the difference of its numbers; None if uneven."""
    if not isinstance(op, arith.ConstantOp):
        return None
    table, kind = op.value, op.result.type
    if not isa(kind, VectorType[IndexType | IntegerType]) or len(kind.get_shape()) != 1:
        return None
    if not isinstance(table, DenseIntOrFPElementsAttr) or is_splat(table):
        return None
    numbers = [int(number) for number in numbers_of(table)]
    step = numbers[1] - numbers[0]
    even = list(range(numbers[0], numbers[0] + step * len(numbers), step))
    return (numbers[0], step) if numbers == even else None


def _replace(op: Operation, start: int, step: int) -> None:
    kind = op.results[0].type
    assert isa(kind, VectorType[IndexType | IntegerType])
    lanes = StepOp(kind.get_shape()[0])
    new: list[Operation] = [lanes]
    if not isinstance(kind.element_type, IndexType):
        new.append(
            arith.IndexCastOp.create(operands=lanes.results, result_types=[kind])
        )
    for number, neutral, combine in ((step, 1, arith.MuliOp), (start, 0, arith.AddiOp)):
        if number != neutral:
            constant = arith.ConstantOp(dense_of(kind, [number]))
            new += [constant, combine(new[-1].results[0], constant.result)]
    for each in new:
        each.location = op.location
    Rewriter.insert_op(new, InsertPoint.before(op))
    op.results[0].replace_all_uses_with(new[-1].results[0])
    Rewriter.erase_op(op)
