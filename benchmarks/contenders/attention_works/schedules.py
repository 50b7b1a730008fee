"""Our schedules for these works, and the points worth timing.

A structure is a schedule; its points compete, and the fastest takes part. A schedule
that is not there yet is left out, and the table says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from contenders.ours import Ours

FOLDER = Path(__file__).parents[3] / "examples" / "attention"
ROWS = FOLDER.parent / "rows"
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
VARIANT = {
    "descriptors": ((64, 64, 4, 2), (64, 64, 4, 3), (64, 128, 4, 2), (128, 64, 4, 2)),
    "pointers": ((64, 64, 4, 3),),
}
HELD = ((64, 64, 4, 3), (64, 64, 4, 2))
"""Queries in registers. Refused without a mask where BN is the head size."""
SCHEDULES = {"full": "attention.tw", "gqa": "gqa.tw"}
"""By kind; the others are variants of causal attention."""
# BN, warps, stages.
DECODING = ((64, 4, 3), (128, 4, 3), (32, 2, 4))
JOINED = ((64, 4, 3),)
# Programs of a launch, roughly.
PROGRAMS = (264, 528)
MOST_CHUNKS = 128
# Elements a step, warps, stages.
PIECES = ((4096, 4, 1), (4096, 8, 1), (8192, 8, 3), (8192, 16, 1), (16384, 16, 3))


def attention(kind: str) -> tuple[Ours, ...]:
    """Points of attention over whole sequences."""
    schedule = SCHEDULES.get(kind, "causal.tw")
    names = ("BM", "BN", "warps", "stages", "loads")
    points = FLASH if kind in ("full", "causal") else VARIANT
    held = [(*choice, "descriptors", 1) for choice in HELD]
    return (
        *(
            ours
            for loads, choices in points.items()
            for ours in _points(loads, schedule, names, [(*c, loads) for c in choices])
        ),
        *_points("registers", schedule, (*names, "held"), held),
    )


def decoding(heads: int, length: int) -> tuple[Ours, ...]:
    """Points of one query a head, for so many heads of keys in all."""
    names = ("BN", "warps", "stages")
    counts = {2 ** round(math.log2(max(n / heads, 1))) for n in PROGRAMS}
    chunks = sorted({min(count, MOST_CHUNKS) for count in counts} - {1})
    if not chunks:
        loads = ("pointers", "descriptors")
        choices = [(*choice, by) for by in loads for choice in DECODING]
        return tuple(_points("loop", "decoding.tw", (*names, "loads"), choices))
    every = (*names, "chunks", "merge")
    apart = [(*c, n, "apart") for c in DECODING for n in chunks if c[0] * n <= length]
    joined = [(*c, n, "joined") for c in JOINED for n in chunks]
    return (
        *_points("split", "decoding_split.tw", every, apart),
        *_points("joined", "decoding_split.tw", every, joined),
    )


def long_rows(one_a_row: bool) -> tuple[Ours, ...]:
    """Points of a row read piece by piece, once or twice."""
    name = "online.tw" if one_a_row else "online_two_passes.tw"
    names = ("BN", "warps", "stages")
    return tuple(_points("online", f"../rows/{name}", names, PIECES))


def _points(
    structure: str, schedule: str | Path, names: Iterable[str], choices: Iterable[Any]
) -> Iterable[Ours]:
    path = FOLDER / schedule
    if not path.exists():
        return
    for choice in choices:
        yield Ours(structure, path, dict(zip(names, choice, strict=True)))
