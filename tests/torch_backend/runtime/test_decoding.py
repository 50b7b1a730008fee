"""Decoding with a cache of fixed size: the next token's keys are kernels' stores."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

import pytest
import torch

import tilewright
from support.torch_compiling import compiled

PLACES = 8
SIZES: Mapping[str, Mapping[str, int]] = {
    "gpt2": {"n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": PLACES},
    "llama": {
        "hidden_size": 16,
        "intermediate_size": 24,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "max_position_embeddings": PLACES,
    },
}
STORES = {"gpt2": 1, "llama": 2}
"""The kernels that store keys and values of a step; llama turns its keys before."""
needs_transformers = pytest.mark.skipif(
    importlib.util.find_spec("transformers") is None,
    reason="the extra `zoo` is not installed",
)


def decoding(name: str, dtype: torch.dtype = torch.float32) -> tuple[Any, Any]:
    """A small model with random weights, and a cache after a prompt of three tokens."""
    from zoo.packages import library

    transformers: Any = library("transformers")
    torch.manual_seed(0)
    tokens = {"vocab_size": 19, "bos_token_id": 0, "eos_token_id": 1}
    config = transformers.AutoConfig.for_model(name, **SIZES[name], **tokens)
    model = transformers.AutoModelForCausalLM.from_config(config).eval().to(dtype)
    cache = transformers.StaticCache(config=config, max_cache_len=PLACES)
    model(torch.tensor([[3, 5, 2]]), past_key_values=cache, use_cache=True)
    return model, cache


def next_scores(run: Any, cache: Any, token: int, place: int) -> torch.Tensor:
    given, at = torch.tensor([[token]]), torch.tensor([[place]])
    found = run(given, past_key_values=cache, position_ids=at, use_cache=True)
    return found.logits


def kept(cache: Any) -> list[torch.Tensor]:
    """The keys and the values of a cache."""
    return [kept for layer in cache.layers for kept in (layer.keys, layer.values)]


@needs_transformers
@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize(
    "interpreter", ["payload", pytest.param("kernels", marks=pytest.mark.slow)]
)
def test_several_tokens_have_the_scores_of_eager_torch(
    name: str, interpreter: str
) -> None:
    with torch.no_grad():
        model, theirs = decoding(name)
        _, ours = decoding(name)
        memory = [one.data_ptr() for one in kept(ours)]
        fast = compiled(model, fallback="error", interpreter=interpreter)
        for place, token in enumerate((7, 11, 0), start=3):
            scores = next_scores(fast, ours, token, place)
            expected = next_scores(model, theirs, token, place)
            torch.testing.assert_close(scores, expected, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(kept(ours), kept(theirs), atol=1e-4, rtol=1e-4)
    assert [one.data_ptr() for one in kept(ours)] == memory


@needs_transformers
@pytest.mark.parametrize("name", SIZES)
def test_a_step_is_kernels_alone(name: str) -> None:
    with torch.no_grad():
        model, cache = decoding(name, torch.bfloat16)
        torch._dynamo.reset()

        def step(token: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
            found = model(
                token, past_key_values=cache, position_ids=place, use_cache=True
            )
            return found.logits

        given = (torch.tensor([[7]]), torch.tensor([[3]]))
        found = tilewright.explain(step, given, measure=False)
    assert not found.in_torch and not found.refused
    stores = [row.kernel for row in found.kernels if "index_copy" in row.kernel]
    assert len(stores) == STORES[name]
