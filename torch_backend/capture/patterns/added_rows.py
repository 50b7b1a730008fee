"""Elements added at indices: by `index_put`, in the gradient of an embedding's table.

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
    """`index_put` of rows by indices along neighbouring dimensions, made one.

    Indices may be negative. Dimensions before and after them are taken whole.
    """
    given = [(dim, one) for dim, one in enumerate(indices) if one is not None]
    first, last = given[0][0], given[-1][0]
    if not accumulate or x.dtype == torch.bool or last - first >= len(given):
        return NotImplemented
    if torch.are_deterministic_algorithms_enabled() or not all(
        _is_number(one) and one.device == x.device for _, one in given
    ):
        return NotImplemented
    before, after = x.shape[:first], x.shape[last + 1 :]
    named = torch.broadcast_tensors(*(one for _, one in given))
    places = torch.zeros((), dtype=torch.int64, device=x.device)
    for (dim, _), one in zip(given, named, strict=True):
        size = x.shape[dim]
        places = places * size + torch.where(one < 0, one + size, one)
    rows = values.expand(*before, *named[0].shape, *after)
    rows = _widened(rows.reshape(*before, -1, *after))
    table = _widened(x).reshape(*before, -1, *after)
    added = aten.index_add(table, first, places.reshape(-1), rows)
    return added.reshape(x.shape).to(x.dtype)


def _is_number(indices: Tensor) -> bool:
    """Whether indices are numbers, and no mask."""
    return not indices.is_floating_point() and indices.dtype != torch.bool


def _widened(x: Tensor) -> Tensor:
    """A tensor in the type that torch adds its elements in."""
    is_narrow = x.dtype in (torch.float16, torch.bfloat16)
    return x.to(torch.float32) if is_narrow else x


ADDED_ROWS: dict[Any, Callable[..., Any]] = {
    aten.embedding_dense_backward.default: table_gradient,
    aten.index_put.default: added_rows,
}
"""Decompositions by op."""
