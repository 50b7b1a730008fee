"""Take the slice before the reshape: `tensor.bubble_up_extract_slice`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from tilewright.ir.dialects import affine, tensor
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.driver import pattern_on
from tilewright.transforms.cleanup.patterns.affine import applied
from tilewright.transforms.cleanup.patterns.tensor.reshapes import (
    COLLAPSE,
    EXPAND,
    collapse,
    expand,
    groups_of,
)
from tilewright.transforms.cleanup.shapes import (
    Size,
    Slice,
    known,
    numbers_in,
    shape_of,
    slice_op,
    with_shape,
)
from tilewright.transforms.core.extents import OpList
from tilewright.transforms.core.rewriter import Rewriter

EXTRACT = "tensor.extract_slice"


def _plain_slice(op: Operation) -> Slice | None:
    """The slice of an op that neither strides nor drops dimensions."""
    place = Slice.of(op).known()
    if len(place.sizes) != len(shape_of(op.results[0])):
        return None
    return place if all(stride == 1 for stride in place.strides) else None


def _extract(
    source: SSAValue, offsets: Sequence[Size], sizes: Sequence[Size]
) -> Operation:
    kind = with_shape(tensor_type(source), numbers_in(sizes))
    place = Slice(tuple(offsets), tuple(sizes), (1,) * len(sizes))
    return slice_op(EXTRACT, [source], place, [kind])


@pattern_on(EXTRACT)
def slice_before_expand(op: Operation, rewriter: Rewriter) -> None:
    """Expand the slice, where it is contiguous in each dimension that is split."""
    reshape, place = owner_named(op.operands[0], EXPAND), _plain_slice(op)
    if reshape is None or place is None:
        return
    shape, groups = shape_of(reshape.results[0]), groups_of(reshape)
    if not all(_is_contiguous(group, place, shape) for group in groups):
        return
    offsets: list[Size] = []
    sizes: list[Size] = []
    new_ops: list[Operation] = []
    for group in groups:
        offset, ops = _offset(reshape.results[0], group, place)
        new_ops += ops
        size, ops = _product([place.sizes[dim] for dim in group])
        new_ops += ops
        offsets.append(offset)
        sizes.append(size)
    part = _extract(reshape.operands[0], offsets, sizes)
    kind = op.results[0].type
    new = expand(part.results[0], groups_of(reshape), place.sizes, kind)
    rewriter.replace_with(op, *new_ops, part, new)


def _is_contiguous(group: Sequence[int], place: Slice, shape: Sequence[int]) -> bool:
    """Whether all dimensions after the first that is not a single index are whole."""
    rest = list(group)
    while rest and place.sizes[rest[0]] == 1:
        rest.pop(0)
    return all(
        place.offsets[dim] == 0 and place.sizes[dim] == shape[dim] for dim in rest[1:]
    )


def _offset(
    expanded: SSAValue, group: Sequence[int], place: Slice
) -> tuple[Size, list[Operation]]:
    """The offset in the dimension that a group splits."""
    offsets, shape = [place.offsets[dim] for dim in group], shape_of(expanded)
    if len(group) == 1 or all(offset == 0 for offset in offsets):
        return offsets[0], []
    new = OpList()
    basis: list[Size] = [
        shape[dim]
        if shape[dim] != DYNAMIC_INDEX
        else new.add(tensor.DimOp(expanded, new.index(dim)))
        for dim in group
    ]
    inside = [new.index(offset) for offset in offsets]
    return new.add(affine.LinearizeIndexOp(inside, basis, disjoint=True)), new.ops


def _product(sizes: Sequence[Size]) -> tuple[Size, list[Operation]]:
    """The product of sizes of which at most one is not a number."""
    number = prod(size for size in sizes if isinstance(size, int))
    values = [size for size in sizes if not isinstance(size, int)]
    return applied(AffineExpr.dimension(0) * number, values) if values else (number, [])


@pattern_on(EXTRACT)
def slice_before_collapse(op: Operation, rewriter: Rewriter) -> None:
    """Collapse the slice, where one slice of what is merged has its elements."""
    reshape, place = owner_named(op.operands[0], COLLAPSE), _plain_slice(op)
    if reshape is None or place is None:
        return
    shape = shape_of(reshape.operands[0])
    offsets: list[Size] = []
    sizes: list[Size] = []
    for group, offset, size in zip(
        groups_of(reshape), place.offsets, place.sizes, strict=True
    ):
        spread = _spread([shape[dim] for dim in group], known(offset), known(size))
        if spread is None:
            return
        offsets += spread[0]
        sizes += spread[1]
    part = _extract(reshape.operands[0], offsets, sizes)
    new = collapse(part.results[0], groups_of(reshape), op.results[0].type)
    rewriter.replace_with(op, part, new)


def _spread(
    extents: Sequence[int], offset: Size, size: Size
) -> tuple[list[Size], list[Size]] | None:
    """Offsets and sizes in dimensions that were merged into one."""
    if not isinstance(offset, int) or not isinstance(size, int):
        if sum(extent != 1 for extent in extents) != 1:
            return None
        return (
            [0 if extent == 1 else offset for extent in extents],
            [1 if extent == 1 else size for extent in extents],
        )
    if any(extent < 0 for extent in extents):
        return None
    offsets: list[Size] = []
    sizes: list[Size] = []
    is_cut = False
    for extent in reversed(extents):
        if not is_cut and size >= extent:
            if size % extent or offset % extent:
                return None
            offsets.append(0)
            sizes.append(extent)
            size //= extent
        else:
            if not is_cut and size + offset % extent >= extent:
                return None  # upstream leaves a slice up to the end alone, too
            offsets.append(offset % extent)
            sizes.append(1 if is_cut else size)
            is_cut = True
        offset //= extent
    return offsets[::-1], sizes[::-1]


PATTERNS = (slice_before_expand, slice_before_collapse)
