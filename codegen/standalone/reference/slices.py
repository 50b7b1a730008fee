"""Tensor slices in a reference, in torch's syntax."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation

from tilewright.codegen.standalone.reference.body import NoReference
from tilewright.ir.dialects import tensor


def window_of(
    op: tensor.ExtractSliceOp | tensor.InsertSliceOp, shape: Sequence[int]
) -> str:
    """`[0:64, 3, ::2]`; an index selects a dimension that the slice drops."""
    of = op.source.type if isinstance(op, tensor.ExtractSliceOp) else op.dest.type
    offsets, sizes, strides = (
        [int(n) for n in entry.get_values()]
        for entry in (op.static_offsets, op.static_sizes, op.static_strides)
    )
    if op.offsets or op.sizes or op.strides:
        raise NoReference(op, "a slice whose place is computed")
    kept = list(shape)
    entries: list[str] = []
    for offset, size, stride, extent in zip(
        offsets, sizes, strides, static_shape(of, op), strict=True
    ):
        if size == 1 and (not kept or kept[0] != 1):
            entries.append(str(offset))
            continue
        kept.pop(0)
        if (offset, size, stride) == (0, extent, 1):
            entries.append(":")
            continue
        step = f":{stride}" if stride != 1 else ""
        entries.append(f"{offset}:{offset + (size - 1) * stride + 1}{step}")
    return f"[{', '.join(entries)}]"


def static_shape(of: Attribute, op: Operation) -> tuple[int, ...]:
    """The shape of a tensor type; raises `NoReference` where sizes are open."""
    if not isinstance(of, TensorType):
        raise NoReference(op, f"{of} is no tensor")
    shape = of.get_shape()
    if DYNAMIC_INDEX in shape:
        raise NoReference(op, "its extents are not known before it runs")
    return shape
