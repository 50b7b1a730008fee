"""Every ATen op that becomes payload, by its name in torch: `aten.add.Tensor`."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.torch_backend.ops import (
    adaptive_maxima,
    attention,
    convolutions,
    creation,
    distances,
    elementwise,
    indexing,
    norms,
    products,
    reductions,
    resampling,
    scans,
    scatters,
    shapes,
    unfolding,
    windows,
)

FAMILIES: dict[str, dict[str, Callable[..., object]]] = {
    "elementwise": elementwise.TABLE,
    "reductions": reductions.TABLE,
    "scans": scans.TABLE,
    "products": products.TABLE,
    "norms": norms.TABLE,
    "attention": attention.TABLE,
    "shapes": shapes.TABLE,
    "creation": creation.TABLE,
    "indexing": indexing.TABLE,
    "scatters": scatters.TABLE,
    "distances": distances.TABLE,
    "resampling": resampling.TABLE,
    "windows": windows.TABLE,
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
