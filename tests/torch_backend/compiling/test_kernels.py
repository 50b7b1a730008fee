"""Graphs of torch as planned kernels, which the interpreter runs here."""

from __future__ import annotations

import pytest
import torch

import tilewright
from tilewright.torch_backend.backend import tilewright as backend
from tilewright.torch_backend.report import RECENT
from torch_models.table import MODELS

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.slow
def test_a_number_that_several_kernels_read_is_computed_once() -> None:
    def norm(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return torch.native_layer_norm(x, (1, 2, 3), None, None, 0.5)

    x = torch.randn(1, 2, 3)
    program = tilewright.compile(tilewright.from_torch(norm, (x,)), inherit=False)
    for made, expected in zip(program(x), norm(x), strict=True):
        torch.testing.assert_close(made, expected)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(5, 1), (3, 7, 127), (70, 1000)])
def test_a_norm_and_its_statistics_are_one_kernel(shape: tuple[int, ...]) -> None:
    def norm(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        total = x + y
        made = torch.native_layer_norm(total, shape[-1:], None, None, 0.1)
        return total, *made

    x, y = torch.randn(2, *shape)
    program = tilewright.compile(tilewright.from_torch(norm, (x, y)), inherit=False)
    for made, expected in zip(program(x, y), norm(x, y), strict=True):
        torch.testing.assert_close(made, expected)
    assert program.plan is not None and len(program.plan.kernels) == 1


def test_functions_and_gathers_are_one_payload_of_kernels() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.asin(torch.tanh(x + 1)).flip(0).sum(-1) * 2

    torch._dynamo.reset()
    options = {"strict": True, "interpreter": "kernels"}
    x = torch.randn(4, 8)
    made = torch.compile(function, backend=backend, options=options)(x)
    torch.testing.assert_close(made, function(x))
    assert not RECENT[-1].stayed and not RECENT[-1].refused
    assert len(RECENT[-1].segments) == 1


def test_a_sum_of_products_over_rows_of_odd_length_has_a_kernel() -> None:
    def trace(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.einsum("bij,bji->b", x, y)

    torch._dynamo.reset()
    options = {"strict": True, "interpreter": "kernels"}
    x, y = torch.randn(2, 9, 8), torch.randn(2, 8, 9)
    made = torch.compile(trace, backend=backend, options=options)(x, y)
    torch.testing.assert_close(made, trace(x, y))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["decoder block", "small GPT", "recommender"])
def test_a_model_has_kernels_for_everything_that_is_payload(name: str) -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()
    sized = MODELS[name].small
    model, given = sized.module().eval(), sized.inputs()
    options = {"strict": True, "interpreter": "kernels"}
    with torch.no_grad():
        ours = torch.compile(model, backend=backend, options=options)(*given)
        torch.testing.assert_close(ours, model(*given), atol=1e-5, rtol=1e-4)
    assert not RECENT[-1].refused
