"""Reshape the whole buffer, and slice it afterwards.

**Before** (buffer level)

    %part = memref.subview %x[0, 0, 8] [2, 8, 8] [1, 1, 1] : memref<2x8x16xf32> to ...
    %rows = memref.collapse_shape %part [[0, 1], [2]] : ... into memref<16x8xf32, ...>

**After**

    %flat = memref.collapse_shape %x [[0, 1], [2]] : ... into memref<16x16xf32>
    %rows = memref.subview %flat[0, 8] [16, 8] [1, 1] : ...

Kernels address slices of buffers, but no reshapes of slices. Equal views are one, so
that a kernel has one address for all slices of a buffer and loads equal ones once.

**Requires** static sizes, a reshape outside of all grids, and a shape of the whole
buffer in which the elements are a slice, along the last dimension in steps. Other
reshapes stay.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, NoneAttr
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from tilewright.codegen.analysis.elements.reshapes import Reshape, base_of
from tilewright.codegen.analysis.slices import (
    Types,
    retyped,
    slice_ops,
    slice_type,
)
from tilewright.codegen.analysis.windows import Placed, Window, placed, window_of
from tilewright.ir.dialects import func
from tilewright.ir.types import buffer_type

Views = dict[tuple[object, ...], Operation]
"""The views that were made, by block, name, operands, properties and types."""


def slice_after_reshape(module: ModuleOp) -> ModuleOp:
    """Replace reshapes of slices, in a copy of the module if there are any."""
    if not any(_place(op) for op in module.walk()):
        return module
    module = module.clone()
    views: Views = {}
    for op in list(module.walk()):
        if isinstance(op, Reshape) and (found := _place(op)) is not None:
            _replace(op, *found, views)
    return module


def _place(op: Operation) -> tuple[Window, Placed, Types] | None:
    """The slice that a reshape is, with the types of its views; None if it stays."""
    if not isinstance(op, Reshape) or not isinstance(op.parent_op(), func.FuncOp):
        return None
    if isinstance(buffer_type(op.src).layout, NoneAttr):
        return None
    base = buffer_type(base_of(op.src))
    if not isinstance(base.layout, NoneAttr) or DYNAMIC_INDEX in base.get_shape():
        return None
    window = window_of(op.result)
    place = None if window is None else placed(window, math.prod(base.get_shape()))
    types: Types = {}
    if window is None or place is None:
        return None
    if not retyped(op.result, slice_type(op.result, window), types):
        return None
    return window, place, types


def _replace(
    op: Reshape, window: Window, place: Placed, types: Types, views: Views
) -> None:
    *reshapes, part = slice_ops(base_of(op.src), window, place, types.pop(op.result))
    for new in (*reshapes, part):
        new.location = op.location
    part.results[0].name_hint = op.result.name_hint
    for reshape in reshapes:
        _inserted(reshape, op, views)
    view = _inserted(part, op, views).results[0]
    for value, of in types.items():
        Rewriter.replace_value_with_new_type(value, of)
    op.result.replace_all_uses_with(view)
    op.detach()
    op.erase()


def _inserted(new: Operation, op: Operation, views: Views) -> Operation:
    """A new view in front of an op, or an equal one from before."""
    block = op.parent
    assert block is not None
    kinds = (*new.operands, *new.properties.items(), *new.result_types)
    view = views.setdefault((block, new.name, *kinds), new)
    if view is new:
        block.insert_op_before(new, op)
        return new
    for old, kept in zip(new.results, view.results, strict=True):
        old.replace_all_uses_with(kept)
    new.erase()
    return view
