"""What people do with a model: read, write one token after another, train."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from zoo.entry import Made, Size
from zoo.packages import library

DECODED = {"small": (2, 32), "real": (8, 2048)}
"""Batch, and places of the cache."""


def tensors(results: Any) -> list[torch.Tensor]:
    """The tensors of a model's results."""
    if isinstance(results, dict):
        results = dict(results)
    leaves = pytree.tree_leaves(results)
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]


def forward(made: Made, run: Callable[..., Any]) -> list[torch.Tensor]:
    """The results of a call, without gradients."""
    with torch.no_grad():
        return tensors(run(**made.inputs))


def train(made: Made, run: Callable[..., Any]) -> list[torch.Tensor]:
    """The results of a call, then the gradients of a sum of squares of them."""
    for weight in made.module.parameters():
        weight.grad = None
    found = [one for one in tensors(run(**made.inputs)) if one.requires_grad]
    sum(one.float().square().mean() for one in found).backward()  # pyright: ignore[reportAttributeAccessIssue]
    grads = [weight.grad for weight in made.module.parameters()]
    return [*(one.detach() for one in found), *(g for g in grads if g is not None)]


def decoded(made: Made, run: Callable[..., Any]) -> list[torch.Tensor]:
    """The scores of the next token, after several that fill a cache of fixed size."""
    one = decoding(made, "small")
    with torch.no_grad():
        made.module(**filling(made, one))
        return tensors(run(**one.inputs).logits)


def decoding(made: Made, size: Size) -> Made:
    """The same model with a cache of fixed size, half full, and its next token."""
    batch, places = DECODED[size]
    config: Any = made.module.config
    cache = library("transformers").StaticCache(config=config, max_cache_len=places)
    device = next(made.module.parameters()).device
    torch.manual_seed(1)
    inputs = {
        "input_ids": torch.randint(2, config.vocab_size, (batch, 1), device=device),
        "past_key_values": cache,
        "position_ids": torch.full((batch, 1), places // 2, device=device),
        "use_cache": True,
    }
    return Made(made.module, inputs)


def filling(made: Made, one: Made) -> dict[str, Any]:
    """Arguments of the call before: tokens that fill half of the cache."""
    token, cache = one.inputs["input_ids"], one.inputs["past_key_values"]
    count = int(one.inputs["position_ids"][0, 0])
    tokens = (
        token.expand(-1, count) * 0 + torch.arange(count, device=token.device) % 97 + 2
    )
    return {"input_ids": tokens, "past_key_values": cache, "use_cache": True}
