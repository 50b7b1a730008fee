"""Pads, concats and inserted slices are computed where they are read.

`tilewright.concats`. Element-wise ops run part by part, so that no concat is stored for
them, and the op that computes a part can compute the rest as well:

    %c = tensor.concat dim(1) %a, %b            %u = linalg.generic ins(%a) { relu }
    %r = linalg.generic ins(%c) { relu }        %v = linalg.generic ins(%b) { relu }
                                                %r = insert_slice %u, %v

A slice of one part is a slice of its tensor. Where slices of an element-wise op are all
that other such ops read of it, each is computed for itself, unless they overlap:

    %g = linalg.generic ins(%x) { tanh }        %t = extract_slice %x [0] [64] [1]
    %a = extract_slice %g [0] [64] [1]          %a = linalg.generic ins(%t) { tanh }

A pad, or a slice in a copy of a tensor, becomes an element-wise op that selects the
part by the index, as rolls and windows are. What is returned, or read by a matmul,
stays. Sizes must be known.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects.linalg import (
    GenericOp,
    StructuredOp,
    YieldOp,
    iterators,
    maps_attribute,
)
from tilewright.ir.dialects.tensor import (
    ConcatOp,
    EmptyOp,
    ExtractOp,
    ExtractSliceOp,
    InsertSliceOp,
    PadOp,
)
from tilewright.ir.indexing.normal_form import constant, plus
from tilewright.ir.structured.bodies import is_elementwise, yielded
from tilewright.ir.structured.concats import Concat, Part, is_concat, parts_of
from tilewright.ir.structured.contractions import product_of
from tilewright.ir.structured.inlining import Elements, against, loops_at
from tilewright.ir.structured.maps import is_permutation, named_loops
from tilewright.ir.structured.movement import Indices, indices_behind, view_of
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.rewriter import Rewriter

MOST_PARTS = 8
"""The parts of a concat that readers are written out for: each is an op to compile."""


def is_computed(op: Operation) -> bool:
    """Whether an op is a reader of parts, a slice of one, selects them by index, or is
    read in slices."""
    return (
        concat_operand(op) is not None
        or part_of_slice(op) is not None
        or bool(_slices_of(op))
        or _is_selected(op)
    )


@pattern(StructuredOp)
def split_reader(op: StructuredOp, rewriter: Rewriter) -> None:
    """Compute a reader for each part of a concat."""
    position = concat_operand(op)
    if position is None:
        return
    parts = parts_of(op.inputs[position].owner) or ()
    loops = named_loops(op.maps[position])
    made: list[Operation] = [EmptyOp([], op.results[0].type)]
    for part in parts:
        starts, extents = [0] * len(loops), list(op.get_static_loop_ranges())
        for loop, start, size in zip(loops, part.offsets, part.sizes, strict=True):
            starts[loop], extents[loop] = start, size
        body = Elements(op, extents, lambda value: _has_parts(value, parts))
        own = enumerate(starts)
        values = body.copied(
            op, tuple(plus(AffineDimExpr(n), constant(start)) for n, start in own)
        )
        (element,) = yielded(op)
        shape = [extents[loop] for loop in named_loops(op.maps[-1])]
        offsets = [starts[loop] for loop in named_loops(op.maps[-1])]
        new = _elementwise(op, body, values.get(element, element), shape, op.maps[-1])
        whole = made[-1].results[0]
        ones = [1] * len(shape)
        insert = InsertSliceOp(new[-1].results[0], whole, offsets, shape, ones)
        made += [*new, insert]
    made[-1].results[0].name_hint = op.results[0].name_hint
    rewriter.replace_with(op, *made)


def concat_operand(op: Operation) -> int | None:
    """The operand whose parts an element-wise op can be computed for, one by one."""
    if not isinstance(op, StructuredOp) or not _is_reader(op):
        return None
    for position, (value, map_) in enumerate(zip(op.inputs, op.maps, strict=False)):
        parts = parts_of(value.owner)
        if parts is None or not is_concat(parts) or not is_permutation(map_):
            continue
        # Several readers share a concat that is stored once.
        is_own = all(use.operation is op for use in value.uses)
        if 1 < len(parts) <= MOST_PARTS and is_own:
            return position
    return None


def _is_reader(op: Operation) -> bool:
    """Whether an op computes each element of one result by itself."""
    return (
        isinstance(op, StructuredOp)
        and is_elementwise(op)
        and against(op) is None
        and min(op.get_static_loop_ranges(), default=0) > 0
        and not any(isinstance(each, ExtractOp) for each in op.body.block.ops)
    )


def _has_parts(value: SSAValue, parts: Sequence[Part]) -> bool:
    """Whether a tensor is a concat of parts of the same sizes."""
    own = parts_of(value.owner)
    return own is not None and [(p.offsets, p.sizes) for p in own] == [
        (p.offsets, p.sizes) for p in parts
    ]


@pattern(ExtractSliceOp)
def slice_part(op: ExtractSliceOp, rewriter: Rewriter) -> None:
    """Slice the part that has all elements of a slice."""
    part = part_of_slice(op)
    if part is None:
        return
    offsets, sizes = op.static_offsets.get_values(), op.static_sizes.get_values()
    moved = [at - start for at, start in zip(offsets, part.offsets, strict=True)]
    strides = op.static_strides.get_values()
    new = ExtractSliceOp(part.source, moved, sizes, strides, op.result.type)
    new.result.name_hint = op.result.name_hint
    rewriter.replace_with(op, new)


def part_of_slice(op: Operation) -> Part | None:
    """The only part that has elements of a slice, if its tensor has all dimensions."""
    if not isinstance(op, ExtractSliceOp) or view_of(op.result) is None:
        return None
    offsets, sizes = op.static_offsets.get_values(), op.static_sizes.get_values()
    strides = op.static_strides.get_values()
    ends = [
        start + (size - 1) * step
        for start, size, step in zip(offsets, sizes, strides, strict=True)
    ]
    for part in parts_of(op.source.owner) or ():
        bounds = list(zip(offsets, ends, part.offsets, part.sizes, strict=True))
        if all(low <= start and end < low + size for start, end, low, size in bounds):
            return None if part.is_constant or part.dropped else part
        if not any(
            end < low or start >= low + size for start, end, low, size in bounds
        ):
            return None
    return None


@pattern(StructuredOp)
def compute_slices(op: StructuredOp, rewriter: Rewriter) -> None:
    """Compute each slice that is read of a result."""
    for part in _slices_of(op):
        shape = tensor_type(part.result).get_shape()
        loops = tuple(AffineDimExpr(dim) for dim in range(len(shape)))
        body = Elements(op, shape, lambda _: False)
        values = body.copied(op, loops_at(op, indices_behind(part, loops, shape)))
        (element,) = yielded(op)
        element = values.get(element, element)
        identity = AffineMap.identity(len(shape))
        new = _elementwise(part, body, element, shape, identity)
        new[-1].location = op.location
        rewriter.replace_with(part, *new)


def _slices_of(op: Operation) -> list[ExtractSliceOp]:
    """The slices that are all that element-wise ops read of another one.

    Empty if there are many, or if two have an element in common: whether to compute it
    twice is a matter of cost.
    """
    if not isinstance(op, StructuredOp) or not _is_reader(op):
        return []
    users = [use.operation for use in op.results[0].uses]
    slices = [user for user in users if isinstance(user, ExtractSliceOp)]
    if not len(users) == len(slices) <= MOST_PARTS:
        return []
    if any(
        view_of(part.result) is None or 0 in tensor_type(part.result).get_shape()
        for part in slices
    ):
        return []
    readers = (reader for part in slices for reader in _readers(part.result))
    if not all(isinstance(r, StructuredOp) and is_elementwise(r) for r in readers):
        return []
    pairs = itertools.combinations(slices, 2)
    return slices if all(_are_apart(one, two) for one, two in pairs) else []


def _are_apart(one: ExtractSliceOp, two: ExtractSliceOp) -> bool:
    """Whether two slices of a tensor have no element in common."""
    return any(
        max(a[0], b[0]) > min(a[-1], b[-1])
        or (a.step == b.step and (a[0] - b[0]) % a.step != 0)
        for a, b in zip(_ranges(one), _ranges(two), strict=True)
    )


def _ranges(part: ExtractSliceOp) -> Iterator[range]:
    """The indices of a slice along each dimension."""
    bounds = part.static_offsets, part.static_sizes, part.static_strides
    for start, size, step in zip(*(b.get_values() for b in bounds), strict=True):
        yield range(start, start + size * step, step)


@pattern(PadOp, ConcatOp, InsertSliceOp)
def select_part(op: Concat, rewriter: Rewriter) -> None:
    """Compute which part has an element."""
    if not _is_selected(op):
        return
    shape = tensor_type(op.result).get_shape()
    body = Elements(op, shape, lambda value: value is op.result)
    loops: Indices = tuple(AffineDimExpr(dim) for dim in range(len(shape)))
    element = body.element(op.result, loops)
    identity = AffineMap.identity(len(shape))
    rewriter.replace_with(op, *_elementwise(op, body, element, shape, identity))


def _is_selected(op: Operation) -> bool:
    """Whether an op copies a tensor to pad it or to change a slice of it.

    Parts of a concat are computed in place.
    """
    parts = parts_of(op)
    if parts is None or is_concat(parts) or 0 in tensor_type(op.results[0]).get_shape():
        return False
    if not parts[-1].is_constant and not _is_kept(parts[-1].source):
        return False
    if any(part_of_slice(use.operation) is not None for use in op.results[0].uses):
        return False  # the slice comes first
    readers = list(_readers(op.results[0]))
    return bool(readers) and all(
        isinstance(reader, StructuredOp) and product_of(reader) is None
        for reader in readers
    )


def _is_kept(value: SSAValue) -> bool:
    """Whether a tensor must be copied before a slice of it is replaced."""
    return not isinstance(value.owner, Operation) or not value.has_one_use()


def _readers(value: SSAValue) -> Iterator[Operation]:
    """The ops that read a tensor or a view of it."""
    for use in value.uses:
        user = use.operation
        parent = user.parent_op()
        if user.results and view_of(user.results[0]) is not None:
            yield from _readers(user.results[0])
        else:
            yield parent if isinstance(parent, StructuredOp) else user


def _elementwise(
    op: Operation,
    body: Elements,
    element: SSAValue,
    shape: Sequence[int],
    output: AffineMap,
) -> list[Operation]:
    """An element-wise op of a body, instead of an op, and what comes before it."""
    kind = TensorType(tensor_type(op.results[0]).element_type, shape)
    body.block.add_op(YieldOp(element))
    body.block.insert_arg(kind.element_type, len(body.block.args))
    empty = EmptyOp([], kind)
    made = GenericOp(
        body.inputs,
        [empty.results[0]],
        Region(body.block),
        maps_attribute([*body.maps, output]),
        iterators(output.num_dims),
        [kind],
    )
    made.location = op.location
    made.results[0].name_hint = op.results[0].name_hint
    return [*body.views, empty, made]


PATTERNS = (split_reader, slice_part, compute_slices, select_part)
