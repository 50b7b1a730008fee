"""Slices and shapes for patterns: each entry is a known number or a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i32, i64
from xdsl.dialects.utils import split_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.dialects.tensor import dropped_dims
from tilewright.ir.indexing.constants import constant_int
from tilewright.ir.types import tensor_type
from tilewright.transforms.cleanup.build import make

Size = SSAValue | int
Shape = tuple[int, ...]


def known(size: Size) -> Size:
    """The number of a constant; other values, and negative constants, stay values."""
    number = constant_int(size)
    return size if number is None or number == DYNAMIC_INDEX else number


def mixed(op: Operation, static: str, dynamic: Sequence[SSAValue]) -> list[Size]:
    """The list that a static property and dynamic values encode together."""
    numbers = numbers_of(op.properties[static])
    if not dynamic:
        return list(numbers)
    values = iter(dynamic)
    return [next(values) if n == DYNAMIC_INDEX else n for n in numbers]


@lru_cache(maxsize=1 << 14)
def numbers_of(attr: Attribute) -> tuple[int, ...]:
    """The numbers of a dense array."""
    array: Any = attr
    return tuple(int(number) for number in array.get_values())


def numbers_in(sizes: Sequence[Size]) -> Shape:
    """Sizes as a shape; values become dynamic extents."""
    return tuple(s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes)


def same_sizes(left: Sequence[Size], right: Sequence[Size]) -> bool:
    """Whether two lists are equal, with constants read as numbers."""
    return [known(s) for s in left] == [known(s) for s in right]


SOURCES = {
    "tensor.extract_slice": 1,
    "tensor.insert_slice": 2,
    "tensor.parallel_insert_slice": 2,
    "memref.subview": 1,
}
"""The number of operands before the offsets."""


@dataclass(frozen=True)
class Slice:
    """The place of a slice: offsets, sizes and strides, each a number or a value."""

    offsets: tuple[Size, ...]
    sizes: tuple[Size, ...]
    strides: tuple[Size, ...]

    @staticmethod
    def of(op: Operation) -> Slice:
        """The slice that an op takes or fills."""
        first = SOURCES[op.name]
        segments = numbers_of(op.properties["operandSegmentSizes"])
        offsets, sizes, strides = segments[first:]
        values = op.operands[first:]
        return Slice(
            tuple(mixed(op, "static_offsets", values[:offsets])),
            tuple(mixed(op, "static_sizes", values[offsets : offsets + sizes])),
            tuple(mixed(op, "static_strides", values[offsets + sizes :][:strides])),
        )

    def known(self) -> Slice:
        """The same slice with constants as numbers, unless a size would be invalid."""
        sizes = tuple(
            size if isinstance(number := known(size), int) and number < 0 else number
            for size in self.sizes
        )
        offsets = tuple(
            offset
            if isinstance(number := known(offset), int) and number < 0
            else number
            for offset in self.offsets
        )
        return Slice(offsets, sizes, tuple(known(s) for s in self.strides))

    def is_same(self, other: Slice) -> bool:
        """Whether both slices are the same place."""
        return all(
            same_sizes(mine, its)
            for mine, its in zip(
                (self.offsets, self.sizes, self.strides),
                (other.offsets, other.sizes, other.strides),
                strict=True,
            )
        )

    def is_all_of(self, shape: Sequence[int]) -> bool:
        """Whether it is known to cover a whole tensor of this shape."""
        return (
            all(known(offset) == 0 for offset in self.offsets)
            and all(known(stride) == 1 for stride in self.strides)
            and [known(size) for size in self.sizes] == list(shape)
        )

    def fits(self, shape: Sequence[int]) -> bool:
        """Whether it may lie inside a tensor of this shape, as far as is known.

        As in upstream, a slice that starts at the end is outside, even if it is empty.
        """
        for extent, offset, size, stride in zip(
            shape, self.offsets, self.sizes, self.strides, strict=True
        ):
            if extent == DYNAMIC_INDEX or isinstance(offset, SSAValue):
                continue
            if offset >= extent:
                return False
            if isinstance(size, int) and isinstance(stride, int):
                if offset + (size - 1) * stride >= extent:
                    return False
        return True

    def with_sizes(self, sizes: Sequence[Size]) -> Slice:
        """The same place with other sizes."""
        return replace(self, sizes=tuple(sizes))


def slice_op(
    name: str,
    sources: Sequence[SSAValue],
    place: Slice,
    result_types: Sequence[Attribute],
) -> Operation:
    """A new slice op: the tensors it reads or fills, its place and result types."""
    parts = [
        split_dynamic_index_list(part, DYNAMIC_INDEX)
        for part in (place.offsets, place.sizes, place.strides)
    ]
    names = ("static_offsets", "static_sizes", "static_strides")
    properties: dict[str, Attribute] = {
        name: DenseArrayBase.from_list(i64, part[0])
        for name, part in zip(names, parts, strict=True)
    }
    counts = [*(1 for _ in sources), *(len(part[1]) for part in parts)]
    properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, counts)
    values = [value for part in parts for value in part[1]]
    return make(name, [*sources, *values], result_types, properties)


def constant_extents(
    shape: Sequence[int], sizes: Sequence[SSAValue]
) -> tuple[list[int], list[SSAValue]]:
    """A shape with its constant sizes as numbers, and the sizes that stay values."""
    static, values, kept = list(shape), iter(sizes), list[SSAValue]()
    for dim, extent in enumerate(shape):
        if extent != DYNAMIC_INDEX:
            continue
        size = next(values)
        number = constant_int(size)
        if number is None or number < 0:
            kept.append(size)
        else:
            static[dim] = number
    return static, kept


def sliced_type(
    place: Slice, was: Slice, like: TensorType[Any]
) -> TensorType[Any] | None:
    """The type of a slice after more of its sizes became known.

    `was` is the old slice, of type `like`; the new type drops the same dimensions.
    Upstream drops the first dimensions of extent 1, which are different ones if a kept
    extent becomes a known 1.
    """
    left_out = dropped_dims(numbers_in(was.sizes), like.get_shape())
    if left_out is None:
        return None
    sizes = numbers_in(place.sizes)
    shape = [size for dim, size in enumerate(sizes) if dim not in left_out]
    return with_shape(like, shape)


def is_more_static(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether `one` knows every extent that `other` knows, or more."""
    return len(one) == len(other) and all(
        b in (DYNAMIC_INDEX, a) for a, b in zip(one, other, strict=True)
    )


def joined(*shapes: Sequence[int]) -> Shape | None:
    """The shape that combines several of one tensor; None if they contradict."""
    together: list[int] = list(shapes[0])
    for shape in shapes[1:]:
        if len(shape) != len(together):
            return None
        for position, extent in enumerate(shape):
            if extent == DYNAMIC_INDEX:
                continue
            if together[position] not in (DYNAMIC_INDEX, extent):
                return None
            together[position] = extent
    return tuple(together)


def shape_of(value: SSAValue) -> Shape:
    """The shape of a tensor."""
    return tensor_type(value).get_shape()


def with_shape(kind: TensorType[Any], shape: Sequence[int]) -> TensorType[Any]:
    """The same type with another shape."""
    return TensorType(kind.element_type, shape, kind.encoding)


def cast_to(value: SSAValue, kind: Attribute) -> Operation:
    """A `tensor.cast`."""
    return make("tensor.cast", [value], [kind])


def casted(new: Operation, kind: Attribute) -> list[Operation]:
    """An op, followed by a cast if its result has another type."""
    if new.results[0].type == kind:
        return [new]
    return [new, cast_to(new.results[0], kind)]
