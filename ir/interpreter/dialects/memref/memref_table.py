"""memref: numpy views, written in place."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from tilewright.ir.dialects import memref
from tilewright.ir.dtypes import Array, element
from tilewright.ir.interpreter.core.elementwise import cast
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.core.windows import (
    checked_indices,
    mixed_values,
    window_of,
)
from tilewright.ir.interpreter.dialects.arith.arith_table import dense_value
from tilewright.ir.interpreter.dialects.memref.lifetimes import give_back
from tilewright.ir.interpreter.dialects.memref.memory import (
    address_of,
    base_address,
    reshaped,
    with_layout,
)
from tilewright.ir.interpreter.dialects.tensor.tensor_table import (
    dim,
    filled,
    narrowed,
    same,
    shape_of,
    sized,
)
from tilewright.ir.types import buffer_type, is_buffer, is_vector


def alloc(
    interpreter: Interpreter, op: memref.AllocOp | memref.AllocaOp, *operands: Value
) -> Results:
    """New memory of unspecified contents."""
    of = _of_elements(buffer_type(op.memref))
    shape = sized(of, operands[: len(op.dynamic_sizes)])
    if any(size < 0 for size in shape):
        fail(op, f"a buffer of shape {list(shape)} cannot be allocated")
    return (with_layout(lambda size: filled(interpreter, of, (size,)), of, shape),)


def _of_elements(of: MemRefType[Attribute]) -> MemRefType[Attribute]:
    """A buffer of vectors as one of elements: lanes are further dimensions."""
    if not is_vector(of.element_type):
        return of
    vector = of.element_type
    return MemRefType(vector.element_type, [*of.get_shape(), *vector.get_shape()])


def dealloc(interpreter: Interpreter, op: memref.DeallocOp, of: Array) -> Results:
    """Mark the memory as deallocated: later uses are errors."""
    give_back(interpreter, op, of)
    return ()


def get_global(interpreter: Interpreter, op: memref.GetGlobalOp) -> Results:
    """A buffer of the module, made when it is first asked for."""
    found = SymbolTable.lookup_symbol(op, op.name_)
    assert isinstance(found, memref.GlobalOp)
    if found not in interpreter.memo:
        interpreter.memo[found] = _initial(interpreter, found)
    return (interpreter.memo[found],)


def _initial(interpreter: Interpreter, op: memref.GlobalOp) -> Array:
    value = op.initial_value
    shape = shape_of(op.type)
    visibility = op.sym_visibility
    is_private = visibility is not None and visibility.data == "private"
    # No other module can define a private buffer.
    if isinstance(value, UnitAttr) or (value is None and is_private):
        return filled(interpreter, op.type, shape)
    if not isinstance(value, DenseIntOrFPElementsAttr):
        fail(op, "this buffer is defined elsewhere, and has no value here")
    return np.array(dense_value(value))  # pyright: ignore[reportUnknownArgumentType]


def subview(
    interpreter: Interpreter, op: memref.SubviewOp, of: Array, *dynamic: Value
) -> Results:
    """A window of the same memory."""
    return (narrowed(op, of[window_of(op, of, dynamic)]),)


def expand_shape(
    interpreter: Interpreter, op: memref.ExpandShapeOp, of: Array, *dynamic: Value
) -> Results:
    """Split dimensions: the last of a group keeps the stride."""
    shape = mixed_values(op.static_output_shape, iter(dynamic))
    strides = [of.itemsize] * len(shape)
    for axis, group in enumerate(memref.groups_of(op.reassociation)):
        sizes = [shape[d] for d in group]
        if math.prod(sizes) != of.shape[axis]:
            fail(op, f"dimension {axis} of {of.shape[axis]} elements is no {sizes}")
        step = of.strides[axis]
        for inner in reversed(group):
            strides[inner] = step
            step *= shape[inner]
    return (reshaped(op, of, shape, strides),)


def collapse_shape(
    interpreter: Interpreter, op: memref.CollapseShapeOp, of: Array
) -> Results:
    """Merge dimensions that follow each other in memory."""
    shape: list[int] = []
    strides: list[int] = []
    for group in memref.groups_of(op.reassociation):
        # A dimension of one element has no step to speak of.
        inner = [d for d in group if of.shape[d] != 1]
        for outer, next_one in zip(inner, inner[1:], strict=False):
            is_next = of.strides[outer] == of.strides[next_one] * of.shape[next_one]
            # Without elements nothing lies apart, whatever numpy gives as strides.
            if of.size and not is_next:
                fail(op, f"dimensions {group} are not contiguous in memory")
        shape.append(math.prod(of.shape[d] for d in group))
        strides.append(of.strides[inner[-1]] if inner else of.itemsize)
    return (reshaped(op, of, shape, strides),)


def reinterpret_cast(
    interpreter: Interpreter, op: memref.ReinterpretCastOp, of: Array, *dynamic: Value
) -> Results:
    """Any offset, sizes and strides, from where the memory begins."""
    values = iter(dynamic)
    (offset,) = mixed_values(op.static_offsets, values)
    shape = mixed_values(op.static_sizes, values)
    steps = mixed_values(op.static_strides, values)
    if any(size < 0 for size in shape):
        fail(op, f"a buffer cannot have the shape {shape}")
    start = base_address(of, op.source.type) + offset * of.itemsize
    strides = [step * of.itemsize for step in steps]
    return (reshaped(op, of, shape, strides, start),)


def metadata(
    interpreter: Interpreter, op: memref.ExtractStridedMetadataOp, of: Array
) -> Results:
    """Base, offset, sizes and strides."""
    start = base_address(of, op.source.type)
    base = reshaped(op, of, (), (), start)
    offset = (address_of(of) - start) // of.itemsize
    return (base, offset, *of.shape, *(step // of.itemsize for step in of.strides))


def transpose(interpreter: Interpreter, op: memref.TransposeOp, of: Array) -> Results:
    """The dimensions in another order; the same memory."""
    return (of.transpose(op.order),)


def view(
    interpreter: Interpreter,
    op: memref.ViewOp,
    of: Array,
    shift: Value,
    *sizes: Value,
) -> Results:
    """Bytes as elements of another type."""
    kind = element(op.result.type).numpy
    shape = sized(op.result.type, sizes)
    size = math.prod(shape) * kind.itemsize
    if shift < 0 or min(shape, default=0) < 0 or shift + size > of.nbytes:
        fail(op, f"{size} bytes from byte {shift} on leave the {of.nbytes} there are")
    strides = np.zeros(shape, np.bool_).strides if 0 not in shape else [0] * len(shape)
    steps = [step * kind.itemsize for step in strides]
    return (reshaped(op, of, shape, steps, address_of(of) + int(shift), kind),)


def change_type(interpreter: Interpreter, op: memref.CastOp, of: Array) -> Results:
    """The same buffer; the static sizes of the type are checked."""
    dest = op.dest.type
    if not is_buffer(dest):
        return (of,)
    if of.ndim != dest.get_num_dims():
        fail(op, f"a buffer of rank {of.ndim} is cast to '{dest}'")
    return same(interpreter, op, of)


def copy(
    interpreter: Interpreter, op: memref.CopyOp, source: Array, target: Array
) -> Results:
    """Copy elements, as if all were read before the first is written."""
    if source.shape != target.shape:
        shapes = f"{list(source.shape)} and {list(target.shape)}"
        fail(op, f"the buffers have different shapes, {shapes}")
    target[...] = source
    return ()


def load(
    interpreter: Interpreter, op: memref.LoadOp, of: Array, *indices: Value
) -> Results:
    """One element; a vector is copied, since later stores must not change it."""
    return (cast(np.copy(of[checked_indices(op, of, indices)])[()], op.res.type),)


def store(
    interpreter: Interpreter,
    op: memref.StoreOp,
    value: Value,
    target: Array,
    *indices: Value,
) -> Results:
    """Write one element."""
    target[checked_indices(op, target, indices)] = value
    return ()


def reshape(
    interpreter: Interpreter, op: memref.ReshapeOp, of: Array, shape: Array
) -> Results:
    """Any shape of as many elements, in the same contiguous memory."""
    sizes = [int(size) for size in shape]
    if math.prod(sizes) != of.size:
        fail(op, f"{of.size} elements cannot have the shape {sizes}")
    strides = np.empty(sizes, np.bool_).strides
    return (reshaped(op, of, sizes, [step * of.itemsize for step in strides]),)


def atomic_rmw(
    interpreter: Interpreter,
    op: memref.AtomicRMWOp,
    value: Value,
    target: Array,
    *indices: Value,
) -> Results:
    """Combine one element with a value; the old element."""
    place = checked_indices(op, target, indices)
    old = cast(target[place], op.result.type)
    combine = COMBINED.get(op.word)
    if combine is None:
        fail(op, f"the kind '{op.word}' is not supported")
    target[place] = cast(combine(old, value), op.result.type)
    return (old,)


def generic_atomic_rmw(
    interpreter: Interpreter,
    op: memref.GenericAtomicRMWOp,
    target: Array,
    *indices: Value,
) -> Results:
    """Compute one element from its old value; the old element."""
    place = checked_indices(op, target, indices)
    old = cast(target[place], op.result.type)
    (target[place],) = interpreter.run_region(op.body, [old])
    return (old,)


def alloca_scope(interpreter: Interpreter, op: memref.AllocaScopeOp) -> Results:
    """A region, once."""
    return interpreter.run_region(op.body)


def returned(interpreter: Interpreter, op: Operation, *values: Value) -> Results:
    """The values of a region."""
    return values


def realloc(
    interpreter: Interpreter, op: memref.ReallocOp, of: Array, *sizes: Value
) -> Results:
    """Copy the elements to a buffer of another length, and deallocate."""
    kind = buffer_type(op.memref)
    (length,) = sized(kind, sizes)
    if length < 0:
        fail(op, f"a buffer of shape {[length]} cannot be allocated")
    new = filled(interpreter, kind, (length,))
    both = min(length, len(of))
    new[:both] = of[:both]
    give_back(interpreter, op, of)
    return (new,)


COMBINED: dict[str, Callable[[Value, Value], Value]] = {
    "addf": lambda old, value: old + value,
    "addi": lambda old, value: old + value,
    "assign": lambda old, value: value,
    "maximumf": np.maximum,
    "maxs": np.maximum,
    "minimumf": np.minimum,
    "mins": np.minimum,
    "mulf": lambda old, value: old * value,
    "muli": lambda old, value: old * value,
    "ori": lambda old, value: old | value,
    "andi": lambda old, value: old & value,
    "xori": lambda old, value: old ^ value,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}
"""What `atomic_rmw` does to an element; numpy's integers have a sign."""


