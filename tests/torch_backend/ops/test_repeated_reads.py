"""Repeated tensors as operands of element-wise ops."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from tilewright.torch_backend.watching import watching  # noqa: E402


def _both_ways(x: Any, y: Any) -> Any:
    return x.repeat_interleave(3, 1) * x.repeat(1, 3, 1)


def _beside_others(x: Any, y: Any) -> Any:
    return torch.where(y > 0, x.repeat(1, 3, 1) + y, y)


def _enlarged(x: Any, y: Any) -> Any:
    large = x.repeat_interleave(3, 1).repeat_interleave(2, 2)
    return large - y.repeat(1, 1, 2)


@pytest.mark.parametrize("function", [_both_ways, _beside_others, _enlarged])
def test_no_copy_is_stored(function: Any) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    x, y = torch.randn(2, 4, 5), torch.randn(2, 12, 5)
    with watching() as segments, torch.no_grad():
        made = torch.compile(function, backend="tilewright")(x, y)
    torch.testing.assert_close(made, function(x, y))
    (segment,) = segments
    text = segment.lowered.payload.text()
    assert "tensor.extract" in text and "broadcast" not in text
