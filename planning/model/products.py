"""The time of a kernel that computes products of matrices.

A multiprocessor computes its share of the tiles, some at a time. A step along k takes
as long as its instructions, or as its loads from the L2 cache, whichever is longer. The
kernel takes no less than memory needs for all bytes. To this come the launch, the first
loads and the last stores of a tile, which nothing hides.

The constants are fitted to 300 points of 20 works on an H200: the estimates are 10% off
in the middle, and the point with the best estimate is 1% slower than the best point.
Those of f32 as three products of TF32 are fitted to 36 shapes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.codegen.targets import Target

LAUNCH = 3.2e-6
"""The launch and the end of a kernel, in seconds."""
FILL = 0.77e-6
"""From the start of a tile to its first product, in seconds."""
STORE = 0.54e-6
"""The end of a tile, besides the bytes that it stores, in seconds."""
MATRIX_SHARE = 0.97
"""The share of the tensor cores' peak that the best tiles reach."""
HALF_SHARE = 0.90
"""The rate of tiles of 64 columns or rows, over that of larger ones."""
L2_SHARE = 1.29
"""The share of the L2 bandwidth that tiles draw."""
PORT_BYTES = 180
"""The bytes that one multiprocessor takes from the L2 cache in a clock."""
STEP_CLOCKS = 147
"""The clocks of a step along k that are not products: barriers, addresses."""
POINTER_SHARE = 0.955
"""The rate of loads through pointers, over that through descriptors."""
RAGGED_SHARE = 0.72
"""The rate of loads of rows that do not begin at cache lines."""
LINE = 128
"""The bytes of a cache line."""
PART_OF_LINE_SHARE = 0.79
"""The rate of memory where tiles read parts of lines."""
WIDE_LOAD = 16
"""The bytes of the widest load."""
NARROW_LOADS = {1: 0.15, 2: 0.2, 4: 0.25, 8: 0.3}
"""The rate of loads of rows at smaller multiples of bytes, which cannot be wide."""
NARROW_STORES = {1: 0.3, 2: 0.45, 4: 0.7, 8: 0.9}
"""The rate of stores of rows at smaller multiples of bytes."""
OVERLAP = 0.05
"""The share of the shorter of arithmetic and memory that the other does not hide."""
LONE_PENALTY = 1.06
"""The time of a large tile by four warps that share a multiprocessor with nobody."""
DEEP = 192 * 1024
"""The bytes in flight on a multiprocessor beyond which more do not help."""
HBM_SHARE = 0.71
"""The share of the memory's bandwidth that tiles reach."""
STREAM_START = 1.0e-6
"""From the first load of a stream until memory is busy, in seconds."""
STREAM_SHARE = 0.77
"""The share of the memory's bandwidth that a stream of one factor reaches."""
LATENCY = 1.07e-6
"""The time of a load from memory, in seconds."""
NARROW_SHARE = 0.14
"""The rate of instructions for fewer than 64 rows, over that for 64."""
RAGGED_VECTOR_SHARE = 0.75
"""The rate without tensor cores where loads are masked or not on cache lines."""
VECTOR_SHARE = 0.58
"""The share of the peak without tensor cores that tiles reach."""
VECTOR_SHARE_ALONG_K = 0.28
"""The same where the right factor lies along k in memory, as a linear layer's weight:
its tiles are read from shared memory across their rows."""
WARP_ELEMENTS = 2048
"""The elements of the result for which a warp uses each factor often enough."""
FULL_WARPS = 4
"""The warps that keep a multiprocessor busy without tensor cores."""
VECTOR_PAIR_SHARE = 0.6
"""The rate of two products at once without tensor cores, over that of one: their sums
and factors do not fit into registers together (17.3 ms for two of 2048 x 11008 x 4096).
"""
THIRDS_ALONE = 0.27
"""The share of the peak that a tile of 64 x 64 in f32 reaches alone, as three products
of TF32: its steps wait for factors that are split in registers."""
THIRDS_TOGETHER = {16: 0.20, 32: 0.28, 64: 0.46, 128: 0.50}
"""The share of many such tiles on one multiprocessor, by their rows."""
THIRDS_ACROSS = 0.42
"""The rate where the right factor lies along its columns: the tensor cores read 32 bits
along k only (3.94 ms for 4096 x 4096 x 4096, against 1.65)."""
THIRDS_PAIR = 0.47
"""The rate of several products at once: two of 2048 x 11008 x 4096 take 9.8 ms."""
THIRDS_NARROW = 0.45
"""The rate where rows do not begin at multiples of 16 bytes."""
ARRIVAL = 2.3e-6
"""The time that the parts of a split sum take to find out who is last, in seconds."""
PART = 0.05e-6
"""The time that one part of a split sum takes to be added, besides its bytes."""
MERGE_SHARE = 0.27
"""The rate at which parts are added, over that of loads from the L2 cache."""