def prefetch(
    interpreter: Interpreter, op: memref.PrefetchOp, of: Array, *indices: Value
) -> Results:
    """A hint changes nothing."""
    return ()


def unchanged(interpreter: Interpreter, op: Operation, of: Array) -> Results:
    """The same buffer under another type."""
    return (of,)


def rank(interpreter: Interpreter, op: Operation, of: Array) -> Results:
    """The number of dimensions."""
    return (of.ndim,)


TABLE: Table = {
    memref.AllocOp: alloc,
    memref.AllocaOp: alloc,
    memref.DeallocOp: dealloc,
    memref.ReallocOp: realloc,
    memref.AllocaScopeOp: alloca_scope,
    memref.AllocaScopeReturnOp: returned,
    memref.GenericAtomicRMWOp: generic_atomic_rmw,
    memref.AtomicYieldOp: returned,
    memref.GetGlobalOp: get_global,
    memref.SubviewOp: subview,
    memref.ExpandShapeOp: expand_shape,
    memref.CollapseShapeOp: collapse_shape,
    memref.ReinterpretCastOp: reinterpret_cast,
    memref.ExtractStridedMetadataOp: metadata,
    memref.TransposeOp: transpose,
    memref.ViewOp: view,
    memref.CastOp: change_type,
    memref.MemorySpaceCastOp: unchanged,
    memref.AssumeAlignmentOp: unchanged,
    memref.DimOp: dim,
    memref.RankOp: rank,
    memref.LoadOp: load,
    memref.StoreOp: store,
    memref.CopyOp: copy,
    memref.ReshapeOp: reshape,
    memref.AtomicRMWOp: atomic_rmw,
    memref.PrefetchOp: prefetch,
}
