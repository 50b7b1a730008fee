"""Narrowing of xDSL's generic types, which `isinstance` leaves without arguments."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeGuard

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.ir import Attribute, SSAValue


def is_vector(type_: Attribute) -> TypeGuard[VectorType[Attribute]]:
    """Whether a type is a vector's."""
    return isinstance(type_, VectorType)


def is_tensor(type_: Attribute) -> TypeGuard[TensorType[Attribute]]:
    """Whether a type is a tensor's."""
    return isinstance(type_, TensorType)


def is_buffer(type_: Attribute) -> TypeGuard[MemRefType[Attribute]]:
    """Whether a type is a buffer's."""
    return isinstance(type_, MemRefType)


def is_unranked_buffer(type_: Attribute) -> TypeGuard[UnrankedMemRefType[Attribute]]:
    """Whether a type is that of a buffer of unknown rank."""
    return isinstance(type_, UnrankedMemRefType)


def is_integer_type(type_: Attribute) -> TypeGuard[IntegerType]:
    """Whether a type is an integer's."""
    return isinstance(type_, IntegerType)


def is_array(attribute: Attribute | None) -> TypeGuard[ArrayAttr[Attribute]]:
    """Whether an attribute is an array of attributes."""
    return isinstance(attribute, ArrayAttr)


def vector_with(element: Attribute, shape: Iterable[int]) -> VectorType[Attribute]:
    """The type of a vector. Cached: making a type verifies all its parts."""
    return _vector(element, tuple(shape))


@lru_cache(maxsize=1 << 12)
def _vector(element: Attribute, shape: tuple[int, ...]) -> VectorType[Attribute]:
    return VectorType(element, shape)


def vector_type(value: SSAValue) -> VectorType[Attribute]:
    """The type of a vector."""
    assert is_vector(value.type)
    return value.type


def tensor_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of a tensor."""
    assert is_tensor(value.type)
    return value.type


def buffer_type(value: SSAValue) -> MemRefType[Attribute]:
    """The type of a buffer."""
    assert is_buffer(value.type)
    return value.type


def element_type(type_: Attribute) -> Attribute:
    """The type of one element of a tensor, buffer or vector; a scalar's own type."""
    if is_tensor(type_) or is_buffer(type_) or is_vector(type_):
        return type_.element_type
    return type_


def lanes(type_: Attribute) -> tuple[int, ...] | None:
    """The shape of a vector type; None for a scalar."""
    return type_.get_shape() if is_vector(type_) else None
