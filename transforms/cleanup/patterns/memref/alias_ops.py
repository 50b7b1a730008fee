"""Access the buffer instead of a view of it: `memref.fold_memref_alias_ops`.

Views are subviews, and reshapes by `memref.expand_shape` and `collapse_shape`. Vectors
are moved where their dimensions are dimensions of the buffer, with stride 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from tilewright.ir.dialects import affine
from tilewright.ir.dialects.memref import CollapseShapeOp, ExpandShapeOp, groups_of
from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.dialects.vector import MaskOp, TransferReadOp, TransferWriteOp
from tilewright.ir.indexing.normal_form import constant, plus, times
from tilewright.ir.types import buffer_type, is_buffer, is_vector, vector_type
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern, pattern_on
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.patterns.memref.addresses import metadata
from tilewright.transforms.cleanup.patterns.memref.buffers import SUBVIEW
from tilewright.transforms.cleanup.patterns.tensor.slice_merging import within
from tilewright.transforms.cleanup.patterns.tensor.subset_ops import map_within
from tilewright.transforms.cleanup.patterns.vector.transfers import is_in_bounds
from tilewright.transforms.cleanup.shapes import (
    Size,
    Slice,
    known,
    mixed,
    numbers_in,
    slice_op,
)
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter


def _window(value: SSAValue) -> tuple[Operation, Slice, tuple[int, ...]] | None:
    """The subview that makes a buffer, its place, and the dimensions it drops."""
    window = owner_named(value, SUBVIEW)
    if window is None:
        return None
    place = Slice.of(window)
    shape = buffer_type(window.results[0]).get_shape()
    left_out = dropped_dims(numbers_in(place.sizes), shape)
    return None if left_out is None else (window, place, left_out)


def _indices(
    indices: Sequence[SSAValue], place: Slice, left_out: tuple[int, ...]
) -> tuple[list[SSAValue], list[Operation]] | None:
    """Indices into a subview as indices into its buffer."""
    rest = iter(indices)
    found: list[SSAValue] = []
    new_ops: list[Operation] = []
    for dim, (offset, stride) in enumerate(
        zip(place.offsets, place.strides, strict=True)
    ):
        at: SSAValue | int = known(offset)
        if dim not in left_out:
            by = known(stride)
            if not isinstance(by, int):
                return None
            expr = plus(AffineDimExpr(0), times(AffineDimExpr(1), constant(by)))
            at, ops = applied(expr, [at, known(next(rest))])
            new_ops += ops
        if isinstance(at, int):
            number = index_constant(at)
            new_ops.append(number)
            at = number.result
        found.append(at)
    return found, new_ops


ACCESSES = {
    "memref.load": 0,
    "memref.store": 1,
    "vector.load": 0,
    "vector.store": 1,
    "vector.maskedload": 0,
    "vector.maskedstore": 0,
}
"""The position of the buffer among the operands; the indices follow it."""


def _lanes_of(op: Operation) -> int:
    """How many of the last dimensions of its buffer an access runs along."""
    if not op.name.startswith("vector."):
        return 0
    vector = next(v for v in (*op.results, *reversed(op.operands)) if is_vector(v.type))
    return vector_type(vector).get_num_dims()


def _moved(op: Operation, buffer: SSAValue, indices: Sequence[SSAValue]) -> Operation:
    """The access at other indices of another buffer."""
    at = ACCESSES[op.name]
    behind = at + 1 + buffer_type(op.operands[at]).get_num_dims()
    return type(op).create(
        operands=[*op.operands[:at], buffer, *indices, *op.operands[behind:]],
        result_types=op.result_types,
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
    )


def _place_of(op: Operation) -> tuple[SSAValue, Sequence[SSAValue]]:
    """The buffer of an access, and its indices."""
    at = ACCESSES[op.name]
    buffer = op.operands[at]
    return buffer, op.operands[at + 1 : at + 1 + buffer_type(buffer).get_num_dims()]


@pattern_on(*ACCESSES)
def access_window(op: Operation, rewriter: Rewriter) -> None:
    """Access the buffer instead of the subview."""
    buffer, indices = _place_of(op)
    found = _window(buffer)
    if found is None:
        return
    window, place, left_out = found
    along = len(place.strides) - _lanes_of(op)
    if any(known(stride) != 1 for stride in place.strides[along:]):
        return
    if any(dim in left_out for dim in range(along, len(place.strides))):
        return
    if (moved := _indices(indices, place, left_out)) is not None:
        new = _moved(op, window.operands[0], moved[0])
        rewriter.replace_with(op, *moved[1], new)


@pattern_on(*ACCESSES)
def access_reshaped(op: Operation, rewriter: Rewriter) -> None:
    """Access the buffer instead of a reshape of it."""
    buffer, indices = _place_of(op)
    view = buffer.owner
    if not isinstance(view, ExpandShapeOp | CollapseShapeOp):
        return
    lanes = _lanes_of(op)
    found = _unreshaped(view, indices, lanes)
    if found is not None:
        rewriter.replace_with(op, *found[1], _moved(op, view.operands[0], found[0]))


def _unreshaped(
    view: ExpandShapeOp | CollapseShapeOp, indices: Sequence[SSAValue], lanes: int
) -> tuple[list[SSAValue], list[Operation]] | None:
    """Indices into a reshaped buffer as indices into the buffer."""
    groups = groups_of(view.reassociation)
    if any(len(group) > 1 for group in groups[max(0, len(groups) - lanes) :]):
        return None
    new = OpList()
    if not groups:  # a single element
        rank = buffer_type(view.operands[0]).get_num_dims()
        return [new.index(0) for _ in range(rank)], new.ops
    found: list[SSAValue] = []
    basis = _sizes(view, new)
    for position, group in enumerate(groups):
        if len(group) == 1:
            at = group[0] if isinstance(view, ExpandShapeOp) else position
            found.append(indices[at])
            continue
        sizes = [basis[dim] for dim in group]
        if isinstance(view, ExpandShapeOp):
            inside = [indices[dim] for dim in group]
            join = affine.LinearizeIndexOp(inside, sizes, disjoint=lanes == 0)
            found.append(new.add(join))
        else:
            apart = affine.DelinearizeIndexOp(indices[position], sizes)
            new.ops.append(apart)
            found += apart.multi_index
    return found, new.ops


def _sizes(view: ExpandShapeOp | CollapseShapeOp, new: OpList) -> list[Size]:
    """The sizes of the buffer with more dimensions."""
    if isinstance(view, ExpandShapeOp):
        return mixed(view, "static_output_shape", view.operands[1:])
    source = view.operands[0]
    sizes: list[Size] = list(buffer_type(source).get_shape())
    if DYNAMIC_INDEX in sizes:
        data = metadata(source)
        new.ops.append(data)
        sizes = [
            value if size == DYNAMIC_INDEX else size
            for value, size in zip(data.sizes, sizes, strict=True)
        ]
    return sizes


@pattern(TransferReadOp, TransferWriteOp)
def transfer_window(op: TransferReadOp | TransferWriteOp, rewriter: Rewriter) -> None:
    """Transfer to or from the buffer instead of the view, if in bounds."""
    if not is_buffer(op.source.type) or not is_in_bounds(op):
        return
    if isinstance(op.parent_op(), MaskOp):
        return
    if isinstance(op.source.owner, ExpandShapeOp | CollapseShapeOp):
        _transfer_reshaped(op, op.source.owner, rewriter)
        return
    found = _window(op.source)
    if found is None:
        return
    window, place, left_out = found
    if any(known(stride) != 1 for stride in place.strides):
        return
    moved = _indices(op.indices, place, left_out)
    if moved is None:
        return
    indices, new_ops = moved
    map_ = map_within(op.permutation_map.data, len(place.sizes), left_out)
    rewriter.replace_with(
        op, *new_ops, _transferred(op, window.operands[0], indices, map_)
    )


def _transfer_reshaped(
    op: TransferReadOp | TransferWriteOp,
    view: ExpandShapeOp | CollapseShapeOp,
    rewriter: Rewriter,
) -> None:
    map_, source = op.permutation_map.data, view.operands[0]
    lanes = len(map_.results)
    if map_ != AffineMap.minor_identity(map_.num_dims, lanes):
        return
    if (found := _unreshaped(view, op.indices, lanes)) is not None:
        rank = buffer_type(source).get_num_dims()
        minor = AffineMapAttr(AffineMap.minor_identity(rank, lanes))
        rewriter.replace_with(op, *found[1], _transferred(op, source, found[0], minor))


def _transferred(
    op: TransferReadOp | TransferWriteOp,
    source: SSAValue,
    indices: Sequence[SSAValue],
    map_: AffineMapAttr,
) -> Operation:
    """The transfer to or from another buffer."""
    if isinstance(op, TransferReadOp):
        return TransferReadOp(
            source, indices, op.padding, op.result.type, op.in_bounds, map_, op.mask
        )
    return TransferWriteOp(op.vector, source, indices, op.in_bounds, op.mask, map_)


@pattern_on(SUBVIEW)
def window_of_window(op: Operation, rewriter: Rewriter) -> None:
    """Take a subview of the buffer instead of a subview of a subview."""
    found = _window(op.operands[0])
    if found is None:
        return
    outer, place, left_out = found
    if left_out:
        return
    source = outer.operands[0]
    shape = buffer_type(source).get_shape()
    merged = within(Slice.of(op), place, left_out, shape, outer_first=True)
    if merged is not None:
        new = slice_op(SUBVIEW, [source], merged[0], op.result_types)
        rewriter.replace_with(op, *merged[1], new)


PATTERNS = (access_window, access_reshaped, transfer_window, window_of_window)
