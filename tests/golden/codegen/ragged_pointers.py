"""Triton kernels and launcher of matmul_relu."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_relu_kernel(
    a_ptr,
    b_ptr,
    out_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    TILES_M: tl.constexpr,
    TILES_N: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    # ragged.mlir:8
    pid = tl.program_id(0)
    # Tiles in groups of GROUP_M rows: those in flight share operands.
    first_row = pid // (GROUP_M * TILES_N) * GROUP_M
    group_rows = min(TILES_M - first_row, GROUP_M)
    place = pid % (GROUP_M * TILES_N)
    tile_m = first_row + place % group_rows
    tile_n = place // group_rows
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + offs_m[:, None] * K + offs_k[None, :]
    mask_m = offs_m < M
    b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
    mask_n = offs_n < N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # ragged.mlir:16
    for k in tl.range(0, K, BLOCK_K, num_stages=3):
        mask_k = offs_k < K - k
        a = tl.load(a_tile + k, mask=mask_m[:, None] & mask_k[None, :], other=0.0)
        b = tl.load(b_tile + k * N, mask=mask_k[:, None] & mask_n[None, :], other=0.0)
        acc = tl.dot(a, b, acc)

    h = tl.maximum(acc, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
    tl.store(
        out_ptr + offs_m[:, None] * N + offs_n[None, :],
        h,
        mask=mask_m[:, None] & mask_n[None, :],
    )


def matmul_relu(a, b):
    """matmul_relu, on contiguous tensors.

    Args:
        a: float16 [1000, 1000]
        b: float16 [1000, 1000]

    Returns:
        out: float16 [1000, 1000]
    """
    out = torch.empty(1000, 1000, dtype=torch.float16, device=a.device)
    matmul_relu_kernel[(64,)](
        a,
        b,
        out,
        M=1000,
        N=1000,
        K=1000,
        BLOCK_M=128,
        BLOCK_N=128,
        BLOCK_K=64,
        TILES_M=8,
        TILES_N=8,
        GROUP_M=8,
        num_warps=8,
        num_stages=3,
    )
    return out
