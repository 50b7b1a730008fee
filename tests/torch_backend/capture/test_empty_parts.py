"""A concat with an empty tensor is payload: the empty part is left out."""

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


@pytest.mark.parametrize("function", [cached, several, transposed])
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
