"""Attention of one query a head: the memory of keys and values bounds it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from contenders.attention_works import schedules
from contenders.attention_works.attention import exact
from contenders.attention_works.work import Function, StreamWork, Tensors
from contenders.planned_works.work import Spec
from rivals.attention_torch import (
    BACKENDS,
    Variant,
    flex,
    grouped_sdpa,
    sdpa,
    written_out,
)

GROUP = 8


def decoding(
    batch: int,
    heads: int,
    length: int,
    features: int,
    dtype: str = "bf16",
    *,
    kv_heads: int = 0,
    use_flex: bool = False,
) -> StreamWork:
    """One query a head over `length` keys; `kv_heads` heads of keys, or as many."""
    shared = kv_heads or heads
    result = Spec((batch, heads, 1, features), dtype)
    keys = Spec((batch, shared, length, features), dtype)
    variant = Variant()

    def eager(tensors: Tensors) -> Mapping[str, Function]:
        found: dict[str, Function] = {"eager": written_out(variant, length)}
        found |= {name: sdpa(name) for name in BACKENDS if name != "math"}
        if shared < heads:
            names = ("flash", "cudnn", "efficient")
            found |= {f"{name} grouped": grouped_sdpa(name) for name in names}
        return found

    def compiled(tensors: Tensors) -> Mapping[str, Function]:
        found = {"compile": written_out(variant, length)}
        return found | ({"flex": flex(variant, tensors)} if use_flex else {})

    def hand(tensors: Tensors, programs: int) -> Iterable[Any]:
        from rivals import attention_decoding

        out = torch.empty_like(tensors[0])
        return attention_decoding.candidates(*tensors, out, programs)

    def build(query: Any, key: Any, value: Any) -> Any:
        from tilewright import payloads as tw

        return tw.attention(query, key, value)

    heads_text = f"H{heads}" + (f"/{kv_heads}" if kv_heads else "")
    return StreamWork(
        f"decoding B{batch} {heads_text} keys {length} D{features} {dtype}",
        "decoding",
        {"query": result, "key": keys, "value": keys},
        result,
        lambda *tensors: exact(variant, *tensors),
        eager,
        compiled,
        ("compile", *(["flex"] if use_flex else [])),
        hand,
        build,
        ours=schedules.decoding(batch * shared, length),
    )


def table() -> Iterable[StreamWork]:
    """The keys and values of the largest take 8.6 GB."""
    for length, heads, batch in itertools.product((8192, 65536), (8, 64), (1, 16)):
        # A batch of 16 would take 34 GB.
        fitting = 4 if (length, heads, batch) == (65536, 64, 16) else batch
        yield decoding(fitting, heads, length, 128)
        yield decoding(
            *(batch, heads, length, 128),
            kv_heads=heads // GROUP,
            use_flex=heads == 64,
        )


def tiny() -> Iterable[StreamWork]:
    """Small ones, in a type of Triton's interpreter."""
    yield decoding(2, 2, 256, 32, "f16")
    yield decoding(1, 4, 256, 32, "f16", kv_heads=2, use_flex=True)
