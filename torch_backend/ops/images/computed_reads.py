"""Reads of elements that are computed where they are read, instead of stored first.

A pooling reads each element of its operand once, or a few times. Where the operand is
made by element-wise ops, such as the batch norm and the relu behind a convolution, the
pooling computes them on the way, and their result is never in memory.

Before:

    y = relu(x + bias)              stored
    out[i, j] = max(y[2i, 2j], y[2i, 2j + 1], ...)

After:

    out[i, j] = max(relu(x[2i, 2j] + bias), relu(x[2i, 2j + 1] + bias), ...)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.frontend.builder.gathers import gather
from tilewright.frontend.builder.scalar import Scalar, ScalarLike
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import GenericOp, YieldOp
from tilewright.ir.dialects.tensor import (
    CollapseShapeOp,
    ExpandShapeOp,
    ExtractSliceOp,
)
from tilewright.ir.dtypes import element
from tilewright.torch_backend.ops.places.reading import whole_of

Read = Callable[..., Scalar]
"""From the indices of an element to its value."""
_MOST_OPS = 16
"""A longer computation is stored."""
_MOST_COPIES = 16
"""The body of a kernel has a copy of the computation for each place of a window."""


def computed_reads(x: Tensor, places: int, times: float) -> Read:
    """How to read a tensor, in a function of elements.

    The function reads `places` elements for each result, and each element `times`
    times. What is read more than once is computed only if that is cheap.
    """
    whole = whole_of(x)
    cheap_only = times > 1
    left = _MOST_OPS
    inlined: set[Operation] = set()
    value = whole.value
    pending = [value] if places <= _MOST_COPIES else []
    while pending:
        maker = pending.pop().owner
        if not isinstance(maker, GenericOp) or not _is_plain(maker, cheap_only):
            continue
        left -= len(_body(maker))
        if left < 0:
            break
        inlined.add(maker)
        size = _elements(maker.results[0])
        pending += [one for one in maker.inputs if _elements(one) == size]
    if not inlined or value.owner not in inlined:
        return lambda *indices: gather(whole, *indices)

    def read(*indices: ScalarLike) -> Scalar:
        own: dict[int, ScalarLike] = {}
        for axis, index in zip(whole.axes, indices, strict=True):
            if axis is not None:
                own[axis] = index
        return _read(whole, value, [own[axis] for axis in sorted(own)], inlined)

    return read


def _read(
    like: Tensor, value: SSAValue, places: Sequence[ScalarLike], inlined: set[Operation]
) -> Scalar:
    """An element of a value, computed if its op is among those that are inlined."""
    kind = value.type
    assert isa(kind, TensorType)
    dtype = element(kind.element_type).name
    maker = value.owner
    if maker not in inlined:
        return gather(like.like(value, tuple(kind.get_shape()), dtype), *places)
    assert isinstance(maker, GenericOp)
    maps = [each.data for each in maker.indexing_maps]
    block = maker.body.block
    known: dict[SSAValue, SSAValue] = {}
    found: Scalar | None = None
    for operand, argument, each in zip(maker.inputs, block.args, maps, strict=False):
        found = _read(like, operand, _through(each, places), inlined)
        known[argument] = found.value
    assert found is not None
    for op in _body(maker):
        copy = op.clone(known)
        found.body.block.add_op(copy)
    (last,) = [op for op in block.ops if isinstance(op, YieldOp)]
    result = last.operands[0]
    return Scalar(found.body, known.get(result, result), dtype)


def _through(each: AffineMap, places: Sequence[ScalarLike]) -> list[ScalarLike]:
    """The indices of an operand at the indices of the loops."""
    return [
        places[expr.position] if isinstance(expr, AffineDimExpr) else 0
        for expr in each.results
    ]


def _body(op: GenericOp) -> list[Operation]:
    return [each for each in op.body.block.ops if not isinstance(each, YieldOp)]


def _is_plain(op: GenericOp, cheap_only: bool) -> bool:
    """Whether an op computes each element of one result of elements at its place."""
    maps = [each.data for each in op.indexing_maps]
    kinds = [each.data.value for each in op.iterator_types]
    if len(op.results) != 1 or not op.inputs or set(kinds) != {"parallel"}:
        return False
    if maps[-1] != AffineMap.identity(len(kinds)):
        return False
    exprs = [expr for each in maps for expr in each.results]
    if not all(isinstance(e, AffineDimExpr | AffineConstantExpr) for e in exprs):
        return False
    if op.body.block.args[-1].uses.get_length() or not all(
        map(_is_readable, op.inputs)
    ):
        return False
    dialects = ("arith",) if cheap_only else ("arith", "math")
    return all(
        each.dialect_name() in dialects
        and not (cheap_only and isinstance(each, arith.DivfOp))
        for each in _body(op)
    )


def _is_readable(value: SSAValue) -> bool:
    """Whether kernels can read a value at computed places: all but parts of others."""
    kind = value.type
    if not isa(kind, TensorType) or DYNAMIC_INDEX in kind.get_shape():
        return False
    while isinstance(value.owner, CollapseShapeOp | ExpandShapeOp):
        value = value.owner.operands[0]
    return not isinstance(value.owner, ExtractSliceOp)


def _elements(value: SSAValue) -> int:
    kind = value.type
    return math.prod(kind.get_shape()) if isa(kind, TensorType) else 0
