"""Triton kernels and launcher of magnitude."""

import torch
import triton
import triton.language as tl


@triton.jit
def magnitude_kernel(
    x_ptr,
    out_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    N_2: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # even_and_odd.mlir:7
    offs_m = tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N) * 2
    offs_n2 = 1 + tl.arange(0, BLOCK_N) * 2
    offs_n3 = tl.arange(0, BLOCK_N)
    mask_m = offs_m < M
    mask_n = offs_n < N
    x = tl.load(
        x_ptr + offs_m[:, None] * N + offs_n[None, :],
        mask=mask_m[:, None] & mask_n[None, :],
        other=0.0,
    )
    mask_n2 = offs_n2 < N
    x2 = tl.load(
        x_ptr + offs_m[:, None] * N + offs_n2[None, :],
        mask=mask_m[:, None] & mask_n2[None, :],
        other=0.0,
    )
    sum_ = x * x + x2 * x2
    mask_n3 = offs_n3 < N_2
    tl.store(
        out_ptr + offs_m[:, None] * N_2 + offs_n3[None, :],
        tl.sqrt(sum_),
        mask=mask_m[:, None] & mask_n3[None, :],
    )


def magnitude(x):
    """magnitude, on contiguous tensors.

    Args:
        x: float32 [5, 200]

    Returns:
        out: float32 [5, 100]
    """
    out = torch.empty(5, 100, dtype=torch.float32, device=x.device)
    magnitude_kernel[(1, 1)](
        x,
        out,
        M=5,
        N=200,
        N_2=100,
        BLOCK_M=8,
        BLOCK_N=128,
        num_warps=4,
        num_stages=1,
    )
    return out
