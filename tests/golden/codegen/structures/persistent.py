"""Triton kernels and launcher of matmul_relu."""

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
    TILES_N: tl.constexpr,
    TILES: tl.constexpr,
):
    offs_k = tl.arange(0, BLOCK_K)
    pid = tl.program_id(0)
    # structure.mlir:9
    for tile in tl.range(pid, TILES, tl.num_programs(0)):
        tile_n = tile % TILES_N
        tile_m = tile // TILES_N
        offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
        offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
        a_tile = a_ptr + offs_m[:, None] * K + offs_k[None, :]
        mask_m = offs_m < M
        b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
        mask_n = offs_n < N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        # structure.mlir:15
        for k in tl.range(0, K, BLOCK_K, num_stages=3):
            mask_k = offs_k < K - k
            a = tl.load(a_tile + k, mask=mask_m[:, None] & mask_k[None, :], other=0.0)
            b = tl.load(
                b_tile + k * N, mask=mask_k[:, None] & mask_n[None, :], other=0.0
            )
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
        a: float16 [100, 72]
        b: float16 [72, 136]

    Returns:
        out: float16 [100, 136]
    """
    out = torch.empty(100, 136, dtype=torch.float16, device=a.device)
    matmul_relu_kernel[(min(12, _multiprocessors(a.device)),)](
        a,
        b,
        out,
        M=100,
        N=136,
        K=72,
        BLOCK_M=32,
        BLOCK_N=64,
        BLOCK_K=32,
        TILES_N=3,
        TILES=12,
        num_warps=4,
        num_stages=3,
    )
    return out
