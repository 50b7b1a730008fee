"""The structured ops of linalg, in as few numpy calls as possible.

In order of preference: a scatter by a ufunc; element by element over whole operands;
one combiner by a ufunc, a sum of products by BLAS; a loop over the reduced indices,
whole operands otherwise; a loop over every element, which is always right.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tilewright.ir.dialects.linalg import IndexOp, SoftmaxOp, StructuredOp, YieldOp
from tilewright.ir.dtypes import Array
from tilewright.ir.interpreter.core.combiners import COMBINERS
from tilewright.ir.interpreter.core.contraction import contract, reduce_by
from tilewright.ir.interpreter.core.elementwise import to_bits, widen
from tilewright.ir.interpreter.core.loop_layout import (
    extents_of,
    grid_of,
    laid_out,
    to_operand,
)
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    is_array,
)
from tilewright.ir.interpreter.core.windows import checked_indices
from tilewright.ir.interpreter.dialects.tensor.tensor_table import yields
from tilewright.ir.structured.bodies import is_straight_line
from tilewright.ir.structured.loops import Nest, nest_of, writes_each_once
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.reductions import Reduction, reductions_of
from tilewright.ir.structured.scatters import Scatter, scatter_of

_MOST_ELEMENTS = 1 << 26
"""Above this many intermediate elements a loop over the reduction is preferred."""


def structured(interpreter: Interpreter, op: StructuredOp, *operands: Value) -> Results:
    """Any structured op: tensors give new values, buffers are written in place."""
    if op not in interpreter.memo:
        nest = nest_of(op)
        vectorizable = _vectorizable(nest)
        interpreter.memo[op] = (nest, reductions_of(op), vectorizable, scatter_of(op))
    nest, reductions, vectorizable, scatter = interpreter.memo[op]
    extents = extents_of(nest, operands)
    if 0 in extents:
        after = [np.array(output) for output in operands[nest.inputs :]]
    elif scatter is not None:
        after = [_written_at_places(op, scatter, operands)]
    elif not vectorizable:
        after = _each_element(interpreter, nest, extents, operands)
    elif not nest.reduced:
        after = _elementwise(interpreter, nest, extents, operands)
    elif reductions is None or _is_large(nest, reductions, extents):
        after = _each_reduced_index(interpreter, nest, extents, operands)
    else:
        after = _reduce(interpreter, nest, reductions, extents, operands)
    if op.results:
        return after
    for target, value in zip(operands[nest.inputs :], after, strict=True):
        target[...] = value
    return ()


def _written_at_places(
    op: StructuredOp, scatter: Scatter, operands: Sequence[Value]
) -> Array:
    """The output with the values added or stored, one after the other.

    Values whose place is outside of it change nothing.
    """
    places, values = (
        np.asarray(operands[list(op.inputs).index(one)])
        for one in (scatter.places, scatter.values)
    )
    total = np.array(operands[-1])
    inside = (places >= 0) & (places < total.size)
    if scatter.adds:
        np.add.at(total, places[inside], values[inside])
    else:
        total[places[inside]] = values[inside]
    return total


def _vectorizable(nest: Nest) -> bool:
    return is_straight_line(nest.body) and all(
        writes_each_once(nest, map) for map in nest.output_maps
    )


def _is_large(
    nest: Nest, reductions: Sequence[Reduction], extents: Sequence[int]
) -> bool:
    if all(reduction.factors is not None for reduction in reductions):
        return False
    return int(np.prod(extents, dtype=object)) > _MOST_ELEMENTS


def _elementwise(
    interpreter: Interpreter,
    nest: Nest,
    extents: Sequence[int],
    operands: Sequence[Value],
) -> list[Array]:
    grid = grid_of(extents)
    arguments = _arguments(nest, operands, grid)
    interpreter.loop_indices.append(grid)
    yielded = interpreter.run_block(nest.body, arguments)
    interpreter.loop_indices.pop()
    return _outputs(nest, operands, yielded)


def _arguments(
    nest: Nest, operands: Sequence[Value], grid: Sequence[Any]
) -> list[Value]:
    return [
        laid_out(nest, map, operand, grid)
        for map, operand in zip(nest.maps, operands, strict=True)
    ]


def _outputs(
    nest: Nest, operands: Sequence[Value], values: Sequence[Value]
) -> list[Array]:
    """Values over the loops as new arrays with the outputs' shapes and types."""
    outputs: list[Array] = []
    for map, output, value in zip(
        nest.output_maps, operands[nest.inputs :], values, strict=True
    ):
        array = to_bits(to_operand(map, value, output.shape), output.dtype)
        # A body that yields an operand would otherwise hand out a view of it.
        outputs.append(np.array(array, order="C"))
    return outputs


def _reduce(
    interpreter: Interpreter,
    nest: Nest,
    reductions: Sequence[Reduction],
    extents: Sequence[int],
    operands: Sequence[Value],
) -> list[Array]:
    before = list(operands[nest.inputs :])
    if any(extents[loop] == 0 for loop in nest.reduced):
        return [np.array(output) for output in before]
    grid = grid_of(extents)
    arguments = _arguments(nest, operands, grid)
    _run_without(interpreter, nest, reductions, arguments, grid)
    values: list[Array] = []
    for reduction, output in zip(reductions, arguments[nest.inputs :], strict=True):
        combiner = COMBINERS[reduction.kind]
        if reduction.factors is None:
            value = _over(nest, combiner.read(interpreter.value(reduction.operand)))
            total = reduce_by(combiner.ufunc, value, extents, nest.reduced)
        else:
            lhs, rhs = (_over(nest, interpreter.value(f)) for f in reduction.factors)
            total = contract(lhs, rhs, extents, nest.reduced)
        values.append(combiner.ufunc(combiner.read(output), total))
    return _outputs(nest, operands, values)


