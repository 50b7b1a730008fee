"""The time of a kernel that computes matmuls.

A multiprocessor computes its share of the tiles, some at a time. A step along k takes
as long as its instructions, or as its loads from the L2 cache, whichever is longer. The
kernel takes no less than memory needs for all bytes. To this come the launch, the first
loads and the last stores of a tile, which nothing hides.

The constants are fitted to 300 points of 20 works on an H200: the estimates are 10% off
in the middle, and the point with the best estimate is 1% slower than the best point.
Those of f32 as three matmuls of TF32 are fitted to 36 shapes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import LINE, WIDE_LOAD
from tilewright.codegen.targets.occupancy import programs_on_sm

DEEP = 192 * 1024
"""The bytes in flight on a multiprocessor beyond which more do not help."""


@dataclass(frozen=True)
class MatmulWork:
    """The matmuls of a kernel, which share their rows, columns and length."""

    m: int
    n: int
    k: int
    batch: int
    matmuls: int
    """The matmuls; some may have a factor in common."""
    width: int
    """The bytes of an element of a factor."""
    peak: float
    """The FLOP/s that the GPU reaches with these factors."""
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
    """The instructions that follow the matmul, for each element of the result."""
    along_columns: bool = False
    """Whether the right factor lies along its columns, in memory."""
    stored_alignment: int = 128
    """A number of bytes that divides the pitch of all rows of the results."""
    tf32x3: bool = False
    """Whether factors of f32 are multiplied as three matmuls of TF32."""
    lefts: int = 1
    rights: int = 1
    """The factors of the matmuls, those in common counted once."""


@dataclass(frozen=True)
class MatmulTile:
    """How the matmuls are cut, and how the kernel is launched."""

    rows: int
    columns: int
    step: int
    warps: int
    stages: int
    persistent: bool = False
    split: int = 1
    described: bool = False
    """Whether tiles are loaded through tensor descriptors."""


def staged_bytes(work: MatmulWork, tile: MatmulTile, target: Target) -> int:
    """The shared memory that the stages of a tile need.

    Matmuls by single warps have the factors of one stage in registers.
    """
    wide = _across(work, tile)
    stages = tile.stages if target.has_group_matmuls else max(1, tile.stages - 1)
    return wide * tile.step * work.width * stages


def _across(work: MatmulWork, tile: MatmulTile) -> int:
    """The elements of the factors for each place along k."""
    return work.lefts * tile.rows + work.rights * tile.columns


def registers(work: MatmulWork, tile: MatmulTile, target: Target) -> int:
    """The registers of a thread, roughly: its accumulators, and what else it needs."""
    sums = work.matmuls * tile.rows * tile.columns // (target.warp * tile.warps)
    return min(255, sums + (56 if tile.described else 72))


def resident(work: MatmulWork, tile: MatmulTile, target: Target) -> int:
    """The programs that a multiprocessor runs at once."""
    needed, staged = registers(work, tile, target), staged_bytes(work, tile, target)
    return max(1, programs_on_sm(target, tile.warps, needed, staged))


def matmul_seconds(work: MatmulWork, tile: MatmulTile, target: Target) -> float:
    """The estimated time of a kernel."""
    fitted = target.calibration.matmuls
    rows = -(-work.m // tile.rows)
    columns = -(-work.n // tile.columns)
    tiles = rows * columns * work.batch * tile.split
    steps = -(-work.k // (tile.split * tile.step))
    busy = min(tiles, target.sms)
    at_once = resident(work, tile, target)
    # The tiles of the busiest multiprocessor, and how many of them run together.
    of_one = -(-tiles // target.sms)
    together = 1 if tile.persistent else min(at_once, of_one)
    if work.tf32x3:
        compute = _tf32x3_seconds(work, tile, target, together)
    else:
        overhead = fitted.step_clocks / target.clock / together
        compute = _compute_seconds(work, tile, target, together) + overhead
    step = max(compute, _load_seconds(work, tile, target, busy, together))
    store = _store_seconds(work, tile, target, busy)
    if tile.persistent:
        # The loads of the next tile begin while this one is stored.
        ends = fitted.fill + of_one * store * fitted.persistent_store
    else:
        ends = -(-of_one // at_once) * (fitted.fill + store)
    inside = of_one * steps * step + ends
    memory = work.moved / (target.hbm_bandwidth * fitted.hbm_share)
    is_part = work.along_columns and tile.columns * work.width < LINE
    if is_part and work.alignment >= 4:
        memory /= fitted.part_of_line_share
    memory += fitted.fill
    longer, shorter = max(inside, memory), min(inside, memory)
    seconds = start_seconds(target) + longer + fitted.overlap * shorter
    if tile.split > 1:
        seconds += _merge_seconds(tile, target, busy)
    # Between equals, the deeper pipeline, and the tile that is nearer to a square.
    deep = together * staged_bytes(work, tile, target) / DEEP
    ratio = abs(math.log2(tile.rows / tile.columns)) if tile.rows >= 64 else 0.0
    long = max(0.0, ratio - 1.0)
    return seconds * (1 + 0.02 * max(0.0, 1.0 - deep) + 0.01 * long)


def start_seconds(target: Target) -> float:
    """The launch and the ends of a kernel that multiplies."""
    return target.calibration.launch + target.calibration.matmuls.start


def _compute_seconds(
    work: MatmulWork, tile: MatmulTile, target: Target, together: int
) -> float:
    """The instructions of one step of one tile."""
    flops = 2 * tile.rows * tile.columns * tile.step * work.matmuls
    rate = work.peak / target.sms
    if not work.on_tensor_cores:
        return flops / (rate * _vector_share(work, tile, target, together))
    fitted = target.calibration.matmuls
    rate *= fitted.matrix_share
    if tile.rows < 64:
        rate *= fitted.narrow_share
    if min(tile.rows, tile.columns) < 128:
        rate *= fitted.half_share
    if work.prologue:
        rate *= fitted.prologue_share
    return flops / rate


def _vector_share(
    work: MatmulWork, tile: MatmulTile, target: Target, together: int
) -> float:
    """The share of the peak that a tile reaches without tensor cores."""
    fitted = target.calibration.vector_matmuls
    area = tile.rows * tile.columns / tile.warps
    of_warp = min(1.0, area / fitted.warp_elements)
    if work.along_columns:
        share = fitted.share * of_warp**fitted.warp_power
    else:
        share = fitted.share_along_k * of_warp**fitted.warp_power_along_k
    busy = min(1.0, together * tile.warps / fitted.full_warps)
    share *= busy**fitted.warps_power
    if work.alignment < LINE or work.k % tile.step:
        share *= fitted.ragged_share
    return share * (fitted.pair_share if work.matmuls > 1 else 1.0)


def _tf32x3_seconds(
    work: MatmulWork, tile: MatmulTile, target: Target, together: int
) -> float:
    """A step of one tile of f32, as three matmuls of TF32.

    Alone, a program waits for each step; several hide each other's waits.
    """
    fitted = target.calibration.tf32x3
    flops = 2 * tile.rows * tile.columns * tile.step * work.matmuls
    peak = work.peak / target.sms
    area = tile.rows * tile.columns * work.matmuls
    alone = fitted.alone * (area / 64**2) ** fitted.alone_power
    rows = max(size for size in fitted.together if size <= max(tile.rows, 16))
    best = fitted.together[rows] * min(1.0, tile.columns / 64) ** fitted.columns_power
    if work.along_columns:
        best *= fitted.across
    if work.matmuls > 1:
        best *= fitted.pair
    if work.alignment < WIDE_LOAD:
        best *= fitted.narrow
    busy = flops / (peak * best)
    waiting = max(0.0, flops / (peak * min(alone, best)) - busy)
    return busy + waiting / together**fitted.hiding_power


def _load_seconds(
    work: MatmulWork, tile: MatmulTile, target: Target, busy: int, together: int
) -> float:
    """The loads of one step of one tile: from L2, and as fast as latency allows."""
    fitted = target.calibration.matmuls
    moved = _across(work, tile) * tile.step * work.width
    shared = target.l2_bandwidth * fitted.l2_share / busy
    port = fitted.port_bytes * target.clock
    in_flight = together * moved * max(1, tile.stages - 1)
    rate = min(shared, port, in_flight / fitted.latency)
    if not tile.described:
        rate *= fitted.pointer_share
    if work.alignment < WIDE_LOAD:
        rate *= fitted.narrow_loads[max(work.alignment, 1)]
    elif work.alignment < LINE:
        rate *= fitted.ragged_share
    return moved / rate


def _store_seconds(
    work: MatmulWork, tile: MatmulTile, target: Target, busy: int
) -> float:
    """The stores of one tile's results, with the work of its tail."""
    fitted = target.calibration.matmuls
    elements = tile.rows * tile.columns
    of_all = work.m * work.n * work.batch
    stored = max(work.written * elements / max(of_all, 1), 1)
    rate = min(target.l2_bandwidth / busy, fitted.port_bytes * target.clock) / 2
    if work.stored_alignment < WIDE_LOAD:
        rate *= fitted.narrow_stores[max(work.stored_alignment, 1)]
    computed = work.tail * elements / (target.vector_flops / 2 / target.sms)
    return fitted.store + stored / rate + computed


def _merge_seconds(tile: MatmulTile, target: Target, busy: int) -> float:
    """The sum of the parts of a tile by the program that arrives last."""
    fitted = target.calibration.matmuls
    parts = tile.split * tile.rows * tile.columns * 4
    rate = min(target.l2_bandwidth / busy, fitted.port_bytes * target.clock)
    adding = tile.split * fitted.part + parts / (rate * fitted.merge_share)
    return fitted.arrival + adding


def stream_seconds(moved: int, programs: int, in_flight: int, target: Target) -> float:
    """The time of a kernel that streams one factor through lanes.

    `in_flight` are the bytes that a program asks for before it needs the first.
    """
    fitted = target.calibration.matmuls
    busy = min(programs, target.sms)
    together = min(8, -(-programs // target.sms))
    rate = min(
        target.hbm_bandwidth * fitted.stream_share,
        busy * together * in_flight / fitted.latency,
    )
    return start_seconds(target) + fitted.fill + fitted.latency + moved / rate
