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
):
    # rows.tw:10: out, grid = tile out by [rows] onto [block.x]
    tile_m = tl.program_id(0)
    offs_n = tl.arange(0, BLOCK_N)
    start = tile_m * N
    mask_n = offs_n < N
    x = tl.load(x_ptr + start + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    squares = tl.sum(x * x, axis=0)
    scale = tl.rsqrt(squares / 1000.0 + 1e-06)
    weight = tl.load(weight_ptr + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    tl.store(out_ptr + start + offs_n, (x * scale * weight).to(tl.float16), mask=mask_n)


def rmsnorm(x, weight):
    """rmsnorm, on contiguous tensors.

    Args:
        x: float16 [3, 1000]
        weight: float16 [1000]

    Returns:
        out: float16 [3, 1000]
    """
    out = torch.empty(3, 1000, dtype=torch.float16, device=x.device)
    rmsnorm_kernel[(3,)](
        x,
        weight,
        out,
        N=1000,
        BLOCK_N=1024,
        num_warps=4,
        num_stages=1,
    )
    return out
