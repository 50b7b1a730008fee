"""Checks of vector, tensor and buffer types that upstream makes and xDSL does not."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    MemRefType,
    StridedLayoutAttr,
    TensorType,
    UnregisteredAttr,
    VectorType,
)
from xdsl.ir import Attribute, BuiltinAttribute, TypeAttribute
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.types import (
    is_buffer,
    is_integer_type,
    is_tensor,
    is_unranked_buffer,
    is_vector,
)

WIDEST_INTEGER = 2**24 - 1
"""Upstream's limit."""


def checked(of: TypeAttribute) -> TypeAttribute:
    """A type as upstream stores it; a type that upstream refuses is refused."""
    if is_integer_type(of):
        if of.width.data > WIDEST_INTEGER:
            raise VerifyException(
                f"integer bitwidth is limited to {WIDEST_INTEGER} bits"
            )
    elif is_vector(of):
        _verify_vector(of)
    elif is_buffer(of):
        return _checked_buffer(of)
    elif is_unranked_buffer(of):
        _verify_element(of.element_type)
    elif is_tensor(of):
        _verify_tensor(of)
    return of


def _verify_tensor(of: TensorType[Attribute]) -> None:
    element = of.element_type
    known = IntegerType | IndexType | AnyFloat | ComplexType | VectorType
    if isinstance(element, UnregisteredAttr):
        return
    if isinstance(element, BuiltinAttribute) and not isinstance(element, known):
        raise VerifyException(f"invalid tensor element type '{element}'")


def _verify_vector(of: VectorType[Attribute]) -> None:
    for size in of.get_shape():
        if size <= 0:
            raise VerifyException(
                f"vector types must have positive constant sizes but got {size}"
            )
    element = of.element_type
    # A dialect may have its own element types, such as the pointers of kernels.
    is_builtin = isinstance(element, BuiltinAttribute)
    if is_builtin and not isinstance(element, IntegerType | IndexType | AnyFloat):
        raise VerifyException(
            f"a vector's elements are integers, floats or indices, not '{element}'"
        )


def _checked_buffer(of: MemRefType[Attribute]) -> MemRefType[Attribute]:
    _verify_element(of.element_type)
    rank = of.get_num_dims()
    match of.layout:
        case StridedLayoutAttr():
            if len(of.layout.strides) != rank:
                raise VerifyException(
                    f"expected the number of strides to match the rank {rank}"
                )
        case AffineMapAttr():
            map = of.layout.data
            if map.num_dims != rank:
                raise VerifyException(
                    "memref layout mismatch between rank and affine map: "
                    f"{rank} != {map.num_dims}"
                )
            if map == AffineMap.identity(rank):
                # Upstream stores an identity layout as no layout.
                return MemRefType(
                    of.element_type, of.get_shape(), memory_space=of.memory_space
                )
        case _:
            pass
    return of


def _verify_element(element: Attribute) -> None:
    if isinstance(element, IntegerType | IndexType | AnyFloat | ComplexType):
        return
    if not is_vector(element) and not is_buffer(element):
        raise VerifyException(f"invalid memref element type '{element}'")
