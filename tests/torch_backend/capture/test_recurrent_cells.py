"""The cells that torch runs as one op on a GPU, against its cells on a CPU."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from tilewright.torch_backend.capture.loops.recurrent_cells import (
    gru_cell,
    gru_cell_backward,
    lstm_cell,
    lstm_cell_backward,
)

BATCH, FEATURES, HIDDEN = 3, 4, 5


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("used", ["hidden", "cell", "both"])
def test_the_lstm_cell_and_its_gradients(bias: bool, used: str) -> None:
    torch.manual_seed(0)
    cell = nn.LSTMCell(FEATURES, HIDDEN, bias=bias)
    x, hidden = torch.randn(BATCH, FEATURES), torch.randn(BATCH, HIDDEN)
    before = torch.randn(BATCH, HIDDEN, requires_grad=True)
    expected = cell(x, (hidden, before))
    biases = (cell.bias_ih, cell.bias_hh) if bias else (None, None)
    gates = F.linear(x, cell.weight_ih), F.linear(hidden, cell.weight_hh)
    made, after, workspace = lstm_cell(*gates, before, *biases)
    torch.testing.assert_close((made, after), expected)

    seeds = torch.randn(BATCH, HIDDEN), torch.randn(BATCH, HIDDEN)
    of_hidden = seeds[0] if used != "cell" else None
    of_cell = seeds[1] if used != "hidden" else None
    pairs = [
        (result, seed)
        for result, seed in zip(expected, (of_hidden, of_cell), strict=True)
        if seed is not None
    ]
    results, given = zip(*pairs, strict=True)
    of_weight, of_before = torch.autograd.grad(results, (cell.weight_ih, before), given)
    of_gates, found, of_bias = lstm_cell_backward(
        of_hidden, of_cell, before, after, workspace, bias
    )
    torch.testing.assert_close(of_gates.T @ x, of_weight)
    torch.testing.assert_close(found, of_before)
    assert (of_bias is not None) == bias


@pytest.mark.parametrize("bias", [True, False])
def test_the_gru_cell_and_its_gradients(bias: bool) -> None:
    torch.manual_seed(0)
    cell = nn.GRUCell(FEATURES, HIDDEN, bias=bias)
    x = torch.randn(BATCH, FEATURES)
    before = torch.randn(BATCH, HIDDEN, requires_grad=True)
    expected = cell(x, before)
    biases = (cell.bias_ih, cell.bias_hh) if bias else (None, None)
    gates = F.linear(x, cell.weight_ih), F.linear(before, cell.weight_hh)
    made, workspace = gru_cell(*gates, before, *biases)
    torch.testing.assert_close(made, expected)

    seed = torch.randn(BATCH, HIDDEN)
    weights = cell.weight_ih, cell.weight_hh, before
    of_input, of_hidden, of_before = torch.autograd.grad(expected, weights, seed)
    found = gru_cell_backward(seed, workspace, bias)
    torch.testing.assert_close(found[0].T @ x, of_input)
    torch.testing.assert_close(found[1].T @ before, of_hidden)
    torch.testing.assert_close(found[2] + found[1] @ cell.weight_hh, of_before)
    assert (found[3] is not None) == bias


def test_narrow_floats_are_computed_in_f32() -> None:
    torch.manual_seed(0)
    given = [torch.randn(BATCH, 4 * HIDDEN) for _ in range(2)]
    cell = torch.randn(BATCH, HIDDEN)
    exact = lstm_cell(*given, cell)
    narrow = lstm_cell(*(one.bfloat16() for one in given), cell.bfloat16())
    for made, expected in zip(narrow, exact, strict=True):
        assert made.dtype == torch.bfloat16
        torch.testing.assert_close(made.float(), expected, atol=0.03, rtol=0.03)
