"""The time of a chain of reductions that one loop streams, such as attention.

A program holds some rows and walks along the dimension: a product makes a tile of
elements, reductions and exponentials follow, a second product sums up. Tensor cores
wait for the exponentials of their own program, so two programs on a multiprocessor
beat one with twice the rows. How many there are follows from registers and shared
memory. Tiles of the dimension come through the L2 cache once for each program: there,
64 rows of a program are near the limit, and 128 are not.

Fitted to 205 times of hand-written and generated attention in bf16 on one H200 (head
sizes 64 to 256, 1024 to 16384 keys, with and without a causal mask), by a script that
is not in the project. Registers are within 4 of what Triton reports. What is of f32 as
three products of TF32 is fitted to 41 times (head sizes 32 to 128, 128 to 2048 keys)
and within 7% in the mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tilewright.codegen.targets import Target

MATRIX_SHARE = 0.98
"""The share of the tensor cores' peak rate that the two products reach."""
FEW_ROWS_SHARE = 0.35
"""The same where four warps do not share an instruction of 64 rows."""
ELEMENT_CLOCKS = 0.061
"""The clocks of a multiprocessor for the exponential of an element and what is around
it, as far as the other program does not hide them."""
INSTRUCTION_CLOCKS = 1 / 512
"""The clocks for a further instruction: 128 lanes, a quarter of which is not hidden."""
USUAL_INSTRUCTIONS = 16
"""The instructions for an element that `ELEMENT_CLOCKS` has in it."""
ALONE = {1: 1.6, 2: 1.5, 4: 1.68, 8: 1.33}
"""How much longer a program takes by its warps, if it has a multiprocessor alone."""
CROWD = 0.98
"""How much shorter programs take if three or more share a multiprocessor."""
HIDDEN_SECONDS = 0.49e-6
"""How long all programs of a multiprocessor, of which there are two, must be busy in
the iterations that are loaded ahead, so that they hardly wait for loads."""
STEP = 7.6
"""What an iteration costs beside its elements: as much as this many columns."""
USUAL_STEP = 64
SHARED_COLUMNS = 32
"""An instruction of as many columns computes for as long as it reads its left factor
from shared memory; it reads a right factor for half as long as it computes."""
SHARED_OVERLAP = 10.0
"""How well reading and computing overlap."""
REGISTER_BYTES = 4
OTHER_REGISTERS = 27
"""Registers of a thread beside the accumulator and the elements."""
ELEMENT_REGISTERS = 1.5
"""Registers for an element: itself in f32, and rounded, as a factor."""
FEWEST_ROWS = 16
"""The rows of the smallest product; tiles with fewer are padded."""
FEW_ROWS_REGISTERS = 3.0
"""The same where instructions of few rows read their other factor from registers."""
FEWEST_LANES = 8
"""The elements of a tile for each thread, where there are no matrix units; a tile that
is the whole matrix may have fewer."""
LATENCY_SECONDS = 1.0e-6
"""From a load's request to its data, in a busy memory system."""
EDGE = 0.75
"""What a mask leaves to visit beyond its share, for each row of a tile: tiles along its
edge are visited whole, and have masks."""
START_SECONDS = 2.34e-6
"""The time of a program until it has its first tile, and to end."""
FINISH_SECONDS = 0.84e-6 / 64
"""The time of a program to finish and store, for each result of a thread."""
L2_SHARE = 0.84
"""The share of the L2 cache's peak rate that programs reach together."""
OVERLAP = 8.0
"""How well limits overlap: the exponent of the norm that adds them up."""
LAUNCH_SECONDS = 4e-6
RESERVED = 1024
"""Bytes of shared memory that a program has without asking."""
THIRDS_SHARE = 0.65
"""The share of the peak that products of f32 reach as three products of TF32."""
SPLIT_CLOCKS = 0.093
"""The clocks of a multiprocessor to split a loaded element, and to store its parts."""
ACROSS_CLOCKS = 0.4
"""The further clocks to store them across the rows that they came in: the tensor cores
read 32 bits along the sum only."""
THIRDS_REGISTERS = 224
"""The registers that a thread may seem to need; of more, some spill."""
MASK_REGISTERS = 48
"""Those of masks, which only the last tiles of a row need."""
THIRDS_STEP = 14.5
"""`STEP` of such a chain: its products wait for each other."""
THIRDS_ALONE = {4: 1.33, 8: 1.23}
"""`ALONE` of such a chain."""
PART_REGISTERS = 3.5
"""Registers for an element: itself, its two parts, and the sums of smaller parts."""


