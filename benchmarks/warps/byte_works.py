"""Works on elements of a byte: attention of 8-bit floats, products of integers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from contenders.attention_works.work import Function, StreamWork, Tensors
from contenders.planned_works.work import PlannedWork, Spec
from rivals.attention_torch import sdpa
from warps.work import HEADS, TOKENS


def attentions() -> Iterable[tuple[StreamWork, str]]:
    """Full and causal, with the values along the keys; and whether there is a mask."""
    for length in (8192, 2048):
        for kind in ("full", "causal"):
            yield attention(kind, TOKENS // length, HEADS, length, 128), kind


def attention(
    kind: str, batch: int, heads: int, length: int, features: int
) -> StreamWork:
    """Attention of fp8 beside torch's of the same numbers in bf16."""
    is_causal = kind == "causal"
    rows = Spec((batch, heads, length, features), "f8E4M3FN")
    turned = Spec((batch, heads, features, length), "f8E4M3FN")

    def exact(query: Any, key: Any, value: Any) -> torch.Tensor:
        out = torch.empty(query.shape, dtype=torch.float32, device=query.device)
        at = torch.arange(length, device=query.device)
        for b in range(batch):
            for h in range(heads):
                scores = query[b, h].float() @ key[b, h].float().T
                scores /= math.sqrt(features)
                if is_causal:
                    scores.masked_fill_(at[None, :] > at[:, None], -torch.inf)
                out[b, h] = torch.softmax(scores, -1) @ value[b, h].float().T
        return out

    def eager(tensors: Tensors) -> Mapping[str, Function]:
        query, key, value = (one.to(torch.bfloat16) for one in tensors)
        wide = query, key, value.transpose(2, 3).contiguous()

        def by(backend: str) -> Function:
            chosen = sdpa(backend, causal=is_causal)
            return lambda *_: chosen(*wide)

        return {f"{name} of bf16": by(name) for name in ("cudnn", "flash")}

    def build(query: Any, key: Any, value: Any) -> Any:
        from tilewright import payloads as tw

        return tw.attention(query, key, value.T, causal=is_causal)

    share = 0.5 if is_causal else 1.0
    return StreamWork(
        f"fp8 {kind} B{batch} H{heads} S{length} D{features}",
        "attention",
        {"query": rows, "key": rows, "value": turned},
        # Weights of three bits are two hundredths off.
        Spec(rows.shape, "f8E4M3FN"),
        exact,
        eager,
        lambda _: {},
        (),
        lambda *_: (),
        build,
        4.0 * batch * heads * features * length * length * share,
    )


def products() -> Iterable[PlannedWork]:
    """Products of integers, summed in 32 bits."""
    for size in (4096, 8192):
        yield integers(size, size, size)


def integers(m: int, n: int, k: int) -> PlannedWork:
    """a b^T."""

    def exact(a: Any, b: Any) -> torch.Tensor:
        return a.double() @ b.double().T

    def by_torch(a: Any, b: Any) -> torch.Tensor:
        return torch._int_mm(a, b.T) if a.is_cuda else exact(a, b).to(torch.int32)

    def ours(a: Any, b: Any) -> Any:
        from tilewright.payloads import matmul

        return matmul(a, b.T)

    return PlannedWork(
        f"int8 {m}x{n}x{k}",
        {"a": Spec((m, k), "i8"), "b": Spec((n, k), "i8")},
        ours,
        by_torch,
        2.0 * m * n * k,
        exact,
        1e-9,
    )
