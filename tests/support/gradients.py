"""The gradients of attention as payloads; a forward pass keeps sums of its weights."""

from __future__ import annotations

import math

from tilewright.payloads import Payload, elementwise, exp, index, matmul, where

Shape = tuple[int, int, int, int]


def gradients(shape: Shape, dtype: str = "f16", *, causal: bool = False) -> Payload:
    """Gradients of queries, keys and values, as one writes them down.

    All read the same weights, of queries by keys: two of them across their rows.
    """
    p = Payload("gradients")
    q, k, v, out, grad = (p.input(n, shape, dtype) for n in ("q", "k", "v", "o", "g"))
    sums = p.input("sums", shape[:3], "f32")
    *outer, length, features = shape
    scale = 1 / math.sqrt(features)
    scores = matmul(q, k.T) * scale
    if causal:
        scores = elementwise(
            lambda s: where(index(-1) <= index(-2), s, -math.inf), scores
        )
    weights = exp(scores - sums.reshape(*outer, length, 1))
    total = (grad.cast("f32") * out.cast("f32")).sum(-1).reshape(*outer, length, 1)
    moved = (weights * (matmul(grad, v.T) - total) * scale).cast(dtype)
    for one in (
        matmul(moved, k),
        matmul(moved.T, q),
        matmul(weights.cast(dtype).T, grad),
    ):
        p.output(one.cast(dtype))
    return p
