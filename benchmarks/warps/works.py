"""The works: attention in all its kinds, products, products with tails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from contenders.attention_works.attention import attention
from contenders.attention_works.work import StreamWork
from contenders.ours import Ours
from contenders.planned_works.fused_products import layer
from contenders.planned_works.products import batched, fp8, gemm, gemm_nt
from contenders.planned_works.work import PlannedWork

EXAMPLES = Path(__file__).parents[2] / "examples"
ROLES = EXAMPLES / "specialized"
Tensors = tuple[torch.Tensor, ...]

TOKENS = 32768
"""Rows of queries of a head, over all sequences of a batch."""

HEADS = 32


@dataclass(frozen=True)
class Work:
    """Something to compute, by points of ours and by functions of torch."""

    name: str
    payload: Callable[[], str]
    inputs: Callable[[str], Tensors]
    reference: Callable[..., Any]
    rivals: Callable[[Tensors], Mapping[str, Callable[..., Any]]]
    flops: float
    tolerance: float
    ours: tuple[Ours, ...]
    """`roles ...` are written in Gluon, `triton ...` by Triton, `planned` by either."""


def table() -> list[Work]:
    """All works, the most telling first."""
    return [*_attention(), *_products(), *_tails(), *_variants(), *_others()]


# -- attention -----------------------------------------------------------------------

LATE = {"products": "late", "ping_pong": 1, "pinned": 0}
OVERLAPS: Mapping[str, dict[str, int | str]] = {
    "turns pinned": LATE | {"pinned": 1},
    "turns": LATE,
    "plain": {"products": "plain", "ping_pong": 0, "pinned": 0},
}
PLANNED = Ours("planned", None)


def _attention() -> Iterable[Work]:
    """Full and causal; the sizes of the issue's own table first."""
    for length in (8192, 2048, 1024, 4096, 16384):
        for kind in ("full", "causal"):
            yield _streamed(attention(kind, TOKENS // length, HEADS, length, 128), kind)
    for length in (8192, 2048):
        for kind in ("full", "causal"):
            yield _streamed(attention(kind, TOKENS // length, HEADS, length, 64), kind)


def _variants() -> Iterable[Work]:
    length = 4096
    batch = TOKENS // length
    yield _streamed(attention("gqa", batch, HEADS, length, 128, kv_heads=8), "gqa")
    yield _streamed(attention("alibi", batch, HEADS, length, 128), "causal")
    yield _streamed(
        attention("soft cap", batch, HEADS, length, 128, cap=30.0), "causal"
    )
    made = attention("window", batch, HEADS, length, 128, window=1024)
    yield _streamed(made, "causal")
    for kind in ("document bounds", "documents"):
        yield _streamed(attention(kind, batch, HEADS, length, 128), "causal")
    for features in (128, 80):
        odd = attention("full", batch, HEADS, 1000, features)
        yield _streamed(odd, "full", only=("plain",))


def _streamed(work: StreamWork, kind: str, only: tuple[str, ...] = ()) -> Work:
    names = {"full": "attention.tw", "gqa": "attention_gqa.tw"}
    schedule = ROLES / names.get(kind, "attention_causal.tw")
    features = work.specs["query"].shape[-1]
    # Tiles of keys by how long a row is: two of each fit in shared memory.
    sizes = [{"BM": 128, "BN": 128, "ring": 2, "consumers": 2}]
    if features <= 64:
        sizes += [{"BM": 128, "BN": 128, "ring": 3, "consumers": 2}]
    groups = (1,) if kind == "full" else (8, 1)
    ours = [
        Ours(
            f"roles {name} {persistent} ring {size['ring']} group {group}",
            schedule,
            {**size, **overlap, "persistent": persistent, "group": group},
        )
        for size in sizes
        for name, overlap in OVERLAPS.items()
        if not only or name in only
        for persistent in ((1, 0) if name == "turns pinned" or only else (1,))
        for group in groups[: 1 if name == "plain" else None]
    ]
    triton = [
        replace(one, name=f"triton {n}")
        for n, one in enumerate(work.ours)
        if one.point.get("loads") == "descriptors" and one.point["warps"] == 8
    ]
    return Work(
        work.name,
        work.payload,
        work.inputs,
        work.exact,
        work.eager,
        work.flops,
        work.tolerance,
        (PLANNED, *ours, *triton),
    )


# -- products ------------------------------------------------------------------------

TILES: tuple[tuple[int, int, int, int, int], ...] = (
    (128, 256, 64, 3, 1),
    (128, 256, 64, 4, 2),
    (128, 256, 64, 4, 4),
    (128, 256, 64, 3, 4),
    (128, 128, 64, 4, 2),
    (256, 128, 64, 4, 2),
)
"""Rows, columns, depth of a tile, slots of the ring, parts that are stored."""


def _products() -> Iterable[Work]:
    for sizes in ((4096, 4096, 4096), (8192, 8192, 8192), (2048, 2048, 2048)):
        yield _planned(gemm(*sizes))
    for sizes in ((5000, 3000, 1024), (4096, 256, 4096), (1024, 1024, 32768)):
        yield _planned(gemm(*sizes))
    yield _planned(gemm_nt(4096, 4096, 4096, "bf16"))
    yield _planned(batched(16, 1024, 1024, 1024, "bf16"))


def _tails() -> Iterable[Work]:
    for size in (4096, 8192, 2048):
        for activation, residual in (("", False), ("silu", False), ("gelu", True)):
            made = layer(size, size, size, activation, residual, "bf16")
            yield _planned(made)


def _others() -> Iterable[Work]:
    yield _planned(fp8(4096, 4096, 4096, True, "bf16"))


def _planned(work: PlannedWork) -> Work:
    batch = len(next(iter(work.specs.values())).shape) > 2
    schedule = ROLES / ("gemm_batched.tw" if batch else "gemm.tw")
    names = ("BM", "BN", "BK", "ring", "parts")
    narrow = any(spec.dtype.startswith("f8") for spec in work.specs.values())
    ours = [
        Ours(
            f"roles {'x'.join(map(str, tile))} {persistent}",
            schedule,
            dict(zip(names, tile, strict=True))
            | ({"BK": 2 * tile[2]} if narrow else {})
            | {"consumers": 2, "persistent": persistent, "group": 8},
        )
        for tile in TILES
        for persistent in (1, 0)
    ]
    return Work(
        work.name,
        lambda: work.payload.text(),
        work.inputs,
        work.reference,
        lambda _: {"eager": work.torch},
        work.flops,
        work.error,
        (PLANNED, *ours),
    )
