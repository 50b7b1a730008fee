"""Launches: the programs of a grid one after another, and the launcher's other ops."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from tilewright.ir.dialects.kernel import (
    CopyWindowOp,
    CountersOp,
    DescriptorType,
    EachTileOp,
    FuncOp,
    GroupedTileOp,
    LastArriverOp,
    LaunchOp,
    LibraryOp,
    NumProgramsOp,
    PointerType,
    ProgramIdOp,
    RecordOp,
    RequireOp,
    ReturnOp,
    WaitOp,
    shape_of,
)
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.interpreter.core.registry import Interpreter, Results, Value, fail
from tilewright.ir.interpreter.dialects.kernel.memory import Pointers


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
        if isinstance(parameter.type, DescriptorType):
            # Further dimensions of the buffer are one with the last of the block.
            first = len(shape_of(parameter.type.block)) - 1
            last = math.prod(buffer.shape[first:])
            arguments.append(buffer.reshape(*buffer.shape[:first], last))
        else:
            arguments.append(Pointers(buffer.reshape(-1), np.int64(0)))
    ids = [inner for inner in kernel.body.walk() if isinstance(inner, ProgramIdOp)]
    counts = _counts(interpreter, op, kernel, given[len(parameters) :])
    for inner in kernel.body.walk():
        if isinstance(inner, NumProgramsOp):
            interpreter.bind(inner.result, np.int32(counts[inner.axis.value.data]))
    tell, total = interpreter.options.progress, math.prod(counts)
    with _context(interpreter, kernel.sym_name.data):
        for number, program in enumerate(_programs(interpreter, counts)):
            # Programs between two reports of progress.
            if tell is not None and number % 64 == 0:
                tell(f"{kernel.sym_name.data}: {number} of {total} programs")
            for inner in ids:
                axis = inner.axis.value.data
                index = program[axis] if axis < len(program) else 0
                interpreter.bind(inner.result, np.int32(index))
            interpreter.run_region(kernel.body, arguments)
    for buffer, copy in copies:
        buffer[...] = copy
    return ()


def _context(interpreter: Interpreter, name: str) -> AbstractContextManager[object]:
    """The context of a launch or a library call, if somebody wants one."""
    launching = interpreter.options.launching
    return nullcontext() if launching is None else launching(name)


def _kernel(interpreter: Interpreter, op: LaunchOp) -> FuncOp:
    name = op.kernel.string_value()
    for candidate in interpreter.module.ops:
        if isinstance(candidate, FuncOp) and candidate.sym_name.data == name:
            return candidate
    fail(op, f"no kernel @{name} in the module")


def _counts(
    interpreter: Interpreter, op: LaunchOp, kernel: FuncOp, computed: Sequence[Value]
) -> list[int]:
    """Programs along the axes; limited by the multiprocessors if persistent."""
    rest = iter(computed)
    counts = [
        int(next(rest)) if count == DYNAMIC_INDEX else int(count)
        for count in op.grid.get_values()
    ]
    has_loop = not any(isinstance(inner, EachTileOp) for inner in kernel.body.ops)
    if op.persistent is None or not has_loop:
        return counts
    programs = op.persistent.value.data * interpreter.options.multiprocessors
    return [min(counts[0], programs)]


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
    """Fail if the condition does not hold."""
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
    """A buffer of zeros."""
    return (np.zeros(op.buffer.type.get_shape(), np.int32),)


def copy_window(
    interpreter: Interpreter, op: CopyWindowOp, source: Array, target: Array
) -> Results:
    """Copy the window."""
    read, written = op.windows()
    target[written] = source[read]
    return ()


def library(interpreter: Interpreter, op: LibraryOp) -> Results:
    """Run the ops that the call stands for."""
    with _context(interpreter, op.library.data):
        for inner in op.body.block.ops:
            made = interpreter.execute(inner, *map(interpreter.value, inner.operands))
            for result, value in zip(inner.results, made, strict=True):
                interpreter.bind(result, value)
    return ()


def record(interpreter: Interpreter, op: RecordOp) -> Results:
    """No event: launches run one after another here."""
    return (None,)


def wait(interpreter: Interpreter, op: WaitOp, event: Value) -> Results:
    """Nothing: launches run one after another here."""
    return ()
