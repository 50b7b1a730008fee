"""Cells of LSTM and GRU, which torch runs on a GPU as one op, taken apart.

Forward and backward ops share a workspace. Only these functions write and read it, so
its layout is theirs: the activated gates one after the other along the last axis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor
aten = torch.ops.aten


def _wide(*tensors: Tensor | None) -> list[Any]:
    """Narrow floats in f32, in which torch's kernels compute."""
    return [
        one.float() if one is not None and one.element_size() < 4 else one
        for one in tensors
    ]


def _biased(gates: Tensor, bias: Tensor | None) -> Tensor:
    return gates if bias is None else gates + bias


def lstm_cell(
    input_gates: Tensor,
    hidden_gates: Tensor,
    cell: Tensor,
    input_bias: Tensor | None = None,
    hidden_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """`_thnn_fused_lstm_cell`: the hidden state, the cell, the workspace."""
    dtype = input_gates.dtype
    one, two, before, bias, other = _wide(
        input_gates, hidden_gates, cell, input_bias, hidden_bias
    )
    gates = _biased(_biased(one + two, bias), other)
    enter, forget, new, out = gates.chunk(4, 1)
    enter, forget, out = enter.sigmoid(), forget.sigmoid(), out.sigmoid()
    new = new.tanh()
    after = forget * before + enter * new
    hidden = out * after.tanh()
    workspace = torch.cat([enter, forget, new, out], 1)
    return hidden.to(dtype), after.to(dtype), workspace.to(dtype)


def lstm_cell_backward(
    grad_hidden: Tensor | None,
    grad_cell: Tensor | None,
    before: Tensor,
    after: Tensor,
    workspace: Tensor,
    has_bias: bool,
) -> tuple[Tensor | None, ...]:
    """`_thnn_fused_lstm_cell_backward_impl`: of the gates, the cell and the bias."""
    if grad_hidden is None and grad_cell is None:
        return None, None, None
    dtype = workspace.dtype
    hidden, cell, before, after, gates = _wide(
        grad_hidden, grad_cell, before, after, workspace
    )
    enter, forget, new, out = gates.chunk(4, 1)
    bent = after.tanh()
    hidden = torch.zeros_like(bent) if hidden is None else hidden
    total = hidden * out * (1 - bent * bent)
    total = total if cell is None else total + cell
    of_gates = torch.cat(
        [
            total * new * (1 - enter) * enter,
            total * before * (1 - forget) * forget,
            total * enter * (1 - new * new),
            hidden * bent * (1 - out) * out,
        ],
        1,
    ).to(dtype)
    of_bias = of_gates.sum(0) if has_bias else None
    return of_gates, (total * forget).to(dtype), of_bias


def gru_cell(
    input_gates: Tensor,
    hidden_gates: Tensor,
    hidden: Tensor,
    input_bias: Tensor | None = None,
    hidden_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """`_thnn_fused_gru_cell`: the hidden state, the workspace."""
    dtype = input_gates.dtype
    one, two, before, bias, other = _wide(
        input_gates, hidden_gates, hidden, input_bias, hidden_bias
    )
    reset, update, new = _biased(one, bias).chunk(3, 1)
    reset_two, update_two, new_two = _biased(two, other).chunk(3, 1)
    reset, update = (reset + reset_two).sigmoid(), (update + update_two).sigmoid()
    new = (new + reset * new_two).tanh()
    after = new + update * (before - new)
    workspace = torch.cat([reset, update, new, before, new_two], 1)
    return after.to(dtype), workspace.to(dtype)


def gru_cell_backward(
    grad_hidden: Tensor, workspace: Tensor, has_bias: bool
) -> tuple[Tensor | None, ...]:
    """`_thnn_fused_gru_cell_backward`: of both gates, the state and both biases."""
    dtype = workspace.dtype
    grad, held = _wide(grad_hidden, workspace)
    reset, update, new, before, new_two = held.chunk(5, 1)
    of_update = grad * (before - new) * (1 - update) * update
    of_new = grad * (1 - update) * (1 - new * new)
    of_reset = of_new * new_two * (1 - reset) * reset
    of_input = torch.cat([of_reset, of_update, of_new], 1).to(dtype)
    of_gates = torch.cat([of_reset, of_update, of_new * reset], 1).to(dtype)
    biases = (of_input.sum(0), of_gates.sum(0)) if has_bias else (None, None)
    return of_input, of_gates, (grad * update).to(dtype), *biases


RECURRENT_CELLS: dict[Any, Callable[..., Any]] = {
    aten._thnn_fused_lstm_cell.default: lstm_cell,
    aten._thnn_fused_lstm_cell_backward_impl.default: lstm_cell_backward,
    aten._thnn_fused_gru_cell.default: gru_cell,
    aten._thnn_fused_gru_cell_backward.default: gru_cell_backward,
}
"""Decompositions by op."""
