"""Element-wise ops as part of what reads them: their operands, and their bodies.

A reduction whose elements are computed by such ops reads the ops' own operands and
computes the elements in its body. Two reductions of the same elements then share
nothing but memory, and run in one pass over it.

Before:

    y = relu(x + bias)
    s = sum(y)

After:

    s = sum(relu(x + bias))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.utils.hints import isa

from tilewright.frontend.builder.scalar import Scalar
from tilewright.frontend.builder.sliced_reads import is_readable
from tilewright.frontend.builder.tensor import Tensor
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import GenericOp, IndexOp, StructuredOp, YieldOp
from tilewright.ir.dtypes import byte_width, element
from tilewright.ir.structured.loops import nest_of
from tilewright.ir.types import element_type

_View = tuple[SSAValue, tuple[int | None, ...]]
"""A value, and its dimension along each dimension of the result."""


@dataclass(frozen=True)
class Inlined:
    """The elements of a tensor as a function of other tensors' elements."""

    tensors: tuple[Tensor, ...]
    """They broadcast to the shape of the tensor."""
    function: Callable[..., Scalar]


def inlined(x: Tensor, most_ops: int) -> Inlined:
    """A tensor without the element-wise ops that compute it, as far as they go.

    Without any, it is the tensor itself.
    """
    ops = makers(x.value, most_ops)
    leaves: dict[_View, Tensor] = {}

    def collect(value: SSAValue, axes: tuple[int | None, ...]) -> None:
        if value.owner in ops:
            for operand, its_axes in _operands(value.owner, axes):
                collect(operand, its_axes)
        elif (value, axes) not in leaves:
            leaves[value, axes] = _seen(x, value, axes)

    collect(x.value, x.axes)

    def function(*given: Scalar) -> Scalar:
        known = dict(zip(leaves, given, strict=True))

        def computed(value: SSAValue, axes: tuple[int | None, ...]) -> Scalar:
            if (value, axes) not in known:
                maker = value.owner
                assert isinstance(maker, GenericOp)
                found = [computed(*one) for one in _operands(maker, axes)]
                known[value, axes] = copied_body(maker, found)
            return known[value, axes]

        return computed(x.value, x.axes)

    return Inlined(tuple(leaves.values()), function)


def operands_of(x: Tensor) -> list[Tensor]:
    """The operands of the op that makes a tensor, which broadcast to its shape."""
    return [_seen(x, *one) for one in _operands(x.value.owner, x.axes)]


def _seen(x: Tensor, value: SSAValue, axes: tuple[int | None, ...]) -> Tensor:
    """A view of a value, beside a tensor."""
    kind = value.type
    assert isa(kind, TensorType)
    dtype = element(kind.element_type).name
    return replace(x.like(value, tuple(kind.get_shape()), dtype), axes=axes)


def makers(
    value: SSAValue, most_ops: int, *, cheap_only: bool = False
) -> set[Operation]:
    """The element-wise ops behind a value whose bodies have no more ops together."""
    found: set[Operation] = set()
    left = most_ops
    pending = [value]
    while pending:
        maker = pending.pop().owner
        if maker in found:
            continue
        if not isinstance(maker, GenericOp) or not _is_plain(maker, cheap_only):
            continue
        if _rounds_a_sum(maker):
            continue
        left -= len(_body(maker))
        if left < 0:
            break
        found.add(maker)
        size = _elements(maker.results[0])
        pending += [one for one in maker.inputs if _elements(one) == size]
    return found


def copied_body(
    maker: GenericOp, given: Sequence[Scalar], places: Sequence[Scalar] = ()
) -> Scalar:
    """The result of an op's body for elements of its operands, in their body.

    An op that asks for the indices of its loops gets `places`.
    """
    block, (first, *_) = maker.body.block, (*given, *places)
    arguments = zip(block.args, given, strict=False)
    known: dict[SSAValue, SSAValue] = {
        argument: one.value for argument, one in arguments
    }
    for op in _body(maker):
        if isinstance(op, IndexOp):
            known[op.result] = places[op.dim.value.data].value
        else:
            first.body.block.add_op(op.clone(known))
    (last,) = [op for op in block.ops if isinstance(op, YieldOp)]
    kind = maker.results[0].type
    assert isa(kind, TensorType)
    result = known.get(last.operands[0], last.operands[0])
    return Scalar(first.body, result, element(kind.element_type).name)


def _operands(maker: object, axes: tuple[int | None, ...]) -> list[_View]:
    """The operands of an op, seen from a view of its result."""
    assert isinstance(maker, GenericOp)
    found: list[_View] = []
    for operand, each in zip(maker.inputs, maker.indexing_maps, strict=False):
        places = {
            expr.position: place
            for place, expr in enumerate(each.data.results)
            if isinstance(expr, AffineDimExpr)
        }
        its = tuple(None if axis is None else places.get(axis) for axis in axes)
        found.append((operand, its))
    return found


def _body(op: GenericOp) -> list[Operation]:
    return [each for each in op.body.block.ops if not isinstance(each, YieldOp)]


def _is_plain(op: GenericOp, cheap_only: bool) -> bool:
    """Whether an op computes each element of one result of elements at its place."""
    maps = [each.data for each in op.indexing_maps]
    kinds = [each.data.value for each in op.iterator_types]
    if len(op.results) != 1 or not op.inputs or set(kinds) != {"parallel"}:
        return False
    if maps[-1] != AffineMap.identity(len(kinds)) or not all(map(_is_simple, maps)):
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


def _rounds_a_sum(op: GenericOp) -> bool:
    """Whether an op narrows what a product or a reduction computes.

    The kernel that computes it stores the narrow elements, and nobody the wide ones.
    """
    width = byte_width(element_type(op.results[0].type))
    return any(
        byte_width(element_type(one.type)) > width
        and isinstance(one.owner, StructuredOp)
        and nest_of(one.owner).reduced
        for one in op.inputs
    )


def _is_simple(each: AffineMap) -> bool:
    """Whether a map reads each dimension along a loop of its own, or at one place."""
    loops = [e.position for e in each.results if isinstance(e, AffineDimExpr)]
    fixed = [e for e in each.results if isinstance(e, AffineConstantExpr)]
    return len(set(loops)) == len(loops) == len(each.results) - len(fixed)


def _is_readable(value: SSAValue) -> bool:
    """Whether kernels can read a value of known sizes at computed places."""
    kind = value.type
    is_known = isa(kind, TensorType) and DYNAMIC_INDEX not in kind.get_shape()
    return is_known and is_readable(value)


def _elements(value: SSAValue) -> int:
    kind = value.type
    return math.prod(kind.get_shape()) if isa(kind, TensorType) else 0
