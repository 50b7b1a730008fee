"""Triton kernels and launcher of softmax."""

import torch
import triton
import triton.language as tl


@triton.jit
def _maximum(x, y):
    """Combine for a maximum that is NaN where an element is; `tl.max` drops NaNs."""
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def softmax_pointwise_kernel(
    tmp_ptr,
    N: tl.int32,
    BLOCK_N: tl.constexpr,
):
    tile_n = tl.program_id(0)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    tl.store(tmp_ptr + offs_n, float("-inf"), mask=offs_n < N)


@triton.jit
def softmax_reduce_kernel(
    x_ptr,
    tmp_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
    x = tl.load(x_ptr + offs_m[:, None] * N + offs_n[None, :], mask=mask, other=0.0)
    tmp_tile = tmp_ptr + offs_m
    mask2 = offs_m < M
    tmp = tl.load(tmp_tile, mask=mask2, other=0.0)
    tmp = tl.maximum(
        tmp,
        tl.reduce(tl.where(mask, x, float("-inf")), 1, _maximum),
        propagate_nan=tl.PropagateNan.ALL,
    )
    tl.store(tmp_tile, tmp, mask=mask2)


@triton.jit
def softmax_pointwise2_kernel(
    x_ptr,
    tmp_ptr,
    exponential_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    pid = tl.program_id(0)
    offs_m = pid // 8 * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid % 8 * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
    x = tl.load(x_ptr + offs_m[:, None] * N + offs_n[None, :], mask=mask, other=0.0)
    tmp = tl.load(tmp_ptr + offs_m, mask=offs_m < M, other=0.0)
    exponential = tl.exp(x - tl.trans(tl.broadcast_to(tmp[None, :], (64, 64))))
    tl.store(
        exponential_ptr + offs_m[:, None] * N + offs_n[None, :], exponential, mask=mask
    )


@triton.jit
def softmax_pointwise3_kernel(
    tmp_ptr,
    N: tl.int32,
    BLOCK_N: tl.constexpr,
):
    tile_n = tl.program_id(0)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    tl.store(tmp_ptr + offs_n, 0.0, mask=offs_n < N)


@triton.jit
def softmax_reduce2_kernel(
    exponential_ptr,
    tmp_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
    exponential = tl.load(
        exponential_ptr + offs_m[:, None] * N + offs_n[None, :], mask=mask, other=0.0
    )
    tmp_tile = tmp_ptr + offs_m
    mask2 = offs_m < M
    tmp = tl.load(tmp_tile, mask=mask2, other=0.0)
    tl.store(
        tmp_tile, tmp + tl.sum(tl.where(mask, exponential, 0.0), axis=1), mask=mask2
    )


@triton.jit
def softmax_pointwise4_kernel(
    exponential_ptr,
    tmp_ptr,
    out_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    pid = tl.program_id(0)
    offs_m = pid // 8 * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = pid % 8 * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
    exponential = tl.load(
        exponential_ptr + offs_m[:, None] * N + offs_n[None, :], mask=mask, other=0.0
    )
    tmp = tl.load(tmp_ptr + offs_m, mask=offs_m < M, other=0.0)
    out = exponential / tl.trans(tl.broadcast_to(tmp[None, :], (64, 64)))
    tl.store(out_ptr + offs_m[:, None] * N + offs_n[None, :], out, mask=mask)


def softmax(x):
    """softmax, on contiguous tensors.

    Args:
        x: float32 [N, 500]

    Returns:
        out: float32 [N, 500]
    """
    N = x.shape[0]
    if N * 500 > 2146435072:
        raise ValueError(
            "one of tmp, x, exponential, out has more than 2146435072 elements, as "
            "many as these kernels number; 'triton.wide_offsets' makes kernels that "
            "number more"
        )
    tmp = torch.empty((N,), dtype=torch.float32, device=x.device)
    softmax_pointwise_kernel[(triton.cdiv(N, 1024),)](
        tmp,
        N,
        BLOCK_N=1024,
        num_warps=4,
        num_stages=1,
    )
    softmax_reduce_kernel[(triton.cdiv(N, 8),)](
        x,
        tmp,
        N,
        N=500,
        BLOCK_M=8,
        BLOCK_N=512,
        num_warps=4,
        num_stages=1,
    )
    out = torch.empty((N, 500), dtype=torch.float32, device=x.device)
    exponential = torch.empty((N, 500), dtype=torch.float32, device=x.device)
    softmax_pointwise2_kernel[(triton.cdiv(N, 64) * 8,)](
        x,
        tmp,
        exponential,
        N,
        N=500,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    softmax_pointwise3_kernel[(triton.cdiv(N, 1024),)](
        tmp,
        N,
        BLOCK_N=1024,
        num_warps=4,
        num_stages=1,
    )
    softmax_reduce2_kernel[(triton.cdiv(N, 8),)](
        exponential,
        tmp,
        N,
        N=500,
        BLOCK_M=8,
        BLOCK_N=512,
        num_warps=4,
        num_stages=1,
    )
    softmax_pointwise4_kernel[(triton.cdiv(N, 64) * 8,)](
        exponential,
        tmp,
        out,
        N,
        N=500,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    return out
