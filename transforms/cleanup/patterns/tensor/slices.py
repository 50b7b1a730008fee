"""Patterns on slices of tensors: make them static, drop those that do nothing.

Constant sizes and offsets become part of the op and of its type; a `tensor.cast` keeps
the old type for the users of the result.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.constants import (
    attribute_of,
    become,
    splat,
    splat_element,
)
from tilewright.transforms.cleanup.driver import fold_on, pattern_on
from tilewright.transforms.cleanup.shapes import (
    Size,
    Slice,
    cast_to,
    casted,
    is_more_static,
    known,
    numbers_in,
    shape_of,
    slice_op,
    sliced_type,
)
from tilewright.transforms.core.extents import known_size
from tilewright.transforms.core.rewriter import Rewriter

EXTRACT, INSERT = "tensor.extract_slice", "tensor.insert_slice"
PARALLEL = "tensor.parallel_insert_slice"


@fold_on(EXTRACT)
def extract_everything(op: Operation, rewriter: Rewriter) -> None:
    """Drop a slice of a whole tensor."""
    source = op.operands[0]
    if source.type == op.results[0].type and Slice.of(op).is_all_of(shape_of(source)):
        rewriter.replace(op, [source])


@fold_on(EXTRACT)
def extract_inserted(op: Operation, rewriter: Rewriter) -> None:
    """Replace a slice of what was just inserted there by that tensor."""
    insert = owner_named(op.operands[0], INSERT)
    if insert is None or insert.operands[0].type != op.results[0].type:
        return
    if Slice.of(op).is_same(Slice.of(insert)):
        rewriter.replace(op, [insert.operands[0]])


@fold_on(EXTRACT)
def extract_of_uniform(op: Operation, rewriter: Rewriter) -> None:
    """Slice a constant whose elements are all equal."""
    attr = attribute_of(op.operands[0])
    if not isinstance(attr, DenseIntOrFPElementsAttr):
        return
    first, kind = splat_element(attr), tensor_type(op.results[0])
    if first is not None and kind.has_static_shape():
        become(op, splat(first, kind), rewriter)


@fold_on(INSERT)
def insert_over_everything(op: Operation, rewriter: Rewriter) -> None:
    """Replace an insertion over a whole tensor by the inserted tensor."""
    source, dest = op.operands[:2]
    if source.type == dest.type and Slice.of(op).is_all_of(shape_of(dest)):
        rewriter.replace(op, [source])


@fold_on(INSERT)
def insert_over_inserted(op: Operation, rewriter: Rewriter) -> None:
    """Skip an insertion that this one overwrites."""
    before = owner_named(op.operands[1], INSERT)
    if before is None or before.operands[0].type != op.operands[0].type:
        return
    if Slice.of(op).is_same(Slice.of(before)):
        rewriter.set_operand(op, 1, before.operands[1])


@fold_on(INSERT)
def insert_extracted(op: Operation, rewriter: Rewriter) -> None:
    """Drop an insertion that puts a slice back where it came from."""
    source, dest = op.operands[:2]
    extract = owner_named(source, EXTRACT)
    if extract is None or extract.operands[0] is not dest:
        return
    if dest.type == op.results[0].type and Slice.of(op).is_same(Slice.of(extract)):
        rewriter.replace(op, [dest])


def _has_constants(op: Operation) -> bool:
    """Whether some offset, size or stride is a constant but not part of the op."""
    return any(constant_int(value) is not None for value in op.operands[1:])


@pattern_on(EXTRACT)
def extract_constant_place(op: Operation, rewriter: Rewriter) -> None:
    """Make constant offsets, sizes and strides part of the op."""
    if not _has_constants(op):
        return
    place, result = Slice.of(op), op.results[0]
    static = place.known()
    if static == place or not static.fits(shape_of(op.operands[0])):
        return
    kind = sliced_type(static, place, tensor_type(result))
    if kind is None:
        return
    new = slice_op(EXTRACT, [op.operands[0]], static, [kind])
    rewriter.replace_with(op, *casted(new, result.type))


@pattern_on(EXTRACT)
def extract_from_cast(op: Operation, rewriter: Rewriter) -> None:
    """Extract from the tensor before a cast that only makes extents dynamic."""
    cast = owner_named(op.operands[0], "tensor.cast")
    if cast is None:
        return
    place = Slice.of(op)
    if place != place.known():
        return
    source = cast.operands[0]
    if not is_more_static(shape_of(source), shape_of(op.operands[0])):
        return
    if not place.fits(shape_of(source)):
        return
    rewriter.replace_with(op, slice_op(EXTRACT, [source], place, op.result_types))


@pattern_on("tensor.cast")
def cast_of_extracted(op: Operation, rewriter: Rewriter) -> None:
    """Extract a slice of the type of a cast that knows more extents."""
    extract = owner_named(op.operands[0], EXTRACT)
    shape = shape_of(op.results[0])
    if extract is None or shape == shape_of(op.operands[0]):
        return
    if not is_more_static(shape, shape_of(op.operands[0])):
        return
    place = Slice.of(extract)
    left_out = dropped_dims(numbers_in(place.sizes), shape_of(extract.results[0]))
    if left_out is None:
        return
    extents = iter(shape)
    sizes: list[Size] = []
    for position, size in enumerate(place.sizes):
        extent = None if position in left_out else next(extents)
        sizes.append(size if extent is None or extent < 0 else extent)
    static, source = place.with_sizes(sizes), extract.operands[0]
    if static.fits(shape_of(source)):
        rewriter.replace_with(op, slice_op(EXTRACT, [source], static, op.result_types))


@pattern_on(INSERT, PARALLEL)
def insert_constant_place(op: Operation, rewriter: Rewriter) -> None:
    """Make constant offsets, sizes and strides part of the op."""
    if not _has_constants(op):
        return
    place, source = Slice.of(op), op.operands[0]
    static = place.known()
    if static == place or not static.fits(shape_of(op.operands[1])):
        return
    kind = sliced_type(static, place, tensor_type(source))
    if kind is None:
        return
    if source.type != kind:
        source = _cast_before(op, source, kind, rewriter)
    _insert_instead(op, [source, op.operands[1]], static, rewriter)


def _cast_before(
    op: Operation, value: SSAValue, kind: Attribute, rewriter: Rewriter
) -> SSAValue:
    """A cast of `value` in front of an op, or of the terminator around it."""
    parent = op.parent_op()
    anchor = parent if op.name == PARALLEL and parent is not None else op
    cast = cast_to(value, kind)
    cast.location = op.location
    rewriter.insert_before(anchor, cast)
    return cast.results[0]


def _insert_instead(
    op: Operation, sources: list[SSAValue], place: Slice, rewriter: Rewriter
) -> None:
    if op.name == PARALLEL:
        new = slice_op(PARALLEL, sources, place, [])
        new.location = op.location
        rewriter.insert_before(op, new)
        rewriter.erase(op)
        return
    new = slice_op(INSERT, sources, place, [sources[1].type])
    rewriter.replace_with(op, *casted(new, op.results[0].type))


@pattern_on(INSERT, PARALLEL)
def insert_what_was_cast(op: Operation, rewriter: Rewriter) -> None:
    """Insert tensors before casts that only make extents dynamic."""
    if not any(owner_named(v, "tensor.cast") is not None for v in op.operands[:2]):
        return
    place = Slice.of(op)
    if place != place.known():
        return
    sources = list(op.operands[:2])
    for position, value in enumerate(sources):
        cast = owner_named(value, "tensor.cast")
        if cast is None:
            continue
        inner = cast.operands[0]
        if is_more_static(shape_of(inner), shape_of(value)):
            sources[position] = inner
    if sources == list(op.operands[:2]):
        return
    left_out = dropped_dims(numbers_in(place.sizes), shape_of(op.operands[0]))
    if left_out is None:
        return
    extents = iter(shape_of(sources[0]))
    sizes: list[Size] = []
    for position, size in enumerate(place.sizes):
        extent = None if position in left_out else next(extents)
        sizes.append(size if extent is None or extent < 0 else extent)
    static = place.with_sizes(sizes)
    if sliced_type(static, place, tensor_type(op.operands[0])) != sources[0].type:
        return
    if static.fits(shape_of(sources[1])):
        _insert_instead(op, sources, static, rewriter)


def covers(place: Slice, whole: SSAValue) -> bool:
    """Whether a slice is all of a tensor whose extents may be values.

    Upstream folds this for static shapes only. Here a size also counts as full if it is
    the same value that the dimension was made with, as in a partial tile.
    """
    if any(known(offset) != 0 for offset in place.offsets):
        return False
    if any(known(stride) != 1 for stride in place.strides):
        return False
    for dim, size in enumerate(place.sizes):
        full = known_size(whole, dim)
        if full is None or known(size) != known(full):
            return False
    return True


@pattern_on(EXTRACT)
def extract_everything_dynamic(op: Operation, rewriter: Rewriter) -> None:
    """Further than upstream: a slice of a whole tensor with dynamic extents."""
    source = op.operands[0]
    if source.type == op.results[0].type and covers(Slice.of(op), source):
        rewriter.replace(op, [source])


@pattern_on(INSERT)
def insert_over_everything_dynamic(op: Operation, rewriter: Rewriter) -> None:
    """Further than upstream: an insertion over a whole dynamic tensor."""
    source, dest = op.operands[:2]
    if source.type == dest.type and covers(Slice.of(op), dest):
        rewriter.replace(op, [source])


PATTERNS = (
    extract_everything,
    extract_inserted,
    extract_of_uniform,
    insert_over_everything,
    insert_over_inserted,
    insert_extracted,
    extract_constant_place,
    extract_from_cast,
    cast_of_extracted,
    insert_constant_place,
    insert_what_was_cast,
)
FURTHER = (extract_everything_dynamic, insert_over_everything_dynamic)
