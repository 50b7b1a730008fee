"""Triton kernels and launcher of layernorm."""

import torch
import triton
import triton.language as tl


@triton.jit
def layernorm_kernel(
    x_ptr,
    weight_ptr,
    bias_ptr,
    out_ptr,
    N: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # rows.tw:10: out, grid = tile out by [rows] onto [block.x]
    tile_m = tl.program_id(0)
    offs_n = tl.arange(0, BLOCK_N)
    mask_n = offs_n < N
    start = tile_m * N
    x = tl.load(x_ptr + start + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    sum_ = tl.sum(x, axis=0)
    mean = sum_ / 1000.0
    x -= mean
    x2 = tl.where(mask_n, x, 0.0)
    squares = tl.sum(x2 * x2, axis=0)
    scale = tl.rsqrt(squares / 1000.0 + 1e-05)
    weight = tl.load(weight_ptr + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    tl.store(
        out_ptr + start + offs_n,
        (x * scale * weight + bias).to(tl.float16),
        mask=mask_n,
    )


def layernorm(x, weight, bias):
    """layernorm, on contiguous tensors.

    Args:
        x: float16 [7, 1000]
        weight: float16 [1000]
        bias: float16 [1000]

    Returns:
        out: float16 [7, 1000]
    """
    out = torch.empty(7, 1000, dtype=torch.float16, device=x.device)
    layernorm_kernel[(7,)](
        x,
        weight,
        bias,
        out,
        N=1000,
        BLOCK_N=1024,
        num_warps=4,
        num_stages=1,
    )
    return out
