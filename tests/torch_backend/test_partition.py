"""Where the graph is cut, and which payload a node belongs to."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tilewright.torch_backend.report import RECENT


class Layers(nn.Module):
    """Two layers that torch computes a part of, between batch norms."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.BatchNorm1d(8)
        self.second = nn.BatchNorm1d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.first(torch.special.airy_ai(x)))
        return torch.relu(self.second(torch.special.airy_ai(y)) + x)


def segments(model: nn.Module, *args: torch.Tensor) -> list[list[str]]:
    """The ops of each payload; the numbers are eager's."""
    compiled = torch.compile(model, backend="tilewright")
    with torch.no_grad():
        torch.testing.assert_close(compiled(*args), model(*args))
    return RECENT[-1].segments


def test_factors_of_weights_are_computed_where_they_are_read() -> None:
    model = Layers().eval()
    first, second = segments(model, torch.randn(4, 8))
    assert first.count("aten.sqrt.default") == second.count("aten.sqrt.default") == 1


class Statistics(nn.Module):
    """A mean of a large tensor, which is read late."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        mean = y.mean(dim=0)
        return torch.special.airy_ai(y) * mean


def test_a_reduction_stays_near_what_it_reads() -> None:
    first, second = segments(Statistics(), torch.randn(64, 8))
    assert "aten.mean.dim" in first and "aten.mean.dim" not in second


class Scaled(nn.Module):
    """An image that is scaled early and read late, as features of a DenseNet are."""

    def __init__(self) -> None:
        super().__init__()
        self.factor = nn.Parameter(torch.randn(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        late = (x * self.factor.exp() + 1).relu()
        return torch.special.airy_ai(x.sin()) + late


def test_a_chain_of_an_image_is_computed_where_it_is_read() -> None:
    first, second = segments(Scaled(), torch.randn(64, 8))
    assert first == ["aten.sin.default"]
    assert {"aten.mul.Tensor", "aten.relu.default"} <= set(second)


class Chain(nn.Module):
    """Many steps, each with a split."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range(4):
            largest, place = torch.max(x.sin(), dim=1, keepdim=True)
            x = x + largest * place
        return x


def test_large_payloads_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.torch_backend.partition.segments.MOST_NODES", 6)
    found = segments(Chain(), torch.randn(3, 4))
    assert len(found) > 2
    assert max(map(len, found)) <= 8


class Activation(nn.Module):
    """A derivative of an image by several ops, which is read late."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        slope = (x * x + 1).tanh()
        late = (1 - slope * slope) * x + slope * 0.5
        return torch.special.airy_ai(x.sin()) * slope + late


def test_ops_of_one_tensor_are_computed_together_where_they_are_read() -> None:
    first, second = segments(Activation(), torch.randn(64, 8))
    assert first == ["aten.sin.default"]
    assert "aten.tanh.default" in second


def test_a_call_of_functions_is_no_view() -> None:
    def chosen(x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)) + 1

    x = torch.randn(4, 8)
    torch._dynamo.reset()
    found = torch.compile(chosen, backend="tilewright")(x)
    torch.testing.assert_close(found, chosen(x))
    (cond,) = RECENT[-1].stayed
    assert cond.reason == "tilewright has no kernel for it"
