"""Bytes are computed as wider numbers, and equal eager."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from tilewright.torch_backend.report import RECENT

W = torch.arange(0, 256, 4, dtype=torch.uint8).reshape(8, 8)
VIEW = "aten.view.dtype"

CALLS: dict[str, tuple[Callable[[torch.Tensor], Any], list[str]]] = {
    "weights of 4 bits": (
        lambda w: torch.stack([w & 15, w >> 4], -1).flatten(1).float() - 8,
        [VIEW],
    ),
    "image": (lambda w: (w.float() / 255 - 0.5) / 0.2, [VIEW]),
    "scaled": (lambda w: w * 0.5 + 1, [VIEW]),
    "xor": (lambda w: torch.cat([w ^ (w >> 1), w.t()]).long(), [VIEW]),
    "bytes leave": (lambda w: (w & 7, w.float()), ["aten.bitwise_and.Scalar", VIEW]),
    "sums wrap": (lambda w: (w + w).float(), ["aten.add.Tensor", VIEW]),
    "bits above": (lambda w: (w | -2).float(), ["aten.bitwise_or.Scalar", VIEW]),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", CALLS)
def test_equals_eager(name: str) -> None:
    torch._dynamo.reset()
    function, stays = CALLS[name]
    compiled = torch.compile(function, backend="tilewright", options={"strict": True})
    torch.testing.assert_close(compiled(W), function(W))
    assert sorted(one.op for one in RECENT[-1].stayed) == stays
