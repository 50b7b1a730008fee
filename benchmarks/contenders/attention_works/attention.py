"""Attention over whole sequences: full, causal, and variants of the causal one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from contenders.attention_works import schedules
from contenders.attention_works.work import Function, StreamWork, Tensors
from contenders.planned_works.work import Spec
from rivals.attention_torch import Variant, bias_of, flex, sdpa, visible, written_out

DOCUMENTS = 8
"""Documents of a sequence, of random lengths."""


class DocumentIds(Spec):
    """(batch, length): the number of the document at each position, ascending."""

    def made(self, device: str, generator: torch.Generator) -> torch.Tensor:
        """Documents of random lengths, the same for each device."""
        drawn = torch.Generator().manual_seed(0)
        batch, length = self.shape
        ids = torch.zeros(batch, length, dtype=torch.int32)
        for row in ids:
            ends = torch.randperm(length - 1, generator=drawn)[: DOCUMENTS - 1] + 1
            row[ends] = 1
        return ids.cumsum(1, dtype=torch.int32).to(device)


class DocumentStarts(DocumentIds):
    """(batch, length): where the document of each position begins.

    These numbers are equal within a document only: the rivals take them as ids.
    """

    def made(self, device: str, generator: torch.Generator) -> torch.Tensor:
        """The same documents as by their numbers."""
        ids = super().made("cpu", generator)
        starts = torch.searchsorted(ids, ids, side="left")
        return starts.to(torch.int32).to(device)


class Slopes(Spec):
    """ALiBi's slope of each head."""

    def made(self, device: str, generator: torch.Generator) -> torch.Tensor:
        """A geometric sequence from 2 ** (-8 / heads) to 2 ** -8."""
        heads = self.shape[0]
        powers = torch.arange(1, heads + 1, dtype=torch.float32) * (-8.0 / heads)
        return torch.exp2(powers).to(device)


def attention(
    kind: str,
    batch: int,
    heads: int,
    length: int,
    features: int,
    dtype: str = "bf16",
    *,
    kv_heads: int = 0,
    window: int = 0,
    cap: float = 0.0,
    use_math: bool = False,
    use_flex: bool = True,
) -> StreamWork:
    """A work by its kind: full, causal, window, alibi, soft cap, documents, gqa.

    "document bounds" are documents of which the payload has the first positions.
    """
    by_bounds = kind == "document bounds"
    has_documents = kind == "documents" or by_bounds
    variant = Variant(kind != "full", window, cap, kind == "alibi", has_documents)
    shared = kv_heads or heads
    whole = Spec((batch, heads, length, features), dtype)
    part = Spec((batch, shared, length, features), dtype)
    specs: dict[str, Spec] = {"query": whole, "key": part, "value": part}
    if variant.alibi:
        specs["slopes"] = Slopes((heads,), "f32")
    if variant.documents:
        found = DocumentStarts if by_bounds else DocumentIds
        specs["documents"] = found((batch, length), "i32")
    is_plain = not (window or cap or variant.alibi or variant.documents)

    def eager(tensors: Tensors) -> Mapping[str, Function]:
        if cap:
            return {"eager": written_out(variant, length)}
        if is_plain:
            names = ("flash", "cudnn", "efficient", *(["math"] if use_math else []))
            return {n: sdpa(n, causal=variant.causal) for n in names}
        extra = tensors[3] if len(tensors) > 3 else None
        bias = bias_of(variant, length, extra, tensors[0])
        return {n: sdpa(n, bias=bias) for n in ("cudnn", "efficient")}

    def compiled(tensors: Tensors) -> Mapping[str, Function]:
        found = {"flex": flex(variant, tensors)} if use_flex else {}
        return found | ({"compile": written_out(variant, length)} if cap else {})

    def hand(tensors: Tensors, programs: int) -> Iterable[Any]:
        from rivals import attention as rivals

        query, key, value, *rest = tensors
        extra: dict[str, Any] = {"causal": variant.causal, "window": window}
        extra |= {"cap": cap or None}
        if variant.alibi:
            extra["slopes"] = rest[0]
        if variant.documents:
            starts = torch.empty_like(rest[0])
            if not starts.is_meta:
                starts = rivals.starts_of(rest[0])
            extra |= {"documents": rest[0], "starts": starts}
        out = torch.empty_like(query)
        return rivals.candidates(rivals.Attention(query, key, value, out, **extra))

    def build(query: Any, key: Any, value: Any, *rest: Any) -> Any:
        from tilewright import payloads as tw

        given: dict[str, Any] = {"causal": variant.causal}
        given |= {"window": window} if window else {}
        given |= {"soft_cap": cap} if cap else {}
        if variant.alibi:
            given["alibi"] = rest[0]
        if by_bounds:
            given["key_range"] = rest[0], None
        elif variant.documents:
            given["documents"] = rest[0]
        return tw.attention(query, key, value, **given)

    heads_text = f"H{heads}" + (f"/{kv_heads}" if kv_heads else "")
    title = kind + (f" {window}" if window else "")
    return StreamWork(
        f"{title} B{batch} {heads_text} S{length} D{features} {dtype}",
        "attention" if kind in ("full", "causal") else "variant",
        specs,
        whole,
        lambda *tensors: exact(variant, *tensors),
        eager,
        compiled,
        (*(["flex"] if use_flex else []), *(["compile"] if cap else [])),
        hand,
        build,
        4.0 * heads * features * _pairs(variant, batch, length),
        schedules.attention(kind),
    )


