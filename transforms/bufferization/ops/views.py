"""Models of casts and reshapes, which move no elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    MemRefType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects import arith, memref, tensor
from tilewright.ir.dialects.memref import layout_of
from tilewright.ir.dialects.memref.layouts import sizes_of, times
from tilewright.ir.dialects.memref.reshapes import collapsed_type, expanded_type
from tilewright.ir.dialects.tensor import groups_of, reassociation_of
from tilewright.ir.types import buffer_type as type_of_buffer
from tilewright.ir.types import tensor_type
from tilewright.transforms.bufferization.buffer_types import has_identity_layout
from tilewright.transforms.bufferization.buffer_writer import Writer
from tilewright.transforms.bufferization.op_model import ViewModel


class Cast(ViewModel):
    """`tensor.cast` becomes `memref.cast`: the layout stays."""

    def write(self, op: Operation, to: Writer) -> None:
        """Cast the buffer."""
        assert isinstance(op, tensor.CastOp)
        buffer, target = to.values[op.source], tensor_type(op.dest)
        source = type_of_buffer(buffer)
        type_ = MemRefType(
            target.element_type, target.get_shape(), source.layout, source.memory_space
        )
        to.bind_view(op, to.cast(buffer, type_, op))


class ExpandShape(ViewModel):
    """`tensor.expand_shape` becomes `memref.expand_shape`."""

    def write(self, op: Operation, to: Writer) -> None:
        """Split dimensions of the buffer."""
        assert isinstance(op, tensor.ExpandShapeOp)
        sizes = [to.values[size] for size in op.dynamic_output_shape]
        view = expand(
            to,
            to.values[op.src],
            groups_of(op.reassociation),
            tensor_type(op.result).get_shape(),
            sizes,
            op,
        )
        to.bind_view(op, view)


class CollapseShape(ViewModel):
    """`tensor.collapse_shape` becomes `memref.collapse_shape`, a copy if need be."""

    def write(self, op: Operation, to: Writer) -> None:
        """Merge dimensions of the buffer, or of a copy if they lie apart."""
        assert isinstance(op, tensor.CollapseShapeOp)
        buffer, groups = to.values[op.src], groups_of(op.reassociation)
        if not is_collapsible(type_of_buffer(buffer), groups):
            buffer = to.fresh(buffer, tensor_type(op.src), op)
        shape = tensor_type(op.result).get_shape()
        to.bind_view(op, collapse(to, buffer, groups, shape, op))


class Reshape(ViewModel):
    """`tensor.reshape`: collapsed, then expanded; a copy if there are gaps."""

    def write(self, op: Operation, to: Writer) -> None:
        """Merge all dimensions, then split what results."""
        assert isinstance(op, tensor.ReshapeOp)
        source, made = tensor_type(op.source), tensor_type(op.result)
        buffer = to.values[op.source]
        if not has_identity_layout(type_of_buffer(buffer)):
            buffer = to.fresh(buffer, source, op)
        before, shape = source.get_shape(), made.get_shape()
        if not before:
            buffer = expand(to, buffer, [], [1], [], op)
        elif len(before) > 1:
            groups = [list(range(len(before)))]
            buffer = collapse(to, buffer, groups, [_total(before)], op)
        space = type_of_buffer(buffer).memory_space
        flat = MemRefType(made.element_type, [_total(shape)], memory_space=space)
        buffer = to.cast(buffer, flat, op)
        if not shape:
            buffer = collapse(to, buffer, [], [], op)
        elif len(shape) > 1:
            sizes = _sizes(op, shape, to)
            groups = [list(range(len(shape)))]
            buffer = expand(to, buffer, groups, shape, sizes, op)
        to.bind_view(op, buffer)


def _total(shape: Sequence[int]) -> int:
    return DYNAMIC_INDEX if DYNAMIC_INDEX in shape else prod(shape)


def _sizes(op: tensor.ReshapeOp, shape: Sequence[int], to: Writer) -> list[SSAValue]:
    """The dynamic sizes of a reshape, read from its other operand."""
    sizes: list[SSAValue] = []
    for dim, size in enumerate(shape):
        if size != DYNAMIC_INDEX:
            continue
        index = to.add(arith.ConstantOp.from_int_and_width(dim, IndexType()), op)
        load = memref.LoadOp(to.values[op.shape], index.results)
        loaded = to.add(load, op).results[0]
        if not isinstance(loaded.type, IndexType):
            cast = arith.IndexCastOp(loaded, IndexType())
            loaded = to.add(cast, op).results[0]
        sizes.append(loaded)
    return sizes


def expand(
    to: Writer,
    buffer: SSAValue,
    groups: Sequence[Sequence[int]],
    shape: Sequence[int],
    sizes: Sequence[SSAValue],
    like: Operation,
) -> SSAValue:
    """Split dimensions of a buffer."""
    source = type_of_buffer(buffer)
    result = MemRefType(source.element_type, shape)
    op = memref.ExpandShapeOp.build(
        operands=[buffer, sizes],
        properties={
            "reassociation": reassociation_of(groups),
            "static_output_shape": DenseArrayBase.from_list(i64, shape),
        },
        result_types=[expanded_type(source, result, groups)],
    )
    to.add(op, like)
    to.places.note_reshape(op.result, buffer)
    return op.result


def collapse(
    to: Writer,
    buffer: SSAValue,
    groups: Sequence[Sequence[int]],
    shape: Sequence[int],
    like: Operation,
) -> SSAValue:
    """Merge dimensions of a buffer."""
    source = type_of_buffer(buffer)
    result = MemRefType(source.element_type, shape)
    op = memref.CollapseShapeOp.build(
        operands=[buffer],
        properties={"reassociation": reassociation_of(groups)},
        result_types=[collapsed_type(source, result, groups)],
    )
    to.add(op, like)
    to.places.note_reshape(op.result, buffer)
    return op.result


def is_collapsible(
    type_: MemRefType[Attribute], groups: Sequence[Sequence[int]]
) -> bool:
    """Whether the dimensions of each group are known to be contiguous."""
    if has_identity_layout(type_):
        return True
    layout, sizes = layout_of(type_), sizes_of(type_)
    if layout is None:
        return False
    for group in groups:
        dims = [dim for dim in group if sizes[dim] != 1]
        for outer, inner in zip(dims, dims[1:], strict=False):
            stride = times(layout.strides[inner], sizes[inner])
            if stride is None or stride != layout.strides[outer]:
                return False
    return True
