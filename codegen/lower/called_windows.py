"""Windows of buffers that a library reads where they are.

    linalg.matmul ins(%x[0:64, 3, 0:256], %w)     torch.mm(x[:, 3], w, out=out)

A view of torch has strides, so a part of a buffer needs no copy. Dimensions that the
call merges must lie behind each other in the part as well.
"""

from __future__ import annotations

import math
from itertools import pairwise

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.indices import Indices
from tilewright.codegen.analysis.elements.reshapes import without_casts
from tilewright.codegen.analysis.elements.views import View, view_of
from tilewright.codegen.analysis.libraries.call import LibraryCall
from tilewright.ir.dialects import memref
from tilewright.ir.structured.convolutions import Convolution
from tilewright.ir.types import buffer_type

_CALLS = ("mm", "bmm", "mv")


def called_window(
    value: SSAValue, call: LibraryCall | Convolution, indices: Indices
) -> View | None:
    """The window that a value is, if a call can read it; None for a whole buffer."""
    plain = without_casts(value)
    if not isinstance(plain.owner, memref.SubviewOp):
        return None
    if not isinstance(call, LibraryCall) or call.function not in _CALLS:
        return None
    if call.output.value is value:
        return None
    view = view_of(plain, indices)
    shape = buffer_type(view.base).get_shape()
    is_fixed = (
        DYNAMIC_INDEX not in shape
        and len(set(view.dims)) == len(view.dims)
        and set(view.steps) <= {1}
        and all(start.is_constant for start in view.starts)
        and all(len(size) == 1 and size[0].is_constant for size in view.sizes)
    )
    if not is_fixed:
        return None
    sizes = [size.constant for (size,) in view.sizes]
    strides = [math.prod(shape[dim + 1 :]) for dim in view.dims]
    for operand in call.buffers:
        if operand.value is value and any(
            strides[outer] != sizes[inner] * strides[inner]
            for group in operand.dims
            for outer, inner in pairwise(group)
        ):
            return None
    return view


def window_op(view: View, base: SSAValue, like: SSAValue) -> memref.SubviewOp:
    """A window of another buffer of the same shape."""
    sizes = [1] * len(view.starts)
    for dim, (size,) in zip(view.dims, view.sizes, strict=True):
        sizes[dim] = size.constant
    starts = [start.constant for start in view.starts]
    steps = [1] * len(sizes)
    return memref.SubviewOp.get(base, starts, sizes, steps, without_casts(like).type)