def _pairs(variant: Variant, batch: int, length: int) -> float:
    """How many pairs of a query and a key the mask leaves, in all sequences.

    A causal mask counts as half of all pairs.
    """
    if variant.documents:
        spec = DocumentIds((batch, length), "i32")
        ids = spec.made("cpu", torch.Generator())
        counts = [row.unique(return_counts=True)[1].double() for row in ids]
        return float(sum((c * c).sum() for c in counts)) / 2
    if variant.window:
        window = min(variant.window, length)
        return float(batch * (length * window - window * window / 2))
    return batch * length * length * (0.5 if variant.causal else 1.0)


def exact(
    variant: Variant, query: Any, key: Any, value: Any, *rest: Any
) -> torch.Tensor:
    """The result in float32, head by head."""
    batch, heads, queries, features = query.shape
    length, group = key.shape[2], heads // key.shape[1]
    out = torch.empty(query.shape, dtype=torch.float32, device=query.device)
    for b in range(batch):
        seen = None
        if variant.causal:
            documents = rest[0][b : b + 1] if variant.documents else None
            seen = visible(variant, length, documents, query.device)
            seen = seen.view(length, length)
        for h in range(heads):
            scores = query[b, h].float() @ key[b, h // group].float().T
            scores *= 1 / math.sqrt(features)
            if variant.cap:
                scores = variant.cap * torch.tanh(scores / variant.cap)
            if variant.alibi:
                at = torch.arange(length, device=query.device, dtype=torch.float32)
                scores += rest[0][h] * (at[None, :] - at[:, None])
            if seen is not None:
                scores.masked_fill_(~seen, -torch.inf)
            out[b, h] = torch.softmax(scores, -1) @ value[b, h // group].float()
    return out


def table() -> Iterable[StreamWork]:
    """The sequences of all batches and heads have 262,144 rows together."""
    for length in (1024, 4096, 16384):
        for features in (64, 128):
            for kind in ("full", "causal"):
                yield attention(
                    *(kind, 16384 // length, 16, length, features),
                    use_math=length <= 4096,
                    use_flex=length == 4096,
                )
    for length in (4096, 8192):
        batch = 16384 // length
        for features in (128, 64):
            yield attention("window", batch, 16, length, features, window=1024)
            yield attention("alibi", batch, 16, length, features)
        yield attention("soft cap", batch, 16, length, 128, cap=30.0)
        yield attention("documents", batch, 16, length, 128)
        yield attention("document bounds", batch, 16, length, 128)
        yield attention("gqa", batch // 2, 32, length, 128, kv_heads=8)


def tiny() -> Iterable[StreamWork]:
    """One of each kind, small, in a type of Triton's interpreter."""
    for kind in ("full", "causal", "alibi", "documents", "document bounds"):
        yield attention(kind, 2, 2, 64, 32, "f16", use_math=True)
    yield attention("window", 1, 2, 64, 32, "f16", window=24)
    yield attention("soft cap", 1, 2, 64, 32, "f16", cap=3.0)
    yield attention("gqa", 1, 4, 64, 32, "f16", kv_heads=2)
