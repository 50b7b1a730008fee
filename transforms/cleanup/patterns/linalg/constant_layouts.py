"""Pack constants when a program is compiled: a weight is stored as a kernel reads it.

Only a pack of a constant imports numpy: other programs start without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.dense_constants import Dense, dense_of_bytes, is_splat
from tilewright.ir.dialects import arith
from tilewright.ir.dialects.linalg import PackOp
from tilewright.transforms.cleanup.driver import pattern
from tilewright.transforms.core.rewriter import Rewriter

if TYPE_CHECKING:
    from tilewright.ir.dtypes import Array


@pattern(PackOp)
def pack_of_constant(op: PackOp, rewriter: Rewriter) -> None:
    """Replace a pack of a constant by the packed constant."""
    source, padding = _constant(op.source), None
    if not isinstance(source, DenseIntOrFPElementsAttr):
        return
    if not op.packed_type.has_static_shape():
        return
    import numpy as np

    from tilewright.ir.interpreter.dialects.relayout import packed

    bits = _bits(cast(Dense, source))
    if op.padding_value is not None:
        number = _constant(op.padding_value)
        if number is None:
            return
        kind, value = cast(Any, number).type, cast(Any, number).value.data
        padding = np.frombuffer(kind.pack([value]), bits.dtype)[0]
    tiles = dict(zip(op.dims, op.static_inner_tiles.get_values(), strict=True))
    result = packed(op, bits, op.packed_type.get_shape(), tiles, padding)
    value = dense_of_bytes(op.packed_type, np.ascontiguousarray(result).tobytes())
    rewriter.replace_with(op, arith.ConstantOp(value))


def _constant(value: SSAValue) -> Attribute | None:
    owner = value.owner
    return owner.value if isinstance(owner, arith.ConstantOp) else None


def _bits(constant: Dense) -> Array:
    """The elements of a constant, as unsigned integers of their size."""
    import numpy as np

    size: int = constant.get_element_type().compile_time_size
    held = np.frombuffer(constant.data.data, np.dtype(f"u{size}"))
    shape = constant.get_shape()
    return np.broadcast_to(held, shape) if is_splat(constant) else held.reshape(shape)


PATTERNS = (pack_of_constant,)
