"""Resampling stays whole: taken apart, it is dozens of ops and several kernels.

torch has decompositions of its own for tracing, which run before a backend's are
asked. They are set aside while a graph is traced.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from torch._C import DispatchKey

aten = torch.ops.aten

_NEAREST = (
    *(aten.upsample_nearest1d, aten.upsample_nearest2d, aten.upsample_nearest3d),
    aten._upsample_nearest_exact1d,
    aten._upsample_nearest_exact2d,
    aten._upsample_nearest_exact3d,
)
_WITH_CORNERS = (
    *(aten.upsample_linear1d, aten.upsample_bilinear2d, aten.upsample_trilinear3d),
    aten.upsample_bicubic2d,
)
_WHOLE = [
    overload
    for packet in (*_NEAREST, *_WITH_CORNERS)
    for overload in (packet.vec, packet.default)
]
_DECOMPOSING = (DispatchKey.CompositeImplicitAutograd, DispatchKey.Autograd)


@contextmanager
def whole_resampling() -> Generator[None]:
    """torch traces resampling as ops of the table meanwhile."""
    kept = {op: dict(op.py_kernels) for op in _WHOLE}
    try:
        for op in _WHOLE:
            for key in _DECOMPOSING:
                op.py_kernels.pop(key, None)
            op._dispatch_cache.clear()
        yield
    finally:
        for op, kernels in kept.items():
            op.py_kernels.update(kernels)
            op._dispatch_cache.clear()


def _by_sizes(op: Any, x: torch.Tensor, sizes: Any, *arguments: Any) -> Any:
    """An op that takes sizes or factors, as the one that takes both."""
    *corners, factors = arguments
    scales = factors or [None] * (x.ndim - 2)
    return op.default(x, _sizes(x, sizes, factors), *corners, *scales)


def _sizes(x: torch.Tensor, sizes: Any, factors: Sequence[float] | None) -> list[Any]:
    if sizes is not None:
        return list(sizes)
    pairs = zip(x.shape[2:], factors or (), strict=True)
    return [
        size * int(factor) if factor == int(factor) else torch.sym_int(size * factor)
        for size, factor in pairs
    ]


RESAMPLING: dict[Any, Callable[..., Any]] = {
    packet.vec: partial(_by_sizes, packet) for packet in (*_NEAREST, *_WITH_CORNERS)
}
"""Decompositions by op, for graphs of torch.export, which keep the ops by factors."""
