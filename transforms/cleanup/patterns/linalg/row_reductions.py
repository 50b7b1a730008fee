"""Reduce rows first, where elements are computed from rows or read from slices.

`tilewright.row_reductions`. The kernel that holds a row of a softmax can sum what it
computes from it, but a sum over everything is a kernel that reads the rows again:

    %s = linalg.generic {... ["reduction", "reduction"]} ins(%p : tensor<64x32xf32>)
        outs(%o : tensor<f32>) { addf } -> tensor<f32>

So the op becomes a reduction of each row, and one of the rows' results:

    %r = linalg.generic {... ["parallel", "reduction"]} ins(%p : tensor<64x32xf32>)
        outs(%f : tensor<64xf32>) { addf } -> tensor<64xf32>
    %s = linalg.generic {... ["reduction"]} ins(%r : tensor<64xf32>)
        outs(%o : tensor<f32>) { addf } -> tensor<f32>

The rows of a slice lie apart in memory, so that no loop runs along all of them: their
results have more programs. Sizes must be known.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import arith, tensor
from tilewright.ir.dialects.linalg import (
    FillOp,
    GenericOp,
    StructuredOp,
    YieldOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.dialects.linalg.scalars import Body
from tilewright.ir.structured.bodies import is_elementwise
from tilewright.ir.structured.combiners import neutral_of
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.structured.maps import named_loops
from tilewright.ir.structured.reductions import reductions_of
from tilewright.ir.types import element_type, is_tensor
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.rewriter import Rewriter


@pattern(GenericOp)
def reduce_rows_first(op: GenericOp, rewriter: Rewriter) -> None:
    """Split a reduction into one along the rows, and one of their results."""
    if not has_row_reductions(op):
        return
    combiner = _combiner(op)
    neutral = None if combiner is None else neutral_of(combiner)
    assert combiner is not None and neutral is not None
    nest, extents = nest_of(op), op.get_static_loop_ranges()
    row = nest.rank - 1
    outer = AffineMap.identity(row)
    kind = element_type(op.outputs[0].type)
    constant = arith.ConstantOp(neutral)
    empty = tensor.EmptyOp([], TensorType(kind, extents[:row]))
    fill = FillOp([constant.result], [empty.results[0]])
    rows = GenericOp(
        op.inputs,
        [fill.results[0]],
        op.body.clone(),
        maps_attribute([*op.maps[:-1], AffineMap(nest.rank, 0, outer.results)]),
        iterators(nest.rank, (row,)),
        [empty.results[0].type],
    )
    body = Body([kind, kind])
    combined = combiner.clone(dict(zip(combiner.operands, body.args, strict=True)))
    body.append(combined)
    body.append(YieldOp(combined.results[0]))
    kept = tuple(map(AffineDimExpr, named_loops(op.maps[-1])))
    total = GenericOp(
        [rows.results[0]],
        op.outputs,
        body.region(),
        maps_attribute([outer, AffineMap(row, 0, kept)]),
        iterators(row, tuple(loop for loop in nest.reduced if loop != row)),
        [op.results[0].type],
    )
    for made in (rows, total):
        made.location = op.location
    rows.results[0].name_hint = total.results[0].name_hint = op.results[0].name_hint
    rewriter.replace_with(op, constant, empty, fill, rows, total)


def has_row_reductions(op: Operation) -> bool:
    """Whether an op may reduce rows first, and a kernel may gain by it."""
    if not isinstance(op, GenericOp) or len(op.results) != 1:
        return False
    nest, extents = nest_of(op), op.get_static_loop_ranges()
    row = nest.rank - 1
    if len(nest.reduced) < 2 or row not in nest.reduced or extents[row] < 2:
        return False
    if DYNAMIC_INDEX in extents or not is_tensor(op.outputs[0].type):
        return False
    if not all(isinstance(expr, AffineDimExpr) for expr in op.maps[-1].results):
        return False
    combiner = _combiner(op)
    if combiner is None or neutral_of(combiner) is None:
        return False
    return any(
        isinstance(value.owner, tensor.ExtractSliceOp)
        if runs_along_row
        else _reduces(value.owner, extents[row])
        for value, runs_along_row in _sources(op, row)
    )


def _combiner(op: StructuredOp) -> Operation | None:
    """The op that combines two results, if the table of combiners has it."""
    reductions = reductions_of(op)
    return None if reductions is None else reductions[0].op


def _reduces(op: Operation | Block, extent: int) -> bool:
    """Whether an op reduces as many elements as a row has."""
    if not isinstance(op, StructuredOp):
        return False
    extents = op.get_static_loop_ranges()
    return prod(extents[loop] for loop in nest_of(op).reduced) == extent > 1


def _sources(op: StructuredOp, row: int) -> Iterator[tuple[SSAValue, bool]]:
    """What an op's elements are computed from, one by one.

    With each tensor comes whether one of its dimensions runs along the row.
    """
    pending: list[tuple[StructuredOp, int | None]] = [(op, row)]
    seen: set[tuple[SSAValue, bool]] = set()
    while pending:
        reader, loop = pending.pop()
        for given, map_ in zip(reader.inputs, reader.maps, strict=False):
            dims = [
                dim
                for dim, expr in enumerate(map_.results)
                if loop is not None and loop in expr.used_dims()
            ]
            value = _behind_views(given) if not dims else given
            if (value, bool(dims)) in seen:
                continue
            seen.add((value, bool(dims)))
            yield value, bool(dims)
            made = value.owner
            if isinstance(made, StructuredOp) and is_elementwise(made):
                written = made.maps[-1].results
                inner = [written[dim] for dim in dims]
                loops = [e.position for e in inner if isinstance(e, AffineDimExpr)]
                pending.append((made, loops[0] if loops else None))


def _behind_views(value: SSAValue) -> SSAValue:
    """The tensor that a reshaped one is a view of."""
    while isinstance(value.owner, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        value = value.owner.src
    return value


PATTERNS = (reduce_rows_first,)
