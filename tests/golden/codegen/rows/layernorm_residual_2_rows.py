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
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
    x = tl.load(x_ptr + offs_m[:, None] * N + offs_n[None, :], mask=mask, other=0.0)
    residual = tl.load(
        residual_ptr + offs_m[:, None] * N + offs_n[None, :], mask=mask, other=0.0
    )
    x2 = (x.to(tl.float32) + residual.to(tl.float32)).to(tl.float16)
    x3 = x2.to(tl.float32)
    total = tl.sum(x3, axis=1)
    x3 -= (total / 3000.0)[:, None]
    x4 = tl.where(mask, x3, 0.0)
    x5 = tl.sum(x4 * x4, axis=1)
    mask2 = offs_n < N
    weight = tl.load(weight_ptr + offs_n, mask=mask2, other=0.0)
    bias = tl.load(bias_ptr + offs_n, mask=mask2, other=0.0)
    x6 = x3 * tl.rsqrt(x5 / 3000.0 + 1e-05)[:, None] * weight[None, :].to(tl.float32)
    tl.store(
        out_ptr + offs_m[:, None] * N + offs_n[None, :],
        (x6 + bias[None, :].to(tl.float32)).to(tl.float16),
        mask=mask,
    )


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
