"""Sizes that change between calls: marked as dynamic, found to be, or asked for."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from support.torch_compiling import assert_same, compiled, gradients
from tilewright.torch_backend.report import RECENT
from torch_models.table import MODELS

pytestmark = pytest.mark.filterwarnings("ignore")


def layers() -> nn.Sequential:
    return nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16))


def test_a_marked_batch_is_one_graph() -> None:
    model = layers()
    run = compiled(model)
    RECENT.clear()
    with torch.no_grad():
        for rows in (3, 5, 7):
            x = torch.randn(rows, 8)
            torch._dynamo.mark_dynamic(x, 0)
            assert_same(run(x), model(x))
    assert len(RECENT) == 1


@pytest.mark.slow
def test_a_batch_found_to_be_dynamic_is_two_graphs() -> None:
    model = layers()
    run = compiled(model)
    RECENT.clear()
    with torch.no_grad():
        for rows in (3, 5, 7):
            x = torch.randn(rows, 8)
            assert_same(run(x), model(x))
        assert len(RECENT) == 2
        x = torch.randn(1, 8)  # torch gives the size 1 a graph of its own
        assert_same(run(x), model(x))


@pytest.mark.slow
def test_without_dynamic_sizes_every_size_is_a_graph() -> None:
    run = compiled(torch.relu, dynamic=False)
    RECENT.clear()
    for rows in (3, 5, 7):
        x = torch.randn(rows, 8)
        assert_same(run(x), torch.relu(x))
    assert len(RECENT) == 3


@pytest.mark.slow
def test_gradients_of_dynamic_batches() -> None:
    model = layers()
    run = compiled(model)
    for rows in (3, 5, 7, 1):
        x = torch.randn(rows, 8)
        assert_same(gradients(run, model, x), gradients(model, model, x), 1e-4)


@pytest.mark.slow
def test_every_size_of_an_image() -> None:
    model = nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1),
        nn.BatchNorm2d(4),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
    ).eval()
    run = compiled(model, dynamic=True)
    with torch.no_grad():
        for batch, height in ((2, 8), (3, 9), (4, 6)):
            x = torch.randn(batch, 3, height, height + 1)
            assert_same(run(x), model(x))


@pytest.mark.slow
def test_every_length_of_a_sequence() -> None:
    def attention(x: torch.Tensor) -> torch.Tensor:
        return F.scaled_dot_product_attention(*x.unbind(0), is_causal=True)

    run = compiled(attention, dynamic=True)
    for length in (4, 7, 9):
        x = torch.randn(3, 2, 2, length, 8)
        assert_same(run(x), attention(x))


@pytest.mark.slow
def test_a_cache_that_grows_token_by_token() -> None:
    model = MODELS["decoder one token"].small.module().eval()
    run = compiled(model)
    with torch.no_grad():
        ours = eager = model(torch.randn(2, 3, 32))[1]
        for _ in range(4):
            x = torch.randn(2, 1, 32)
            (made, ours), (expected, eager) = run(x, ours), model(x, eager)
            assert_same((made, ours), (expected, eager))
