"""A recording of the study by its published protocol, with figures that are known."""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SMALL, LARGE = (256, 256, 256), (4096, 256, 4096)
CLEAR = 256 << 20
CLEAR_US = 90.0
FULL_POINTS = 40


def microseconds(number: int) -> float:
    """Configuration 0 is the fastest."""
    return 10.0 + 5.0 * number


def lines(count: int = 8, launches: int = 50) -> list[dict[str, Any]]:
    """Of `count` drawn configurations, the last is invalid; each compiles in a second.

    A launch and its clear take 100 us and more, without any noise. A warm-up launch
    takes as long as a launch; 2 ms of a timing are neither.
    """
    drawn = list(range(count))
    full = list(range(count, count + FULL_POINTS))
    valid = drawn[:-1]
    return [
        {
            "kind": "header",
            "format": "tilewright tuning cost",
            "version": 2,
            "environment": {"gpu": "card", "torch": "2", "triton": "3"},
            "dry": False,
            "configurations": [_choices(number) for number in [*drawn, *full]],
            "drawn": drawn,
            "full": full,
        },
        _pool(4, drawn, 1.25, 1.25 * count / 4),
        _pool(4, full, 1.25, 10.0),
        {"kind": "clears", "study_bytes": CLEAR, "card_bytes": 1 << 20},
        {"kind": "failures", "failures": {str(count - 1): "out of shared memory: 1"}},
        timings("study", LARGE, valid, 100.0, launches),
        timings("full", LARGE, full, 10.0, launches),
        *(
            {
                "kind": "kernels",
                "input": LARGE,
                "number": number,
                "launches": 10,
                "seconds": {str(CLEAR): 0.001, "0": 0.0009},
                "clear_seconds": {str(CLEAR): 0.005, "0": 0.0},
            }
            for number in valid[:2]
        ),
        *(
            timings("clears", LARGE, valid[:4], 1.0, launches, size, each)
            for size, each in ((CLEAR, 90.0), (1 << 20, 20.0), (0, 0.0))
        ),
        timings("study", SMALL, valid, 20.0, launches),
        _pool(1, drawn, 1.0, float(count)),
        {"kind": "end", "seconds": 20.0, "missing": []},
    ]


def timings(
    part: str,
    extents: Sequence[int],
    numbers: Sequence[int],
    repetition_ms: float,
    launches: int,
    clear: int = CLEAR,
    clear_us: float = CLEAR_US,
) -> dict[str, Any]:
    """A line of timings."""
    each = [microseconds(number) for number in numbers]
    warm_up_ms = repetition_ms / 4
    estimates = [us + clear_us for us in each]
    warm = [
        max(1, int(warm_up_ms * 1e3 / estimate)) * us / 1e6
        for us, estimate in zip(each, estimates, strict=True)
    ]
    repetition = [launches * (us + clear_us) / 1e6 for us in each]
    return {
        "kind": "timings",
        "part": part,
        "input": list(extents),
        "clear_bytes": clear,
        "repetition_ms": repetition_ms,
        "warm_up_ms": warm_up_ms,
        "numbers": list(numbers),
        "samples_us": [[us] * launches for us in each],
        "estimate_us": estimates,
        "warm_up_seconds": warm,
        "repetition_seconds": repetition,
        "wall_seconds": [0.002 + w + r for w, r in zip(warm, repetition, strict=True)],
    }


def write(path: Path, found: Sequence[dict[str, Any]] | None = None) -> Path:
    """Write a recording as `record.py` does: every line on its own."""
    each = lines() if found is None else found
    path.write_bytes(
        b"".join(lzma.compress(f"{json.dumps(one)}\n".encode()) for one in each)
    )
    return path


def _choices(number: int) -> dict[str, int]:
    return {
        "BLOCK_M": 32 << (number % 4),
        "BLOCK_N": 32 << (number // 4 % 4),
        "BLOCK_K": 32 << (number // 16),
        "num_stages": 3,
        "num_warps": 4,
    }


def _pool(
    processes: int, numbers: Sequence[int], seconds: float, wall: float
) -> dict[str, Any]:
    return {
        "kind": "pool",
        "processes": processes,
        "start_seconds": 2.0,
        "wall_seconds": wall,
        "seconds": {str(number): seconds for number in numbers},
        "resources": {str(number): {"seconds": seconds} for number in numbers},
    }
