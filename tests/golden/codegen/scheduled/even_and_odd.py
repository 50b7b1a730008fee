"""Triton kernels and launcher of magnitude."""

import torch
import triton
import triton.language as tl


@triton.jit
def magnitude_kernel(
    pairs_ptr,
    x_ptr,
    out_ptr,
    B: tl.constexpr,
    M: tl.constexpr,
    M_2: tl.constexpr,
    N: tl.constexpr,
    BLOCK_B: tl.constexpr,
    BLOCK_M: tl.constexpr,
):
    # even_and_odd.mlir:7
    offs_b = tl.arange(0, BLOCK_B)
    offs_m = tl.arange(0, BLOCK_M)
    offs_m2 = 1 + tl.arange(0, BLOCK_M) * 2
    pairs_tile = pairs_ptr + offs_b[:, None] * M * N + offs_m[None, :] * N
    mask_b = offs_b < B
    mask_m = offs_m < M
    mask = mask_b[:, None] & mask_m[None, :]
    pairs = tl.load(pairs_tile, mask=mask, other=0.0)
    mask_m2 = offs_m2 < M_2
    x = tl.load(
        x_ptr + offs_b[:, None] * M_2 + offs_m2[None, :],
        mask=mask_b[:, None] & mask_m2[None, :],
        other=0.0,
    )
    sum_ = pairs * pairs + x * x
    tl.store(out_ptr + offs_b[:, None] * M + offs_m[None, :], tl.sqrt(sum_), mask=mask)


def magnitude(x):
    """magnitude, on contiguous tensors.

    Args:
        x: float32 [5, 200]

    Returns:
        out: float32 [5, 100]
    """
    out = torch.empty(5, 100, dtype=torch.float32, device=x.device)
    pairs = x.view(5, 100, 2)
    magnitude_kernel[(1, 1)](
        pairs,
        x,
        out,
        B=5,
        M=100,
        M_2=200,
        N=2,
        BLOCK_B=8,
        BLOCK_M=128,
        num_warps=4,
        num_stages=1,
    )
    return out
