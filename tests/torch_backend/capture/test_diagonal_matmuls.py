"""Matmuls with diagonal matrices are no matmuls."""

from __future__ import annotations

import pytest
import torch

from tilewright.torch_backend.report import RECENT

N = 6


def diagonal_first(v: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return (torch.diag(v) if v.dim() == 1 else torch.diag_embed(v)) @ x


def diagonal_second(v: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return x.mT @ torch.diag_embed(v)


def ops() -> list[str]:
    (report,) = RECENT
    return [op for segment in report.segments for op in segment]


def check(function: object, v: torch.Tensor, x: torch.Tensor) -> None:
    RECENT.clear()
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="tilewright", fullgraph=True)
    expected = function(v, x)  # pyright: ignore[reportCallIssue]
    torch.testing.assert_close(compiled(v, x), expected, equal_nan=True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("function", [diagonal_first, diagonal_second])
@pytest.mark.parametrize("batch", [(), (3,)])
def test_rows_and_columns_are_scaled(function: object, batch: tuple[int, ...]) -> None:
    check(function, torch.randn(*batch, N), torch.randn(*batch, N, 5))
    assert not {"aten.mm.default", "aten.bmm.default"} & set(ops())


@pytest.mark.parametrize("function", [diagonal_first, diagonal_second])
def test_zeros_times_infinity_are_nan(function: object) -> None:
    v, x = torch.randn(N), torch.randn(N, 5)
    x[2, 1] = torch.inf
    x[0, 3] = x[4, 3] = torch.nan
    check(function, v, x)


def test_other_diagonals_are_products() -> None:
    def beside(v: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.diag_embed(v, 1) @ x

    check(beside, torch.randn(N - 1), torch.randn(N, 5))
    assert "aten.mm.default" in ops()
