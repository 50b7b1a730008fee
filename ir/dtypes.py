"""Rows of the table of element types, by attribute, MLIR spelling or numpy dtype."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute

from tilewright.ir.element_types import ELEMENT_TYPES, ElementType
from tilewright.ir.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any

_BY_ATTRIBUTE = {row.attribute: row for row in ELEMENT_TYPES}
_BY_NAME = {row.name: row for row in ELEMENT_TYPES}
# In reverse, so that numpy's int64 means i64, not index.
_BY_NUMPY = {row.torch: row for row in reversed(ELEMENT_TYPES)}


WITHOUT_INFINITY = frozenset(
    row.attribute
    for row in ELEMENT_TYPES
    if row.float_format is not None and not row.float_format.has_infinity
)
"""xDSL's attributes of the float types that hold no infinities."""


def element(of: Attribute | str | np.dtype[Any]) -> ElementType:
    """The table's row for an element type, or for a tensor's, memref's or vector's."""
    if isinstance(of, str):
        found = _BY_NAME.get(of)
    elif not isinstance(of, Attribute):
        found = _BY_NUMPY.get(of.name)
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