def _run_without(
    interpreter: Interpreter,
    nest: Nest,
    reductions: Sequence[Reduction],
    arguments: Sequence[Value],
    grid: Sequence[Any],
) -> None:
    """Run the body except for the ops that the reductions stand for."""
    skipped = {op for reduction in reductions for op in reduction.skipped}
    for argument, value in zip(nest.body.args, arguments, strict=True):
        interpreter.bind(argument, value)
    interpreter.loop_indices.append(grid)
    for op in nest.body.ops:
        if op in skipped or op is nest.body.last_op:
            continue
        values = map(interpreter.value, op.operands)
        for result, value in zip(
            op.results, interpreter.execute(op, *values), strict=True
        ):
            interpreter.bind(result, value)
    interpreter.loop_indices.pop()


def _over(nest: Nest, value: Value) -> Array:
    """A value with an axis for each loop, also where it depends on none."""
    array = np.asarray(value)
    return array.reshape((1,) * nest.rank) if array.ndim == 0 else array


def _each_reduced_index(
    interpreter: Interpreter,
    nest: Nest,
    extents: Sequence[int],
    operands: Sequence[Value],
) -> list[Array]:
    """One run of the body for each index of the reduced loops, in order.

    Outputs along reduced loops, which scans have, are read and written at the index.
    """
    current = _arguments(nest, operands, grid_of(extents))[nest.inputs :]
    along = [
        [loop for loop in named_loops(map) if loop in nest.reduced]
        for map in nest.output_maps
    ]
    current = [
        np.array(output) if loops else output
        for output, loops in zip(current, along, strict=True)
    ]
    for point in itertools.product(*(range(extents[loop]) for loop in nest.reduced)):
        grid = grid_of(
            [1 if loop in nest.reduced else e for loop, e in enumerate(extents)]
        )
        for loop, index in zip(nest.reduced, point, strict=True):
            grid[loop] = grid[loop] + index
        inputs = [
            _at(nest, position, operands[position], grid)
            for position in range(nest.inputs)
        ]
        places = [_place(nest, loops, point) if loops else ... for loops in along]
        # Copies: the body may yield what an output had before.
        before = [
            output if at is ... else output[at].copy()
            for output, at in zip(current, places, strict=True)
        ]
        interpreter.loop_indices.append(grid)
        yielded = interpreter.run_block(nest.body, [*inputs, *before])
        interpreter.loop_indices.pop()
        for number, (at, value) in enumerate(zip(places, yielded, strict=True)):
            made = to_bits(np.asarray(value), current[number].dtype)
            if at is ...:
                current[number] = made
            else:
                current[number][at] = made
    return _outputs(nest, operands, current)


def _place(nest: Nest, loops: Sequence[int], point: Sequence[int]) -> tuple[slice, ...]:
    """One index of these reduced loops, and all indices of the others."""
    index = dict(zip(nest.reduced, point, strict=True))
    return tuple(
        slice(index[loop], index[loop] + 1) if loop in loops else slice(None)
        for loop in range(nest.rank)
    )


def _at(nest: Nest, position: int, operand: Value, grid: Sequence[Any]) -> Value:
    """An input at the current reduced index, over the loops."""
    if not is_array(operand):
        return operand
    places = [expr.eval(grid, ()) for expr in nest.maps[position].results]
    if not places:
        return operand[()]
    return operand[checked_indices(nest.op, operand, places)]


def _each_element(
    interpreter: Interpreter,
    nest: Nest,
    extents: Sequence[int],
    operands: Sequence[Value],
) -> list[Array]:
    """The definition itself: one run of the body for each index of all loops."""
    current = [*operands[: nest.inputs]]
    current += [np.array(output) for output in operands[nest.inputs :]]
    for point in itertools.product(*map(range, extents)):
        places = [map.eval(point, ()) for map in nest.maps]
        arguments = [
            operand[checked_indices(nest.op, operand, place)]
            if is_array(operand)
            else operand
            for operand, place in zip(current, places, strict=True)
        ]
        interpreter.loop_indices.append(point)
        yielded = interpreter.run_block(nest.body, arguments)
        interpreter.loop_indices.pop()
        for output, place, value in zip(
            current[nest.inputs :], places[nest.inputs :], yielded, strict=True
        ):
            output[place] = value
    return current[nest.inputs :]


def index(interpreter: Interpreter, op: IndexOp) -> Results:
    """The index of a loop of the enclosing op: a number, or an array of all."""
    return (interpreter.loop_indices[-1][op.dim.value.data],)


def softmax(
    interpreter: Interpreter, op: SoftmaxOp, source: Array, output: Array
) -> Results:
    """exp(x - max) along a dimension over its sum; narrow floats in f32."""
    axis = op.dimension.value.data
    wide = widen(source)
    shifted = wide - np.max(wide, axis=axis, keepdims=True, initial=-np.inf)
    powers = np.exp(shifted)
    value = powers / np.sum(powers, axis=axis, keepdims=True)
    if op.results:
        return (value.astype(output.dtype),)
    output[...] = value.astype(output.dtype)
    return ()


TABLE: Table = {
    StructuredOp: structured,
    SoftmaxOp: softmax,
    IndexOp: index,
    YieldOp: yields,
}
