"""What training needs of attention: the sums of its rows, and its gradients."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch

from contenders.attention_works.work import Function, Tensors
from contenders.ours import Ours
from contenders.planned_works.work import Spec
from rivals.attention_torch import sdpa
from warps.work import HEADS, PLANNED, ROLES, TOKENS, Work

_OPS = torch.ops.aten
FEATURES = 128
SCALE = 1 / math.sqrt(FEATURES)


def table() -> Iterable[Work]:
    """With the sums of the rows, full and causal; gradients."""
    for kind in ("full", "causal"):
        yield with_sums(kind, TOKENS // 4096, HEADS, 4096)
    for length in (2048, 8192):
        yield gradients(TOKENS // length, HEADS, length)


def _inputs(names: str, shape: tuple[int, ...], device: str) -> Tensors:
    def made(seed: int) -> torch.Tensor:
        generator = torch.Generator(device).manual_seed(seed)
        return Spec(shape, "bf16").made(device, generator)

    return tuple(made(seed) for seed, _ in enumerate(names))


def _heads(*tensors: torch.Tensor) -> Iterator[list[torch.Tensor]]:
    """The matrices of each head, in float32."""
    batch, heads = tensors[0].shape[:2]
    for b in range(batch):
        for h in range(heads):
            yield [one[b, h].float() for one in tensors]


def _forward(causal: bool, *tensors: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Results and the logarithms of the sums of exponentials, in float32."""
    results, sums = [], []
    for query, key, value in _heads(*tensors):
        scores = (query @ key.T) * SCALE
        if causal:
            at = torch.arange(len(scores), device=scores.device)
            scores.masked_fill_(at[None, :] > at[:, None], -torch.inf)
        sums.append(torch.logsumexp(scores, -1))
        results.append(torch.softmax(scores, -1) @ value)
    shape = tensors[0].shape
    return torch.stack(results).view(shape), torch.stack(sums).view(shape[:-1])


# -- forward, with the sums ----------------------------------------------------------


def with_sums(kind: str, batch: int, heads: int, length: int) -> Work:
    """Attention, and the logarithms of the sums of its exponentials."""
    causal = kind == "causal"
    shape = (batch, heads, length, FEATURES)

    def payload() -> str:
        from tilewright import payloads as tw

        p = tw.Payload("attention")
        query, key, value = (p.input(name, shape, "bf16") for name in "qkv")
        for one in tw.attention(query, key, value, causal=causal, lse=True):
            p.output(one)
        return p.text()

    def flash(query: Any, key: Any, value: Any) -> Any:
        op = _OPS._scaled_dot_product_flash_attention.default
        out, sums, *_ = op(query, key, value, 0.0, causal)
        return out, sums

    def cudnn(query: Any, key: Any, value: Any) -> Any:
        op = _OPS._scaled_dot_product_cudnn_attention.default
        out, sums, *_ = op(query, key, value, None, True, 0.0, causal)
        return out, sums.view(query.shape[:-1])

    return Work(
        f"{kind} with sums B{batch} H{heads} S{length} D{FEATURES} bf16",
        payload,
        lambda device: _inputs("qkv", shape, device),
        lambda *tensors: _forward(causal, *tensors),
        lambda _: {"cudnn": cudnn, "flash": flash},
        4.0 * math.prod(shape) * length * (0.5 if causal else 1.0),
        1e-2,
        (PLANNED,),
    )


# -- gradients -----------------------------------------------------------------------


def gradients(batch: int, heads: int, length: int) -> Work:
    """All three, beside the backward pass of torch."""
    shape = (batch, heads, length, FEATURES)

    def inputs(device: str) -> Tensors:
        *given, gradient = _inputs("qkvg", shape, device)
        out, sums = _forward(False, *given)
        return *given, out.to(torch.bfloat16), gradient, sums

    def rivals(tensors: Tensors) -> Mapping[str, Function]:
        query, key, value, _, gradient, _ = tensors
        found = {}
        for name in ("cudnn", "flash"):
            leaves = [one.detach().requires_grad_() for one in (query, key, value)]
            out = sdpa(name)(*leaves)

            def backward(*_: Any, out: Any = out, leaves: Any = leaves) -> Any:
                return torch.autograd.grad(out, leaves, gradient, retain_graph=True)

            found[name] = backward
        return found

    return Work(
        f"gradients B{batch} H{heads} S{length} D{FEATURES} bf16",
        lambda: gradient_payload(shape),
        inputs,
        _exact_gradients,
        rivals,
        10.0 * math.prod(shape) * length,
        2e-2,
        tuple(_gradient_points()),
    )


def _gradient_points() -> Iterator[Ours]:
    schedule = ROLES / "attention_backward.tw"
    usual: dict[str, int | str] = {"consumers": 2, "ring": 2}
    for keys, queries in ((64, 64), (128, 64), (128, 32)):
        for persistent in (1, 0):
            name = f"roles keys {keys} queries {queries} {persistent}"
            tiles = {"BN_keys": keys, "BN_queries": queries, "persistent": persistent}
            yield Ours(name, schedule, usual | tiles)
    yield Ours("triton", schedule, {"consumers": 0, "ring": 0})


def gradient_payload(shape: tuple[int, ...], dtype: str = "bf16") -> str:
    """The gradients of queries, keys and values; scores are computed in both orders."""
    from tilewright import payloads as tw

    p = tw.Payload("gradients")
    query, key, value, out, gradient = (
        p.input(name, shape, dtype) for name in ("q", "k", "v", "out", "gradient")
    )
    *outer, length, features = shape
    sums = p.input("sums", shape[:-1], "f32")
    wide = gradient.cast("f32") * out.cast("f32")
    rows = wide.sum(-1)
    scale = 1 / math.sqrt(features)

    def both(
        one: Any, other: Any, up: Any, down: Any, along: Callable[..., Any]
    ) -> Any:
        """Weights, and the gradients of scores."""
        weights = tw.exp(tw.matmul(one, other.T) * scale - along(sums))
        moved = tw.matmul(up, down.T) - along(rows)
        return weights.cast(dtype), (weights * moved * scale).cast(dtype)

    _, by_query = both(
        query, key, gradient, value, lambda one: one.reshape(*outer, length, 1)
    )
    weights, by_key = both(
        key, query, value, gradient, lambda one: one.reshape(*outer, 1, length)
    )
    products = (
        tw.matmul(by_query, key),
        tw.matmul(by_key, query),
        tw.matmul(weights, gradient),
    )
    for one in products:
        p.output(one.cast(dtype))
    return p.text()


def _exact_gradients(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    found: list[list[torch.Tensor]] = [[], [], []]
    for query, key, value, out, gradient, sums in _heads(*tensors):
        weights = torch.exp((query @ key.T) * SCALE - sums[:, None])
        rows = (gradient * out).sum(-1, keepdim=True)
        moved = weights * (gradient @ value.T - rows) * SCALE
        for place, made in enumerate((moved @ key, moved.T @ query)):
            found[place].append(made)
        found[2].append(weights.T @ gradient)
    return tuple(torch.stack(one).view(tensors[0].shape) for one in found)
