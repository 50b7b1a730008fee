"""Triton kernels and launcher of matmul_softmax."""

import torch
import triton
import triton.language as tl


@triton.jit
def _maximum(x, y):
    """Combine for a maximum that is NaN where an element is; `tl.max` drops NaNs."""
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def matmul_softmax_kernel(
    a_ptr,
    b_ptr,
    out_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # matmul_softmax.tw:10: softmax, grid = tile softmax by [16] onto [block.x]
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + offs_m[:, None] * K + offs_k[None, :]
    mask_m = offs_m < M
    b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
    mask_n = offs_n < N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # matmul_softmax.tw:16: product, loop = tile product by [0, 0, 32]
    for k in tl.range(0, K, BLOCK_K, num_stages=2):
        mask_k = offs_k < K - k
        a = tl.load(a_tile + k, mask=mask_m[:, None] & mask_k[None, :], other=0.0)
        b = tl.load(b_tile + k * N, mask=mask_k[:, None] & mask_n[None, :], other=0.0)
        acc = tl.dot(a, b, acc)

    largest = tl.reduce(tl.where(mask_n[None, :], acc, float("-inf")), 1, _maximum)
    exponential = tl.exp(acc - largest[:, None])
    total = tl.sum(tl.where(mask_n[None, :], exponential, 0.0), axis=1)
    tl.store(
        out_ptr + offs_m[:, None] * N + offs_n[None, :],
        exponential / total[:, None],
        mask=mask_m[:, None] & mask_n[None, :],
    )


def matmul_softmax(a, b):
    """matmul_softmax, on contiguous tensors.

    Args:
        a: bfloat16 [100, 72]
        b: bfloat16 [72, 50]

    Returns:
        out: float32 [100, 50]
    """
    out = torch.empty(100, 50, dtype=torch.float32, device=a.device)
    matmul_softmax_kernel[(7,)](
        a,
        b,
        out,
        M=100,
        N=50,
        K=72,
        BLOCK_M=16,
        BLOCK_N=64,
        BLOCK_K=32,
        num_warps=4,
        num_stages=2,
    )
    return out
