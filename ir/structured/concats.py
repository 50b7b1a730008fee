"""Pads, concats and inserted slices: the tensor that has an element, by its index.

    pad            y[i] = x[i - low] if 0 <= i - low < n, else the pad value
    concat         y[i] = x0[i] if i < n0, else x1[i - n0]
    insert_slice   y[i] = x[i - offset] if 0 <= i - offset < n, else what was there

The first part whose indices are in range has the element. Sizes and offsets must be
known, and slices must be dense.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.dialects.arith import ConstantOp
from tilewright.ir.dialects.tensor import (
    ConcatOp,
    EmptyOp,
    InsertSliceOp,
    PadOp,
    dropped_dims,
)
from tilewright.ir.types import is_tensor, tensor_type

Concat = PadOp | InsertSliceOp | ConcatOp
"""Ops that lay tensors out beside each other."""


@dataclass(frozen=True)
class Part:
    """A tensor, or the constant that pads, and its indices in the whole.

    The whole's dimension `dim` has the part from `offsets[dim]` on. Dimensions in
    `dropped` have size 1 and are missing in the part.
    """

    source: SSAValue
    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    dropped: tuple[int, ...] = ()

    @property
    def is_constant(self) -> bool:
        """Whether all elements are one number."""
        return not is_tensor(self.source.type)

    @property
    def constant(self) -> ConstantOp:
        """The op of the number that all elements are."""
        assert isinstance(self.source.owner, ConstantOp)
        return self.source.owner

    def cut(self, shape: Sequence[int]) -> list[int]:
        """The dimensions of the whole that the part does not run through."""
        return [dim for dim, size in enumerate(shape) if self.sizes[dim] != size]


def parts_of(op: Operation | Block) -> tuple[Part, ...] | None:
    """The parts of what an op lays out; the last one has all other elements.

    None for other ops, and where sizes, offsets or the pad value are not known.
    """
    if not isinstance(op, Concat) or DYNAMIC_INDEX in (whole := shape_of(op)):
        return None
    match op:
        case PadOp():
            return _of_pad(op, whole)
        case ConcatOp():
            return _of_concat(op, whole)
        case InsertSliceOp():
            return _of_inserts(op, whole)


def shape_of(op: Concat) -> tuple[int, ...]:
    """The shape of what an op lays out."""
    return tensor_type(op.result).get_shape()


def _of_pad(op: PadOp, whole: tuple[int, ...]) -> tuple[Part, ...] | None:
    amounts = (*op.static_low.get_values(), *op.static_high.get_values())
    block = op.region.block
    value = block.last_op.operands[0] if block.last_op is not None else None
    if min(amounts, default=0) < 0 or value is None:
        return None
    if not isinstance(value.owner, ConstantOp):
        return None
    low = tuple(op.static_low.get_values())
    inner = Part(op.source, low, tensor_type(op.source).get_shape())
    return inner, Part(value, (0,) * len(whole), whole)


def _of_concat(op: ConcatOp, whole: tuple[int, ...]) -> tuple[Part, ...] | None:
    dim, start = op.dim.value.data, 0
    found: list[Part] = []
    for value in op.inputs:
        sizes = tensor_type(value).get_shape()
        if DYNAMIC_INDEX in sizes:
            return None
        at = tuple(start if axis == dim else 0 for axis in range(len(whole)))
        found.append(Part(value, at, sizes))
        start += sizes[dim]
    return tuple(found)


def _of_inserts(op: InsertSliceOp, whole: tuple[int, ...]) -> tuple[Part, ...] | None:
    """The parts of inserted slices; those before that nothing else reads, too."""
    found: list[Part] = []
    value = op.result
    while isinstance(made := value.owner, InsertSliceOp):
        if value is not op.result and not value.has_one_use():
            break
        part = _inserted(made)
        if part is None:
            return None
        found.append(part)
        value = made.dest
    if not isinstance(value.owner, EmptyOp):
        found.append(Part(value, (0,) * len(whole), whole))
        return tuple(found)
    found.sort(key=lambda part: part.offsets)
    return tuple(found) if _fill(found, whole) else None


def _inserted(op: InsertSliceOp) -> Part | None:
    offsets, sizes = op.static_offsets.get_values(), op.static_sizes.get_values()
    strides = op.static_strides.get_values()
    if DYNAMIC_INDEX in (*offsets, *sizes) or set(strides) - {1}:
        return None
    dropped = dropped_dims(sizes, tensor_type(op.source).get_shape()) or ()
    return Part(op.source, tuple(offsets), tuple(sizes), dropped)


def _fill(parts: Sequence[Part], whole: Sequence[int]) -> bool:
    """Whether parts lie one after the other along a dimension, and fill the whole."""
    cut = {dim for part in parts for dim in part.cut(whole)}
    if len(cut) != 1:
        return len(parts) == 1 and not cut
    (dim,) = cut
    ends = [part.offsets[dim] + part.sizes[dim] for part in parts]
    starts = [part.offsets[dim] for part in parts[1:]]
    meets = all(end == start for end, start in zip(ends, starts, strict=False))
    return meets and parts[0].offsets[dim] == 0 and ends[-1] == whole[dim]


def is_concat(parts: Sequence[Part]) -> bool:
    """Whether each part begins where the one before ends: its end tells it apart."""
    starts = [part.offsets for part in parts]
    return all(one < two for one, two in itertools.pairwise(starts))
