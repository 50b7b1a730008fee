"""Which order in memory the results of element-wise ops on three dimensions have."""

from __future__ import annotations

import torch

import tilewright


def shapes(*operands: torch.Tensor) -> list[str]:
    """The types of what element-wise ops make of two transposed or plain operands."""

    def added(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        a, b = (one.transpose(1, 2) if one.shape[2] == 3 else one for one in (x, y))
        return torch.relu(a + b)

    text = tilewright.from_torch(added, operands).text()
    return [line.split("-> ")[-1] for line in text.splitlines() if "} -> " in line]


def test_tokens_that_lie_as_a_convolution_left_them_take_the_plain_order() -> None:
    tokens, layer = torch.zeros(2, 7, 3), torch.zeros(2, 3, 7)
    assert set(shapes(tokens, layer)) == {"tensor<2x3x7xf32>"}


def test_lines_that_all_lie_channels_last_stay_so() -> None:
    assert "tensor<2x7x3xf32>" in shapes(torch.zeros(2, 7, 3), torch.ones(2, 7, 3))
