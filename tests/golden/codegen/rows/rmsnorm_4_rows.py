"""Triton kernels and launcher of rmsnorm."""

import torch
import triton
import triton.language as tl


@triton.jit
def rmsnorm_kernel(
    x_ptr,
    weight_ptr,
    out_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # rows.tw:10: out, grid = tile out by [rows] onto [block.x]
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    x = tl.load(x_ptr + offs, mask=mask, other=0.0).to(tl.float32)
    squares = tl.sum(x * x, axis=1)
    scale = tl.rsqrt(squares / 3000.0 + 1e-06)
    weight = tl.load(weight_ptr + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    tl.store(
        out_ptr + offs, (x * scale[:, None] * weight[None, :]).to(tl.float16), mask=mask
    )


def rmsnorm(x, weight):
    """rmsnorm, on contiguous tensors.

    Args:
        x: float16 [5, 3000]
        weight: float16 [3000]

    Returns:
        out: float16 [5, 3000]
    """
    out = torch.empty(5, 3000, dtype=torch.float16, device=x.device)
    rmsnorm_kernel[(2,)](
        x,
        weight,
        out,
        M=5,
        N=3000,
        BLOCK_M=4,
        BLOCK_N=4096,
        num_warps=8,
        num_stages=1,
    )
    return out
