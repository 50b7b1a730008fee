"""The study of tuning cost: its spaces, its inputs, its times.

The published study (NVIDIA A40) tunes a matrix product in this space on these inputs;
`README.md` has its protocol. Needs neither torch nor Triton.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import asdict, dataclass

BLOCKS = (32, 64, 128, 256)
STAGES = (3, 4, 5)
WARPS = (2, 4, 8)
SIZES = (256, 512, 1024, 4096)
CONFIGURATIONS = 100
SEED = 2026

REPETITION_MS, WARM_UP_MS = 100.0, 25.0
"""Milliseconds that each configuration is asked to be timed on each input."""
CLEAR_BYTES = 256 << 20
"""Bytes that are cleared before each launch, as `triton.testing.do_bench` does it."""

FULL_BLOCKS_K = (16, 32, 64)
FULL_STAGES = (2, 3, 4, 5)
"""The other space, of which every point is recorded on one input."""

Input = tuple[int, int, int]
"""M, N and K of a product."""

FRONTIER_INPUT: Input = (4096, 256, 4096)
"""The input whose frontier of speed against seconds is published."""
FULL_INPUT: Input = (4096, 4096, 4096)
"""The input of the space that is recorded in full."""
SMALL_RUN = 16
"""Configurations and inputs of the published small run."""
CLEAR_TABLE_CONFIGURATIONS = 4
"""Configurations of the table of clears: table 3."""


@dataclass(frozen=True, order=True)
class Configuration:
    """One choice of a space."""

    BLOCK_M: int
    BLOCK_N: int
    BLOCK_K: int
    num_stages: int
    num_warps: int

    @property
    def values(self) -> dict[str, int]:
        """The choices by name."""
        return asdict(self)

    @property
    def sums_per_warp(self) -> int:
        """How much of the tile a warp holds: what makes a compilation long."""
        return self.BLOCK_M * self.BLOCK_N // self.num_warps


def space() -> list[Configuration]:
    """All 576 configurations of the study, in order."""
    choices = itertools.product(BLOCKS, BLOCKS, BLOCKS, STAGES, WARPS)
    return [Configuration(*choice) for choice in choices]


def full_space() -> list[Configuration]:
    """The 576 configurations that are all recorded on `FULL_INPUT`."""
    choices = itertools.product(BLOCKS, BLOCKS, FULL_BLOCKS_K, FULL_STAGES, WARPS)
    return [Configuration(*choice) for choice in choices]


def drawn(count: int = CONFIGURATIONS) -> list[Configuration]:
    """A random sample of the study's space, without a filter, the same every time."""
    return random.Random(SEED).sample(space(), count)


def inputs() -> list[Input]:
    """All 64 inputs: that of the frontier first, the others in a fixed random order."""
    others = [
        extents
        for extents in itertools.product(SIZES, SIZES, SIZES)
        if extents != FRONTIER_INPUT
    ]
    random.Random(SEED).shuffle(others)
    return [FRONTIER_INPUT, *others]
