"""Patterns on buffers: casts, static subviews, dead allocations, self-copies."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, MemRefType, i32
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.linalg import StructuredOp
from tilewright.ir.dialects.memref.layouts import Extent, Layout, layout_of, strided
from tilewright.ir.dialects.memref.subview import windowed
from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import buffer_type, is_buffer
from tilewright.transforms.cleanup.build import make, owner_named
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import fold, fold_on, pattern_on
from tilewright.transforms.cleanup.shapes import (
    Size,
    Slice,
    constant_extents,
    numbers_in,
    slice_op,
)
from tilewright.transforms.core.rewriter import Rewriter

SUBVIEW, CAST = "memref.subview", "memref.cast"


def _is_vaguer(kind: MemRefType[Any], than: MemRefType[Any]) -> bool:
    """Whether a type is another type with fewer static extents, strides or offset."""
    mine, its = layout_of(kind), layout_of(than)
    if mine is None or its is None or kind.get_num_dims() != than.get_num_dims():
        return False
    if kind.element_type != than.element_type:
        return False
    if kind.memory_space != than.memory_space:
        return False
    shapes = zip(kind.get_shape(), than.get_shape(), strict=True)
    if any(a not in (DYNAMIC_INDEX, b) for a, b in shapes):
        return False
    numbers = zip((*mine.strides, mine.offset), (*its.strides, its.offset), strict=True)
    return all(a is None or a == b for a, b in numbers)


def before_cast(value: SSAValue) -> SSAValue:
    """The buffer before a cast to a less precise type; else the value itself."""
    cast = owner_named(value, CAST)
    if cast is None:
        return value
    source = cast.operands[0]
    if not is_buffer(source.type) or not is_buffer(value.type):
        return value
    return source if _is_vaguer(value.type, source.type) else value


def cast_to(value: SSAValue, kind: Attribute) -> Operation:
    """A `memref.cast`."""
    return make(CAST, [value], [kind])


def _casted(new: Operation, kind: Attribute) -> list[Operation]:
    if new.results[0].type == kind:
        return [new]
    return [new, cast_to(new.results[0], kind)]


READERS = (
    "memref.load",
    "memref.store",
    "memref.copy",
    "memref.dim",
    "memref.dealloc",
    "memref.cast",
    "vector.load",
    "vector.store",
    "vector.maskedload",
    "vector.maskedstore",
    "vector.transfer_read",
    "vector.transfer_write",
)


def _look_through(op: Operation, rewriter: Rewriter) -> None:
    for position, operand in enumerate(op.operands):
        if is_buffer(operand.type) and (source := before_cast(operand)) is not operand:
            rewriter.set_operand(op, position, source)


@fold_on(*READERS)
def read_what_was_cast(op: Operation, rewriter: Rewriter) -> None:
    """Read or write a buffer before a cast to a less precise type."""
    _look_through(op, rewriter)


@fold(StructuredOp)
def compute_on_what_was_cast(op: StructuredOp, rewriter: Rewriter) -> None:
    """Compute on buffers before casts to less precise types."""
    _look_through(op, rewriter)


@fold_on(CAST)
def cast_to_same(op: Operation, rewriter: Rewriter) -> None:
    """Drop a cast to the type that the buffer already has."""
    if op.operands[0].type == op.results[0].type:
        rewriter.replace(op, [op.operands[0]])


# -- subviews --------------------------------------------------------------------------


def _extents(sizes: tuple[Size, ...]) -> list[Extent]:
    return [size if isinstance(size, int) else None for size in sizes]


def window_type(
    source: MemRefType[Attribute], place: Slice, left_out: tuple[int, ...] | None
) -> MemRefType[Attribute] | None:
    """The type of a subview without some of its dimensions."""
    layout = layout_of(source)
    if layout is None or left_out is None:
        return None
    window = windowed(layout, _extents(place.offsets), _extents(place.strides))
    sizes = _extents(place.sizes)
    kept = [dim for dim in range(len(sizes)) if dim not in left_out]
    reduced = Layout(tuple(window.strides[dim] for dim in kept), window.offset)
    return strided(source, [sizes[dim] for dim in kept], reduced)


def window(source: SSAValue, place: Slice, left_out: tuple[int, ...] = ()) -> Operation:
    """A subview of the type that it has without further assumptions."""
    kind = window_type(buffer_type(source), place, left_out)
    assert kind is not None, "the layout of a buffer that ops make is strided"
    return slice_op(SUBVIEW, [source], place, [kind])


@pattern_on(SUBVIEW)
def window_of_constants(op: Operation, rewriter: Rewriter) -> None:
    """Make constant offsets, sizes and strides part of the op."""
    if all(constant_int(value) is None for value in op.operands[1:]):
        return
    place, source = Slice.of(op), buffer_type(op.operands[0])
    static, result = place.known(), buffer_type(op.results[0])
    if static == place or not static.fits(source.get_shape()):
        return
    left_out = dropped_dims(numbers_in(place.sizes), result.get_shape())
    kind = window_type(source, static, left_out)
    if kind is not None:
        new = slice_op(SUBVIEW, [op.operands[0]], static, [kind])
        rewriter.replace_with(op, *_casted(new, op.results[0].type))


@pattern_on(SUBVIEW)
def window_of_cast(op: Operation, rewriter: Rewriter) -> None:
    """Take a subview of a buffer before a cast to a less precise type."""
    source = before_cast(op.operands[0])
    place = Slice.of(op)
    if source is op.operands[0] or place != place.known():
        return
    result = op.results[0]
    left_out = dropped_dims(numbers_in(place.sizes), buffer_type(result).get_shape())
    kind = window_type(buffer_type(source), place, left_out)
    if kind is None or not place.fits(buffer_type(source).get_shape()):
        return
    new = slice_op(SUBVIEW, [source], place, [kind])
    rewriter.replace_with(op, *_casted(new, result.type))


@pattern_on(SUBVIEW)
def window_of_everything(op: Operation, rewriter: Rewriter) -> None:
    """Replace a subview of a whole buffer by the buffer, perhaps cast."""
    source, result = op.operands[0], op.results[0]
    shape = buffer_type(source).get_shape()
    if DYNAMIC_INDEX in shape or buffer_type(result).get_shape() != shape:
        return
    if not Slice.of(op).is_all_of(shape):
        return
    if source.type == result.type:
        rewriter.replace(op, [source])
    else:
        rewriter.replace_with(op, cast_to(source, result.type))


# -- allocations, sizes, copies --------------------------------------------------------


@pattern_on("memref.alloc", "memref.alloca")
def alloc_of_constants(op: Operation, rewriter: Rewriter) -> None:
    """Make constant extents part of the type."""
    result = op.results[0]
    kind = buffer_type(result)
    count = kind.get_shape().count(DYNAMIC_INDEX)
    shape, kept = constant_extents(kind.get_shape(), op.operands[:count])
    if len(kept) == count:
        return
    symbols = op.operands[count:]
    properties = op.properties | {
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(kept), len(symbols)])
    }
    static = MemRefType(kind.element_type, shape, kind.layout, kind.memory_space)
    new = make(op.name, [*kept, *symbols], [static], properties)
    rewriter.replace_with(op, *_casted(new, result.type))


@pattern_on("memref.alloc", "memref.alloca")
def drop_unread_alloc(op: Operation, rewriter: Rewriter) -> None:
    """Drop a buffer that is only stored to and freed."""
    buffer = op.results[0]
    users = [use.operation for use in buffer.uses]
    for user in users:
        stores = user.name == "memref.store" and user.operands[0] is not buffer
        if not stores and user.name != "memref.dealloc":
            return
    for user in users:
        rewriter.erase(user)
    rewriter.erase(op)


@fold_on("memref.dim")
def known_dim(op: Operation, rewriter: Rewriter) -> None:
    """Replace an extent that the type, the allocation or the subview knows."""
    source, index = op.operands
    dim = constant_int(index)
    if dim is None or not is_buffer(source.type):
        return
    shape = source.type.get_shape()
    if not 0 <= dim < len(shape):
        return
    if shape[dim] != DYNAMIC_INDEX:
        rewriter.replace_with(op, index_constant(shape[dim]))
        return
    position = shape[:dim].count(DYNAMIC_INDEX)
    if (alloc := owner_named(source, "memref.alloc", "memref.alloca")) is not None:
        rewriter.replace(op, [alloc.operands[position]])
    elif (window := owner_named(source, SUBVIEW)) is not None:
        sizes = Slice.of(window).sizes
        left_out = dropped_dims(numbers_in(sizes), shape)
        if left_out is None:
            return
        size = [s for at, s in enumerate(sizes) if at not in left_out][dim]
        if isinstance(size, SSAValue):
            rewriter.replace(op, [size])


@pattern_on("memref.copy")
def copy_nothing(op: Operation, rewriter: Rewriter) -> None:
    """Drop a copy of a buffer onto itself, or of an empty buffer."""
    source, target = op.operands
    empty = any(is_buffer(v.type) and 0 in v.type.get_shape() for v in op.operands)
    if source is target or empty:
        rewriter.erase(op)


PATTERNS = (
    read_what_was_cast,
    compute_on_what_was_cast,
    cast_to_same,
    window_of_constants,
    window_of_cast,
    window_of_everything,
    alloc_of_constants,
    drop_unread_alloc,
    known_dim,
    copy_nothing,
)
