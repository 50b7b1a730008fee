"""A recording of tuning cost with figures that are known."""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CLEARS = (0, 1 << 20)
SMALL, LARGE = (256, 256, 256), (4096, 256, 4096)


def microseconds(number: int, count: int) -> float:
    """Configuration 0 is the fastest, by a tenth; the last takes twice as long."""
    return 100.0 if number == 0 else 110.0 + 90.0 * (number - 1) / max(1, count - 2)


def document(
    count: int = 12,
    inputs: Sequence[tuple[int, int, int]] = (LARGE, SMALL),
    factors: Sequence[float] = (0.98, 1.0, 1.02),
) -> dict[str, Any]:
    """Every compilation takes a second alone, and 1.25 s in the pool of four.

    The last configuration fails.
    """
    failing = count - 1

    def samples(number: int, slower: float) -> list[float] | None:
        if number == failing:
            return None
        return [slower * microseconds(number, count) * factor for factor in factors]

    return {
        "format": "tilewright tuning cost",
        "version": 1,
        "environment": {"gpu": "card", "torch": "2", "triton": "3"},
        "clear_us": {"0": 0.0, str(CLEARS[1]): 20.0},
        "configurations": [
            {
                "BLOCK_M": 32 << (number % 4),
                "BLOCK_N": 32 << (number // 4 % 4),
                "BLOCK_K": 32 << (number // 16),
                "num_stages": 3,
                "num_warps": 4,
                "failure": "OutOfResources" if number == failing else None,
            }
            for number in range(count)
        ],
        "compiling": [
            _pool(4, 1.25, range(count), 1.25 * count / 4),
            _pool(1, 1.0, range(count // 2), count / 2),
        ],
        "measurements": [
            {
                "input": extents,
                "clear_bytes": clear,
                "round": 0,
                "samples_us": [
                    samples(number, 1.0 if clear == 0 else 1.5)
                    for number in range(count)
                ],
            }
            for extents in inputs
            for clear in CLEARS
        ],
        "missing": [],
    }


def _pool(
    processes: int, seconds: float, numbers: Sequence[int], wall: float
) -> dict[str, Any]:
    return {
        "processes": processes,
        "start_seconds": 2.0,
        "wall_seconds": wall,
        "seconds": {str(number): seconds for number in numbers},
    }


def write(path: Path, found: dict[str, Any] | None = None) -> Path:
    """Write a recording as `record.py` does."""
    text = json.dumps(document() if found is None else found)
    path.write_bytes(lzma.compress(text.encode()))
    return path
