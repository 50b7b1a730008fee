"""Triton kernels and launcher of rmsnorm."""

import torch
import triton
import triton.language as tl


@triton.jit
def rmsnorm_kernel(
    x_ptr,
    weight_ptr,
    out_ptr,
    N: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_N_2: tl.constexpr,
):
    # rmsnorm_partial.tw:8: norm, grid = tile norm by [1] onto [block.x]
    tile_m = tl.program_id(0)
    offs_n = tl.arange(0, BLOCK_N)
    offs_n2 = tl.arange(0, BLOCK_N_2)
    mask_n = offs_n < N
    start = tile_m * N
    x = tl.load(x_ptr + start + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    squares = tl.sum(tl.where(mask_n, x * x + 0.0, 0.0), axis=0)
    scale = tl.rsqrt(squares / 100.0 + 1e-06)
    mask_n2 = offs_n2 < N
    x2 = tl.load(x_ptr + start + offs_n2, mask=mask_n2, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + offs_n2, mask=mask_n2, other=0.0).to(tl.float32)
    tl.store(
        out_ptr + start + offs_n2, (x2 * scale * weight).to(tl.float16), mask=mask_n2
    )


def rmsnorm(x, weight):
    """rmsnorm, on contiguous tensors.

    Args:
        x: float16 [3, 100]
        weight: float16 [100]

    Returns:
        out: float16 [3, 100]
    """
    out = torch.empty(3, 100, dtype=torch.float16, device=x.device)
    rmsnorm_kernel[(3,)](
        x,
        weight,
        out,
        N=100,
        BLOCK_N=2048,
        BLOCK_N_2=128,
        num_warps=8,
        num_stages=1,
    )
    return out
