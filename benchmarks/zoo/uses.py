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
CALLS_AHEAD = 64
"""After so many timed calls, decoding goes back to the middle of its cache; a cache of
few places, after as many as it has left."""


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


def training(made: Made) -> Made:
    """The same model as it is trained: batch norms learn, and nothing is random.

    Two compilers draw other random numbers, so nothing is dropped or masked.
    """
    made.module.train()
    for module in made.module.modules():
        if isinstance(module, torch.nn.modules.dropout._DropoutNd):
            module.p = 0.0
        for owner in (module, getattr(module, "config", None)):
            _set_rates_to_zero(owner)
    return made


def _set_rates_to_zero(owner: Any) -> None:
    """Set what a module or a configuration drops or masks by chance to nothing."""
    for name, value in list(getattr(owner, "__dict__", {}).items()):
        if "drop" in name and isinstance(value, float):
            setattr(owner, name, 0.0)
        elif name == "apply_spec_augment":
            setattr(owner, name, False)


def optimized(
    made: Made, run: Callable[..., Any], compiled: Callable[[Any], Any]
) -> Callable[[], list[torch.Tensor]]:
    """A step of training with AdamW; its results are those of `train`.

    `compiled` compiles the optimizer's step. The rate is small: a model may be stepped
    many times and has the same numbers.
    """
    weights = [one for one in made.module.parameters() if one.requires_grad]
    on_gpu = weights[0].is_cuda
    optimizer = torch.optim.AdamW(weights, lr=1e-12, capturable=on_gpu)
    step = compiled(optimizer.step)

    def call() -> list[torch.Tensor]:
        found = train(made, run)
        step()
        return found

    return call


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
    places = min(places, getattr(config, "max_position_embeddings", places))
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


class Rewinding:
    """Keeps a cache as it is, and makes calls that decode near that place.

    A cache counts its tokens, and does not notice that it is full. Counts that are
    Python's are guards of Dynamo, so they are the same at each call.
    """

    def __init__(self, one: Made) -> None:
        """Copy the cache."""
        self.layers = one.inputs["past_key_values"].layers
        left = int(one.inputs["position_ids"][0, 0])
        # Several compilers call one model in turn, and each counts its own calls.
        self.ahead = min(CALLS_AHEAD, left // 4)
        self.tensors: list[dict[str, torch.Tensor]] = []
        self.numbers: list[dict[str, int]] = []
        for layer in self.layers:
            given = vars(layer).items()
            self.tensors.append(
                {n: one.clone() for n, one in given if isinstance(one, torch.Tensor)}
            )
            self.numbers.append({n: one for n, one in given if type(one) is int})

    def around(self, run: Callable[[], Any]) -> Callable[[], Any]:
        """A call that begins anew after every so many."""
        calls = 0

        def call() -> Any:
            nonlocal calls
            for layer, tensors, numbers in zip(
                self.layers, self.tensors, self.numbers, strict=True
            ):
                vars(layer).update(numbers)
                if calls % self.ahead == 0:
                    for name, value in tensors.items():
                        getattr(layer, name).copy_(value)
            calls += 1
            return run()

        return call


def filling(made: Made, one: Made) -> dict[str, Any]:
    """Arguments of the call before: tokens that fill half of the cache."""
    token, cache = one.inputs["input_ids"], one.inputs["past_key_values"]
    count = int(one.inputs["position_ids"][0, 0])
    tokens = (
        token.expand(-1, count) * 0 + torch.arange(count, device=token.device) % 97 + 2
    )
    return {"input_ids": tokens, "past_key_values": cache, "use_cache": True}
