"""Our schedules for these works, and the points worth timing.

A structure is a schedule; its points compete, and the fastest takes part. A schedule
that is not there yet is left out, and the table says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from contenders.ours import Ours

FOLDER = Path(__file__).parents[3] / "examples" / "attention"
# BM, BN, warps, stages, by how tiles are loaded. Small tiles by 4 warps leave room for
# several programs on an SM.
FLASH = {
    "descriptors": (
        (64, 64, 4, 2),
        (64, 64, 4, 3),
        (64, 128, 4, 2),
        (128, 64, 4, 2),
        (128, 64, 8, 3),
        (128, 128, 8, 2),
    ),
    "pointers": ((64, 64, 4, 2), (64, 64, 4, 3), (64, 128, 4, 2), (128, 64, 8, 3)),
}
# BN, warps, stages.
DECODING = ((64, 4, 3), (128, 4, 3), (32, 2, 4))
# Elements a step, warps.
PIECES = ((2048, 4), (4096, 8), (8192, 8), (16384, 16))


def attention(kind: str) -> tuple[Ours, ...]:
    """Points of attention over whole sequences."""
    schedule = {"full": "attention.tw", "gqa": "gqa.tw"}.get(kind, "causal.tw")
    names = ("BM", "BN", "warps", "stages", "loads")
    return tuple(
        ours
        for loads, choices in FLASH.items()
        for ours in _points(loads, schedule, names, [(*c, loads) for c in choices])
    )


def decoding() -> tuple[Ours, ...]:
    """Points of one query a head."""
    names = ("BN", "warps", "stages")
    return tuple(_points("loop", "decoding.tw", names, DECODING))


def long_rows(kind: str) -> tuple[Ours, ...]:
    """Points of a row read piece by piece."""
    schedule = f"{kind.replace('-', '_')}.tw"
    return tuple(_points("online", schedule, ("BN", "warps"), PIECES))


def _points(
    structure: str, schedule: str, names: Iterable[str], choices: Iterable[Any]
) -> Iterable[Ours]:
    path = FOLDER / schedule
    if not path.exists():
        return
    for choice in choices:
        yield Ours(structure, path, dict(zip(names, choice, strict=True)))
