"""Reshape the whole tensor first, and slice it afterwards.

`tilewright.slices_after_reshapes`. A kernel reads a slice of a reshaped buffer by its
offset; a reshape of a slice would have to move elements. Sizes must be known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Operation

from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import owner_named
from tilewright.transforms.cleanup.driver import pattern_on
from tilewright.transforms.cleanup.patterns.tensor.reshapes import (
    COLLAPSE,
    EXPAND,
    collapse,
    expand,
    groups_of,
)
from tilewright.transforms.cleanup.shapes import Slice, shape_of, slice_op
from tilewright.transforms.core.rewriter import Rewriter

EXTRACT = "tensor.extract_slice"

Part = tuple[int, int, int]
"""The offset, the size and the stride of a slice along a dimension."""


@pattern_on(COLLAPSE)
def collapse_of_slice(op: Operation, rewriter: Rewriter) -> None:
    """Collapse the tensor that a slice is taken from, where its elements are a run."""
    extract = owner_named(op.operands[0], EXTRACT)
    parts = None if extract is None else _static_parts(extract)
    if extract is None or parts is None:
        return
    whole = shape_of(extract.operands[0])
    groups = groups_of(op)
    merged = [
        _run([whole[d] for d in dims], [parts[d] for d in dims]) for dims in groups
    ]
    if None in merged:
        return
    shape = [math.prod(whole[dim] for dim in dims) for dims in groups]
    kind = TensorType(tensor_type(op.results[0]).element_type, shape)
    reshaped = collapse(extract.operands[0], groups, kind)
    _slice_after(op, reshaped, [part for part in merged if part], rewriter)


@pattern_on(EXPAND)
def expand_of_slice(op: Operation, rewriter: Rewriter) -> None:
    """Expand the tensor that a slice is taken from, where the parts divide it."""
    extract = owner_named(op.operands[0], EXTRACT)
    parts = None if extract is None else _static_parts(extract)
    sizes = shape_of(op.results[0])
    if extract is None or parts is None or DYNAMIC_INDEX in sizes:
        return
    whole = shape_of(extract.operands[0])
    shape: list[int] = []
    split: list[Part] = []
    for part, extent, dims in zip(parts, whole, groups_of(op), strict=True):
        offset, _, stride = part
        if len(dims) == 1:
            shape.append(extent)
            split.append(part)
            continue
        inner = math.prod(sizes[dim] for dim in dims[1:])
        if stride != 1 or inner == 0 or extent % inner or offset % inner:
            return
        shape += [extent // inner, *(sizes[dim] for dim in dims[1:])]
        split += [(offset // inner, sizes[dims[0]], 1)]
        split += [(0, sizes[dim], 1) for dim in dims[1:]]
    kind = TensorType(tensor_type(op.results[0]).element_type, shape)
    reshaped = expand(extract.operands[0], groups_of(op), shape, kind)
    _slice_after(op, reshaped, split, rewriter)


def _static_parts(extract: Operation) -> list[Part] | None:
    """The parts of a slice that keeps all dimensions; None if one is unknown."""
    place = Slice.of(extract)
    whole, result = shape_of(extract.operands[0]), shape_of(extract.results[0])
    if len(whole) != len(result) or DYNAMIC_INDEX in (*whole, *result):
        return None
    parts: list[Part] = []
    for part in zip(place.offsets, place.sizes, place.strides, strict=True):
        known = [each for each in part if isinstance(each, int)]
        if len(known) != len(part):
            return None
        offset, size, stride = known
        parts.append((offset, size, stride))
    return parts


def _run(whole: Sequence[int], parts: Sequence[Part]) -> Part | None:
    """The part of merged dimensions, if its elements follow one another."""
    if len(parts) == 1:
        return parts[0]
    start, size, is_whole = 0, 1, True
    step = 1
    places = reversed(list(zip(whole, parts, strict=True)))
    for extent, (offset, length, stride) in places:
        if length != 1 and (stride != 1 or not is_whole):
            return None
        start += offset * step
        size *= length
        is_whole &= length == extent
        step *= extent
    return start, size, 1


def _slice_after(
    op: Operation, reshaped: Operation, parts: Sequence[Part], rewriter: Rewriter
) -> None:
    offsets, sizes, strides = zip(*parts, strict=True) if parts else ((), (), ())
    place = Slice(offsets, sizes, strides)
    new = slice_op(EXTRACT, [reshaped.results[0]], place, op.result_types)
    rewriter.replace_with(op, reshaped, new)


PATTERNS = (collapse_of_slice, expand_of_slice)
