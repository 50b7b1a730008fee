"""Types of the kernel dialect, and shapes and elements of tiles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    Float32Type,
    Float64Type,
    IntegerType,
    NoneAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """`!kernel.ptr<f16>`: a pointer into a buffer of that element type."""

    name = "kernel.ptr"

    pointee: Attribute = param_def()


@irdl_attr_definition
class DescriptorType(ParametrizedAttribute, TypeAttribute):
    """`!kernel.descriptor<vector<128x64xf16>>`: a buffer, accessed in blocks.

    `!kernel.descriptor<vector<128x64xf16>, [81, 53]>`: the first 81 rows and 53 columns
    of a larger buffer.
    """

    name = "kernel.descriptor"

    block: VectorType[Attribute] = param_def()
    window: DenseArrayBase[I64] | NoneAttr = param_def()

    def __init__(self, block: Attribute, extents: Sequence[int] | None = None):
        window = (
            NoneAttr() if extents is None else DenseArrayBase.from_list(i64, extents)
        )
        super().__init__(block, window)

    @property
    def extents(self) -> tuple[int, ...] | None:
        """The rows, columns, ... that are described; None for the whole buffer."""
        if isinstance(self.window, NoneAttr):
            return None
        return tuple(int(extent) for extent in self.window.get_values())

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<block>` or `<block, [extents]>`."""
        with parser.in_angle_brackets():
            block, window = parser.parse_type(), NoneAttr()
            if parser.parse_optional_punctuation(",") is not None:
                extents = parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE, parser.parse_integer
                )
                window = DenseArrayBase.from_list(i64, extents)
        return [block, window]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<block>` or `<block, [extents]>`."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.block)
            if self.extents is not None:
                printer.print_string(f", {list(self.extents)}")


@irdl_attr_definition
class EventType(ParametrizedAttribute, TypeAttribute):
    """`!kernel.event`: the work queued on a stream at one point."""

    name = "kernel.event"


def tile_of(element: Attribute, shape: Sequence[int]) -> Attribute:
    """The type of a tile; a tile without dimensions is its element."""
    return vector_of(element, tuple(shape)) if shape else element


@lru_cache(maxsize=4096)
def vector_of(element: Attribute, shape: tuple[int, ...]) -> VectorType[Attribute]:
    """The type of a vector: xDSL checks each one that is made, and kernels use few."""
    return VectorType(element, list(shape))


def shape_of(of: Attribute) -> tuple[int, ...]:
    """The shape of a tile; a scalar has none."""
    return of.get_shape() if isinstance(of, VectorType) else ()


def element_of(of: Attribute) -> Attribute:
    """The element type of a tile, or the scalar type itself."""
    return of.element_type if isinstance(of, VectorType) else of  # pyright: ignore


def is_number(of: Attribute) -> bool:
    """Whether a launch passes a value of this type as a number."""
    return isinstance(of, IntegerType | Float32Type | Float64Type)
