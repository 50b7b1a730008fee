"""The kernel level: programs of a launch one after another, on numpy arrays.

A pointer is a flat view of its buffer with the offsets it points to. An access outside
the buffer by a lane that is on is an error, as it would be a wild read on a device.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerAttr

from tilewright.ir.dialects.kernel import (
    ArangeOp,
    ArriveOp,
    CastOp,
    CompareOp,
    ConstexprOp,
    CopyWindowOp,
    CountersOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DescriptorType,
    DotOp,
    EachTileOp,
    ExpandDimsOp,
    FullOp,
    FuncOp,
    GroupedTileOp,
    HalvesOp,
    LastArriverOp,
    LaunchOp,
    LibraryOp,
    LoadOp,
    NumProgramsOp,
    OffsetOp,
    PointerType,
    ProgramIdOp,
    RecordOp,
    ReduceOp,
    RequireOp,
    ReshapeOp,
    ReturnOp,
    StoreOp,
    TransOp,
    WaitOp,
    element_of,
    shape_of,
)
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.interpreter.core.combiners import COMBINERS
from tilewright.ir.interpreter.core.contraction import contract
from tilewright.ir.interpreter.core.elementwise import as_is, lift, widen
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.dialects.vector.reductions import typed

_MULTIPROCESSORS = 3
"""Of the card that a persistent launch runs on here; tiles seldom divide by it."""

_TOLD_EVERY = 64
"""Programs between two words on how far a launch is."""


@dataclass(frozen=True)
class Pointers:
    """Where a pointer, or a tile of them, points: elements of a flat buffer."""

    buffer: Array
    offsets: Any


def launch(interpreter: Interpreter, op: LaunchOp, *given: Value) -> Results:
    """Run every program of the grid, in order or shuffled."""
    kernel = _kernel(interpreter, op)
    arguments: list[Value] = []
    copies: list[tuple[Array, Array]] = []
    parameters = kernel.body.block.args
    for value, parameter in zip(given, parameters, strict=False):
        if not isinstance(parameter.type, DescriptorType | PointerType):
            arguments.append(numpy_dtype(parameter.type).type(value))
            continue
        buffer = np.ascontiguousarray(value)
        if buffer is not value:
            copies.append((value, buffer))
        is_whole = isinstance(parameter.type, DescriptorType)
        arguments.append(
            buffer if is_whole else Pointers(buffer.reshape(-1), np.int64(0))
        )
    ids = [inner for inner in kernel.body.walk() if isinstance(inner, ProgramIdOp)]
    counts = _counts(op, kernel, given[len(parameters) :])
    for inner in kernel.body.walk():
        if isinstance(inner, NumProgramsOp):
            interpreter.bind(inner.result, np.int32(counts[inner.axis.value.data]))
    tell, total = interpreter.options.progress, math.prod(counts)
    for number, program in enumerate(_programs(interpreter, counts)):
        if tell is not None and number % _TOLD_EVERY == 0:
            tell(f"{kernel.sym_name.data}: {number} of {total} programs")
        for inner in ids:
            axis = inner.axis.value.data
            index = program[axis] if axis < len(program) else 0
            interpreter.bind(inner.result, np.int32(index))
        interpreter.run_region(kernel.body, arguments)
    for buffer, copy in copies:
        buffer[...] = copy
    return ()


def copy_window(
    interpreter: Interpreter, op: CopyWindowOp, source: Array, target: Array
) -> Results:
    """Element by element."""
    read, written = op.windows()
    target[written] = source[read]
    return ()


def library(interpreter: Interpreter, op: LibraryOp) -> Results:
    """What the call computes, by the ops that say so."""
    for inner in op.body.block.ops:
        interpreter.execute(inner, *map(interpreter.value, inner.operands))
    return ()


def record(interpreter: Interpreter, op: RecordOp) -> Results:
    """Launches run one after another here: whatever comes later waits anyway."""
    return (None,)


def wait(interpreter: Interpreter, op: WaitOp, event: Value) -> Results:
    """Nothing to wait for."""
    return ()


def _kernel(interpreter: Interpreter, op: LaunchOp) -> FuncOp:
    name = op.kernel.string_value()
    for candidate in interpreter.module.ops:
        if isinstance(candidate, FuncOp) and candidate.sym_name.data == name:
            return candidate
    fail(op, f"no kernel @{name} in the module")


def _counts(op: LaunchOp, kernel: FuncOp, computed: Sequence[Value]) -> list[int]:
    """Programs along the axes; of a card with a few multiprocessors, if it matters."""
    rest = iter(computed)
    counts = [
        int(next(rest)) if count == DYNAMIC_INDEX else int(count)
        for count in op.grid.get_values()
    ]
    has_loop = not any(isinstance(inner, EachTileOp) for inner in kernel.body.ops)
    if op.persistent is None or not has_loop:
        return counts
    return [min(counts[0], op.persistent.value.data * _MULTIPROCESSORS)]


def _programs(interpreter: Interpreter, counts: Sequence[int]) -> list[tuple[int, ...]]:
    programs: list[tuple[int, ...]] = [
        tuple(reversed(index))
        for index in itertools.product(*map(range, reversed(counts)))
    ]
    if interpreter.random is not None:
        order = interpreter.random.permutation(len(programs))
        programs = [programs[int(position)] for position in order]
    return programs


def require(interpreter: Interpreter, op: RequireOp, lhs: Value, rhs: Value) -> Results:
    """Stop where the condition does not hold."""
    left, right = int(lhs), int(rhs)
    holds = {"le": left <= right, "ge": left >= right, "eq": left == right}
    if not holds[op.predicate.data]:
        fail(op, op.message.data.format(left, right))
    return ()


def end(interpreter: Interpreter, op: ReturnOp) -> Results:
    """A program has no results."""
    return ()


def program_place(interpreter: Interpreter, op: ProgramIdOp | NumProgramsOp) -> Results:
    """The index, or the number of programs, that the launch has set."""
    return (interpreter.value(op.result),)


def constexpr(interpreter: Interpreter, op: ConstexprOp) -> Results:
    """The size itself."""
    return (numpy_dtype(op.result.type).type(op.value.value.data),)


def grouped_tile(
    interpreter: Interpreter,
    op: GroupedTileOp,
    program: Value,
    rows: Value,
    columns: Value,
    group: Value,
) -> Results:
    """Down the rows of a group, then one column on; the tiles of a group may wrap."""
    number, height = int(program), int(rows)
    tiles = int(np.multiply(group, columns))
    first = number // tiles * int(group)
    in_group = min(height - first, int(group))
    place = number % tiles
    kind = numpy_dtype(op.row.type).type
    return kind(first + place % in_group), kind(place // in_group)


def arrive(interpreter: Interpreter, op: ArriveOp, counter: Pointers) -> Results:
    """One more; programs run one after the other."""
    before = counter.buffer[int(counter.offsets)]
    counter.buffer[int(counter.offsets)] = before + 1
    return (np.int32(before),)


def each_tile(interpreter: Interpreter, op: EachTileOp, *given: Value) -> Results:
    """One tile: without the loop over tiles, a program is launched for each."""
    interpreter.run_region(op.body, given[:1])
    return ()


def last_arriver(
    interpreter: Interpreter, op: LastArriverOp, counters: Pointers, tile: Value
) -> Results:
    """Count the program in; the last one runs the body and sets the counter back."""
    counter = int(counters.offsets) + int(tile)
    counters.buffer[counter] += 1
    if counters.buffer[counter] == op.arrivals.value.data:
        interpreter.run_region(op.body, [])
        counters.buffer[counter] = 0
    return ()


def counters(interpreter: Interpreter, op: CountersOp) -> Results:
    """Zeros."""
    return (np.zeros(op.buffer.type.get_shape(), np.int32),)


def halves(interpreter: Interpreter, op: HalvesOp, source: Array) -> Results:
    """Columns from the left, columns from the right."""
    middle = source.shape[1] // 2
    return source[:, :middle], source[:, middle:]


def arange(interpreter: Interpreter, op: ArangeOp) -> Results:
    """0, 1, 2 and so on."""
    return (np.arange(shape_of(op.result.type)[0], dtype=np.int32),)


def full(interpreter: Interpreter, op: FullOp) -> Results:
    """One number in every lane; a view."""
    return (_filled(op.value, op.result.type),)


def _filled(value: Any, of: Any) -> Value:
    assert isinstance(value, FloatAttr | IntegerAttr)
    number = numpy_dtype(element_of(of)).type(value.value.data)  # pyright: ignore[reportUnknownMemberType]
    return np.broadcast_to(number, shape_of(of)) if shape_of(of) else number


def expand_dims(interpreter: Interpreter, op: ExpandDimsOp, source: Array) -> Results:
    """A dimension of size one more; a view."""
    return (np.expand_dims(source, op.axis.value.data),)


def reshape(interpreter: Interpreter, op: ReshapeOp, source: Value) -> Results:
    """The same elements in another shape."""
    return (
        typed(np.asarray(source).reshape(shape_of(op.result.type)), op.result.type),
    )


def trans(interpreter: Interpreter, op: TransOp, source: Array) -> Results:
    """Permuted dimensions; a view."""
    return (source.transpose([int(p) for p in op.order.get_values()]),)


def offset(
    interpreter: Interpreter, op: OffsetOp, pointer: Pointers, distance: Value
) -> Results:
    """Point further on; addresses are 64 bits wide."""
    offsets: Any = pointer.offsets + np.asarray(distance, dtype=np.int64)
    return (Pointers(pointer.buffer, offsets),)


def load(
    interpreter: Interpreter, op: LoadOp, pointer: Pointers, mask: Value = None
) -> Results:
    """Gather; lanes that are off read `other`."""
    of = op.result.type
    offsets = np.broadcast_to(pointer.offsets, shape_of(of))
    if mask is None:
        _check(op, pointer, offsets)
        return (typed(pointer.buffer[offsets], of),)
    lanes = np.broadcast_to(mask, offsets.shape)
    _check(op, pointer, offsets[lanes])
    if not lanes.any():
        return (typed(np.asarray(_filled(op.other, of)), of),)
    values = pointer.buffer[np.where(lanes, offsets, 0)]
    return (typed(np.where(lanes, values, _filled(op.other, element_of(of))), of),)


def store(
    interpreter: Interpreter,
    op: StoreOp,
    pointer: Pointers,
    value: Value,
    mask: Value = None,
) -> Results:
    """Scatter; lanes that are off write nothing."""
    offsets = np.broadcast_to(pointer.offsets, shape_of(op.pointer.type))
    values = np.broadcast_to(value, offsets.shape)
    if mask is not None:
        lanes = np.broadcast_to(mask, offsets.shape)
        offsets, values = offsets[lanes], values[lanes]
    _check(op, pointer, offsets)
    pointer.buffer[offsets] = values
    return ()


def _check(op: LoadOp | StoreOp, pointer: Pointers, offsets: Any) -> None:
    if offsets.size and (
        offsets.min() < 0 or offsets.max() >= max(pointer.buffer.size, 1)
    ):
        fail(
            op,
            f"element {offsets.min()} to {offsets.max()} of a buffer of "
            f"{pointer.buffer.size} elements",
        )


def _window(
    op: DescriptorLoadOp | DescriptorStoreOp,
    buffer: Array,
    offsets: Sequence[Value],
    block: tuple[int, ...],
) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """What of the buffer a block covers, and what of the block that is."""
    outer: list[slice] = []
    inner: list[slice] = []
    for start, size, extent in zip(offsets, block, buffer.shape, strict=True):
        low, high = max(int(start), 0), min(int(start) + size, extent)
        high = max(low, high)
        outer.append(slice(low, high))
        inner.append(slice(low - int(start), high - int(start)))
        if op.partial is None and (high - low) != size:
            fail(op, "a block reaches past the end of its buffer and is not `partial`")
    return tuple(outer), tuple(inner)


def descriptor_load(
    interpreter: Interpreter, op: DescriptorLoadOp, buffer: Array, *offsets: Value
) -> Results:
    """A block; zero outside the buffer."""
    block = shape_of(op.result.type)
    outer, inner = _window(op, buffer, offsets, block)
    result = np.zeros(block, buffer.dtype)
    result[inner] = buffer[outer]
    return (result,)


def descriptor_store(
    interpreter: Interpreter, op: DescriptorStoreOp, buffer: Array, *rest: Value
) -> Results:
    """Write a block; nothing outside the buffer."""
    *offsets, value = rest
    outer, inner = _window(op, buffer, offsets, shape_of(op.value.type))
    buffer[outer] = value[inner]
    return ()


def dot(
    interpreter: Interpreter, op: DotOp, lhs: Array, rhs: Array, *start: Array
) -> Results:
    """Matrix product, multiplied and added in the accumulator's type."""
    shape = shape_of(op.result.type)
    acc = (
        start[0] if start else np.zeros(shape, numpy_dtype(element_of(op.result.type)))
    )
    left, right = (value.astype(acc.dtype, copy=False) for value in (lhs, rhs))
    loops = (*shape, lhs.shape[-1])
    last = len(shape)
    product = contract(
        left[..., :, None, :], right.swapaxes(-1, -2)[..., None, :, :], loops, (last,)
    )
    return (acc + product[..., 0],)


