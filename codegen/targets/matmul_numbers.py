"""Fitted numbers of kernels that multiply matrices, and of libraries that do.

A share is one of the rate on the data sheet. `calibration.py` puts them together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class MatmulNumbers:
    """Tiles of a matmul on tensor cores (`planning/model/matmuls.py`)."""

    start: float
    """Seconds that such a kernel takes at its ends, besides the launch."""
    fill: float
    """Seconds from the start of a tile to its first matmul."""
    store: float
    """Seconds of the end of a tile, besides the bytes that it stores."""
    matrix_share: float
    """The share of the tensor cores' peak that the best tiles reach."""
    half_share: float
    """The rate of tiles of 64 columns or rows, over that of larger ones."""
    prologue_share: float
    """The rate where a factor is computed before it is multiplied."""
    l2_share: float
    """The share of the L2 bandwidth that tiles draw: above 1, as multiprocessors that
    ask for the same line share an answer."""
    port_bytes: float
    """Bytes that one multiprocessor takes from the L2 cache in a clock."""
    step_clocks: float
    """Clocks of a step along k that are not matmuls: barriers, addresses."""
    pointer_share: float
    """The rate of loads through pointers, over that through descriptors."""
    ragged_share: float
    """The rate of loads of rows that do not begin at cache lines."""
    part_of_line_share: float
    """The rate of memory where tiles read parts of lines."""
    narrow_loads: Mapping[int, float]
    """The rate of loads of rows at smaller multiples of bytes, which cannot be wide."""
    narrow_stores: Mapping[int, float]
    """The rate of stores of rows at smaller multiples of bytes."""
    overlap: float
    """The share of the shorter of arithmetic and memory that is not hidden."""
    persistent_store: float
    """The share of a store that the loads of the next tile do not hide."""
    hbm_share: float
    """The share of the memory's bandwidth that tiles reach."""
    stream_share: float
    """The share of the memory's bandwidth that a stream of one factor reaches."""
    latency: float
    """Seconds of a load from memory."""
    narrow_share: float
    """The rate of instructions for fewer than 64 rows, over that for 64."""
    arrival: float
    """Seconds that the parts of a split sum take to find out which is last."""
    part: float
    """Seconds that one part of a split sum takes to be added, besides its bytes."""
    merge_share: float
    """The rate at which parts are added, over that of loads from the L2 cache."""


@dataclass(frozen=True)
class VectorMatmulNumbers:
    """Tiles of a matmul without tensor cores (`planning/model/matmuls.py`)."""

    share: float
    """The share of the peak that tiles reach."""
    share_along_k: float
    """The same where the right factor lies along k in memory, as a linear layer's
    weight: its tiles are read from shared memory across their rows."""
    ragged_share: float
    """The rate where loads are masked or not on cache lines."""
    pair_share: float
    """The rate of two matmuls at once: their sums and factors do not fit into
    registers together (17.3 ms for two of 2048 x 11008 x 4096)."""
    warp_elements: float
    """Elements of the result for which a warp uses each factor often enough."""
    warp_power: float
    """The power of the share of `warp_elements` by which the rate falls."""
    warp_power_along_k: float
    """The same where the right factor lies along k."""
    full_warps: float
    """Warps that keep a multiprocessor busy."""
    warps_power: float
    """The power of the share of `full_warps` by which the rate falls."""


@dataclass(frozen=True)
class Tf32x3Numbers:
    """Tiles that multiply f32 as three matmuls of TF32 (`model/matmuls.py`)."""

    alone: float
    """The share of the peak that a tile of 64 x 64 reaches alone: its steps wait for
    factors that are split in registers."""
    alone_power: float
    """The power of a tile's area by which that share grows."""
    together: Mapping[int, float]
    """The share of many such tiles on one multiprocessor, by their rows."""
    columns_power: float
    """The power of a tile's columns, below 64, by which that share grows."""
    hiding_power: float
    """The power of the number of tiles by which they hide each other's waits."""
    across: float
    """The rate where the right factor lies along its columns: the tensor cores read 32
    bits along k only (3.94 ms for 4096 x 4096 x 4096, against 1.65)."""
    pair: float
    """The rate of several matmuls at once: two of 2048 x 11008 x 4096 take 9.8 ms."""
    narrow: float
    """The rate where rows do not begin at multiples of 16 bytes."""


