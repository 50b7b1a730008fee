"""The study of tuning cost: its configurations, its inputs, the sizes of L2 clears.

A published study of tuning cost (NVIDIA A40) has this space and these inputs;
`README.md` says what is known of it. Needs neither torch nor Triton.
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
SHARED_BYTES = 232_448
"""Shared memory that a program on an H200 may have."""
REGISTERS = 255
"""Registers that a thread may have."""
BYTES_OF_ELEMENT = 2
THREADS_OF_WARP = 32

Input = tuple[int, int, int]
"""M, N and K of a product."""

FRONTIER_INPUT: Input = (4096, 256, 4096)
"""The input whose frontier of speed against seconds is published."""
FOCUS: tuple[Input, ...] = (
    FRONTIER_INPUT,
    (256, 256, 256),
    (1024, 1024, 1024),
    (4096, 4096, 4096),
    (256, 4096, 4096),
    (512, 512, 4096),
)
"""Inputs that are recorded with every size of L2 clear, twice, with more samples."""
LARGE_CLEAR = 256 << 20
"""Bytes that `triton.testing.do_bench` clears."""


@dataclass(frozen=True, order=True)
class Configuration:
    """One choice of the space."""

    BLOCK_M: int
    BLOCK_N: int
    BLOCK_K: int
    num_stages: int
    num_warps: int

    @property
    def is_valid(self) -> bool:
        """Whether a program's tiles fit in shared memory, and its sums in registers."""
        tiles = (self.BLOCK_M + self.BLOCK_N) * self.BLOCK_K * BYTES_OF_ELEMENT
        sums = self.BLOCK_M * self.BLOCK_N / (self.num_warps * THREADS_OF_WARP)
        return tiles * self.num_stages <= SHARED_BYTES and sums <= REGISTERS

    @property
    def values(self) -> dict[str, int]:
        """The choices by name."""
        return asdict(self)


def space() -> list[Configuration]:
    """All 576 configurations, in order."""
    choices = itertools.product(BLOCKS, BLOCKS, BLOCKS, STAGES, WARPS)
    return [Configuration(*choice) for choice in choices]


def configurations(count: int = CONFIGURATIONS) -> list[Configuration]:
    """A random sample of the valid ones, the same for every caller."""
    valid = [one for one in space() if one.is_valid]
    return random.Random(SEED).sample(valid, count)


def inputs() -> list[Input]:
    """All 64 inputs: those of the focus first, the others in a fixed random order."""
    others = [
        (m, n, k)
        for m, n, k in itertools.product(SIZES, SIZES, SIZES)
        if (m, n, k) not in FOCUS
    ]
    random.Random(SEED).shuffle(others)
    return [*FOCUS, *others]