@dataclass(frozen=True)
class StreamWork:
    """What a kernel streams, for all its rows."""

    rows: int
    """The rows of one matrix."""
    batch: int
    """How many matrices there are."""
    length: int
    """The extent of the streamed dimension."""
    held: int
    """The columns of the last product, which a tile holds whole."""
    loaded: int
    """The elements that an iteration loads for each place along the dimension."""
    kept: int
    """The elements that a program loads once for each row."""
    width: int
    """The bytes of an element."""
    flops: float
    """The arithmetic of the products for each pair of row and place."""
    rate: float
    """The peak rate for these element types."""
    instructions: int
    """Instructions for each element between the products."""
    moved: int
    """The bytes that are read and written, each tensor once."""
    share: float = 1.0
    """The share of the dimension that a mask leaves to visit."""
    depth: int = 1
    """The elements that each pair of row and place is reduced from."""
    thirds: bool = False
    """Whether factors of f32 are multiplied as three products of TF32."""
    widest: int = 0
    """The elements of the widest factor that an iteration loads, for each place."""
    across: int = 0
    """The loaded elements for each place that lie across the sum, in memory."""


@dataclass(frozen=True)
class StreamTile:
    """The sizes of a program."""

    rows: int
    columns: int
    warps: int
    stages: int
    held: bool = False
    """Whether what is loaded once is in registers instead of shared memory."""


def registers(work: StreamWork, tile: StreamTile) -> float:
    """The registers of a thread."""
    if work.thirds:
        # The sums of a product are kept apart from those that it is added to.
        sums = 2 * tile.rows * power_of_two(work.held)
        used = sums + PART_REGISTERS * tile.rows * tile.columns * work.depth
        masked = work.share < 1 or work.length % tile.columns
        return used / (32 * tile.warps) + 6 + (MASK_REGISTERS if masked else 0)
    each = ELEMENT_REGISTERS if _is_whole(tile) else FEW_ROWS_REGISTERS
    rows = max(FEWEST_ROWS, tile.rows)
    elements = each * rows * tile.columns * work.depth
    held = rows * power_of_two(work.held)
    if tile.held:
        held += rows * work.kept * work.width / REGISTER_BYTES
    used = (held + elements) / (32 * tile.warps) + OTHER_REGISTERS
    if work.width < REGISTER_BYTES:
        return used
    # Without matrix units a thread loads whole rows and columns of the factors. With
    # few elements it loads almost as often as it multiplies.
    lanes = rows * tile.columns / (32 * tile.warps)
    is_all = rows >= work.rows and tile.columns >= work.length
    if lanes < FEWEST_LANES and not is_all:
        return math.inf
    return used + 2 * math.sqrt(lanes) * max(work.held, tile.columns)


def shared_bytes(work: StreamWork, tile: StreamTile) -> int:
    """The shared memory of a program: its rows, and the stages of the loop."""
    if work.thirds:
        ahead = max(1, tile.stages - 1) * work.loaded
        parts = 2 * tile.rows * work.kept + 2 * tile.columns * work.widest
        return (parts + tile.columns * ahead) * work.width + RESERVED
    staged = tile.stages * tile.columns * work.loaded
    if work.depth > 1:
        ahead = max(1, tile.stages - 1)
        staged += ahead * tile.rows * tile.columns * work.depth
    kept = 0 if tile.held else tile.rows * work.kept
    return (kept + staged) * work.width + RESERVED


