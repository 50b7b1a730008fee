"""Where the graph is cut, and which payload a node belongs to."""

from __future__ import annotations

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
