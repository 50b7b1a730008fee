"""Dimensions as torch names them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.frontend.builder.tensor import Tensor


def axes_of(x: Tensor, dim: int | Sequence[int] | None) -> tuple[int, ...]:
    """Dimensions counted from the front, sorted; None or none means all of them."""
    if isinstance(dim, int):
        dim = [dim]
    if dim is None or not dim or x.rank == 0:
        return tuple(range(x.rank))
    return tuple(sorted(one % x.rank for one in dim))


def axis_of(x: Tensor, dim: int) -> int:
    """A dimension counted from the front."""
    return dim % max(x.rank, 1)
