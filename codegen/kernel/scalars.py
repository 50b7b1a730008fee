"""Scalars of the payload as arguments of a kernel."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute


def passed_type(of: Attribute) -> Attribute | None:
    """The type in which Triton passes a Python number; None where it cannot.

    Narrow numbers are passed in 32 bits and converted in the kernel, because Triton's
    interpreter does not support narrow parameters.
    """
    if isinstance(of, Float32Type | Float16Type | BFloat16Type):
        return f32
    if isinstance(of, Float64Type):
        return f64
    if isinstance(of, IntegerType):
        return i64 if of.width.data > 32 else i32
    return None
