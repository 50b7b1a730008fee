"""Every ATen op that becomes payload, by its name in torch: `aten.add.Tensor`."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.torch_backend.ops.elements import creation, elementwise
from tilewright.torch_backend.ops.images import (
    adaptive_maxima,
    affine_grids,
    convolutions,
    grid_sampling,
    pads,
    pooling,
    resampling,
    unfolding,
)
from tilewright.torch_backend.ops.indexing import index_ops, scatters, shapes
from tilewright.torch_backend.ops.matrices import attention, distances, matmuls
from tilewright.torch_backend.ops.rows import extrema, losses, norms, reductions, scans

FAMILIES: dict[str, dict[str, Callable[..., object]]] = {
    "elementwise": elementwise.TABLE,
    "reductions": reductions.TABLE,
    "extrema": extrema.TABLE,
    "losses": losses.TABLE,
    "scans": scans.TABLE,
    "matmuls": matmuls.TABLE,
    "norms": norms.TABLE,
    "attention": attention.TABLE,
    "shapes": shapes.TABLE,
    "creation": creation.TABLE,
    "indexing": index_ops.TABLE,
    "scatters": scatters.TABLE,
    "distances": distances.TABLE,
    "pads": pads.TABLE,
    "resampling": resampling.TABLE,
    "affine grids": affine_grids.TABLE,
    "grid sampling": grid_sampling.TABLE,
    "windows": pooling.TABLE,
    "adaptive maxima": adaptive_maxima.TABLE,
    "unfolding": unfolding.TABLE,
    "convolutions": convolutions.TABLE,
}
"""The tables, by family."""

OPS: dict[str, Callable[..., object]] = {
    name: function for table in FAMILIES.values() for name, function in table.items()
}
"""All of them."""


def family_of(name: str) -> str | None:
    """The family that an op is listed in."""
    return next((family for family, ops in FAMILIES.items() if name in ops), None)
