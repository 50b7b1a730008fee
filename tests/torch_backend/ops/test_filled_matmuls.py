"""A matmul with a matrix of one number, such as a state that begins with zeros."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tilewright import from_torch
from tilewright.torch_backend.backend import tilewright


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_row_is_computed_once_for_all(dtype: torch.dtype) -> None:
    layer = nn.Linear(5, 6).to(dtype)
    with torch.no_grad():
        layer.weight[2, 3] = float("inf")

    def run(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        zeros, tenths = x.new_zeros(3, 5), x.new_full((4, 2, 3), 0.1)
        return layer(zeros), x @ tenths.view(8, 3), layer(x[:, :5].abs())

    x = torch.randn(3, 8, dtype=dtype)
    torch._dynamo.reset()
    with torch.no_grad():
        made = torch.compile(run, backend=tilewright, options={"strict": True})(x)
        torch.testing.assert_close(made, run(x), equal_nan=True)
    assert made[0].isnan().sum() == 3


def test_no_matmul_is_left() -> None:
    class Start(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell = nn.LSTMCell(4, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.cell(x)[0]

    payload = from_torch(Start(), (torch.randn(2, 4),)).text()
    assert payload.count("linalg.matmul") == 1
