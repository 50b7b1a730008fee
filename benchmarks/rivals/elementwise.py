"""Hand-written Triton kernels for element-wise work: x + y, and gelu(x + y)."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import triton
import triton.language as tl

from rivals.launching import Candidate, Launch

CHOICES = ((512, 4), (1024, 4), (2048, 4), (2048, 8), (4096, 8), (4096, 4), (8192, 8))


@triton.jit
def sum_kernel(
    x, y, out, count, GELU: tl.constexpr, BLOCK: tl.constexpr, EVEN: tl.constexpr
):
    """x + y, or its gelu."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    if EVEN:
        left = tl.load(x + offsets)
        right = tl.load(y + offsets)
    else:
        left = tl.load(x + offsets, mask=inside)
        right = tl.load(y + offsets, mask=inside)
    value = left.to(tl.float32) + right.to(tl.float32)
    if GELU:
        value = 0.5 * value * (1.0 + tl.erf(value * 0.7071067811865476))
    value = value.to(out.dtype.element_ty)
    if EVEN:
        tl.store(out + offsets, value)
    else:
        tl.store(out + offsets, value, mask=inside)


def candidates(
    x: torch.Tensor, y: torch.Tensor, out: torch.Tensor, gelu: bool
) -> Iterator[Candidate]:
    """Every configuration."""
    count = x.numel()
    for block, warps in CHOICES:
        options = {
            "GELU": gelu,
            "BLOCK": block,
            "EVEN": count % block == 0,
            "num_warps": warps,
        }
        grid = (triton.cdiv(count, block),)
        launch = Launch(sum_kernel, grid, (x, y, out, count), options)
        yield Candidate("blocks", f"by {block} w{warps}", (launch,), out)
