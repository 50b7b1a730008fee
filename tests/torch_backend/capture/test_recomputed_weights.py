"""Training saves no weights of attention, where their gradients do not need them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional as F

import tilewright
from support.torch_compiling import compiled

Tensor = torch.Tensor
Attention = Callable[..., Any]
Loss = Callable[[Tensor], Tensor]
ROWS, FEATURES = 24, 8


def scores_of(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5


def weighted(scores: Tensor, v: Tensor) -> Tensor:
    return scores.float().softmax(-1).to(v.dtype) @ v


def causal(scores: Tensor) -> Tensor:
    size = scores.shape[-1]
    kept = torch.ones(size, size, dtype=torch.bool, device=scores.device).tril()
    return scores.masked_fill(~kept, float("-inf"))


def plain(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return weighted(scores_of(q, k), v)


def masked(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return weighted(causal(scores_of(q, k)), v)


def capped(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return weighted(causal(5 * torch.tanh(scores_of(q, k) / 5)), v)


def of_bare_matrices(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return plain(q[0, 0], k[0, 0], v[0, 0])


def with_shared_heads(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    k, v = (one[:, :1].expand_as(q) for one in (k, v))
    return masked(q, k, v)


def split_out_of_rows(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """As in a layer: heads lie beside each other in a row."""
    rows = [one.transpose(1, 2).flatten(2) for one in (q, k, v)]
    heads = [one.unflatten(2, (2, FEATURES)).transpose(1, 2) for one in rows]
    return masked(*heads).transpose(1, 2).flatten(2).exp()


def given(dtype: torch.dtype = torch.float32, features: int = FEATURES) -> list[Tensor]:
    torch.manual_seed(0)
    return [
        torch.randn(2, 2, ROWS, features, dtype=dtype, requires_grad=True)
        for _ in range(3)
    ]


def squares(made: Tensor) -> Tensor:
    return made.square().sum()


def trained(
    function: Attention, x: list[Tensor], loss: Loss = squares
) -> tuple[list[Tensor], bool]:
    """The gradients, and whether training saves a tensor of rows by rows."""
    saved: set[tuple[int, ...]] = set()

    def note(one: Tensor) -> Tensor:
        saved.add(tuple(one.shape))
        return one

    call = compiled(function)
    with torch.autograd.graph.saved_tensors_hooks(note, lambda one: one):
        made = call(*x)
    loss(made).backward()
    found = [one.grad for one in x if one.grad is not None]
    assert len(found) == len(x)
    assert saved
    return found, any(shape[-2:] == (ROWS, ROWS) for shape in saved)


def exact(function: Attention, x: list[Tensor], loss: Loss = squares) -> list[Tensor]:
    """The gradients in 64 bits; a cast to 32 bits on the way is rounded there."""
    wide = [one.detach().double().requires_grad_() for one in x]
    loss(function(*wide)).backward()
    return [one.grad for one in wide if one.grad is not None]


FORMS = [plain, masked, capped, of_bare_matrices, with_shared_heads, split_out_of_rows]


@pytest.mark.parametrize("function", FORMS)
def test_weights_are_not_saved(function: Attention) -> None:
    x = given()
    found, has_weights = trained(function, x)
    assert not has_weights
    for ours, right in zip(found, exact(function, x), strict=True):
        torch.testing.assert_close(ours.double(), right, atol=2e-5, rtol=2e-5)


def test_sixteen_bits_are_as_exact_as_eager() -> None:
    """For gradients that do not follow the result, which was rounded to 16 bits."""
    x = given(torch.bfloat16)
    gradient = torch.randn_like(x[0])

    def drawn(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return capped(q, k, v) * gradient

    found, has_weights = trained(drawn, x, torch.sum)
    assert not has_weights
    right = exact(drawn, x, torch.sum)
    theirs = torch.autograd.grad(drawn(*x).sum(), x)
    for ours, other, value in zip(found, theirs, right, strict=True):
        error = (other.double() - value).norm()
        assert (ours.double() - value).norm() <= 1.25 * error


def with_weights(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Layers that give their weights away, too."""
    weights = scores_of(q, k).softmax(-1)
    return torch.cat([weights @ v, weights], -1)


def with_dropout(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    weights = F.dropout(scores_of(q, k).softmax(-1), 0.5)
    return weights @ v


@pytest.mark.parametrize("function", [with_weights, with_dropout])
def test_weights_that_something_else_reads_are_saved(function: Attention) -> None:
    x = given()
    torch.manual_seed(1)
    found, has_weights = trained(function, x)
    assert has_weights
    if function is with_weights:
        for ours, right in zip(found, exact(function, x), strict=True):
            torch.testing.assert_close(ours.double(), right, atol=2e-5, rtol=2e-5)


def test_products_of_many_features_are_not_computed_twice() -> None:
    """The factors have more elements than the weights: they are read once."""
    x = given(features=2 * ROWS)
    _, has_weights = trained(plain, x)
    assert has_weights


@pytest.mark.slow
def test_both_passes_are_streamed() -> None:
    """Without weights in memory: the result, one sum of each row, and two loops."""
    x = [
        torch.empty(2, 16, 512, 64, dtype=torch.bfloat16, requires_grad=True)
        for _ in range(3)
    ]
    made = tilewright.explain(
        capped, tuple(x), backward=True, measure=False, options={"target": "h200"}
    )
    assert [row.graph for row in made.kernels] == ["forward"] + 3 * ["backward"]
    assert max(row.moved_bytes for row in made.kernels) < 2 * 2 * 16 * 512 * 512
