"""Resampling by factors or sizes, as the ops of the table have it: by sizes.

torch.export keeps `upsample_nearest2d.vec` and `upsample_bilinear2d.vec` whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

aten = torch.ops.aten


def _sizes(x: torch.Tensor, sizes: Any, factors: Sequence[float] | None) -> list[Any]:
    if sizes is not None:
        return list(sizes)
    pairs = zip(x.shape[2:], factors or (), strict=True)
    return [
        size * int(factor) if factor == int(factor) else torch.sym_int(size * factor)
        for size, factor in pairs
    ]


def nearest(x: torch.Tensor, sizes: Any, factors: Sequence[float] | None) -> Any:
    """`upsample_nearest2d.vec`."""
    scales = factors or (None, None)
    return aten.upsample_nearest2d.default(x, _sizes(x, sizes, factors), *scales)


def bilinear(
    x: torch.Tensor, sizes: Any, align_corners: bool, factors: Sequence[float] | None
) -> Any:
    """`upsample_bilinear2d.vec`."""
    scales = factors or (None, None)
    size = _sizes(x, sizes, factors)
    return aten.upsample_bilinear2d.default(x, size, align_corners, *scales)


RESAMPLING: dict[Any, Callable[..., Any]] = {
    aten.upsample_nearest2d.vec: nearest,
    aten.upsample_bilinear2d.vec: bilinear,
}
"""Decompositions by op."""
