"""Attention with every option: cases, payloads, and the results of torch."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import torch

from tilewright.frontend.builder import Payload, Scalar, Tensor, attention

sdpa: Any = torch.nn.functional.scaled_dot_product_attention


@dataclass(frozen=True)
class Work:
    """Sizes and options of one attention."""

    batch: int = 2
    heads: int = 4
    key_heads: int = 4
    queries: int = 7
    keys: int = 7
    features: int = 5
    values: int = 5
    dtype: str = "f32"
    dynamic: bool = False
    """Whether batch and lengths are sizes of run time."""
    inputs: tuple[str, ...] = ()
    """bias, alibi, documents, two_documents, key_lengths, key_range, key_ends."""
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def scores(self) -> tuple[int, ...]:
        return (self.batch, self.heads, self.queries, self.keys)


def built(work: Work) -> Payload:
    p = Payload("attention")
    b, i, j = ("B", "I", "J") if work.dynamic else work.scores[::2] + work.scores[3:]
    q = p.input("q", (b, work.heads, i, work.features), work.dtype)
    k = p.input("k", (b, work.key_heads, j, work.features), work.dtype)
    v = p.input("v", (b, work.key_heads, j, work.values), work.dtype)
    extra: dict[str, Any] = dict(work.options)
    if "bias" in work.inputs:
        extra["bias"] = p.input("bias", (work.heads, i, j), work.dtype)
    if "alibi" in work.inputs:
        extra["alibi"] = p.input("alibi", (work.heads,), "f32")
    if "documents" in work.inputs:
        extra["documents"] = p.input("documents", (b, j), "i32")
    if "two_documents" in work.inputs:
        both = p.input("of_queries", (b, i), "i32"), p.input("of_keys", (j,), "i32")
        extra["documents"] = both
    if "key_lengths" in work.inputs:
        extra["key_lengths"] = p.input("lengths", (b,), "i32")
    if "key_range" in work.inputs:
        both = p.input("starts", (b, i), "i32"), p.input("ends", (i,), "i32")
        extra["key_range"] = both
    if "key_ends" in work.inputs:
        extra["key_range"] = None, p.input("ends", (i,), "i32")
    made = attention(q, k, v, **extra)
    p.output(*(made if isinstance(made, tuple) else (made,)))
    return p


def own_score(score: Scalar, b: Scalar, h: Scalar, q: Scalar, k: Scalar) -> Scalar:
    where_from = (b + h * 2).cast("f32") * 0.1
    return score + where_from - (q - k).cast("f32") * 0.05


GROUPED = Work(heads=6, key_heads=2)
SHORT = Work(queries=5, keys=9)
ONE = Work(queries=1, keys=9)

CASES: dict[str, Work] = {
    "plain": Work(),
    "values of another size": Work(features=5, values=3),
    "grouped": GROUPED,
    "one head of keys": Work(heads=3, key_heads=1, queries=1, keys=1),
    "causal": replace(SHORT, options={"causal": True}),
    "causal, more queries": Work(queries=9, keys=5, options={"causal": "top_left"}),
    "bottom right": replace(SHORT, options={"causal": "bottom_right"}),
    "window": Work(options={"window": 3}),
    "pair": Work(options={"window": (2, None)}),
    "causal pair": replace(SHORT, options={"window": (1, 2), "causal": True}),
    "scale": Work(options={"scale": 0.7}),
    "bias": replace(SHORT, inputs=("bias",)),
    "alibi": replace(SHORT, inputs=("alibi",)),
    "causal alibi": replace(
        GROUPED, inputs=("alibi",), options={"causal": "bottom_right"}
    ),
    "soft cap": Work(options={"soft_cap": 0.8}),
    "documents": Work(inputs=("documents",)),
    "documents of each": replace(SHORT, inputs=("two_documents",)),
    "key lengths": Work(inputs=("key_lengths",)),
    "key range": replace(SHORT, inputs=("key_range",)),
    "key ends": replace(GROUPED, inputs=("key_ends",)),
    "score": Work(options={"score": own_score}),
    "lse": Work(options={"lse": True}),
    "grouped, everything": replace(
        GROUPED,
        keys=9,
        inputs=("bias", "alibi", "two_documents", "key_lengths"),
        options={"score": own_score, "soft_cap": 2.0, "lse": True, "window": 4},
    ),
    "decoding": replace(ONE, options={"lse": True}),
    "decoding, grouped": replace(
        ONE, heads=6, key_heads=2, options={"causal": "bottom_right", "window": 4}
    ),
    "decoding, everything": replace(
        ONE,
        heads=6,
        key_heads=2,
        inputs=("bias", "alibi", "two_documents", "key_lengths"),
        options={"causal": "bottom_right", "score": own_score, "lse": True},
    ),
    "dynamic": replace(GROUPED, dynamic=True, options={"causal": True, "lse": True}),
    "dynamic bottom right": replace(
        SHORT, dynamic=True, options={"causal": "bottom_right", "window": 3}
    ),
    "dynamic documents": replace(
        GROUPED, dynamic=True, inputs=("two_documents", "key_lengths")
    ),
}


def i32(p: Payload, *shape: int) -> Tensor:
    return p.input("of", shape, "i32")
