"""The time of a kernel that computes products of matrices in tiles.

A multiprocessor computes its share of the tiles, some at a time. A step along k takes
as long as its instructions, or as its loads from the L2 cache, whichever is longer. The
kernel takes no less than memory needs for all bytes. To this come the launch, the first
loads and the last stores of a tile, which nothing hides.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.codegen.targets import Target

LAUNCH = 3.0e-6
"""The launch and the end of a kernel, in seconds."""
FILL = 1.2e-6
"""From the start of a tile to its first product, in seconds."""
MATRIX_SHARE = 0.82
"""The share of the tensor cores' peak that the best tiles reach."""
L2_SHARE = 0.95
"""The share of the L2 bandwidth that tiles draw."""
PORT_BYTES = 64
"""The bytes that one multiprocessor takes from the L2 cache in a clock."""
STEP_CLOCKS = 90
"""The clocks of a step along k that are not products: barriers, addresses."""
HBM_SHARE = 0.85
"""The share of the memory's bandwidth that tiles reach."""
LATENCY = 0.9e-6
"""The time of a load from memory, in seconds."""
STREAM_SHARE = 0.9
"""The share of the memory's bandwidth that a stream of one factor reaches."""
NARROW_SHARE = 0.45
"""The rate of instructions for fewer than 64 rows, over that for 64."""
ARRIVAL = 1.5e-6
"""The time that the parts of a split sum take to find out who is last, in seconds."""


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
    of_one = -(-tiles // target.sms)
    """The tiles of the busiest multiprocessor."""
    together = min(at_once, of_one)

    compute = _compute_seconds(work, tile, target) / together
    loads = _load_seconds(work, tile, target, busy, together)
    overhead = STEP_CLOCKS / target.clock / together
    step = max(compute + overhead, loads)
    ends = FILL + _store_seconds(work, tile, target, busy)
    rounds = 1 if tile.persistent else -(-of_one // at_once)
    if tile.persistent:
        # The loads of the next tile begin while this one is stored.
        ends = FILL + of_one * (ends - FILL) * 0.6
    inside = of_one * steps * step + rounds * ends
    memory = work.moved / (target.hbm_bandwidth * HBM_SHARE)
    seconds = LAUNCH + max(inside, memory + FILL)
    if tile.split > 1:
        seconds += _merge_seconds(work, tile, target, busy)
    return seconds


def _compute_seconds(work: ProductWork, tile: ProductTile, target: Target) -> float:
    """The instructions of one step of one tile, alone on its multiprocessor."""
    flops = 2 * tile.rows * tile.columns * tile.step * work.products
    rate = work.peak / target.sms * MATRIX_SHARE
    if work.on_tensor_cores:
        if tile.rows < 64:
            rate *= NARROW_SHARE
        if tile.warps < 8 and tile.rows * tile.columns >= 128 * 128:
            rate *= 0.95
        if work.prologue:
            rate *= 0.7
    return flops / rate


def _load_seconds(
    work: ProductWork, tile: ProductTile, target: Target, busy: int, together: int
) -> float:
    """The loads of one step of one tile: from L2, and as fast as latency allows."""
    wide = tile.rows + work.products * tile.columns
    moved = wide * tile.step * work.width
    shared = target.l2_bandwidth * L2_SHARE / busy
    port = PORT_BYTES * target.clock
    in_flight = together * moved * max(1, tile.stages - 1)
    return moved / min(shared, port, in_flight / LATENCY)


def _store_seconds(
    work: ProductWork, tile: ProductTile, target: Target, busy: int
) -> float:
    """The stores of one tile's results, with the work of its tail."""
    elements = tile.rows * tile.columns
    of_all = work.m * work.n * work.batch
    stored = max(work.written * elements / max(of_all, 1), 1)
    rate = min(target.l2_bandwidth / busy, PORT_BYTES * target.clock) / 2
    return 0.4e-6 + stored / rate


def _merge_seconds(
    work: ProductWork, tile: ProductTile, target: Target, busy: int
) -> float:
    """The sum of the parts of a tile by the program that arrives last."""
    parts = tile.split * tile.rows * tile.columns * 4
    rate = min(target.l2_bandwidth / busy, PORT_BYTES * target.clock)
    return ARRIVAL + parts / rate


def stream_seconds(
    moved: int,
    programs: int,
    tile_bytes: int,
    warps: int,
    stages: int,
    steps: int,
    parts: int,
    line_share: float,
    target: Target,
) -> float:
    """The time of a kernel that streams one factor through lanes.

    `line_share` is the part of a cache line that a row of a tile uses.
    """
    at_once = min(64 // warps, target.max_blocks_per_sm)
    together = min(at_once, -(-programs // target.sms))
    in_flight = together * tile_bytes * max(1, stages - 1)
    busy = min(programs, target.sms)
    rate = min(
        target.hbm_bandwidth * STREAM_SHARE * line_share**0.25,
        busy * in_flight / LATENCY,
        busy * PORT_BYTES * target.clock,
    )
    waves = programs / (target.sms * at_once)
    ragged = max(1.0, -(-programs // (target.sms * at_once)) / max(waves, 1.0))
    ends = FILL if parts == 1 else FILL + ARRIVAL
    return LAUNCH + ends + ragged**0.5 * moved / rate
