"""Arguments of a function whose elements are indices into other tensors.

A token's number picks a row of a table: `tensor.extract %table[%row, %column]`, with
`%row` an element of an argument. Whoever draws random inputs for the function has to
stay below the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType
from xdsl.ir import SSAValue

from tilewright.ir.dialects import arith, func, linalg, tensor
from tilewright.ir.types import element_type, tensor_type

_SAME_NUMBERS = (
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
    arith.IndexCastOp,
    arith.IndexCastUIOp,
    arith.AddiOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.SelectOp,
)
"""Ops whose result is taken for an index if one of their operands is."""

_SAME_ELEMENTS = (
    tensor.CollapseShapeOp,
    tensor.ExpandShapeOp,
    tensor.ExtractSliceOp,
    tensor.CastOp,
)


def index_limits(function: func.FuncOp) -> dict[int, int]:
    """For each argument that holds indices: the least extent that they index.

    An extent that is known only at run time counts as 1.
    """
    limits: dict[int, int] = {}
    for position, argument in enumerate(function.body.block.args):
        if not isinstance(element_type(argument.type), IntegerType | IndexType):
            continue
        extents = list(_indexed_extents(argument, set()))
        if extents:
            limits[position] = max(1, min(extents))
    return limits


def _indexed_extents(value: SSAValue, seen: set[SSAValue]) -> Iterator[int]:
    """The extents that the elements of a tensor, or a number of a body, index."""
    if value in seen:
        return
    seen.add(value)
    for use in value.uses:
        match op := use.operation:
            case tensor.ExtractOp() if use.index > 0:
                extent = tensor_type(op.tensor).get_shape()[use.index - 1]
                yield 1 if extent == DYNAMIC_INDEX else extent
            case tensor.ExtractOp():
                yield from _indexed_extents(op.result, seen)
            case linalg.YieldOp():
                parent = op.parent_op()
                if isinstance(parent, linalg.StructuredOp) and parent.results:
                    yield from _indexed_extents(parent.results[use.index], seen)
            case linalg.StructuredOp():
                yield from _indexed_extents(op.body.block.args[use.index], seen)
            case _ if isinstance(op, (*_SAME_NUMBERS, *_SAME_ELEMENTS)):
                yield from _indexed_extents(op.results[0], seen)
            case _:
                pass
