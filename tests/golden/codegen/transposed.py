"""Triton kernels and launcher of transposed."""

import torch
import triton
import triton.language as tl


@triton.jit
def transposed_kernel(
    a_ptr,
    b_ptr,
    scale_ptr,
    out_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    STEP_K: tl.constexpr,
):
    # transposed.mlir:11
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + offs_k[None, :] * M + offs_m[:, None]
    b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
    x = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # transposed.mlir:13
    for k in tl.range(0, K, STEP_K):
        a_tile2 = a_tile + k * M
        b_tile2 = b_tile + k * N
        # transposed.mlir:14
        for k2 in tl.range(0, STEP_K, BLOCK_K, num_stages=3):
            a = tl.load(a_tile2 + k2 * M)
            b = tl.load(b_tile2 + k2 * N)
            x = tl.dot(a, b, x)

    scale = tl.load(scale_ptr)
    tl.store(out_ptr + offs_m[:, None] * N + offs_n[None, :], x * scale)


def transposed(a, b, scale):
    """transposed, on contiguous tensors.

    Args:
        a: float16 [128, 96]
        b: float16 [128, 64]
        scale: float32 []

    Returns:
        out: float32 [96, 64]
    """
    out = torch.empty(96, 64, dtype=torch.float32, device=a.device)
    transposed_kernel[(3,)](
        a,
        b,
        scale,
        out,
        M=96,
        N=64,
        K=128,
        BLOCK_M=32,
        BLOCK_N=64,
        BLOCK_K=32,
        STEP_K=64,
        num_warps=4,
        num_stages=3,
    )
    return out
