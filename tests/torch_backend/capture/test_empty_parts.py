"""Ops on tensors without elements are payload, where their results have some."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from tilewright.torch_backend.report import RECENT

pytestmark = pytest.mark.filterwarnings("ignore")


def cached(x: torch.Tensor) -> torch.Tensor:
    keys = torch.cat([torch.tensor([], dtype=x.dtype), x * 2], dim=-2)
    return torch.exp(keys)


def several(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([x + 1, x[:, :0], x * 2], dim=1)


def transposed(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([x.mT[:0], x.mT], dim=0)


def summed(x: torch.Tensor) -> torch.Tensor:
    return x[2:2].sum(0) + x[0] + x.long()[:, :0].sum(1, keepdim=True)[1]


def multiplied(x: torch.Tensor) -> torch.Tensor:
    batches = torch.bmm(x[None, :, 6:], x[None, 4:, :4])
    return x[:, :0] @ x[:, :0].T + batches


def framed(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.pad(x[:, 6:], (1, 2), value=3.0) * 2


def written(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y[:, 2:2] = 5.0
    return y * 2


@pytest.mark.parametrize(
    "function", [cached, several, transposed, summed, multiplied, framed, written]
)
def test_nothing_stays_in_torch(function: Callable[..., torch.Tensor]) -> None:
    torch._dynamo.reset()
    x = torch.randn(4, 6)
    fast = torch.compile(function, backend="tilewright", options={"strict": True})
    found, wanted = fast(x), function(x)
    torch.testing.assert_close(found, wanted)
    assert found.stride() == wanted.stride()
    assert not RECENT[-1].stayed


def test_a_type_that_an_empty_part_decides_is_kept() -> None:
    def widened(x: torch.Tensor) -> torch.Tensor:
        return torch.cat([torch.empty(0, 6, dtype=torch.float64), x], dim=0)

    torch._dynamo.reset()
    x = torch.randn(4, 6)
    found = torch.compile(widened, backend="tilewright")(x)
    assert found.dtype == torch.float64
    torch.testing.assert_close(found, widened(x))
