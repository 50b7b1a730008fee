"""Reads at given indices under a shape that splits the result."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from tilewright.torch_backend.watching import watching  # noqa: E402


def _warped(x: Any, at: Any, weight: Any) -> Any:
    rows = x.flatten(2).gather(2, at.flatten(1)[:, None].expand(-1, 3, -1))
    return rows.view(2, 3, 4, 5) * weight


def _selected(x: Any, at: Any, weight: Any) -> Any:
    return (
        x.index_select(0, at[:, 0, :3].flatten()).view(2, 3, 3, 4, 5) * weight[:, None]
    )


def _indexed(x: Any, at: Any, weight: Any) -> Any:
    return x.flatten(2)[1, :, at.flatten() - 2].view(3, 2, 4, 5) + weight[0]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("function", [_warped, _selected, _indexed])
def test_reads_and_what_follows_have_the_same_loops(function: Any) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    x, weight = torch.randn(2, 3, 4, 5), torch.randn(2, 1, 4, 5)
    at = torch.randint(0, 2, (2, 4, 5))
    with watching() as segments, torch.no_grad():
        made = torch.compile(function, backend="tilewright")(x, at, weight)
    torch.testing.assert_close(made, function(x, at, weight))
    (segment,) = segments
    reads = [
        line for line in segment.lowered.payload.text().splitlines() if "%read" in line
    ]
    assert any("linalg.generic" in line for line in reads)
    assert not any("expand_shape" in line for line in reads)


def test_rows_and_columns_of_a_square_are_counted_apart() -> None:
    torch._dynamo.reset()
    x = torch.randn(2, 6, 6)

    def added(x: Any) -> Any:
        return x * torch.arange(6)[:, None] + torch.arange(6)

    with watching() as segments, torch.no_grad():
        made = torch.compile(added, backend="tilewright")(x)
    torch.testing.assert_close(made, added(x))
    assert segments[0].lowered.payload.text().count("linalg.index") == 2
