"""Triton kernels and launcher of stepped."""

import torch
import triton
import triton.language as tl


@triton.jit
def stepped_kernel(
    x_ptr,
    y_ptr,
    out_ptr,
    N: tl.constexpr,
    K: tl.constexpr,
    K_2: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    STEP_K: tl.constexpr,
):
    # stepped.tw:6: mm, grid = tile mm by [32, 32] onto [block.y, block.x]
    tile_m = tl.program_id(1)
    tile_n = tl.program_id(0)
    offs_m = tile_m * 64 + 1 + tl.arange(0, BLOCK_M) * 2
    offs_m2 = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = 1 + tl.arange(0, BLOCK_K) * 2
    offs_k2 = tl.arange(0, BLOCK_K)
    x_tile = x_ptr + offs_m[:, None] * K + offs_k[None, :]
    y_tile = y_ptr + offs_k2[:, None] * N + offs_n[None, :]
    mask_n = offs_n < N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # stepped.tw:8: mm, k = tile mm by [0, 0, 32]
    for k in tl.range(0, K_2, BLOCK_K, num_stages=3):
        off_k = k * STEP_K
        mask_k = offs_k < K - off_k
        x = tl.load(x_tile + off_k, mask=mask_k[None, :], other=0.0)
        mask_k2 = offs_k2 < K_2 - k
        y = tl.load(y_tile + k * N, mask=mask_k2[:, None] & mask_n[None, :], other=0.0)
        acc = tl.dot(x, y, acc)

    tl.store(
        out_ptr + offs_m2[:, None] * N + offs_n[None, :], acc, mask=mask_n[None, :]
    )


def stepped(x, y):
    """stepped, on contiguous tensors.

    Args:
        x: float16 [129, 201]
        y: float16 [100, 72]

    Returns:
        out: float32 [64, 72]
    """
    out = torch.empty(64, 72, dtype=torch.float32, device=x.device)
    stepped_kernel[(3, 2)](
        x,
        y,
        out,
        N=72,
        K=201,
        K_2=100,
        BLOCK_M=32,
        BLOCK_N=32,
        BLOCK_K=32,
        STEP_K=2,
        num_warps=4,
        num_stages=3,
    )
    return out
