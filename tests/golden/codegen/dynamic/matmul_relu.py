"""Triton kernels and launcher of matmul_relu."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_relu_kernel(
    a_ptr,
    b_ptr,
    o_ptr,
    M: tl.int32,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    TILES_N: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    # matmul_relu.tw:10: tail, grid = tile tail by [128, 128] onto [block.y, block.x]
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    # Tiles in groups of GROUP_M rows: those in flight share operands.
    first_row = pid // (GROUP_M * TILES_N) * GROUP_M
    group_rows = min(tiles_m - first_row, GROUP_M)
    place = pid % (GROUP_M * TILES_N)
    tile_m = first_row + place % group_rows
    tile_n = place // group_rows
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + offs_m[:, None] * K + offs_k[None, :]
    mask_m = offs_m < M
    b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # matmul_relu.tw:13: mm, k = tile mm by [0, 0, 64]
    for k in tl.range(0, K, BLOCK_K, num_stages=3):
        a = tl.load(a_tile + k, mask=mask_m[:, None], other=0.0)
        b = tl.load(b_tile + k * N)
        acc = tl.dot(a, b, acc)

    r = tl.maximum(acc, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
    tl.store(o_ptr + offs_m[:, None] * N + offs_n[None, :], r, mask=mask_m[:, None])


def matmul_relu(a, b):
    """matmul_relu, on contiguous tensors.

    Args:
        a: float16 [M, 512]
        b: float16 [512, 256]

    Returns:
        o: float16 [M, 256]
    """
    M = a.shape[0]
    if M * 512 > 2146435072:
        raise ValueError(
            "one of a, o has more than 2146435072 elements, as many as these kernels "
            "number; 'triton.wide_offsets' makes kernels that number more"
        )
    o = torch.empty(M, 256, dtype=torch.float16, device=a.device)
    matmul_relu_kernel[((M + 127) // 128 * 2,)](
        a,
        b,
        o,
        M,
        N=256,
        K=512,
        BLOCK_M=128,
        BLOCK_N=128,
        BLOCK_K=64,
        TILES_N=2,
        GROUP_M=8,
        num_warps=8,
        num_stages=3,
    )
    return o
