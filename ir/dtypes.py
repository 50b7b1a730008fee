"""Element types: the one table between MLIR's spelling, xDSL's attribute and numpy.

bf16 and the fp8 formats are ml_dtypes'. Integers are signless in MLIR; here they are
carried as two's complement, so the signed ops need no cast and the unsigned ones view
the same bits. `index` is 64 bits wide, as on every target we generate for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E4M3FNType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    ShapedType,
)
from xdsl.ir import Attribute

from tilewright.ir.errors import UserError

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class ElementType:
    """One element type under its three names."""

    name: str
    """MLIR's spelling: `f16`, `bf16`, `i32`, `index`."""
    attribute: Attribute
    numpy: np.dtype[Any]
    is_float: bool

    @property
    def byte_width(self) -> int:
        """Bytes an element takes in memory; an i1 takes a whole one."""
        return self.numpy.itemsize


def _row(name: str, attribute: Attribute, numpy: Any, is_float: bool) -> ElementType:
    return ElementType(name, attribute, np.dtype(numpy), is_float)


ELEMENT_TYPES: tuple[ElementType, ...] = (
    _row("f64", Float64Type(), np.float64, True),
    _row("f32", Float32Type(), np.float32, True),
    _row("f16", Float16Type(), np.float16, True),
    _row("bf16", BFloat16Type(), ml_dtypes.bfloat16, True),
    _row("f8E4M3FN", Float8E4M3FNType(), ml_dtypes.float8_e4m3fn, True),
    _row("f8E5M2", Float8E5M2Type(), ml_dtypes.float8_e5m2, True),
    _row("i1", IntegerType(1), np.bool_, False),
    _row("i8", IntegerType(8), np.int8, False),
    _row("i16", IntegerType(16), np.int16, False),
    _row("i32", IntegerType(32), np.int32, False),
    _row("i64", IntegerType(64), np.int64, False),
    _row("index", IndexType(), np.int64, False),
)

_BY_ATTRIBUTE = {row.attribute: row for row in ELEMENT_TYPES}
_BY_NAME = {row.name: row for row in ELEMENT_TYPES}
# A numpy int64 is an i64 where nothing else is known, hence the reversed order.
_BY_NUMPY = {row.numpy: row for row in reversed(ELEMENT_TYPES)}


def element(of: Attribute | str | np.dtype[Any]) -> ElementType:
    """The table's row for an element type, or for a tensor's, memref's or vector's."""
    if isinstance(of, str):
        found = _BY_NAME.get(of)
    elif isinstance(of, np.dtype):
        found = _BY_NUMPY.get(of)
    else:
        found = _BY_ATTRIBUTE.get(of)
        if found is None and isinstance(of, ShapedType):
            inner = getattr(of, "element_type", None)
            found = _BY_ATTRIBUTE.get(inner) if inner is not None else None
    if found is None:
        raise UserError(
            f"elements of type '{of}' are not supported",
            remedy=f"the types known are {', '.join(_BY_NAME)}",
        )
    return found


def numpy_dtype(of: Attribute | str) -> np.dtype[Any]:
    """The numpy dtype of an MLIR type or spelling (ml_dtypes' for bf16 and fp8)."""
    return element(of).numpy


def byte_width(of: Attribute | str | np.dtype[Any]) -> int:
    """Bytes one element takes in memory."""
    return element(of).byte_width
