"""Triton kernels and launcher of wide_floats."""

import torch
import triton
import triton.language as tl


@triton.jit
def wide_floats_kernel(
    x_ptr,
    y_ptr,
    out_ptr,
    sums_ptr,
    a: tl.float64,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # wide_floats.mlir:10
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    y = tl.load(y_ptr + offs, mask=mask, other=0.0)
    twice = a + a
    s = twice * x + y
    tl.store(out_ptr + offs, tl.exp(s) / twice * 0.3333333333333333, mask=mask)
    total = tl.sum(s, axis=1)
    tl.store(sums_ptr + offs_m, total, mask=mask_m)


def wide_floats(a, x, y):
    """wide_floats, on contiguous tensors.

    Args:
        a: float64
        x: float64 [100, 7]
        y: float64 [100, 7]

    Returns:
        out: float64 [100, 7]
        sums: float64 [100]
    """
    out = torch.empty(100, 7, dtype=torch.float64, device=x.device)
    sums = torch.empty(100, dtype=torch.float64, device=x.device)
    wide_floats_kernel[(7,)](
        x,
        y,
        out,
        sums,
        a,
        M=100,
        N=7,
        BLOCK_M=16,
        BLOCK_N=8,
        num_warps=4,
        num_stages=1,
    )
    return out, sums