@dataclass(frozen=True)
class ProductWork:
    """The products of a kernel, which share their rows, columns and length."""

    m: int
    n: int
    k: int
    batch: int
    products: int
    """Products with the same left factor."""
    width: int
    """The bytes of an element of a factor."""
    peak: float
    """The FLOP/s that the card reaches with these factors."""
    on_tensor_cores: bool
    moved: int
    """The bytes that the kernel reads and writes at least."""
    written: int
    """The bytes of its results."""
    prologue: bool = False
    """Whether a factor is computed in registers before it is multiplied."""
    alignment: int = 128
    """A number of bytes that divides the pitch of all rows of the factors."""
    tail: int = 0
    """The instructions that follow the product, for each element of the result."""
    along_columns: bool = False
    """Whether the right factor lies along its columns, in memory."""
    stored_alignment: int = 128
    """A number of bytes that divides the pitch of all rows of the results."""
    thirds: bool = False
    """Whether factors of f32 are multiplied as three products of TF32."""


@dataclass(frozen=True)
class ProductTile:
    """How the products are cut, and how the kernel is launched."""

    rows: int
    columns: int
    step: int
    warps: int
    stages: int
    persistent: bool = False
    split: int = 1
    described: bool = False
    """Whether tiles are loaded through tensor descriptors."""


def staged_bytes(work: ProductWork, tile: ProductTile) -> int:
    """The shared memory that the stages of a tile need."""
    wide = tile.rows + work.products * tile.columns
    return wide * tile.step * work.width * tile.stages


def registers(work: ProductWork, tile: ProductTile) -> int:
    """The registers of a thread, roughly: its accumulators, and what else it needs."""
    sums = work.products * tile.rows * tile.columns // (32 * tile.warps)
    return min(255, sums + (56 if tile.described else 72))


def resident(work: ProductWork, tile: ProductTile, target: Target) -> int:
    """The programs that a multiprocessor runs at once."""
    by_memory = target.shared_per_sm // (staged_bytes(work, tile) + 1024)
    by_registers = target.registers_per_sm // (32 * tile.warps * registers(work, tile))
    return max(1, min(by_memory, by_registers, target.max_blocks_per_sm))


