"""The time of a chain of reductions that one loop streams, such as attention.

A program holds some rows and walks along the dimension: a matmul makes a tile of
elements, reductions and exponentials follow, a second matmul sums up. Tensor cores
wait for the exponentials of their own program, so two programs on a multiprocessor
beat one with twice the rows. How many there are follows from registers and shared
memory. Tiles of the dimension come through the L2 cache once for each program: there,
64 rows of a program are near the limit, and 128 are not.

Programs of few rows have smaller instructions, whose warps share the columns. They pay
more for each iteration, and nothing hides their first load. Those numbers are fitted to
45 times of the calibration.

Fitted to 205 times of hand-written and generated attention in bf16 on one H200 (head
sizes 64 to 256, 1024 to 16384 keys, with and without a causal mask), by a script that
is not in the project. Registers are within 4 of what Triton reports. What is of f32 as
three matmuls of TF32 is fitted to 41 times (head sizes 32 to 128, 128 to 2048 keys)
and within 7% in the mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tilewright.codegen.targets import Target
from tilewright.codegen.targets.accesses import WORD
from tilewright.codegen.targets.matmul_numbers import FewRowNumbers, StreamNumbers
from tilewright.codegen.targets.occupancy import programs_on_sm
from tilewright.ir.powers import power_of_two
from tilewright.schedules.default.vectors import SMALLEST

USUAL_STEP = 64
"""The columns of an iteration that the fitted clocks are for."""
OTHER_REGISTERS = 27
"""Registers of a thread beside the accumulator and the elements."""
ELEMENT_REGISTERS = 1.5
"""Registers for an element: itself in f32, and rounded, as a factor."""
FEW_ROWS_REGISTERS = 3.0
"""The same where instructions of few rows read their other factor from registers."""
FEWEST_LANES = 8
"""The elements of a tile for each thread, where there are no matrix units; a tile that
is the whole matrix may have fewer."""
TF32X3_REGISTERS = 224
"""The registers that a thread seems to need at most for parts of f32; of more, some
spill."""
MASK_REGISTERS = 48
"""The registers of masks, which only the last tiles of a row need."""
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
    features: int
    """The columns of the matmuls that sum up, which a tile has whole."""
    loaded: int
    """The elements that an iteration loads for each place along the dimension."""
    kept: int
    """The elements that a program loads once for each row."""
    width: int
    """The bytes of an element."""
    flops: float
    """The arithmetic of the matmuls for each pair of row and place."""
    rate: float
    """The peak rate for these element types."""
    instructions: float
    """Instructions for each element between the matmuls."""
    moved: int
    """The bytes that are read and written, each tensor once."""
    share: float = 1.0
    """The share of the dimension that a mask leaves to visit."""
    depth: int = 1
    """The elements that each pair of row and place is reduced from."""
    tf32x3: bool = False
    """Whether factors of f32 are multiplied as three matmuls of TF32."""
    widest: int = 0
    """The elements of the widest factor that an iteration loads, for each place."""
    across: int = 0
    """The loaded elements for each place that lie across the sum, in memory."""
    made: int = 1
    """The matmuls that make elements for each pair of row and place."""


@dataclass(frozen=True)
class StreamTile:
    """The sizes of a program."""

    rows: int
    columns: int
    warps: int
    stages: int
    held: bool = False
    """Whether what is loaded once is in registers instead of shared memory."""


def registers(work: StreamWork, tile: StreamTile, target: Target) -> float:
    """The registers of a thread."""
    threads = target.warp * tile.warps
    if work.tf32x3:
        # The sums of a matmul are kept apart from those that it is added to.
        sums = 2 * tile.rows * power_of_two(work.features)
        used = sums + PART_REGISTERS * tile.rows * tile.columns * work.depth
        masked = work.share < 1 or work.length % tile.columns
        return used / threads + 6 + (MASK_REGISTERS if masked else 0)
    each = ELEMENT_REGISTERS if _is_whole(tile) else FEW_ROWS_REGISTERS
    rows = max(SMALLEST, tile.rows)
    elements = each * rows * tile.columns * work.depth * work.made
    held = rows * power_of_two(work.features)
    if tile.held:
        held += rows * work.kept * work.width / WORD
    used = (held + elements) / threads + OTHER_REGISTERS
    if work.width < WORD:
        return used
    # Without matrix units a thread loads whole rows and columns of the factors. With
    # few elements it loads almost as often as it multiplies.
    lanes = rows * tile.columns / threads
    is_all = rows >= work.rows and tile.columns >= work.length
    if lanes < FEWEST_LANES and not is_all:
        return math.inf
    return used + 2 * math.sqrt(lanes) * max(work.features, tile.columns)


def shared_bytes(work: StreamWork, tile: StreamTile) -> int:
    """The shared memory of a program: its rows, and the stages of the loop."""
    if work.tf32x3:
        ahead = max(1, tile.stages - 1) * work.loaded
        parts = 2 * tile.rows * work.kept + 2 * tile.columns * work.widest
        return (parts + tile.columns * ahead) * work.width
    staged = tile.stages * tile.columns * work.loaded
    if work.depth > 1:
        ahead = max(1, tile.stages - 1)
        staged += ahead * tile.rows * tile.columns * work.depth
    kept = 0 if tile.held else tile.rows * work.kept
    return (kept + staged) * work.width


def resident(work: StreamWork, tile: StreamTile, target: Target) -> int:
    """How many programs a multiprocessor runs at once; 0 if not even one fits."""
    used = registers(work, tile, target)
    if math.isinf(used):
        return 0
    if work.tf32x3:
        if not (_is_whole(tile) and _holds_parts(work, tile, target)):
            return 0
    elif used > target.max_registers + 1:
        return 0
    return programs_on_sm(target, tile.warps, used, shared_bytes(work, tile))


def _holds_parts(work: StreamWork, tile: StreamTile, target: Target) -> bool:
    """Whether registers hold the parts of elements; masks take what others leave."""
    unmasked = replace(work, share=1.0, length=tile.columns)
    return registers(unmasked, tile, target) <= TF32X3_REGISTERS


def stream_seconds(work: StreamWork, tile: StreamTile, target: Target) -> float:
    """The time of the kernel."""
    fitted = target.calibration.streams
    at_once = resident(work, tile, target)
    if at_once == 0:
        return math.inf
    programs = work.batch * -(-work.rows // tile.rows)
    at_once = min(at_once, -(-programs // target.sms))
    rounds = -(-programs // (target.sms * at_once))
    if rounds > 2:
        rounds = programs / (target.sms * at_once) + 0.5
    visited = work.share * work.length + (
        fitted.edge * tile.rows if work.share < 1 else 0
    )
    steps = max(1.0, visited / tile.columns)
    if work.share == 1:
        steps = -(-work.length // tile.columns)
    few = None if _is_whole(tile) else target.calibration.few_rows
    alone = fitted.tf32x3_alone if work.tf32x3 else fitted.alone
    fewer = max(warps for warps in alone if warps <= max(tile.warps, min(alone)))
    waits = alone[fewer] if at_once == 1 else 1.0
    waits *= fitted.crowd if at_once > 2 else 1.0
    read = _reading(tile, tile.held, fitted) + _reading(tile, True, fitted)
    share = fitted.matrix_share * 2 / read
    overhead, start = fitted.step, fitted.program_start
    instruction_clocks = fitted.instruction_clocks
    if few is not None:
        share, overhead = few.share, few.step
        instruction_clocks = few.instruction_clocks
        start = few.start + _first_load(work, tile, steps, few) * at_once / target.clock
    clocks = fitted.element_clocks
    if work.tf32x3:
        share, overhead = fitted.tf32x3_share, fitted.tf32x3_step
        parts = fitted.split_clocks * work.loaded
        clocks += (parts + fitted.across_clocks * work.across) / tile.rows
    clocks += work.flops * target.sms * target.clock / (work.rate * share)
    further = max(0, work.instructions - fitted.usual_instructions)
    clocks += instruction_clocks * further
    clocks = max(clocks, further / target.lanes)
    clocks *= waits * (1 + overhead * (1 / tile.columns - 1 / USUAL_STEP))
    step = tile.rows * tile.columns * clocks / target.clock
    if at_once > 1 and few is None:
        ahead = max(1, tile.stages - 1) * step * at_once**2 / 2
        step *= 1 + (fitted.hidden / ahead) ** 2
    results = tile.rows * work.features / (target.warp * tile.warps)
    others = start + fitted.finish * results
    arithmetic = rounds * (at_once * steps * step + others)
    staged = tile.stages * tile.columns * work.loaded * work.width
    loaded = steps * tile.columns * work.loaded * work.width
    waiting = rounds * loaded * fitted.latency / staged
    again = programs * loaded / (fitted.l2_share * target.l2_bandwidth)
    memory = work.moved / (fitted.hbm_share * target.hbm_bandwidth)
    limits = (arithmetic, waiting, again, memory)
    together = sum(limit**fitted.overlap for limit in limits) ** (1 / fitted.overlap)
    return target.calibration.launch + fitted.start + together


def _first_load(
    work: StreamWork, tile: StreamTile, steps: float, few: FewRowNumbers
) -> float:
    """The clocks of a program's loads before its first matmul."""
    ahead = min(steps, max(1, tile.stages - 1)) * tile.columns * work.loaded
    return (ahead + tile.rows * work.kept) * work.width / few.port_bytes


def _reading(tile: StreamTile, is_held: bool, fitted: StreamNumbers) -> float:
    """How much longer a matmul takes as it reads factors from shared memory."""
    left = 0.0 if is_held else fitted.shared_columns / tile.columns
    power = fitted.overlap
    return (1 + (fitted.right_reads + left) ** power) ** (1 / power)


def _is_whole(tile: StreamTile) -> bool:
    """Whether groups of four warps have instructions of 64 rows."""
    return tile.rows >= 64 and tile.rows >= 16 * tile.warps >= 64
