"""Element types: one table of MLIR's spelling, xDSL's attribute and numpy's dtype.

bf16 and the fp8 formats come from ml_dtypes. MLIR's integers are signless; here their
numpy type is signed, so that signed ops need no cast and unsigned ops reinterpret the
bits. `index` is 64 bits wide, as on every target of code generation.

numpy and ml_dtypes are imported when the first array is made: most schedules are read,
checked and run without arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

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

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any


@dataclass(frozen=True)
class ElementType:
    """One element type under its three names."""

    name: str
    """MLIR's spelling: `f16`, `bf16`, `i32`, `index`."""
    attribute: Attribute
    byte_width: int
    """Bytes of an element in memory; an i1 takes a whole byte."""
    is_float: bool
    home: str
    """The path of its scalar type in numpy or ml_dtypes."""

    @property
    def numpy(self) -> np.dtype[Any]:
        """The numpy dtype."""
        return _numpy_dtype(self.home)


@cache
def _numpy_dtype(home: str) -> np.dtype[Any]:
    module, _, name = home.partition(".")
    return import_module("numpy").dtype(getattr(import_module(module), name))


ELEMENT_TYPES: tuple[ElementType, ...] = (
    ElementType("f64", Float64Type(), 8, True, "numpy.float64"),
    ElementType("f32", Float32Type(), 4, True, "numpy.float32"),
    ElementType("f16", Float16Type(), 2, True, "numpy.float16"),
    ElementType("bf16", BFloat16Type(), 2, True, "ml_dtypes.bfloat16"),
    ElementType("f8E4M3FN", Float8E4M3FNType(), 1, True, "ml_dtypes.float8_e4m3fn"),
    ElementType("f8E5M2", Float8E5M2Type(), 1, True, "ml_dtypes.float8_e5m2"),
    ElementType("i1", IntegerType(1), 1, False, "numpy.bool_"),
    ElementType("i8", IntegerType(8), 1, False, "numpy.int8"),
    ElementType("i16", IntegerType(16), 2, False, "numpy.int16"),
    ElementType("i32", IntegerType(32), 4, False, "numpy.int32"),
    ElementType("i64", IntegerType(64), 8, False, "numpy.int64"),
    ElementType("index", IndexType(), 8, False, "numpy.int64"),
)

_BY_ATTRIBUTE = {row.attribute: row for row in ELEMENT_TYPES}
_BY_NAME = {row.name: row for row in ELEMENT_TYPES}
# In reverse, so that numpy's int64 means i64, not index.
_BY_NUMPY = {row.home.partition(".")[2]: row for row in reversed(ELEMENT_TYPES)}


def element(of: Attribute | str | np.dtype[Any]) -> ElementType:
    """The table's row for an element type, or for a tensor's, memref's or vector's."""
    if isinstance(of, str):
        found = _BY_NAME.get(of)
    elif not isinstance(of, Attribute):
        found = _BY_NUMPY.get("bool_" if of.name == "bool" else of.name)
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
    """The numpy dtype of an MLIR type, or of its spelling."""
    return element(of).numpy


def byte_width(of: Attribute | str | np.dtype[Any]) -> int:
    """Bytes of an element in memory."""
    return element(of).byte_width
