"""Tensors whose elements a region computes from their indices: pad, generate.

A region of element-wise ops is run once, on arrays of indices; one with control flow
once an element.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Region

from tilewright.ir.dialects.tensor import GenerateOp, PadOp
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.interpreter.core.memory_limit import check_room
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.core.shapes import checked_size, fitting
from tilewright.ir.interpreter.core.windows import mixed_values
from tilewright.ir.structured.bodies import is_straight_line


def elements_at(
    interpreter: Interpreter, region: Region, points: Sequence[Array]
) -> Value:
    """The value of a region at each point; `points` has an array for each dimension."""
    if is_straight_line(region.block):
        (elements,) = interpreter.run_region(region, points)
        return elements
    return [
        interpreter.run_region(region, [int(index) for index in point])[0]
        for point in zip(*points, strict=True)
    ]


def pad(interpreter: Interpreter, op: PadOp, of: Array, *dynamic: Value) -> Results:
    """A border around a tensor; only its elements are computed."""
    amounts = iter(dynamic)
    low = mixed_values(op.static_low, amounts)
    high = mixed_values(op.static_high, amounts)
    for dim, (before, after) in enumerate(zip(low, high, strict=True)):
        if before < 0 or after < 0:
            fail(op, f"padding of dimension {dim} by {before} and {after} elements")
    shape = [a + s + b for a, s, b in zip(low, of.shape, high, strict=True)]
    check_room(shape, of.dtype.itemsize)
    result = np.zeros(shape, of.dtype)
    inside = tuple(slice(a, a + s) for a, s in zip(low, of.shape, strict=True))
    outside = np.ones(shape, np.bool_)
    outside[inside] = False
    result[(*inside, ...)] = of
    if outside.any():
        points = list(np.nonzero(outside))
        result[outside] = elements_at(interpreter, op.region, points)
    return (fitting(op, result),)


def generate(interpreter: Interpreter, op: GenerateOp, *sizes: Value) -> Results:
    """A tensor computed element by element."""
    of = op.result.type
    shape = checked_size(op, of, sizes)
    check_room((len(shape), *shape), np.dtype(np.int64).itemsize)
    points = [axis.ravel() for axis in np.indices(shape)]
    result = np.empty(int(np.prod(shape)), numpy_dtype(of))
    if result.size:
        result[...] = elements_at(interpreter, op.body, points)
    return (result.reshape(shape),)


TABLE: Table = {PadOp: pad, GenerateOp: generate}
