"""Triton kernels and launcher of bmm."""

import torch
import triton
import triton.language as tl


@triton.jit
def bmm_kernel(
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
    # batched.mlir:9
    tile_b = tl.program_id(1)
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + tile_b * M * K + offs_m[:, None] * K + offs_k[None, :]
    mask_m = offs_m < M
    b_tile = b_ptr + tile_b * K * N + offs_k[:, None] * N + offs_n[None, :]
    mask_n = offs_n < N
    x = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # batched.mlir:13
    for k in tl.range(0, K, BLOCK_K, num_stages=2):
        mask_k = offs_k < K - k
        a = tl.load(a_tile + k, mask=mask_m[:, None] & mask_k[None, :], other=0.0)
        b = tl.load(b_tile + k * N, mask=mask_k[:, None] & mask_n[None, :], other=0.0)
        x = tl.dot(a, b, x)

    out_tile = out_ptr + tile_b * M * N + offs_m[:, None] * N + offs_n[None, :]
    tl.store(out_tile, x, mask=mask_m[:, None] & mask_n[None, :])


def bmm(a, b):
    """bmm, on contiguous tensors.

    Args:
        a: float16 [3, 40, 72]
        b: float16 [3, 72, 24]

    Returns:
        out: float32 [3, 40, 24]
    """
    out = torch.empty(3, 40, 24, dtype=torch.float32, device=a.device)
    bmm_kernel[(2, 3)](
        a,
        b,
        out,
        M=40,
        N=24,
        K=72,
        BLOCK_M=32,
        BLOCK_N=32,
        BLOCK_K=32,
        num_warps=4,
        num_stages=2,
    )
    return out
