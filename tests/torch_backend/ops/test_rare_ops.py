"""Ops that few models have, and adaptive maxima: payload, with torch's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F


def rand(*sizes: int) -> torch.Tensor:
    return torch.randn(sizes, generator=torch.Generator().manual_seed(len(sizes)))


CASES: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...]]] = {
    "bilinear": (nn.Bilinear(5, 6, 7), (rand(2, 4, 5), rand(2, 4, 6))),
    "addbmm": (
        lambda x, y, z: torch.addbmm(x, y, z, beta=0.5, alpha=2),
        (rand(3, 5), rand(4, 3, 6), rand(4, 6, 5)),
    ),
    "distances": (
        lambda x, y: (torch.dist(x, y), torch.pdist(x), torch.pdist(y, 1.0)),
        (rand(6, 5), rand(6, 5) + 1),
    ),
    "searches": (
        lambda x, y: (
            torch.searchsorted(y, x),
            torch.searchsorted(y, x, side="right"),
        ),
        (torch.tensor([[0.0, 1.0], [2.5, 9.0]]), torch.tensor([1.0, 2.0, 3.0])),
    ),
    "rolls": (
        lambda x: (torch.roll(x, 3), torch.roll(x.t(), -9), torch.roll(x[:, 1], 1)),
        (rand(3, 4),),
    ),
    "copies": (
        lambda x: (
            torch.view_copy(x, (6, 2)),
            torch.ops.aten.unbind_copy.int(x)[1],
            torch.permute_copy(x, (1, 0)),
            torch.narrow_copy(x, 1, 1, 2),
        ),
        (rand(3, 4),),
    ),
    "elements": (
        lambda x: (F.rrelu(x), torch.ldexp(x, torch.tensor([1, -2, 0, 3]))),
        (rand(3, 4),),
    ),
    "special functions": (
        lambda x, y: (
            torch.erfinv(x),
            torch.special.i0(y),
            torch.special.i0e(y),
            torch.lgamma(y),
            torch.digamma(y),
        ),
        (
            torch.tensor([-1.0, -0.999, -0.7, 0.0, 1e-20, 0.4, 0.99999, 1.0, 1.1]),
            torch.tensor(
                [0.0, -0.0, 1e-30, -1e-7, 0.3, 1.0, 1.46163, 2.0, 2.9, 3.1, 17.0, 80.0]
                + [-0.5, -1.9, -3.3, -4.0, torch.inf, torch.nan]
            ),
        ),
    ),
    "quantized": (
        lambda x, scale: (
            torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 15),
            torch.fake_quantize_per_channel_affine(
                x, scale, torch.tensor([0, 1, -2], dtype=torch.int32), 0, -8, 7
            ),
            torch.fake_quantize_per_tensor_affine(
                x, scale[0], torch.tensor(1, dtype=torch.int32), -8, 7
            ),
        ),
        (rand(3, 4) * 2, torch.tensor([0.3, 0.1, 0.2])),
    ),
    "adaptive maxima": (
        lambda x: (
            *F.adaptive_max_pool2d(x, (3, 4), return_indices=True),
            F.adaptive_max_pool2d(x, (4, 3)),
            F.adaptive_max_pool2d(x, (5, 11)),
        ),
        (rand(2, 3, 8, 6),),
    ),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", CASES)
def test_they_are_payload(name: str) -> None:
    function, given = CASES[name]
    torch._dynamo.reset()
    made = torch.compile(function, backend="tilewright", options={"fallback": "error"})
    with torch.no_grad():
        torch.testing.assert_close(made(*given), function(*given), equal_nan=True)


def test_the_place_of_a_largest_element_is_that_of_torch() -> None:
    x = torch.tensor([1.0, 3.0, 3.0, torch.nan, 2.0, torch.nan, 0.0]).reshape(1, 1, 7)

    def places(x: torch.Tensor) -> torch.Tensor:
        return F.adaptive_max_pool1d(x, 3, return_indices=True)[1]

    torch._dynamo.reset()
    made = torch.compile(places, backend="tilewright", options={"fallback": "error"})
    assert made(x).equal(places(x))


def test_gradients_of_bilinear_layers_stay_in_torch() -> None:
    layer = nn.Bilinear(3, 4, 2)
    x, y = rand(5, 3).requires_grad_(), rand(5, 4)
    expected = torch.autograd.grad(layer(x, y).square().sum(), [x, layer.weight])
    torch._dynamo.reset()
    made = torch.compile(layer, backend="tilewright")(x, y)
    given = torch.autograd.grad(made.square().sum(), [x, layer.weight])
    torch.testing.assert_close(given, expected)
