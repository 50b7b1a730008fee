"""Patterns on tensor.dim, empty and cast: propagate known extents."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, OpResult, SSAValue

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import is_tensor, tensor_type
from tilewright.transforms.cleanup.build import make, owner_named, remade
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.cleanup.shapes import (
    Slice,
    casted,
    constant_extents,
    is_more_static,
    joined,
    shape_of,
    with_shape,
)
from tilewright.transforms.core.rewriter import Rewriter

DESTINATIONS = ("tensor.insert", "tensor.insert_slice", "vector.transfer_write")
"""Ops whose result is their second operand after a write."""


def destination(value: SSAValue) -> SSAValue | None:
    """The tensor that was written to give `value`."""
    owner = value.owner
    if not isinstance(value, OpResult) or not isinstance(owner, Operation):
        return None
    if isinstance(owner, StructuredOp):
        return owner.outputs[value.index]
    return owner.operands[1] if owner.name in DESTINATIONS else None


def _dynamic_position(shape: tuple[int, ...], dim: int) -> int:
    """The position of the extent at `dim` among the dynamic extents of a shape."""
    return sum(1 for extent in shape[:dim] if extent == DYNAMIC_INDEX)


@fold_on("tensor.dim")
def known_dim(op: Operation, rewriter: Rewriter) -> None:
    """Replace an extent that the type or the slice knows."""
    source, index = op.operands
    dim = constant_int(index)
    if dim is None or not is_tensor(source.type):
        return
    shape = shape_of(source)
    if not 0 <= dim < len(shape):
        return
    if shape[dim] != DYNAMIC_INDEX:
        rewriter.replace_with(op, index_constant(shape[dim]))
        return
    if (extract := owner_named(source, "tensor.extract_slice")) is not None:
        sizes = Slice.of(extract).sizes
        if len(sizes) == len(shape) and isinstance(size := sizes[dim], SSAValue):
            rewriter.replace(op, [size])
    elif (generate := owner_named(source, "tensor.generate")) is not None:
        rewriter.replace(op, [generate.operands[_dynamic_position(shape, dim)]])


@pattern_on("tensor.dim")
def dim_of_cast(op: Operation, rewriter: Rewriter) -> None:
    """Read an extent before the cast."""
    cast = owner_named(op.operands[0], "tensor.cast")
    if cast is not None and is_tensor(cast.operands[0].type):
        rewriter.set_operand(op, 0, cast.operands[0])


@pattern_on("tensor.dim")
def dim_of_destination(op: Operation, rewriter: Rewriter) -> None:
    """Read an extent of a result from its destination."""
    whole = destination(op.operands[0])
    if whole is not None and is_tensor(whole.type):
        rewriter.replace_with(op, remade(op, [whole, op.operands[1]]))


@pattern_on("tensor.dim")
def dim_of_empty(op: Operation, rewriter: Rewriter) -> None:
    """Read the extents of an empty tensor from its operands."""
    source, index = op.operands
    empty, dim = owner_named(source, "tensor.empty"), constant_int(index)
    if empty is None or dim is None or not 0 <= dim < len(shape_of(source)):
        return
    if shape_of(source)[dim] == DYNAMIC_INDEX:
        position = _dynamic_position(shape_of(source), dim)
        rewriter.replace(op, [empty.operands[position]])


@pattern_on("tensor.empty")
def empty_of_constants(op: Operation, rewriter: Rewriter) -> None:
    """Make constant extents part of the type."""
    result = op.results[0]
    shape, kept = constant_extents(shape_of(result), op.operands)
    if len(kept) == len(op.operands):
        return
    new = make("tensor.empty", kept, [with_shape(tensor_type(result), shape)])
    rewriter.replace_with(op, *casted(new, result.type))


@pattern_on("tensor.cast")
def cast_of_empty(op: Operation, rewriter: Rewriter) -> None:
    """Give an empty tensor the type of a cast that knows more extents."""
    empty = owner_named(op.operands[0], "tensor.empty")
    if empty is None or not is_tensor(op.results[0].type):
        return
    before, after = shape_of(op.operands[0]), shape_of(op.results[0])
    if not is_more_static(after, before):
        return
    sizes = iter(empty.operands)
    kept: list[SSAValue] = []
    for old, new in zip(before, after, strict=True):
        if old != DYNAMIC_INDEX:
            continue
        size = next(sizes)
        number = constant_int(size)
        if new == DYNAMIC_INDEX:
            kept.append(size)
        elif number is not None and number != new:
            return  # the cast is invalid: it fails at run time
    rewriter.replace_with(op, make("tensor.empty", kept, op.result_types))


@fold_on("tensor.cast")
def cast_to_same(op: Operation, rewriter: Rewriter) -> None:
    """Drop a cast to the type that the tensor already has."""
    if op.operands[0].type == op.results[0].type:
        rewriter.replace(op, [op.operands[0]])


@pattern_on("tensor.cast")
def cast_of_cast(op: Operation, rewriter: Rewriter) -> None:
    """Merge two casts, unless the type in between knows more than both ends."""
    inner = owner_named(op.operands[0], "tensor.cast")
    if inner is None:
        return
    values = (inner.operands[0], op.operands[0], op.results[0])
    if not all(is_tensor(value.type) for value in values):
        return
    first, middle, last = map(shape_of, values)
    together = joined(first, middle, last)
    if together is not None and together == joined(first, last):
        rewriter.replace_with(op, remade(op, [inner.operands[0]]))


MADE_BY_TILING = (dim_of_empty, empty_of_constants, cast_of_empty, cast_of_cast)
PATTERNS = (
    known_dim,
    dim_of_cast,
    dim_of_destination,
    dim_of_empty,
    empty_of_constants,
    cast_of_empty,
    cast_to_same,
    cast_of_cast,
)
