"""Cross entropy equals eager torch, and computes the target's class alone."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

import tilewright

ROWS = torch.randn(6, 5, generator=torch.Generator().manual_seed(0))
IMAGE = ROWS.reshape(2, 5, 3, 1)
CASES: dict[str, tuple[torch.Tensor, torch.Tensor, dict[str, object]]] = {
    "rows": (ROWS, torch.tensor([0, 4, -100, 2, 1, 3]), {}),
    "image, sum": (IMAGE, torch.arange(6).reshape(2, 3, 1) % 5, {"reduction": "sum"}),
    "weights": (
        ROWS,
        torch.arange(6) % 5,
        {"weight": torch.arange(1.0, 6.0), "ignore_index": 2},
    ),
    "each": (ROWS, torch.arange(6) % 5, {"reduction": "none", "ignore_index": 1}),
}


@pytest.mark.parametrize("name", CASES)
def test_equals_eager(name: str) -> None:
    torch._dynamo.reset()
    x, target, given = CASES[name]

    def loss(x: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(x, target, **given)  # pyright: ignore[reportArgumentType]

    options = {"strict": True, "fallback": "error"}
    compiled = torch.compile(loss, backend="tilewright", options=options)
    torch.testing.assert_close(compiled(x), loss(x))


def test_logarithms_are_not_stored() -> None:
    x, target = torch.empty(16384, 4096), torch.zeros(16384, dtype=torch.int64)
    found = tilewright.explain(F.cross_entropy, (x, target), measure=False)
    assert sum(row.moved_bytes for row in found.kernels) < 1.1 * 4 * x.numel()
    assert len(found.kernels) <= 3
