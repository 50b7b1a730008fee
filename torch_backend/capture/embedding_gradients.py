"""The gradient of an embedding's table: rows added where their indices say.

torch takes it apart into an `index_put` that accumulates, which sorts the indices.
`index_add` adds with atomics, as Inductor does, in an order that may differ between
calls. Under `torch.use_deterministic_algorithms` the op stays whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor
aten = torch.ops.aten


def table_gradient(
    gradient: Tensor,
    indices: Tensor,
    num_weights: int,
    padding_idx: int,
    scale_grad_by_freq: bool,
) -> Tensor:
    """Rows of the gradient, added in the type that torch accumulates in."""
    if scale_grad_by_freq or torch.are_deterministic_algorithms_enabled():
        return NotImplemented
    width = gradient.shape[-1]
    is_narrow = gradient.dtype in (torch.float16, torch.bfloat16)
    rows = gradient.reshape(-1, width)
    rows = rows.to(torch.float32) if is_narrow else rows
    places = indices.reshape(-1)
    if padding_idx >= 0:
        rows = torch.where((places == padding_idx).unsqueeze(1), 0.0, rows)
    table = rows.new_zeros((num_weights, width))
    return aten.index_add(table, 0, places, rows).to(gradient.dtype)


EMBEDDINGS: dict[Any, Callable[..., Any]] = {
    aten.embedding_dense_backward.default: table_gradient,
}
"""Decompositions by op."""
