"""The works: attention in all its kinds, products, products with tails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from contenders.attention_works.attention import attention
from contenders.attention_works.work import StreamWork
from contenders.ours import Ours
from contenders.planned_works.fused_products import layer
from contenders.planned_works.products import batched, fp8, gemm, gemm_nt
from contenders.planned_works.work import PlannedWork
from warps import byte_works, gradient_works
from warps.work import HEADS, PLANNED, ROLES, TOKENS, Work


def table() -> list[Work]:
    """All works, the most telling first."""
    return [
        *_attention(),
        *_products(),
        *_tails(),
        *_variants(),
        *_others(),
        *(streamed(*made) for made in byte_works.attentions()),
        *map(planned, byte_works.products()),
        *gradient_works.table(),
    ]


# -- attention -----------------------------------------------------------------------

LATE = {"products": "late", "ping_pong": 1, "pinned": 0}
OVERLAPS: Mapping[str, dict[str, int | str]] = {
    "turns pinned": LATE | {"pinned": 1},
    "turns": LATE,
    "plain": {"products": "plain", "ping_pong": 0, "pinned": 0},
}


def _attention() -> Iterable[Work]:
    """Full and causal; the sizes of the issue's own table first."""
    for length in (8192, 2048, 1024, 4096, 16384):
        for kind in ("full", "causal"):
            yield streamed(attention(kind, TOKENS // length, HEADS, length, 128), kind)
    for length in (8192, 2048):
        for kind in ("full", "causal"):
            yield streamed(attention(kind, TOKENS // length, HEADS, length, 64), kind)


def _variants() -> Iterable[Work]:
    length = 4096
    batch = TOKENS // length
    yield streamed(attention("gqa", batch, HEADS, length, 128, kv_heads=8), "gqa")
    yield streamed(attention("alibi", batch, HEADS, length, 128), "causal")
    yield streamed(attention("soft cap", batch, HEADS, length, 128, cap=30.0), "causal")
    made = attention("window", batch, HEADS, length, 128, window=1024)
    yield streamed(made, "causal")
    for kind in ("document bounds", "documents"):
        yield streamed(attention(kind, batch, HEADS, length, 128), "causal")
    for features in (128, 80):
        odd = attention("full", batch, HEADS, 1000, features)
        yield streamed(odd, "full", only=("plain",))
    for kind in ("full", "causal"):
        yield streamed(attention(kind, batch, HEADS, length, 96), kind)


def streamed(work: StreamWork, kind: str, only: tuple[str, ...] = ()) -> Work:
    """Attention by `examples/specialized`, whole, masked or with grouped heads."""
    names = {"full": "attention.tw", "gqa": "attention_gqa.tw"}
    schedule = ROLES / names.get(kind, "attention_causal.tw")
    features = work.specs["query"].shape[-1]
    # Tiles of keys by how long a row is: two of each fit in shared memory, beside the
    # rows of two tiles.
    usual: dict[str, int | str] = {"BM": 128, "BN": 128, "ring": 2, "consumers": 2}
    sizes = [usual | {"ahead": 2}, usual | {"ahead": 1}]
    if features <= 64:
        sizes += [usual | {"ahead": 2, "ring": 3}]
    groups = (1,) if kind == "full" else (8, 1)
    ours = [
        Ours(
            f"roles {name} {persistent} ring {size['ring']} group {group} "
            f"ahead {size['ahead']}",
            schedule,
            {**size, **overlap, "persistent": persistent, "group": group},
        )
        for size in sizes
        for name, overlap in OVERLAPS.items()
        if not only or name in only
        for persistent in ((1, 0) if name == "turns pinned" or only else (1,))
        for group in groups[: 1 if name == "plain" else None]
        if persistent or size["ahead"] == 1
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

BYTES = ("f8E4M3FN", "i8")

TILES: tuple[tuple[int, int, int, int, int], ...] = (
    (128, 256, 64, 3, 1),
    (128, 256, 64, 4, 2),
    (128, 256, 64, 4, 4),
    (128, 256, 64, 3, 4),
    (128, 128, 64, 4, 2),
    (256, 128, 64, 4, 2),
)
"""Rows, columns, depth of a tile, slots of the ring, parts that are stored."""

OF_BYTES = ((128, 256, 64, 3, 2),)
"""More of them for operands of a byte, whose results may have four."""


def _products() -> Iterable[Work]:
    for sizes in ((4096, 4096, 4096), (8192, 8192, 8192), (2048, 2048, 2048)):
        yield planned(gemm(*sizes))
    for sizes in ((5000, 3000, 1024), (4096, 256, 4096), (1024, 1024, 32768)):
        yield planned(gemm(*sizes))
    yield planned(gemm_nt(4096, 4096, 4096, "bf16"))
    yield planned(batched(16, 1024, 1024, 1024, "bf16"))


def _tails() -> Iterable[Work]:
    for size in (4096, 8192, 2048):
        for activation, residual in (("", False), ("silu", False), ("gelu", True)):
            made = layer(size, size, size, activation, residual, "bf16")
            yield planned(made)


def _others() -> Iterable[Work]:
    for is_by_row in (True, False):
        yield planned(fp8(4096, 4096, 4096, is_by_row, "bf16"))
    yield planned(batched(8, 2048, 4096, 4096, "bf16"))


def planned(work: PlannedWork) -> Work:
    """A product by `examples/specialized`, at the usual tiles."""
    batch = len(next(iter(work.specs.values())).shape) > 2
    schedule = ROLES / ("gemm_batched.tw" if batch else "gemm.tw")
    names = ("BM", "BN", "BK", "ring", "parts")
    narrow = any(spec.dtype in BYTES for spec in work.specs.values())
    ours = [
        Ours(
            f"roles {'x'.join(map(str, tile))} {persistent}",
            schedule,
            dict[str, int | str](zip(names, tile, strict=True))
            | ({"BK": 2 * tile[2]} if narrow else {})
            | {"consumers": 2, "persistent": persistent, "group": 8},
        )
        for tile in (*TILES, *(OF_BYTES if narrow else ()))
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