@dataclass(frozen=True)
class StreamNumbers:
    """Chains of reductions in one loop (`planning/model/streams.py`)."""

    start: float
    """Seconds that such a kernel takes at its ends, besides the launch."""
    matrix_share: float
    """The share of the tensor cores' peak rate that the two matmuls reach."""
    element_clocks: float
    """Clocks of a multiprocessor for the exponential of an element and what is around
    it, as far as the other program does not hide them."""
    instruction_clocks: float
    """Clocks for a further instruction: 128 lanes, a quarter of which is not hidden."""
    usual_instructions: float
    """Instructions for an element that `element_clocks` has in it."""
    alone: Mapping[int, float]
    """How much longer a program takes alone on a multiprocessor, by its warps: the
    entry for as many, or for the next fewer."""
    crowd: float
    """How much shorter programs take if three or more share a multiprocessor."""
    hidden: float
    """Seconds that two programs of a multiprocessor must be busy in the iterations that
    are loaded ahead, so that they hardly wait for loads."""
    step: float
    """What an iteration costs beside its elements: as much as this many columns."""
    shared_columns: float
    """An instruction of as many columns computes for as long as it reads its left
    factor from shared memory."""
    right_reads: float
    """How long it reads a right factor, as a share of the time that it computes."""
    latency: float
    """Seconds from a load's request to its data, in a busy memory system."""
    edge: float
    """What a mask leaves to visit beyond its share, for each row of a tile: tiles along
    its edge are visited whole, and have masks."""
    program_start: float
    """Seconds of a program until it has its first tile, and to end."""
    finish: float
    """Seconds of a program to finish and store, for each result of a thread."""
    l2_share: float
    """The share of the L2 cache's peak rate that programs reach together."""
    hbm_share: float
    """The share of the memory's bandwidth that programs reach together."""
    overlap: float
    """How well limits overlap: the exponent of the norm that adds them up."""
    tf32x3_share: float
    """The share of the peak that f32 reaches as three matmuls of TF32."""
    tf32x3_step: float
    """`step` of such a chain: its matmuls wait for each other."""
    tf32x3_alone: Mapping[int, float]
    """`alone` of such a chain."""
    split_clocks: float
    """Clocks of a multiprocessor to split a loaded element, and to store its parts."""
    across_clocks: float
    """Further clocks to store them across the rows that they came in: the tensor cores
    read 32 bits along the sum only."""


@dataclass(frozen=True)
class FewRowNumbers:
    """Such chains where four warps do not share an instruction of 64 rows: numbers in
    place of those of `StreamNumbers`, and a wait that larger tiles hide."""

    share: float
    """The share of the tensor cores' peak rate that the two matmuls reach."""
    step: float
    """What an iteration costs beside its elements: as much as this many columns. The
    warps of a program share its columns, and combine their results each time."""
    instruction_clocks: float
    """Clocks for a further instruction between the matmuls."""
    start: float
    """Seconds of a program to begin and to end, besides its first load."""
    port_bytes: float
    """Bytes of the first load that a multiprocessor takes in a clock: its programs wait
    for it at the same time, so that none computes meanwhile."""


