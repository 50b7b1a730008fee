"""The table of the warps dialect's semantics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.dialects.kernel import shape_of
from tilewright.ir.dialects.warps import (
    ArriveOp,
    BarriersOp,
    ConvertOp,
    CopyInOp,
    CopyOutOp,
    DotOp,
    DotWaitOp,
    ExpectOp,
    FenceOp,
    PartOp,
    PinOp,
    ReadOp,
    ReshapeOp,
    RingOp,
    SlotOp,
    SpecializeOp,
    StoreWaitOp,
    SyncOp,
    TransposeOp,
    WaitOp,
    WriteOp,
    partition_of,
)
from tilewright.ir.dtypes import Array, numpy_dtype
from tilewright.ir.interpreter.core.registry import (
    Interpreter,
    Results,
    Table,
    Value,
    fail,
)
from tilewright.ir.interpreter.dialects.kernel.memory import block_window
from tilewright.ir.interpreter.dialects.kernel.tiles import multiply
from tilewright.ir.interpreter.dialects.warps.machine import (
    Barrier,
    Copy,
    Tile,
    View,
    poison,
)
from tilewright.ir.interpreter.dialects.warps.processes import (
    Product,
    Waiting,
    program_of,
    run_partitions,
)

T = TypeVar("T")


def ring(interpreter: Interpreter, op: RingOp) -> Results:
    """Tiles without numbers."""
    of, name = op.result.type, op.result.name_hint or "ring"
    tiles = [
        Tile(f"{name}[{n}]", np.zeros(shape_of(of.tile), numpy_dtype(of.tile)))
        for n in range(of.slots.value.data)
    ]
    for tile in tiles:
        poison(tile)
    return (tiles,)


def barriers(interpreter: Interpreter, op: BarriersOp) -> Results:
    """Barriers in phase 0."""
    name = op.result.name_hint or "barriers"
    count, arrivals = op.result.type.slots.value.data, op.arrivals.value.data
    return ([Barrier(f"{name}[{n}]", arrivals) for n in range(count)],)


def slot(
    interpreter: Interpreter, op: SlotOp, tiles: list[Tile], number: Value
) -> Results:
    """The tile of a slot."""
    return (View(_at(op, tiles, number), lambda data: data),)


def reshape(interpreter: Interpreter, op: ReshapeOp, view: View) -> Results:
    """The same numbers in another shape."""
    shape = shape_of(op.result.type.tile)
    return (_changed(view, lambda data: data.reshape(shape)),)


def transpose(interpreter: Interpreter, op: TransposeOp, view: View) -> Results:
    """The same numbers, permuted."""
    order = [int(dim) for dim in op.order.get_values()]
    return (_changed(view, lambda data: data.transpose(order)),)


def expect(
    interpreter: Interpreter, op: ExpectOp, many: list[Barrier], number: Value
) -> Results:
    """The bytes first, so that the arrival does not end the phase."""
    process = program_of(interpreter, op).process
    barrier = _at(op, many, number)
    barrier.bytes += op.bytes.value.data
    barrier.arrive(op, process.known, process.label)
    return ()


def wait(
    interpreter: Interpreter,
    op: WaitOp,
    many: list[Barrier],
    number: Value,
    parity: Value,
) -> Results:
    """Wait for a phase, and learn what those who arrived knew."""
    process = program_of(interpreter, op).process
    barrier, wanted = _at(op, many, number), int(parity)
    return (
        Waiting(
            op,
            partial(barrier.has_passed, wanted),
            lambda: process.known.update(barrier.passed_on),
            lambda: f"parity {wanted} of {barrier.name} ({barrier.state()})",
        ),
    )


def arrive(
    interpreter: Interpreter,
    op: ArriveOp,
    many: list[Barrier],
    number: Value,
    condition: Value = True,
) -> Results:
    """Pass on what the partition knows."""
    process = program_of(interpreter, op).process
    if condition:
        _at(op, many, number).arrive(op, process.known, process.label)
    return ()


def sync(interpreter: Interpreter, op: SyncOp) -> Results:
    """What one thread waited for is over for all warps; all have written."""
    process = program_of(interpreter, op).process
    process.known |= process.waited
    process.waited = set()
    for tile in process.written:
        tile.unsynced = False
    return ()


def fence(interpreter: Interpreter, op: FenceOp) -> Results:
    """Copies see what the partition has written."""
    process = program_of(interpreter, op).process
    for tile in process.written:
        tile.unfenced = False
    return ()


def copy_in(
    interpreter: Interpreter, op: CopyInOp, buffer: Array, *rest: Value
) -> Results:
    """Start a copy; it writes its tile and tells the barrier when it is complete."""
    *offsets, view, many, number = rest
    program = program_of(interpreter, op)
    process = program.process
    barrier, tile = _at(op, many, number), view.tile
    event = tile.check_write(op, process.known, process.label)
    outer, inner = block_window(op, op.descriptor.type, buffer, offsets)
    known = {*process.known, event}

    def finish() -> None:
        view.data[...] = 0
        view.data[inner] = buffer[outer]
        barrier.complete(op, view.data.nbytes, known)

    poison(tile)
    program.copies.append(Copy(op, finish))
    return ()


def copy_out(
    interpreter: Interpreter, op: CopyOutOp, buffer: Array, *rest: Value
) -> Results:
    """Start a copy; it reads its tile until a wait says that it does not."""
    *offsets, view = rest
    process = program_of(interpreter, op).process
    tile = view.tile
    if tile.unfenced:
        fail(
            op,
            f"{process.label} copies {tile.name} out without a fence: the copy may not "
            "see what the warps have written",
            "put 'warps.fence' between the write and the copy",
        )
    if tile.unsynced:
        fail(
            op,
            f"{process.label} copies {tile.name} out while some of its warps may still "
            "write it",
            "put 'warps.sync' between the write and the copy",
        )
    event = tile.check_read(op, process.known, process.label)
    outer, inner = block_window(op, op.descriptor.type, buffer, offsets)

    def finish() -> None:
        buffer[outer] = view.data[inner]

    process.stores.append((Copy(op, finish), tile, event))
    return ()


def store_wait(interpreter: Interpreter, op: StoreWaitOp) -> Results:
    """End the oldest copies; one thread knows."""
    process = program_of(interpreter, op).process
    while len(process.stores) > op.pending.value.data:
        copy, _, event = process.stores.pop(0)
        copy.finish()
        process.waited.add(event)
    return ()


def read(interpreter: Interpreter, op: ReadOp, view: View) -> Results:
    """The numbers of a tile; the read is over when the op is."""
    process = program_of(interpreter, op).process
    process.known.add(view.tile.check_read(op, process.known, process.label))
    return (view.data.copy(),)


def write(interpreter: Interpreter, op: WriteOp, value: Array, view: View) -> Results:
    """Set the numbers of a tile."""
    process = program_of(interpreter, op).process
    tile = view.tile
    process.known.add(tile.check_write(op, process.known, process.label))
    view.data[...] = value
    tile.unfenced = tile.unsynced = True
    process.written.append(tile)
    return ()


def dot(
    interpreter: Interpreter, op: DotOp, lhs: Value, rhs: View, acc: Value = None
) -> Results:
    """Start a product; its tiles are read until a wait says that they are not."""
    process = program_of(interpreter, op).process
    views = [view for view in (lhs, rhs) if isinstance(view, View)]
    for view in views:
        _check_fence(op, view.tile, process.label)
    reads = {v.tile.check_read(op, process.known, process.label) for v in views}
    start = acc.value if isinstance(acc, Product) else acc
    left = lhs.data if isinstance(lhs, View) else lhs
    product = Product(multiply(left, rhs.data, start, op.result.type), reads)
    process.products.append(product)
    return (product,)


def dot_wait(interpreter: Interpreter, op: DotWaitOp, *values: Value) -> Results:
    """End the oldest products; the rest may still run."""
    process = program_of(interpreter, op).process
    while len(process.products) > op.pending.value.data:
        process.known |= process.products.pop(0).reads
    running = process.products
    return [
        v.value if isinstance(v, Product) and v not in running else v for v in values
    ]


def convert(interpreter: Interpreter, op: ConvertOp | PinOp, source: Value) -> Results:
    """Layouts and the order of instructions do not change numbers."""
    return (source,)


def part(interpreter: Interpreter, op: PartOp) -> Results:
    """The part of the partition."""
    number = partition_of(op).part
    assert number is not None, "verified"
    return (np.int32(number.value.data),)


def _check_fence(op: DotOp, tile: Tile, who: str) -> None:
    if tile.unfenced or tile.unsynced:
        lack = "fence" if tile.unfenced else "sync"
        fail(
            op,
            f"{who} multiplies {tile.name}, which warps have written, without a {lack}",
            f"put 'warps.{lack}' between the write and the product",
        )


def _at(op: Operation, many: Sequence[T], number: Value) -> T:
    if not 0 <= int(number) < len(many):
        fail(op, f"there is no slot {int(number)}, the ring has {len(many)}")
    return many[int(number)]


def _changed(view: View, change: Callable[[Array], Array]) -> View:
    return View(view.tile, lambda data: change(view.change(data)))


TABLE: Table = {
    RingOp: ring,
    BarriersOp: barriers,
    SlotOp: slot,
    ReshapeOp: reshape,
    TransposeOp: transpose,
    ExpectOp: expect,
    WaitOp: wait,
    ArriveOp: arrive,
    SyncOp: sync,
    FenceOp: fence,
    CopyInOp: copy_in,
    CopyOutOp: copy_out,
    StoreWaitOp: store_wait,
    ReadOp: read,
    WriteOp: write,
    DotOp: dot,
    DotWaitOp: dot_wait,
    ConvertOp: convert,
    PinOp: convert,
    PartOp: part,
    SpecializeOp: run_partitions,
}
