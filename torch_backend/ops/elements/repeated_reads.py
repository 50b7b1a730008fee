"""Repeated tensors are read where they are by the element-wise ops that read them.

`x.repeat(1, 3, 1)` and `repeat_interleave` copy a tensor along a new dimension, which
is joined with another one. Operands that are joined differently, or not at all, have no
loops in common with the copy, which would be stored.

Before:

    copies = broadcast(x)                          tensor<64x256x3x512xf32>
    y = collapse_shape(copies) * other             loops over 64x768x512

After:

    y[i, j, k] = x[i, j // 3, k] * other[i, j, k]
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.frontend.builder.function_builder import Number
from tilewright.frontend.builder.gathers import gather, generated
from tilewright.frontend.builder.ops.reshapes import is_plain
from tilewright.frontend.builder.scalar import Scalar, ScalarLike, index
from tilewright.frontend.builder.sliced_reads import is_readable
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects.linalg import GenericOp
from tilewright.ir.dialects.tensor import CollapseShapeOp
from tilewright.ir.structured.bodies import is_elementwise, passes_through
from tilewright.torch_backend.ops.elements.element_functions import (
    truncated_quotient,
)

Operand = Tensor | Number


def repeats_read(operands: Sequence[Operand]) -> list[Operand]:
    """Operands with those that repeat a tensor read from it."""
    return [_read(one) if isinstance(one, Tensor) else one for one in operands]


def _read(x: Tensor) -> Tensor:
    """A tensor read where it is before parts of it are repeated, if it repeats any."""
    if _repetition(x) is None:
        return x

    def element(*_: Scalar) -> ScalarLike:
        return _element(x, [index(dim) for dim in range(x.rank)])

    return generated(x.builder, element, x.shape, x.dtype)


def _element(x: Tensor, at: Sequence[ScalarLike]) -> Scalar:
    """An element of a tensor, read from what it repeats."""
    found = _repetition(x)
    if found is None:
        return gather(x, *at)
    copy, groups = found
    sizes = _sizes(copy.results[0])
    places = [
        place
        for one, group in zip(at, groups, strict=True)
        for place in _split(one, [sizes[loop] for loop in group])
    ]
    read = [
        places[loop.position] if isinstance(loop, AffineDimExpr) else 0
        for loop in copy.indexing_maps.data[0].data.results
    ]
    source = copy.inputs[0]
    return _element(x.like(source, _sizes(source), x.dtype), read)


def _repetition(x: Tensor) -> tuple[GenericOp, list[list[int]]] | None:
    """The copy along further loops that a tensor is, and which loops were joined."""
    collapse = x.value.owner
    if not isinstance(collapse, CollapseShapeOp) or not is_plain(x):
        return None
    copy, sizes = collapse.operands[0].owner, _sizes(collapse.operands[0])
    if not isinstance(copy, GenericOp) or DYNAMIC_INDEX in sizes:
        return None
    if len(copy.inputs) != 1 or not passes_through(copy) or not is_elementwise(copy):
        return None
    read, *_, written = (each.data for each in copy.indexing_maps)
    used = {loop.position for loop in read.results if isinstance(loop, AffineDimExpr)}
    is_repeated = any(size > 1 for loop, size in enumerate(sizes) if loop not in used)
    is_in_order = written == AffineMap.identity(len(sizes))
    if not is_repeated or not is_in_order or not is_readable(copy.inputs[0]):
        return None
    return copy, [[dim.value.data for dim in group] for group in collapse.reassociation]


def _sizes(value: SSAValue) -> tuple[int, ...]:
    kind = value.type
    assert isa(kind, TensorType)
    return tuple(kind.get_shape())


def _split(at: ScalarLike, sizes: Sequence[int]) -> list[ScalarLike]:
    """The places along dimensions of these sizes, of a place where they are one."""
    found: list[ScalarLike] = []
    for dim, size in reversed(list(enumerate(sizes))):
        is_outermost = math.prod(sizes[:dim]) == 1
        if size == 1 or not isinstance(at, Scalar):
            found.insert(0, 0)
        elif is_outermost:
            found.insert(0, at)
            at = 0
        else:
            found.insert(0, at % size)
            at = truncated_quotient(at, size)
    return found
