"""Bags of embeddings: an embedding and a reduction where all bags are equally long."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from tilewright.torch_backend import report
from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.from_torch import from_torch

pytestmark = pytest.mark.filterwarnings("ignore")


def compiled(model: Any) -> Any:
    torch._dynamo.reset()
    report.RECENT.clear()
    return torch.compile(model, backend=tilewright, options={"strict": True})


def stayed() -> list[str]:
    return [one.op for graph in report.RECENT for one in graph.stayed]


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_of_equal_length_are_payload(mode: str) -> None:
    model = nn.EmbeddingBag(50, 8, mode=mode)
    indices = torch.randint(0, 50, (4, 6))
    with torch.no_grad():
        torch.testing.assert_close(compiled(model)(indices), model(indices))
    assert not stayed()


def test_an_exported_bag_is_payload() -> None:
    model = nn.EmbeddingBag(50, 8, mode="sum")
    payload = from_torch(model, (torch.randint(0, 50, (4, 6)),))
    assert "tensor.extract" in payload.text()


@pytest.mark.parametrize("options", [{"padding_idx": 3}, {"include_last_offset": True}])
def test_other_bags_stay_in_torch(options: dict[str, Any]) -> None:
    model = nn.EmbeddingBag(50, 8, mode="sum", **options)
    indices, starts = torch.randint(0, 50, (24,)), torch.tensor([0, 5, 9, 24])
    starts = starts if "include_last_offset" in options else starts[:3]
    with torch.no_grad():
        torch.testing.assert_close(
            compiled(model)(indices, starts), model(indices, starts)
        )
    assert any("_embedding_bag" in op for op in stayed())


def test_gradients_of_bags_are_those_of_eager() -> None:
    model = nn.EmbeddingBag(50, 8, mode="mean")
    indices = torch.randint(0, 50, (4, 6))
    found: list[torch.Tensor] = []
    for run in (compiled(model), model):
        model.zero_grad()
        run(indices).square().sum().backward()
        assert model.weight.grad is not None
        found.append(model.weight.grad.clone())
    torch.testing.assert_close(*found)
