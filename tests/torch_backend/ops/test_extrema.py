"""Extrema and their places are one reduction, and equal eager torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tilewright

X = torch.randn(4, 5, 9, generator=torch.Generator().manual_seed(0)).round()
CALLS: dict[str, Callable[[torch.Tensor], Any]] = {
    "all": lambda x: x.argmax(),
    "first": lambda x: x.argmin(0),
    "middle": lambda x: x.max(1),
    "last": lambda x: x.min(2, keepdim=True),
}


def special() -> torch.Tensor:
    """Equal elements, both zeros, both infinities and NaNs of both signs."""
    x = X.clone()
    x[0, 1, 3], x[0, 1, 5], x[0, 2, 0] = torch.nan, -torch.nan, -torch.nan
    x[1], x[1, 2, 4] = -0.0, 0.0
    x[2], x[3] = -torch.inf, torch.inf
    return x


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32", "int64"])
def test_equals_eager(name: str, dtype: str) -> None:
    torch._dynamo.reset()
    kind = getattr(torch, dtype)
    x = special().to(kind) if kind.is_floating_point else X.to(kind)
    options = {"strict": True, "fallback": "error"}
    compiled = torch.compile(CALLS[name], backend="tilewright", options=options)
    torch.testing.assert_close(compiled(x), CALLS[name](x), equal_nan=True)


@pytest.mark.parametrize("name", ["all", "first"])
def test_kernels_equal_eager(name: str) -> None:
    torch._dynamo.reset()
    options = {"strict": True, "interpreter": "kernels"}
    compiled = torch.compile(CALLS[name], backend="tilewright", options=options)
    torch.testing.assert_close(compiled(special()), CALLS[name](special()))


def test_a_large_tensor_is_read_once() -> None:
    found = tilewright.explain(
        lambda x: x.argmax(1), (torch.empty(64, 1024, 300),), measure=False
    )
    assert len(found.kernels) == 1
    assert found.kernels[0].moved_bytes < 1.1 * 4 * 64 * 1024 * 300
