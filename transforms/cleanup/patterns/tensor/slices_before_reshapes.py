"""Take the slice before the reshape: `tensor.bubble_up_extract_slice`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr

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
    shape = shape_of(reshape.results[0])
    if any(size < 0 for size in shape):
        return
    offsets: list[Size] = []
    sizes: list[Size] = []
    new_ops: list[Operation] = []
    for group in groups_of(reshape):
        if not _is_contiguous(group, place, shape):
            return
        strides = [
            prod(shape[dim] for dim in group[at + 1 :]) for at in range(len(group))
        ]
        offset, ops = _weighted([place.offsets[dim] for dim in group], strides)
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


def _weighted(
    values: Sequence[Size], weights: Sequence[int]
) -> tuple[Size, list[Operation]]:
    total: AffineExpr = AffineExpr.constant(0)
    for dim, weight in enumerate(weights):
        total = total + AffineExpr.dimension(dim) * weight
    return applied(total, values)


def _product(sizes: Sequence[Size]) -> tuple[Size, list[Operation]]:
    """The product of sizes of which at most one is not a number."""
    number = prod(size for size in sizes if isinstance(size, int))
    values = [size for size in sizes if not isinstance(size, int)]
    return _weighted(values, [number]) if values else (number, [])


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
