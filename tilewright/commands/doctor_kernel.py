"""A small kernel with a loop, which `doctor` runs in Triton's interpreter."""

from __future__ import annotations

import torch
import triton
import triton.language as tl


@triton.jit
def _double(source, target, N: tl.constexpr):
    total = tl.zeros((16,), tl.float32)
    for start in range(0, N, 16):
        total += tl.load(source + start + tl.arange(0, 16))
    tl.store(target + tl.arange(0, 16), 2 * total)


def doubled() -> float:
    """2 * (1 + 1 + 1 + 1), if the interpreter works."""
    source, target = torch.ones(64), torch.empty(16)
    _double[(1,)](source, target, 64)  # pyright: ignore[reportArgumentType]
    return float(target[0])
