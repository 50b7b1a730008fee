"""Triton kernels and launcher of matmul_any."""

import functools

import torch
import triton
import triton.language as tl


@functools.cache
def _multiprocessors(device):
    """How many a card has; in Triton's interpreter, a few."""
    if device.type != "cuda":
        return 3
    return torch.cuda.get_device_properties(device).multi_processor_count


@triton.jit
def matmul_any_kernel(
    a_ptr,
    b_ptr,
    o_ptr,
    M: tl.int32,
    N: tl.int32,
    K: tl.int32,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    pid = tl.program_id(0)
    tiles = tiles_m * tiles_n
    # matmul_any.tw:10: tail, grid = tile tail by [128, 128] onto [block.y, block.x]
    for tile in tl.range(pid, tiles, tl.num_programs(0)):
        # Tiles in groups of GROUP_M rows: those in flight share operands.
        first_row = tile // (GROUP_M * tiles_n) * GROUP_M
        group_rows = min(tiles_m - first_row, GROUP_M)
        place = tile % (GROUP_M * tiles_n)
        tile_m = first_row + place % group_rows
        tile_n = place // group_rows
        offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
        offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
        a_tile = a_ptr + offs_m[:, None] * K + offs_k[None, :]
        mask_m = offs_m < M
        b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
        mask_n = offs_n < N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        # matmul_any.tw:13: mm, k = tile mm by [0, 0, 64]
        for k in tl.range(0, K, BLOCK_K, num_stages=3):
            mask_k = offs_k < K - k
            a = tl.load(a_tile + k, mask=mask_m[:, None] & mask_k[None, :], other=0.0)
            b = tl.load(
                b_tile + k * N, mask=mask_k[:, None] & mask_n[None, :], other=0.0
            )
            acc = tl.dot(a, b, acc)

        r = tl.maximum(acc, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
        tl.store(
            o_ptr + offs_m[:, None] * N + offs_n[None, :],
            r,
            mask=mask_m[:, None] & mask_n[None, :],
        )


def matmul_any(a, b):
    """matmul_any, on contiguous tensors.

    Args:
        a: float16 [M, K]
        b: float16 [K, N]

    Returns:
        o: float16 [M, N]
    """
    M = a.shape[0]
    N = b.shape[1]
    K = a.shape[1]
    if b.shape[0] != K:
        raise ValueError(
            f"b.shape[0] is {b.shape[0]}, a.shape[1] is {K}: they must agree"
        )
    if max(M * K, K * N, M * N) > 2146435072:
        raise ValueError(
            "one of a, b, o has more than 2146435072 elements, as many as these "
            "kernels number; 'triton.wide_offsets' makes kernels that number more"
        )
    o = torch.empty(M, N, dtype=torch.float16, device=a.device)
    grid = (min((M + 127) // 128 * ((N + 127) // 128), _multiprocessors(a.device)),)
    matmul_any_kernel[grid](
        a,
        b,
        o,
        M,
        N,
        K,
        BLOCK_M=128,
        BLOCK_N=128,
        BLOCK_K=64,
        GROUP_M=8,
        num_warps=8,
        num_stages=3,
    )
    return o