def programs_on_sm(work: StreamWork, tile: StreamTile, target: Target) -> int:
    """How many programs a multiprocessor runs at once; 0 if not even one fits."""
    threads = 32 * tile.warps
    if math.isinf(registers(work, tile)):
        return 0
    if work.thirds and not (_is_whole(tile) and _holds_parts(work, tile)):
        return 0
    used = math.ceil(registers(work, tile) / 8) * 8
    if work.thirds:
        used = min(used, target.max_registers + 1)
    if used > target.max_registers + 1 or shared_bytes(work, tile) > (
        target.shared_per_block
    ):
        return 0
    return min(
        target.registers_per_sm // (used * threads),
        target.shared_per_sm // shared_bytes(work, tile),
        target.max_threads_per_sm // threads,
    )


def _holds_parts(work: StreamWork, tile: StreamTile) -> bool:
    """Whether registers hold the parts of elements; masks take what others leave."""
    unmasked = replace(work, share=1.0, length=tile.columns)
    return registers(unmasked, tile) <= THIRDS_REGISTERS


def stream_seconds(work: StreamWork, tile: StreamTile, target: Target) -> float:
    """The time of the kernel."""
    at_once = programs_on_sm(work, tile, target)
    if at_once == 0:
        return math.inf
    programs = work.batch * -(-work.rows // tile.rows)
    at_once = min(at_once, -(-programs // target.sms))
    rounds = -(-programs // (target.sms * at_once))
    if rounds > 2:
        rounds = programs / (target.sms * at_once) + 0.5
    visited = work.share * work.length + (EDGE * tile.rows if work.share < 1 else 0)
    steps = max(1.0, visited / tile.columns)
    if work.share == 1:
        steps = -(-work.length // tile.columns)
    alone = THIRDS_ALONE if work.thirds else ALONE
    waits = alone.get(tile.warps, 1.0) if at_once == 1 else 1.0
    waits *= CROWD if at_once > 2 else 1.0
    share = FEW_ROWS_SHARE
    if _is_whole(tile):
        share = MATRIX_SHARE * 2 / (_reading(tile, tile.held) + _reading(tile, True))
    clocks = ELEMENT_CLOCKS
    if work.thirds:
        share = THIRDS_SHARE
        parts = SPLIT_CLOCKS * work.loaded + ACROSS_CLOCKS * work.across
        clocks += parts / tile.rows
    clocks += work.flops * target.sms * target.clock / (work.rate * share)
    clocks += INSTRUCTION_CLOCKS * max(0, work.instructions - USUAL_INSTRUCTIONS)
    overhead = THIRDS_STEP if work.thirds else STEP
    clocks *= waits * (1 + overhead * (1 / tile.columns - 1 / USUAL_STEP))
    step = tile.rows * tile.columns * clocks / target.clock
    if at_once > 1 and _is_whole(tile):
        ahead = max(1, tile.stages - 1) * step * at_once**2 / 2
        step *= 1 + (HIDDEN_SECONDS / ahead) ** 2
    results = tile.rows * work.held / (32 * tile.warps)
    others = START_SECONDS + FINISH_SECONDS * results
    arithmetic = rounds * (at_once * steps * step + others)
    staged = tile.stages * tile.columns * work.loaded * work.width
    loaded = steps * tile.columns * work.loaded * work.width
    waiting = rounds * loaded * LATENCY_SECONDS / staged
    again = programs * loaded / (L2_SHARE * target.l2_bandwidth)
    memory = work.moved / (0.9 * target.hbm_bandwidth)
    limits = (arithmetic, waiting, again, memory)
    return sum(limit**OVERLAP for limit in limits) ** (1 / OVERLAP) + LAUNCH_SECONDS


def _reading(tile: StreamTile, is_held: bool) -> float:
    """How much longer a product takes as it reads factors from shared memory."""
    reads = 0.5 + (0.0 if is_held else SHARED_COLUMNS / tile.columns)
    return (1 + reads**SHARED_OVERLAP) ** (1 / SHARED_OVERLAP)


def _is_whole(tile: StreamTile) -> bool:
    """Whether groups of four warps have instructions of 64 rows."""
    return tile.rows >= 64 and tile.rows >= 16 * tile.warps >= 64


def power_of_two(size: int) -> int:
    """The power of two that a tile of some size takes in registers."""
    return 1 << max(0, size - 1).bit_length()
