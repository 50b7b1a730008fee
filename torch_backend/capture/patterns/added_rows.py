"""Rows added at indices: by `index_put`, and in the gradient of an embedding's table.

torch takes the gradient apart into an `index_put` that accumulates, which sorts the
indices. `index_add` adds with atomics, as Inductor does, in an order that may differ
between calls. Under `torch.use_deterministic_algorithms` the ops stay whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    rows = _widened(gradient.reshape(-1, width))
    places = indices.reshape(-1)
    if padding_idx >= 0:
        rows = torch.where((places == padding_idx).unsqueeze(1), 0.0, rows)
    table = rows.new_zeros((num_weights, width))
    return aten.index_add(table, 0, places, rows).to(gradient.dtype)


def added_rows(
    x: Tensor,
    indices: Sequence[Tensor | None],
    values: Tensor,
    accumulate: bool = False,
) -> Tensor:
    """`index_put` of rows by one tensor of indices, which may be negative."""
    first, *others = indices
    if first is None or any(other is not None for other in others):
        return NotImplemented
    is_number = not first.is_floating_point() and first.dtype != torch.bool
    if not (accumulate and is_number and x.dtype != torch.bool):
        return NotImplemented
    if first.device != x.device or torch.are_deterministic_algorithms_enabled():
        return NotImplemented
    row = x.shape[1:]
    rows = _widened(values.expand(*first.shape, *row).reshape(-1, *row))
    places = torch.where(first < 0, first + x.shape[0], first).reshape(-1)
    return aten.index_add(_widened(x), 0, places, rows).to(x.dtype)


def _widened(x: Tensor) -> Tensor:
    """A tensor in the type that torch adds its elements in."""
    is_narrow = x.dtype in (torch.float16, torch.bfloat16)
    return x.to(torch.float32) if is_narrow else x


ADDED_ROWS: dict[Any, Callable[..., Any]] = {
    aten.embedding_dense_backward.default: table_gradient,
    aten.index_put.default: added_rows,
}
"""Decompositions by op."""
