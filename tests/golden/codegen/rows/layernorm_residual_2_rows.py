"""Triton kernels and launcher of layernorm_residual."""

import torch
import triton
import triton.language as tl


@triton.jit
def layernorm_residual_kernel(
    x_ptr,
    residual_ptr,
    weight_ptr,
    bias_ptr,
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
    residual = tl.load(residual_ptr + offs, mask=mask, other=0.0).to(tl.float32)
    x2 = (x + residual).to(tl.float16).to(tl.float32)
    sum_ = tl.sum(x2, axis=1)
    mean = sum_ / 3000.0
    x2 -= mean[:, None]
    x3 = tl.where(mask_n[None, :], x2, 0.0)
    squares = tl.sum(x3 * x3, axis=1)
    scale = tl.rsqrt(squares / 3000.0 + 1e-05)
    weight = tl.load(weight_ptr + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    layernorm = (x2 * scale[:, None] * weight[None, :] + bias[None, :]).to(tl.float16)
    tl.store(out_ptr + offs, layernorm, mask=mask)


def layernorm_residual(x, residual, weight, bias):
    """layernorm_residual, on contiguous tensors.

    Args:
        x: float16 [3, 3000]
        residual: float16 [3, 3000]
        weight: float16 [3000]
        bias: float16 [3000]

    Returns:
        out: float16 [3, 3000]
    """
    out = torch.empty(3, 3000, dtype=torch.float16, device=x.device)
    layernorm_residual_kernel[(2,)](
        x,
        residual,
        weight,
        bias,
        out,
        M=3,
        N=3000,
        BLOCK_M=2,
        BLOCK_N=4096,
        num_warps=8,
        num_stages=1,
    )
    return out
