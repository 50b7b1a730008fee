"""Whether iterations that padding adds to a reduction leave its result alone.

Such an iteration reads the padding where an operand depends on the loop, and anything
elsewhere. The body is run on numbers: whatever it reads, it has to hand the output
through as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from tilewright.ir.dialects import func
from tilewright.ir.dialects.linalg import IndexOp, StructuredOp
from tilewright.ir.dtypes import element, numpy_dtype
from tilewright.ir.errors import UserError
from tilewright.ir.interpreter import run
from tilewright.ir.structured.bodies import captured_values


def changed_output(
    op: StructuredOp, loops: Sequence[int], values: Mapping[int, Attribute]
) -> int | None:
    """An output that padding the reductions `loops` may change; None if there is none.

    `values` holds what each padded operand is padded with.
    """
    outputs = range(len(op.inputs), len(op.operands))
    maps = op.maps
    body = _Body(op)
    rng = np.random.default_rng(0)
    subsets = chain.from_iterable(
        combinations(loops, count) for count in range(1, len(loops) + 1)
    )
    for beyond in subsets:
        fixed = {
            index: value
            for index, value in values.items()
            if any(loop in maps[index].used_dims() for loop in beyond)
        }
        reduced = [
            index
            for index in outputs
            if not any(loop in maps[index].used_dims() for loop in beyond)
        ]
        for _ in range(12):
            for index in body.changed(fixed, beyond, reduced, rng):
                return index - len(op.inputs)
    return None


class _Body:
    """A body as a function of its arguments, its indices and what it captures."""

    def __init__(self, op: StructuredOp):
        self.op = op
        captured = list(dict.fromkeys(captured_values(op)))
        indices = [o for o in op.body.block.ops if isinstance(o, IndexOp)]
        self.loops = [o.dim.value.data for o in indices]
        types = [
            *(arg.type for arg in op.body.block.args),
            *(IndexType() for _ in indices),
            *(value.type for value in captured),
        ]
        block = Block(arg_types=types)
        made: dict[SSAValue, SSAValue] = {}
        scalars = [*op.body.block.args, *(o.result for o in indices), *captured]
        made.update(zip(scalars, block.args, strict=True))
        for scalar in op.body.block.ops:
            if isinstance(scalar, IndexOp):
                continue
            if scalar is op.body.block.last_op:
                results = [made.get(v, v) for v in scalar.operands]
                block.add_op(func.ReturnOp(*results))
                continue
            block.add_op(scalar.clone(made))
        of = (types, [arg.type for arg in op.body.block.args[len(op.inputs) :]])
        self.types = types
        self.module = ModuleOp([func.FuncOp("body", of, Region(block))])

    def changed(
        self,
        fixed: Mapping[int, Attribute],
        beyond: Sequence[int],
        outputs: Sequence[int],
        rng: np.random.Generator,
    ) -> Iterator[int]:
        """The operands, of `outputs`, that come out as others than they went in."""
        first = len(self.op.operands)
        given: list[Any] = []
        for position, of in enumerate(self.types):
            loop = position - first
            if position in fixed:
                given.append(_number(fixed[position], of))
            elif 0 <= loop < len(self.loops) and self.loops[loop] in beyond:
                given.append(np.int64(rng.integers(1 << 20, 1 << 21)))
            elif position in outputs:
                given.append(_any_output(of, rng))
            else:
                given.append(_any_input(of, rng))
        try:
            results = run(self.module, given)
        except UserError:
            yield from outputs  # what cannot be run is not known to be harmless
            return
        for index in outputs:
            got = np.asarray(results[index - len(self.op.inputs)])
            if not np.array_equal(got, np.asarray(given[index])):
                yield index


def _number(value: Attribute, of: Attribute) -> Any:
    assert isinstance(value, FloatAttr | IntegerAttr)
    return np.asarray(value.value.data).astype(numpy_dtype(of))[()]


def _any_input(of: Attribute, rng: np.random.Generator) -> Any:
    """A number of a type, of usual size: a product of two does not overflow."""
    row = element(of)
    number = rng.standard_normal() * 4 if row.is_float else rng.integers(0, 100)
    return np.asarray(number).astype(row.numpy)[()]


def _any_output(of: Attribute, rng: np.random.Generator) -> Any:
    """A number out of all a type has: a maximum that -1000 changes is found so."""
    row = element(of)
    if row.is_float:
        finfo = cast(Any, ml_dtypes.finfo)
        highest = float(finfo(row.numpy).max)
        size = highest ** rng.uniform(-1, 1) if rng.random() < 0.7 else highest
        return np.asarray(size * rng.choice([-1, 1])).astype(row.numpy)[()]
    if row.numpy == np.bool_:
        return np.bool_(rng.random() < 0.5)
    limits = np.iinfo(row.numpy)
    return np.asarray(rng.integers(limits.min, limits.max, dtype=row.numpy))[()]
