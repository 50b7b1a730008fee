"""Types of the kernel dialect, and shapes and elements of tiles."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, VectorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """`!kernel.ptr<f16>`: a pointer into a buffer of that element type."""

    name = "kernel.ptr"

    pointee: Attribute = param_def()


@irdl_attr_definition
class DescriptorType(ParametrizedAttribute, TypeAttribute):
    """`!kernel.descriptor<vector<128x64xf16>>`: a buffer, accessed in blocks."""

    name = "kernel.descriptor"

    block: VectorType[Attribute] = param_def()


@irdl_attr_definition
class EventType(ParametrizedAttribute, TypeAttribute):
    """`!kernel.event`: the work queued on a stream at one point."""

    name = "kernel.event"


def tile_of(element: Attribute, shape: Sequence[int]) -> Attribute:
    """The type of a tile; a tile without dimensions is its element."""
    return VectorType(element, list(shape)) if shape else element


def shape_of(of: Attribute) -> tuple[int, ...]:
    """The shape of a tile; a scalar has none."""
    return of.get_shape() if isinstance(of, VectorType) else ()


def element_of(of: Attribute) -> Attribute:
    """The element type of a tile, or the scalar type itself."""
    return of.element_type if isinstance(of, VectorType) else of  # pyright: ignore


def is_number(of: Attribute) -> bool:
    """Whether a launch passes a value of this type as a number."""
    return isinstance(of, IntegerType | Float32Type | Float64Type)
