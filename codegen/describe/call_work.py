"""The work of a library call in numbers, for the cost model and for reports."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from tilewright.codegen.analysis.elements.constants import constant_of
from tilewright.codegen.analysis.libraries.call import CallOperand, LibraryCall
from tilewright.codegen.analysis.libraries.stored_calls import stored_call
from tilewright.codegen.program import CallInfo
from tilewright.ir.dialects.kernel import LibraryOp
from tilewright.ir.dtypes import byte_width, element
from tilewright.ir.structured.convolutions import Convolution

Shape = Callable[[SSAValue], tuple[int, ...]]
"""The extents of a buffer, or of a tensor."""


def describe_call(op: LibraryOp, shape: Shape) -> CallInfo:
    """The work of a library call of a launcher."""
    start = None if op.fill is None else constant_of(op.fill.inputs[0])
    is_zero = start is not None and start.value.data == 0
    return call_info(stored_call(op), shape, starts_from_zero=is_zero)


def call_info(
    call: LibraryCall | Convolution, shape: Shape, *, starts_from_zero: bool = True
) -> CallInfo:
    """The work of a call, on buffers or on tensors."""
    if isinstance(call, Convolution):
        return _convolution_info(call, shape, adds=not starts_from_zero)
    # An accumulating call also reads its output.
    adds = call.dimension is None and not starts_from_zero
    views = [*call.buffers, call.output, *([call.output] if adds else [])]
    batch = m = n = k = 0
    if call.dimension is None:
        *_, m, k = call.operands[0].shape(shape(call.operands[0].value))
        column = (1,) if call.function == "mv" else ()
        *batches, _, n = (*call.output.shape(shape(call.output.value)), *column)
        batch = math.prod(batches)
    copied = 2 * _bytes([call.output.value], shape) if call.copies_first else 0
    info = CallInfo(
        function=f"torch.{call.function}",
        dtype=element(call.operands[0].value.type).name,
        batch=batch,
        m=m,
        n=n,
        k=k,
        bytes_moved=_bytes([view.value for view in views], shape),
        bytes_copied=copied,
        alignment=min(
            _alignment(view, shape) for view in (*call.operands, call.output)
        ),
        adds_row=call.added is not None and not call.copies_first,
    )
    if call.function == "padded_mm":
        # Both operands are padded before the product, by a fill and a copy each, and
        # the result is copied after it.
        return replace(info, bytes_copied=2 * info.bytes_moved, alignment=16, copies=5)
    return info


def _alignment(view: CallOperand, shape: Shape) -> int:
    """The power of two, in bytes and at most 16, that divides the stride of a row."""
    last = max(view.dims, default=())
    extents = shape(view.value)
    row = math.prod(extents[dim] for dim in last) * byte_width(view.value.type)
    return min(16, row & -row) or 16


def _convolution_info(call: Convolution, shape: Shape, *, adds: bool) -> CallInfo:
    """A convolution as a matrix product: positions by channels, summed over windows."""
    image, filter, output = call.image.value, call.filter.value, call.output.value
    f, *window = call.filter.shape(shape(filter))
    batch, _, *places = call.output.shape(shape(output))
    # To accumulate, the result is written and read again, and the output read.
    moved = [image, filter, output, *([output] * 3 if adds else [])]
    return CallInfo(
        function="torch.conv2d",
        dtype=element(image.type).name,
        batch=1,
        m=batch * math.prod(places),
        n=f,
        k=math.prod(window),
        bytes_moved=_bytes(moved, shape),
    )


def _bytes(buffers: Sequence[SSAValue], shape: Shape) -> int:
    return sum(math.prod(shape(value)) * byte_width(value.type) for value in buffers)
