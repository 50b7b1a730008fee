"""Triton kernels and launcher of softmax."""

import torch
import triton
import triton.language as tl


@triton.jit
def _maximum(x, y):
    """Combine for a maximum that is NaN where an element is; `tl.max` drops NaNs."""
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def softmax_reduce_kernel(
    x_ptr,
    largest_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # softmax.mlir:8
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    mask_m = offs_m < M
    mask_n = offs_n < N
    x = tl.load(
        x_ptr + offs_m[:, None] * N + offs_n[None, :],
        mask=mask_m[:, None] & mask_n[None, :],
        other=float("-inf"),
    )
    largest = tl.reduce(x, 1, _maximum)
    tl.store(largest_ptr + offs_m, largest, mask=mask_m)


@triton.jit
def softmax_pointwise_kernel(
    x_ptr,
    largest_ptr,
    exponential_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    TILES_N: tl.constexpr,
):
    # softmax.mlir:14
    pid = tl.program_id(0)
    tile_n = pid % TILES_N
    tile_m = pid // TILES_N
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    largest = tl.load(largest_ptr + offs_m, mask=mask_m, other=0.0)
    tl.store(exponential_ptr + offs, tl.exp(x - largest[:, None]), mask=mask)


@triton.jit
def softmax_reduce2_kernel(
    exponential_ptr,
    largest_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # softmax.mlir:22
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    mask_m = offs_m < M
    mask_n = offs_n < N
    exponential = tl.load(
        exponential_ptr + offs_m[:, None] * N + offs_n[None, :],
        mask=mask_m[:, None] & mask_n[None, :],
        other=0.0,
    )
    total = tl.sum(exponential, axis=1)
    tl.store(largest_ptr + offs_m, total, mask=mask_m)


@triton.jit
def softmax_pointwise2_kernel(
    exponential_ptr,
    largest_ptr,
    out_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    TILES_N: tl.constexpr,
):
    # softmax.mlir:28
    pid = tl.program_id(0)
    tile_n = pid % TILES_N
    tile_m = pid // TILES_N
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    exponential = tl.load(exponential_ptr + offs, mask=mask, other=0.0)
    largest = tl.load(largest_ptr + offs_m, mask=mask_m, other=0.0)
    tl.store(out_ptr + offs, exponential / largest[:, None], mask=mask)


def softmax(x):
    """softmax, on contiguous tensors.

    Args:
        x: float32 [M, 500]

    Returns:
        out: float32 [M, 500]
    """
    M = x.shape[0]
    if M * 500 > 2146435072:
        raise ValueError(
            "one of x, largest, exponential, out has more than 2146435072 elements, "
            "as many as these kernels number; 'triton.wide_offsets' makes kernels "
            "that number more"
        )
    largest = torch.empty(M, dtype=torch.float32, device=x.device)
    softmax_reduce_kernel[((M + 7) // 8,)](
        x,
        largest,
        M,
        N=500,
        BLOCK_M=8,
        BLOCK_N=512,
        num_warps=4,
        num_stages=1,
    )
    out = torch.empty(M, 500, dtype=torch.float32, device=x.device)
    exponential = torch.empty(M, 500, dtype=torch.float32, device=x.device)
    softmax_pointwise_kernel[((M + 63) // 64 * 8,)](
        x,
        largest,
        exponential,
        M,
        N=500,
        BLOCK_M=64,
        BLOCK_N=64,
        TILES_N=8,
        num_warps=4,
        num_stages=1,
    )
    softmax_reduce2_kernel[((M + 7) // 8,)](
        exponential,
        largest,
        M,
        N=500,
        BLOCK_M=8,
        BLOCK_N=512,
        num_warps=4,
        num_stages=1,
    )
    softmax_pointwise2_kernel[((M + 63) // 64 * 8,)](
        exponential,
        largest,
        out,
        M,
        N=500,
        BLOCK_M=64,
        BLOCK_N=64,
        TILES_N=8,
        num_warps=4,
        num_stages=1,
    )
    return out