def product_seconds(work: ProductWork, tile: ProductTile, target: Target) -> float:
    """The estimated time of a kernel."""
    rows = -(-work.m // tile.rows)
    columns = -(-work.n // tile.columns)
    tiles = rows * columns * work.batch * tile.split
    steps = -(-work.k // (tile.split * tile.step))
    busy = min(tiles, target.sms)
    at_once = resident(work, tile, target)
    # The tiles of the busiest multiprocessor, and how many of them run together.
    of_one = -(-tiles // target.sms)
    together = 1 if tile.persistent else min(at_once, of_one)
    if work.thirds:
        compute = _thirds_seconds(work, tile, target, together)
    else:
        overhead = STEP_CLOCKS / target.clock / together
        compute = _compute_seconds(work, tile, target, together) + overhead
    step = max(compute, _load_seconds(work, tile, target, busy, together))
    store = _store_seconds(work, tile, target, busy)
    if tile.persistent:
        # The loads of the next tile begin while this one is stored.
        ends = FILL + of_one * store * 0.6
    else:
        ends = -(-of_one // at_once) * (FILL + store)
    inside = of_one * steps * step + ends
    memory = work.moved / (target.hbm_bandwidth * HBM_SHARE)
    is_part = work.along_columns and tile.columns * work.width < LINE
    if is_part and work.alignment >= 4:
        memory /= PART_OF_LINE_SHARE
    longer, shorter = max(inside, memory + FILL), min(inside, memory + FILL)
    seconds = LAUNCH + longer + OVERLAP * shorter
    if tile.split > 1:
        seconds += _merge_seconds(tile, target, busy)
    if of_one == 1 and tile.warps == 4 and tile.rows * tile.columns >= 128 * 128:
        seconds *= LONE_PENALTY
    # Between equals, the deeper pipeline, and the tile that is nearer to a square.
    deep = together * staged_bytes(work, tile) / DEEP
    ratio = abs(math.log2(tile.rows / tile.columns)) if tile.rows >= 64 else 0.0
    long = max(0.0, ratio - 1.0)
    return seconds * (1 + 0.02 * max(0.0, 1.0 - deep) + 0.01 * long)


def _compute_seconds(
    work: ProductWork, tile: ProductTile, target: Target, together: int
) -> float:
    """The instructions of one step of one tile."""
    flops = 2 * tile.rows * tile.columns * tile.step * work.products
    rate = work.peak / target.sms
    if not work.on_tensor_cores:
        of_warp = min(1.0, tile.rows * tile.columns / tile.warps / WARP_ELEMENTS)
        if work.along_columns:
            rate *= VECTOR_SHARE * of_warp**0.15
        else:
            rate *= VECTOR_SHARE_ALONG_K * of_warp**0.35
        rate *= min(1.0, together * tile.warps / FULL_WARPS) ** 0.5
        if work.alignment < LINE or work.k % tile.step:
            rate *= RAGGED_VECTOR_SHARE
        if work.products > 1:
            rate *= VECTOR_PAIR_SHARE
        return flops / rate
    rate *= MATRIX_SHARE
    if tile.rows < 64:
        rate *= NARROW_SHARE
    if min(tile.rows, tile.columns) < 128:
        rate *= HALF_SHARE
    if work.prologue:
        rate *= 0.7
    return flops / rate


def _thirds_seconds(
    work: ProductWork, tile: ProductTile, target: Target, together: int
) -> float:
    """A step of one tile of f32, as three products of TF32.

    Alone, a program waits for each step; several hide each other's waits.
    """
    flops = 2 * tile.rows * tile.columns * tile.step * work.products
    peak = work.peak / target.sms
    area = tile.rows * tile.columns * work.products
    alone = THIRDS_ALONE * (area / 64**2) ** 0.38
    rows = max(size for size in THIRDS_TOGETHER if size <= max(tile.rows, 16))
    best = THIRDS_TOGETHER[rows] * min(1.0, tile.columns / 64) ** 0.5
    if work.along_columns:
        best *= THIRDS_ACROSS
    if work.products > 1:
        best *= THIRDS_PAIR
    if work.alignment < WIDE_LOAD:
        best *= THIRDS_NARROW
    busy = flops / (peak * best)
    waiting = max(0.0, flops / (peak * min(alone, best)) - busy)
    return busy + waiting / together**1.5


def _load_seconds(
    work: ProductWork, tile: ProductTile, target: Target, busy: int, together: int
) -> float:
    """The loads of one step of one tile: from L2, and as fast as latency allows."""
    wide = tile.rows + work.products * tile.columns
    moved = wide * tile.step * work.width
    shared = target.l2_bandwidth * L2_SHARE / busy
    port = PORT_BYTES * target.clock
    in_flight = together * moved * max(1, tile.stages - 1)
    rate = min(shared, port, in_flight / LATENCY)
    if not tile.described:
        rate *= POINTER_SHARE
    if work.alignment < WIDE_LOAD:
        rate *= NARROW_LOADS[max(work.alignment, 1)]
    elif work.alignment < LINE:
        rate *= RAGGED_SHARE
    return moved / rate


def _store_seconds(
    work: ProductWork, tile: ProductTile, target: Target, busy: int
) -> float:
    """The stores of one tile's results, with the work of its tail."""
    elements = tile.rows * tile.columns
    of_all = work.m * work.n * work.batch
    stored = max(work.written * elements / max(of_all, 1), 1)
    rate = min(target.l2_bandwidth / busy, PORT_BYTES * target.clock) / 2
    if work.stored_alignment < WIDE_LOAD:
        rate *= NARROW_STORES[max(work.stored_alignment, 1)]
    computed = work.tail * elements / (target.vector_flops / 2 / target.sms)
    return STORE + stored / rate + computed


def _merge_seconds(tile: ProductTile, target: Target, busy: int) -> float:
    """The sum of the parts of a tile by the program that arrives last."""
    parts = tile.split * tile.rows * tile.columns * 4
    rate = min(target.l2_bandwidth / busy, PORT_BYTES * target.clock) * MERGE_SHARE
    return ARRIVAL + tile.split * PART + parts / rate


def stream_seconds(moved: int, programs: int, in_flight: int, target: Target) -> float:
    """The time of a kernel that streams one factor through lanes.

    `in_flight` are the bytes that a program asks for before it needs the first.
    """
    busy = min(programs, target.sms)
    together = min(8, -(-programs // target.sms))
    rate = min(
        target.hbm_bandwidth * STREAM_SHARE,
        busy * together * in_flight / LATENCY,
    )
    return LAUNCH + FILL + STREAM_START + moved / rate
