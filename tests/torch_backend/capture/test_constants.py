"""Tensors that a model makes from Python numbers."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tilewright.torch_backend.backend import tilewright
from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")


def compiled(function: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(function, backend=tilewright, options={"strict": True})


@torch.no_grad()
def test_a_constant_of_one_number_is_payload() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.max(torch.min(x, torch.tensor(0.5)) + 1, torch.tensor(1))

    x = torch.randn(4, 5)
    torch.testing.assert_close(compiled(function)(x), function(x))
    assert len(RECENT[-1].segments) == 1
    assert not RECENT[-1].stayed


@torch.no_grad()
def test_a_constant_of_several_numbers_is_an_input() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) * torch.tensor([1.0, 2.0, 3.0]) + 1

    x = torch.randn(2, 3)
    torch.testing.assert_close(compiled(function)(x), function(x))
    assert len(RECENT[-1].segments) == 1
    assert not RECENT[-1].stayed


@torch.no_grad()
def test_a_constant_that_is_a_result_is_fresh_each_time() -> None:
    def function(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x + 1, torch.tensor(2.0)

    called = compiled(function)
    called(torch.ones(2))[1].add_(1)
    assert called(torch.ones(2))[1].item() == 2.0


def test_indices_of_a_triangle_are_a_constant() -> None:
    def pairs(x: torch.Tensor) -> torch.Tensor:
        rows, columns = torch.tril_indices(5, 5, -1)
        return x[:, rows, columns] * 2

    x = torch.randn(3, 5, 5)
    torch.testing.assert_close(compiled(pairs)(x), pairs(x))
    assert not RECENT[-1].stayed
