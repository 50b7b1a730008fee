"""A small Triton kernel: its launch loads all that the first launch of a process needs.

Import it only in a worker with a device: it imports torch and triton.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl


@triton.jit
def _add_one(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at) + 1)


def warm_launch() -> None:
    """Compile and launch the kernel on the current device."""
    x = torch.zeros(128, device="cuda")
    _add_one[(1,)](x, torch.empty_like(x), BLOCK=128)  # pyright: ignore[reportArgumentType]
    torch.cuda.synchronize()
