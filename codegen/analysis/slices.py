"""Slices of whole buffers in other shapes: the views that kernels can read.

A kernel addresses a slice of a buffer, and a whole buffer in any shape, but no reshape
of a slice. A window that is a slice of the buffer in some shape becomes that slice.
"""

from __future__ import annotations

import math
from collections.abc import Container

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    MemRefType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from tilewright.codegen.analysis.elements.reshapes import Reshape
from tilewright.codegen.analysis.windows import Placed, Window
from tilewright.ir.dialects import memref
from tilewright.ir.dialects.memref import groups_of, layout_of
from tilewright.ir.dialects.memref.layouts import Layout, strided
from tilewright.ir.dialects.memref.reshapes import collapsed_type, expanded_type
from tilewright.ir.dialects.memref.subview import windowed
from tilewright.ir.dialects.scf import mixed
from tilewright.ir.types import buffer_type

Types = dict[SSAValue, MemRefType[Attribute]]


def slice_type(value: SSAValue, window: Window) -> MemRefType[Attribute]:
    """The type of a window that takes the place of a value."""
    layout = Layout(window.strides, window.offset)
    return strided(buffer_type(value), window.sizes, layout)


def slice_ops(
    whole: SSAValue, window: Window, place: Placed, of: MemRefType[Attribute]
) -> list[Operation]:
    """The ops that make a window of a whole buffer; the last one is the slice."""
    made = _in_shape(whole, place.shape)
    base = made[-1].results[0] if made else whole
    made.append(memref.SubviewOp.get(base, place.starts, window.sizes, place.steps, of))
    return made


def retyped(
    value: SSAValue,
    of: MemRefType[Attribute],
    types: Types,
    replaced: Container[SSAValue] = (),
) -> bool:
    """Note the types of the views of a value that gets another type.

    Views that are `replaced` themselves keep theirs. False if there is no such view.
    """
    types[value] = of
    layout = layout_of(of)
    assert layout is not None
    for use in value.uses:
        op = use.operation
        match op:
            case memref.SubviewOp():
                made = _subview_type(op, of, layout)
            case memref.ExpandShapeOp() | memref.CollapseShapeOp():
                if op.result in replaced:
                    continue
                made = _reshaped_type(op, of)
            case _:
                continue
        if made is None or not retyped(op.results[0], made, types, replaced):
            return False
    return True


def _subview_type(
    op: memref.SubviewOp, of: MemRefType[Attribute], layout: Layout
) -> MemRefType[Attribute] | None:
    offsets, strides = (
        [entry if isinstance(entry, int) else None for entry in entries]
        for entries in (
            mixed(op.static_offsets, op.offsets),
            mixed(op.static_strides, op.strides),
        )
    )
    window = windowed(layout, offsets, strides)
    old = buffer_type(op.source), buffer_type(op.result)
    before, after = layout_of(old[0]), layout_of(old[1])
    assert before is not None and after is not None
    if len(old[0].get_shape()) == len(old[1].get_shape()):
        kept = list(range(len(window.strides)))
    else:
        sizes = mixed(op.static_sizes, op.sizes)
        dropped = len(sizes) - len(old[1].get_shape())
        units = [dim for dim, size in enumerate(sizes) if size == 1]
        if len(units) != dropped:
            return None  # Which of them are dropped, the strides do not always tell.
        kept = [dim for dim in range(len(sizes)) if dim not in units]
    sizes_after = [None if size < 0 else size for size in old[1].get_shape()]
    return strided(
        of, sizes_after, Layout(tuple(window.strides[d] for d in kept), window.offset)
    )


def _reshaped_type(
    op: Reshape, of: MemRefType[Attribute]
) -> MemRefType[Attribute] | None:
    groups = groups_of(op.reassociation)
    infer = expanded_type if isinstance(op, memref.ExpandShapeOp) else collapsed_type
    try:
        return infer(of, buffer_type(op.result), groups)
    except VerifyException:
        return None


def _in_shape(whole: SSAValue, shape: tuple[int, ...]) -> list[Operation]:
    """The ops that see a whole buffer in another shape."""
    of = buffer_type(whole)
    made: list[Operation] = []
    if of.get_shape() == shape:
        return made
    elements = math.prod(shape)
    value = whole
    if len(of.get_shape()) > 1:
        flat = memref.CollapseShapeOp.build(
            operands=[value],
            result_types=[MemRefType(of.element_type, [elements])],
            properties={"reassociation": _one_group(len(of.get_shape()))},
        )
        made.append(flat)
        value = flat.result
    if len(shape) > 1:
        made.append(
            memref.ExpandShapeOp.build(
                operands=[value, []],
                result_types=[MemRefType(of.element_type, shape)],
                properties={
                    "reassociation": _one_group(len(shape)),
                    "static_output_shape": DenseArrayBase.from_list(i64, shape),
                },
            )
        )
    return made


def _one_group(rank: int) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    return ArrayAttr([ArrayAttr([IntegerAttr(dim, i64) for dim in range(rank)])])
