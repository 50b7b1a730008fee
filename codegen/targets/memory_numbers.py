"""Fitted numbers of kernels that move data: element-wise ops, rows, windows.

A share is one of the rate on the data sheet. `calibration.py` puts them together.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MemoryNumbers:
    """How fast programs move bytes (`planning/model/memory.py`)."""

    share: float
    """The share of the memory's bandwidth that a good kernel reaches."""
    peak_share: float
    """The share of the memory's bandwidth that is reached with enough in flight."""
    half_in_flight: float
    """Bytes in flight on a multiprocessor that reach half of the bandwidth."""
    half_resident: float
    """Warps on a multiprocessor that keep memory busy half of the time: a warp that
    waits for its data, or combines it, asks for none."""
    wide_thread: float
    """Bytes that a thread moves at once without delaying the ones after it."""
    wide_delay: float
    """What each doubling beyond `wide_thread` adds to the time, as a share of it."""
    least_in_flight: float
    """The share of the bandwidth that the smallest tiles reach."""
    full_in_flight: float
    """Bytes in flight on a multiprocessor that reach the rest of the bandwidth."""
    l2_kept: float
    """The share of the L2 cache that keeps data until it is read again."""
    part_of_line: float
    """The share of the bandwidth that accesses to single elements of lines reach."""


@dataclass(frozen=True)
class RowNumbers:
    """Programs that hold whole rows (`planning/model/rows.py`)."""

    latency: float
    """Seconds from a program's first load to its last store, if it computes nothing."""
    barrier: float
    """Seconds of a reduction across the warps of a program."""
    operation: float
    """Machine instructions for an operation: an exponential takes several."""
    access: float
    """Machine instructions for an access, with its address and mask."""
    warp_lanes: float
    """The lanes that one warp keeps busy in a clock, as it waits for its results."""
    last_wave: float
    """The share of a wave by which the last one, half full, is longer than it seems."""
    loop: float
    """The factor on programs that loop over rows: rows of 16,384 f32 that are divided
    by their lengths take 272 us in a loop, and 263 us without."""


@dataclass(frozen=True)
class RowLoopNumbers:
    """Programs that loop over a row (`planning/model/row_loops.py`)."""

    latency: float
    """Seconds of a load."""
    cache_bytes: float
    """Bytes that a multiprocessor reads from the L2 cache in a clock."""
    busy_warps: float
    """Warps that keep the arithmetic of a multiprocessor busy."""
    wider: float
    """What doubling the elements of a thread adds to the time, as a share of it: its
    accesses wait for each other."""
    drained: float
    """The factor on programs of more than 16 warps that store nothing: a
    multiprocessor has one or two of them, and waits for the last warp of each."""
    waits: float
    """What each warp that waits where lanes combine adds to arithmetic, as a share."""
    combined: float
    """Instructions of a thread to combine the lanes of a program: shuffles, then
    shared memory twice. Counted in the machine code of several kernels."""


@dataclass(frozen=True)
class GatherNumbers:
    """Kernels that read elements one by one (`planning/model/gathers.py`)."""

    read: float
    """Instructions for each element read: its address, the load, the arithmetic."""
    index: float
    """Instructions for the indices of a result, or of neighbouring ones in a row."""
    sharpness: float
    """How far the slowest part decides alone: the exponent of the norm of all parts."""


@dataclass(frozen=True)
class PartNumbers:
    """Programs that combine partial results (`planning/sketches/reductions.py`)."""

    end: float
    """Seconds of a warp to combine the lanes of a tile, through shared memory."""
    last: float
    """Seconds from the last partial result to the first combined one: a store, an
    atomic and a load, one after the other."""
    combined: float
    """Seconds that a warp of the last program needs for one partial result."""
