"""Compute what views are: `memref.expand_strided_metadata`.

A view becomes a cast of the buffer behind it to an offset, sizes and strides that are
computed. Questions about them are answered by what they were made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr

from tilewright.ir.dialects import memref
from tilewright.ir.dialects.memref import groups_of, layout_of
from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.indexing.semi_affine import binary
from tilewright.ir.types import buffer_type, is_buffer
from tilewright.transforms.cleanup.constants import index_constant
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.cleanup.patterns.memref.addresses import metadata
from tilewright.transforms.cleanup.shapes import Slice, numbers_in
from tilewright.transforms.core.extents import Extent, OpList, evaluate
from tilewright.transforms.core.rewriter import Rewriter

_S = tuple(AffineExpr.symbol(number) for number in range(2))
_PRODUCT = binary(AffineBinaryOpKind.Mul, *_S)


@dataclass(frozen=True)
class Description:
    """The memory of a buffer, and where its elements lie in it."""

    base: SSAValue
    offset: Extent
    sizes: tuple[Extent, ...]
    strides: tuple[Extent, ...]


def _described(buffer: SSAValue, new: OpList) -> Description | None:
    """What a buffer is: numbers of its type, and values for the rest."""
    if not is_buffer(buffer.type):
        return None
    kind = buffer_type(buffer)
    if (layout := layout_of(kind)) is None:
        return None
    data = metadata(buffer)
    new.ops.append(data)
    sizes: list[Extent] = [
        value if size == DYNAMIC_INDEX else size
        for size, value in zip(kind.get_shape(), data.sizes, strict=True)
    ]
    strides: list[Extent] = [
        value if stride is None else stride
        for stride, value in zip(layout.strides, data.strides, strict=True)
    ]
    offset = data.offset if layout.offset is None else layout.offset
    return Description(data.base_buffer, offset, tuple(sizes), tuple(strides))


def _times(left: Extent, right: Extent, new: OpList) -> Extent:
    return evaluate(_PRODUCT, [], new, [left, right])


def _become(
    op: memref.SubviewOp | memref.ExpandShapeOp | memref.CollapseShapeOp,
    found: Description,
    new: OpList,
    rewriter: Rewriter,
) -> None:
    """Replace a view by a cast."""
    parts = found.base, found.offset, found.sizes, found.strides
    cast = memref.ReinterpretCastOp(*parts, op.results[0].type)
    rewriter.replace_with(op, *new.ops, cast)


@pattern(memref.SubviewOp)
def subview_as_cast(op: memref.SubviewOp, rewriter: Rewriter) -> None:
    """Compute the offset and the strides of a subview."""
    new, place = OpList(), Slice.of(op)
    shape = buffer_type(op.results[0]).get_shape()
    left_out = dropped_dims(numbers_in(place.sizes), shape)
    whole = None if left_out is None else _described(op.operands[0], new)
    if whole is None or left_out is None:
        new.drop()
        return
    steps = zip(place.strides, whole.strides, strict=True)
    strides = [_times(step, stride, new) for step, stride in steps]
    total: AffineExpr = AffineExpr.symbol(0)
    values: list[Extent] = [whole.offset]
    for start, stride in zip(place.offsets, whole.strides, strict=True):
        first = AffineExpr.symbol(len(values))
        second = AffineExpr.symbol(len(values) + 1)
        total = total + binary(AffineBinaryOpKind.Mul, first, second)
        values += [start, stride]
    offset = evaluate(total, [], new, values)
    kept = [dim for dim in range(len(strides)) if dim not in left_out]
    found = Description(
        whole.base,
        offset,
        tuple(place.sizes[dim] for dim in kept),
        tuple(strides[dim] for dim in kept),
    )
    _become(op, found, new, rewriter)


@pattern(memref.ExpandShapeOp)
def expand_as_cast(op: memref.ExpandShapeOp, rewriter: Rewriter) -> None:
    """Compute the sizes and strides of a buffer whose dimensions are split."""
    shape, groups = buffer_type(op.results[0]).get_shape(), groups_of(op.reassociation)
    if not groups or any(DYNAMIC_INDEX in _of(shape, group[1:]) for group in groups):
        return
    new = OpList()
    if (whole := _described(op.operands[0], new)) is None:
        return
    sizes: list[Extent] = []
    strides: list[Extent] = []
    for position, group in enumerate(groups):
        inner = prod(_of(shape, group[1:]))
        first: Extent = shape[group[0]]
        if first == DYNAMIC_INDEX:
            part = binary(AffineBinaryOpKind.FloorDiv, _S[0], _S[1])
            first = evaluate(part, [], new, [whole.sizes[position], inner])
        sizes += [first, *_of(shape, group[1:])]
        for at in range(len(group)):
            weight = prod(_of(shape, group[at + 1 :]))
            strides.append(_times(whole.strides[position], weight, new))
    found = Description(whole.base, whole.offset, tuple(sizes), tuple(strides))
    _become(op, found, new, rewriter)


@pattern(memref.CollapseShapeOp)
def collapse_as_cast(op: memref.CollapseShapeOp, rewriter: Rewriter) -> None:
    """Compute the sizes of a buffer whose dimensions are merged."""
    kind, groups = buffer_type(op.results[0]), groups_of(op.reassociation)
    layout, new = layout_of(kind), OpList()
    if not groups or layout is None or None in layout.strides:
        return
    if (whole := _described(op.operands[0], new)) is None:
        return
    sizes: list[Extent] = []
    for size, group in zip(kind.get_shape(), groups, strict=True):
        total: Extent = size
        if size == DYNAMIC_INDEX:
            total = 1
            for dim in group:
                total = _times(total, whole.sizes[dim], new)
        sizes.append(total)
    strides = tuple(stride for stride in layout.strides if stride is not None)
    found = Description(whole.base, whole.offset, tuple(sizes), strides)
    _become(op, found, new, rewriter)


def _of(shape: Sequence[int], dims: Sequence[int]) -> list[int]:
    return [shape[dim] for dim in dims]


@pattern(memref.ExtractStridedMetadataOp)
def answer(op: memref.ExtractStridedMetadataOp, rewriter: Rewriter) -> None:
    """Take the numbers of the type, or what the buffer was made from."""
    new = OpList()
    found = _made_from(op.source, new)
    if found is None:
        new.drop()
        _use_numbers(op, rewriter)
        return
    values = [found.offset, *found.sizes, *found.strides]
    results = [found.base, *(new.index(value) for value in values)]
    rewriter.insert_before(op, *new.ops)
    rewriter.replace(op, results)


def _made_from(buffer: SSAValue, new: OpList) -> Description | None:
    """The description of an allocation or a cast, by what it was made from."""
    maker = buffer.owner
    match maker:
        case memref.ReinterpretCastOp():
            lists = [
                _mixed(static.get_values(), values)
                for static, values in (
                    (maker.static_offsets, maker.offsets),
                    (maker.static_sizes, maker.sizes),
                    (maker.static_strides, maker.strides),
                )
            ]
            whole = _described(maker.source, new)
            if whole is None:
                return None
            offset, sizes, strides = lists
            return Description(whole.base, offset[0], sizes, strides)
        case memref.CastOp():
            return _described(maker.source, new)
        case memref.ExtractStridedMetadataOp():  # a base is its own
            return Description(buffer, 0, (), ())
        case memref.AllocOp() | memref.AllocaOp():
            return _allocated(maker, new)
        case _:
            return None


def _mixed(static: Sequence[int], values: Sequence[SSAValue]) -> tuple[Extent, ...]:
    rest = iter(values)
    return tuple(next(rest) if n == DYNAMIC_INDEX else n for n in static)


def _allocated(op: memref.AllocOp | memref.AllocaOp, new: OpList) -> Description | None:
    kind = buffer_type(op.memref)
    if not isinstance(kind.layout, NoneAttr):
        return None
    sizes = _mixed(kind.get_shape(), op.dynamic_sizes)
    strides: list[Extent] = []
    stride: Extent = 1
    for size in reversed(sizes):
        strides.insert(0, stride)
        if len(strides) < len(sizes):
            stride = _times(stride, size, new)
    of = MemRefType(kind.element_type, [], memory_space=kind.memory_space)
    base = new.add(memref.ReinterpretCastOp(op.memref, 0, (), (), of))
    return Description(base, 0, sizes, tuple(strides))


def _use_numbers(op: memref.ExtractStridedMetadataOp, rewriter: Rewriter) -> None:
    """Use the numbers of the type in the place of results."""
    kind = buffer_type(op.source)
    layout = layout_of(kind)
    if layout is None:
        return
    sizes = [None if size == DYNAMIC_INDEX else size for size in kind.get_shape()]
    numbers = [layout.offset, *sizes, *layout.strides]
    for number, result in zip(numbers, op.results[1:], strict=True):
        if number is not None and result.first_use is not None:
            constant = index_constant(number)
            rewriter.insert_before(op, constant)
            rewriter.replace_uses(result, constant.result)


PATTERNS = (subview_as_cast, expand_as_cast, collapse_as_cast, answer)