def reduce(interpreter: Interpreter, op: ReduceOp, source: Array) -> Results:
    """Combine along one axis; narrow floats in f32."""
    combiner = COMBINERS[op.kind.data]
    total = combiner.ufunc.reduce(widen(source), axis=op.axis.value.data)
    return (typed(np.asarray(total), op.result.type),)


def convert(interpreter: Interpreter, op: CastOp, source: Value) -> Results:
    """To another element type; floats round to nearest even."""
    return (lift(as_is, op.result.type, source),)


def compare(interpreter: Interpreter, op: CompareOp, lhs: Value, rhs: Value) -> Results:
    """Signed integers, or floats with NaN unequal to everything."""
    return (lift(_COMPARE[op.predicate.data], op.result.type, lhs, rhs),)


_COMPARE: dict[str, Any] = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}

TABLE: Table = {
    LaunchOp: launch,
    CopyWindowOp: copy_window,
    LibraryOp: library,
    RecordOp: record,
    WaitOp: wait,
    RequireOp: require,
    ReturnOp: end,
    ProgramIdOp: program_place,
    NumProgramsOp: program_place,
    HalvesOp: halves,
    ArriveOp: arrive,
    EachTileOp: each_tile,
    LastArriverOp: last_arriver,
    CountersOp: counters,
    ConstexprOp: constexpr,
    GroupedTileOp: grouped_tile,
    ArangeOp: arange,
    FullOp: full,
    ExpandDimsOp: expand_dims,
    ReshapeOp: reshape,
    TransOp: trans,
    OffsetOp: offset,
    LoadOp: load,
    StoreOp: store,
    DescriptorLoadOp: descriptor_load,
    DescriptorStoreOp: descriptor_store,
    DotOp: dot,
    ReduceOp: reduce,
    CastOp: convert,
    CompareOp: compare,
}
