"""One small work of each kind, for the sanitizer and the interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from contenders.attention_works.attention import attention
from contenders.planned_works.fused_products import layer
from contenders.planned_works.products import fp8, gemm
from warps import byte_works, gradient_works
from warps.work import Point, Work
from warps.works import planned, streamed

PRODUCT: Point = {"BM": 128, "BN": 128, "BK": 64, "ring": 3, "consumers": 2}
PRODUCT |= {"persistent": 1, "group": 4, "parts": 2}
STREAM: Point = {"BM": 128, "BN": 64, "ring": 2, "consumers": 2, "persistent": 1}
STREAM |= {"group": 1, "ahead": 2, "products": "late", "ping_pong": 1, "pinned": 1}


def table() -> list[Work]:
    """Their sizes are a few tiles."""
    return list(_works())


def _works() -> Iterator[Work]:
    yield _at(planned(gemm(384, 200, 136)), PRODUCT)
    yield _at(planned(layer(256, 256, 192, "gelu", True, "bf16")), PRODUCT)
    yield _at(planned(fp8(256, 256, 256, True, "bf16")), PRODUCT | {"BK": 128})
    yield _at(planned(byte_works.integers(256, 256, 256)), PRODUCT | {"BK": 128})
    for kind in ("full", "causal"):
        yield _at(streamed(attention(kind, 1, 2, 512, 64), kind), STREAM)
    yield _at(streamed(attention("gqa", 1, 4, 384, 64, kv_heads=2), "gqa"), STREAM)
    narrow = byte_works.attention("causal", 1, 2, 384, 128)
    yield _at(streamed(narrow, "causal"), STREAM)
    yield gradient_works.with_sums("full", 1, 33, 512)
    made = gradient_works.gradients(1, 2, 256)
    yield replace(made, ours=made.ours[:1])


def _at(work: Work, point: Point) -> Work:
    """The first of our schedules, at a point."""
    ours = next(one for one in work.ours if one.name.startswith("roles"))
    return replace(work, ours=(replace(ours, name="roles", point=point),))
