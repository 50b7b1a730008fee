"""Triton kernels and launcher of matmul_rmsnorm."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_rmsnorm_kernel(
    a_ptr,
    b_ptr,
    weight_ptr,
    out_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # matmul_rmsnorm.tw:8: norm, grid = tile norm by [32] onto [block.x]
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    a_tile = a_ptr + offs_m[:, None] * K + offs_k[None, :]
    b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # matmul_rmsnorm.tw:12: product, loop = tile product by [0, 0, 32]
    for k in tl.range(0, K, BLOCK_K, num_stages=3):
        mask_k = offs_k < K - k
        a = tl.load(a_tile + k, mask=mask_m[:, None] & mask_k[None, :], other=0.0)
        b = tl.load(b_tile + k * N, mask=mask_k[:, None] & mask_n[None, :], other=0.0)
        acc = tl.dot(a, b, acc)

    x = tl.where(mask, acc, 0.0)
    squares = tl.sum(x * x, axis=1)
    weight = tl.load(weight_ptr + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    out = acc * tl.rsqrt(squares[:, None] / 96.0 + 1e-06) * weight[None, :]
    tl.store(
        out_ptr + offs_m[:, None] * N + offs_n[None, :], out.to(tl.float16), mask=mask
    )


def matmul_rmsnorm(a, b, weight):
    """matmul_rmsnorm, on contiguous tensors.

    Args:
        a: float16 [100, 72]
        b: float16 [72, 96]
        weight: float16 [96]

    Returns:
        out: float16 [100, 96]
    """
    out = torch.empty(100, 96, dtype=torch.float16, device=a.device)
    matmul_rmsnorm_kernel[(4,)](
        a,
        b,
        weight,
        out,
        M=100,
        N=96,
        K=72,
        BLOCK_M=32,
        BLOCK_N=128,
        BLOCK_K=32,
        num_warps=4,
        num_stages=3,
    )
    return out