@dataclass(frozen=True)
class RoleNumbers:
    """Kernels whose warps have roles (`planning/model/roles.py`)."""

    start: float
    """Seconds that such a kernel takes at its ends, besides the launch."""
    stream_share: float
    """The share of the tensor cores' peak rate that the matmuls of a stream reach."""
    element_clocks: float
    """Clocks of a multiprocessor for an element between the matmuls of a stream, as far
    as matmuls of the other group do not hide them."""
    instruction_clocks: float
    """Clocks for an instruction between them that all lanes execute, likewise."""
    hidden: float
    """Instructions between them that are hidden like that."""
    shown_clocks: float
    """Clocks for a further instruction between them."""
    apart_clocks: float
    """Further clocks for an element where a group of warps waits for its matmuls before
    it computes exponentials."""
    sum_clocks: float
    """Clocks in each step for an element of the sums, which the step corrects."""
    stream_end: float
    """Seconds of the beginning and the end of a stream's tile, in a program that goes
    on to the next one."""
    stream_program: float
    """The same in a program of its own."""
    matrix_share: float
    """The share of the peak rate that tiles of a matmul reach."""
    port_bytes: float
    """Bytes that the loader of a multiprocessor brings in a clock."""
    end: float
    """Seconds of the end of a matmul's tile, besides its tail and its stores, in a
    program that goes on to the next one."""
    program: float
    """The same in a program of its own, with the time until its first matmul."""
    store_bytes: float
    """Bytes that one multiprocessor stores in a clock."""
    tail_clocks: float
    """Clocks for an instruction of the tail that all threads execute."""
    cached: float
    """Instructions of a thread's tail that need not be fetched anew for each tile."""
    missed_clocks: float
    """Clocks for a further instruction, besides."""


@dataclass(frozen=True)
class LibraryNumbers:
    """Calls of cuBLAS (`planning/model/library.py`)."""

    call: float
    """Seconds of the shortest call on tensor cores, besides a launch."""
    slow_call: float
    """The same with narrower loads."""
    vector_call: float
    """The same without tensor cores."""
    bias: float
    """Seconds that a bias adds to a short call without tensor cores."""
    copy: float
    """Seconds of the shortest copy before a call."""
    ragged_copies: float
    """The share of the memory bandwidth at which torch copies between rows of different
    alignment."""
    rows_share: float
    """The share of the memory bandwidth that torch's row kernels reach."""
    matrix_tiles: Sequence[tuple[int, int, float]]
    """Rows, columns, and the share of the peak rate that a tile on tensor cores
    reaches."""
    vector_tiles: Sequence[tuple[int, int, float]]
    """The same of tiles without tensor cores."""
    unaligned: Mapping[int, float]
    """The share of a tile's rate that is left where rows lie at smaller multiples of
    bytes than 16."""
    split: float
    """Seconds that splitting a sum takes, besides its partial sums."""
    split_bandwidth: float
    """Bytes/s at which partial sums are written and added up, through the L2 cache."""
    hbm_share: float
    """The share of the memory bandwidth that matmuls reach."""
    thin_hbm_share: float
    """The same with up to 64 rows or columns."""
    vector_hbm_share: float
    """The same with a vector, in f32."""
    overlap: float
    """The share of the shorter of arithmetic and memory that is not hidden."""


@dataclass(frozen=True)
class KernelNumbers:
    """Any kernel, from its tiles alone (`tuning/model/cost.py`)."""

    latency: float
    """Seconds of a load from a busy memory."""
    pointer_clocks: float
    """Clocks of one step of the main loop in which pointers are computed."""
    two_groups_share: float
    """The share of the peak that warp-group matmuls reach with two groups."""
    one_group_share: float
    """The same with a single group, which waits for its own results."""
    warp_share: float
    """The share of the peak that matmuls by single warps reach."""
    vector_share: float
    """The share of the peak that matmuls without tensor cores reach."""
    tf32x3_share: float
    """The share of the peak that f32 reaches as three matmuls of TF32."""
    overlap: float
    """The exponent of the norm of all limits: 1 is no overlap, infinity all of it."""
    store_bytes: float
    """Bytes that one multiprocessor stores in a clock."""
