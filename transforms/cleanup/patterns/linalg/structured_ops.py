"""Patterns on structured ops: casts, shared extents, ops that change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from tilewright.ir.dialects.linalg import (
    BroadcastOp,
    CopyOp,
    GenericOp,
    IndexOp,
    StructuredOp,
    TransposeOp,
)
from tilewright.ir.dialects.vector import MaskOp
from tilewright.ir.types import is_buffer, is_tensor, tensor_type
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import fold, pattern, pattern_on
from tilewright.transforms.cleanup.shapes import (
    cast_to,
    is_more_static,
    shape_of,
    with_shape,
)
from tilewright.transforms.core.rewriter import Rewriter


def on_other_operands(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """The same op on other operands; its results have the types of its outputs."""
    outputs = operands[len(operands) - _count_outputs(op) :]
    kinds: list[Attribute] = [o.type for o in outputs if is_tensor(o.type)]
    return type(op).create(
        operands=operands,
        result_types=kinds,
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
        regions=[region.clone() for region in op.regions],
        location=op.location,
    )


def _count_outputs(op: Operation) -> int:
    return len(op.outputs) if isinstance(op, StructuredOp) else 1


def _replace_casting(op: Operation, new: Operation, rewriter: Rewriter) -> None:
    """Replace an op, and cast new results back to the old types."""
    rewriter.insert_before(op, new)
    values: list[SSAValue] = []
    for old, result in zip(op.results, new.results, strict=True):
        result.name_hint = old.name_hint
        if old.type == result.type:
            values.append(result)
            continue
        back = cast_to(result, old.type)
        back.location = op.location
        rewriter.insert_before(op, back)
        values.append(back.results[0])
    rewriter.replace(op, values, stands_for=new)


def _before_cast(value: SSAValue) -> SSAValue:
    """The tensor before a cast that only makes extents dynamic; else the value."""
    cast = owner_named(value, "tensor.cast")
    if cast is None or not is_tensor(cast.operands[0].type):
        return value
    source = cast.operands[0]
    forgets = is_more_static(shape_of(source), shape_of(value))
    return source if forgets and source.type != value.type else value


@pattern(StructuredOp)
def take_what_was_cast(op: StructuredOp, rewriter: Rewriter) -> None:
    """Read operands before casts that only make extents dynamic."""
    operands = [_before_cast(operand) for operand in op.operands]
    if operands != list(op.operands):
        _replace_casting(op, on_other_operands(op, operands), rewriter)


@pattern_on("tensor.insert", "vector.transfer_write")
def write_into_what_was_cast(op: Operation, rewriter: Rewriter) -> None:
    """Write into a tensor before a cast that only makes extents dynamic."""
    into, parent = op.operands[1], op.parent_op()
    if not is_tensor(into.type) or (source := _before_cast(into)) is into:
        return
    if parent is not None and parent.name == "vector.mask":
        return  # a mask holds only one op
    if isinstance(op.parent_op(), MaskOp):
        return  # a mask has no room for a cast beside the op
    operands = list(op.operands)
    operands[1] = source
    new = type(op).create(
        operands=operands,
        result_types=[source.type],
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
        location=op.location,
    )
    _replace_casting(op, new, rewriter)


@pattern_on("tensor.cast")
def cast_of_result(op: Operation, rewriter: Rewriter) -> None:
    """Compute into the type of a cast that knows more extents of the result."""
    source, result = op.operands[0], op.results[0]
    if not isinstance(source, OpResult) or not isinstance(source.op, StructuredOp):
        return
    made, kind = source.op, result.type
    if made.parent is not op.parent or not is_tensor(kind):
        return
    if kind == source.type or not is_more_static(shape_of(result), shape_of(source)):
        return
    position = len(made.inputs) + source.index
    init = cast_to(made.operands[position], kind)
    init.location = op.location
    operands = list(made.operands)
    operands[position] = init.results[0]
    rewriter.insert_before(made, init)
    index = source.index
    new = on_other_operands(made, operands)
    _replace_casting(made, new, rewriter)
    rewriter.replace(op, [new.results[index]])


@pattern(StructuredOp)
def infer_extents(op: StructuredOp, rewriter: Rewriter) -> None:
    """Propagate an extent that one operand knows to all operands."""
    if op.maps and not all(_is_projection(map_) for map_ in op.maps):
        return
    if any(is_buffer(operand.type) for operand in op.operands):
        return
    extents: dict[AffineExpr, int] = {}
    for operand, map_ in zip(op.operands, op.maps, strict=True):
        if is_tensor(operand.type):
            cast = owner_named(operand, "tensor.cast")
            whole = operand if cast is None else cast.operands[0]
            shape = shape_of(operand)
            if is_tensor(whole.type) and whole.type.has_static_shape():
                shape = shape_of(whole)
            for expr, extent in zip(map_.results, shape, strict=True):
                if extent != DYNAMIC_INDEX:
                    extents[expr] = extent
    operands: list[SSAValue] = []
    for operand, map_ in zip(op.operands, op.maps, strict=True):
        operands.append(operand)
        if not is_tensor(operand.type) or operand.type.has_static_shape():
            continue
        shape = tuple(
            extents.get(expr, extent) if extent == DYNAMIC_INDEX else extent
            for expr, extent in zip(map_.results, shape_of(operand), strict=True)
        )
        if shape != shape_of(operand):
            cast = cast_to(operand, with_shape(tensor_type(operand), shape))
            cast.location = op.location
            rewriter.insert_before(op, cast)
            operands[-1] = cast.results[0]
    if operands != list(op.operands):
        _replace_casting(op, on_other_operands(op, operands), rewriter)


def _is_projection(map_: AffineMap) -> bool:
    return map_.is_projected_permutation() or not map_.results


@pattern(StructuredOp)
def drop_on_empty_buffers(op: StructuredOp, rewriter: Rewriter) -> None:
    """Drop an op that works on a buffer without elements."""
    for operand in op.operands:
        if is_buffer(operand.type) and 0 in operand.type.get_shape():
            rewriter.erase(op)
            return


@pattern(StructuredOp)
def drop_empty_loops(op: StructuredOp, rewriter: Rewriter) -> None:
    """Replace an op with a loop of no iterations by the tensors it starts from.

    Upstream leaves such ops alone; no kernel can be made of one.
    """
    if not op.results or 0 not in op.get_static_loop_ranges():
        return
    values: list[SSAValue] = []
    for value, result in zip(op.outputs, op.results, strict=True):
        if value.type != result.type:
            cast = cast_to(value, result.type)
            cast.location = op.location
            rewriter.insert_before(op, cast)
            value = cast.results[0]
        values.append(value)
    rewriter.replace(op, values)


@pattern(GenericOp, CopyOp, BroadcastOp)
def drop_identity(op: StructuredOp, rewriter: Rewriter) -> None:
    """Drop an op that only copies its inputs through identity maps."""
    block = op.body.block
    last = block.last_op
    if last is None or last is not block.first_op:
        return
    maps = op.maps
    if any(map_ != AffineMap.identity(map_.num_dims) for map_ in maps):
        return
    if any(is_buffer(operand.type) for operand in op.operands):
        same = len(op.operands) == 2 and op.operands[0] is op.operands[1]
        if same and not op.results and last.operands[0] is block.args[0]:
            rewriter.erase(op)
        return
    if isinstance(op, CopyOp):
        return  # it asks for a copy of a tensor
    values: list[SSAValue] = []
    for value, result in zip(last.operands, op.results, strict=True):
        if not isinstance(value, BlockArgument) or value.block is not block:
            return
        operand = op.operands[value.index]
        if not is_tensor(operand.type):
            return
        if operand.type != result.type:
            cast = cast_to(operand, result.type)
            cast.location = op.location
            rewriter.insert_before(op, cast)
            operand = cast.results[0]
        values.append(operand)
    rewriter.replace(op, values)


@fold(TransposeOp)
def transpose_nothing(op: TransposeOp, rewriter: Rewriter) -> None:
    """Drop a transposition that keeps every dimension in place."""
    if op.results and list(op.dims) == list(range(len(op.dims))):
        rewriter.replace(op, [op.operands[0]])


@pattern(TransposeOp)
def transpose_transposed(op: TransposeOp, rewriter: Rewriter) -> None:
    """Merge two transpositions."""
    inner = op.operands[0].owner
    if not isinstance(inner, TransposeOp) or not op.results:
        return
    order = [inner.dims[dim] for dim in op.dims]
    source = inner.operands[0]
    if order == list(range(len(order))) and source.type == op.results[0].type:
        rewriter.replace(op, [source])
    else:
        rewriter.replace_with(op, TransposeOp(source, op.operands[1], order))


@pattern(BroadcastOp)
def broadcast_broadcast(op: BroadcastOp, rewriter: Rewriter) -> None:
    """Merge two broadcasts."""
    inner = op.operands[0].owner
    if not isinstance(inner, BroadcastOp) or not op.results:
        return
    added = list(op.dims)
    rest = [d for d in range(len(shape_of(op.results[0]))) if d not in added]
    added += [rest[dim] for dim in inner.dims]
    new = BroadcastOp(inner.operands[0], op.operands[1], sorted(added))
    rewriter.replace_with(op, new)


@fold(IndexOp)
def index_of_one(op: IndexOp, rewriter: Rewriter) -> None:
    """Replace the index of a loop that runs once by 0."""
    parent = op.parent_op()
    if not isinstance(parent, StructuredOp):
        return
    position: Any = op.properties["dim"]
    if parent.get_static_loop_ranges()[position.value.data] == 1:
        rewriter.replace_with(op, index_constant(0))


EMPTY_LOOPS = (drop_empty_loops,)

PATTERNS = (
    take_what_was_cast,
    write_into_what_was_cast,
    cast_of_result,
    infer_extents,
    drop_on_empty_buffers,
    drop_identity,
    transpose_nothing,
    transpose_transposed,
    broadcast_broadcast,
    index_of_one,
)
