"""Triton kernels and launcher of minmax."""

import torch
import triton
import triton.language as tl


@triton.jit
def _minimum(x, y):
    """Combine for a minimum that is NaN where an element is; `tl.min` drops NaNs."""
    return tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def _maximum(x, y):
    """Combine for a maximum that is NaN where an element is; `tl.max` drops NaNs."""
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def minmax_kernel(
    x_ptr,
    out_ptr,
    largest_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # minmax.tw:5: both, grid = tile both by [4] onto [block.x]
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    mask_m = offs_m < M
    x_tile = x_ptr + offs_m[:, None] * N + offs_n[None, :]
    acc = tl.full((BLOCK_M, BLOCK_N), float("inf"), dtype=tl.float16)
    acc2 = tl.full((BLOCK_M, BLOCK_N), float("-inf"), dtype=tl.float16)
    # minmax.tw:7: lows, highs, lanes, low, high, loop = tile_reduction both by [0, 256]
    for n in tl.range(0, N, BLOCK_N):
        mask_n = offs_n < N - n
        mask = mask_m[:, None] & mask_n[None, :]
        x = tl.load(x_tile + n, mask=mask, other=float("-inf"))
        acc2 = tl.maximum(x, acc2, propagate_nan=tl.PropagateNan.ALL)
        acc = tl.where(mask, tl.minimum(x, acc, propagate_nan=tl.PropagateNan.ALL), acc)

    least = tl.reduce(acc, 1, _minimum)
    tl.store(out_ptr + offs_m, least, mask=mask_m)
    largest = tl.reduce(acc2, 1, _maximum)
    tl.store(largest_ptr + offs_m, largest, mask=mask_m)


def minmax(x):
    """minmax, on contiguous tensors.

    Args:
        x: float16 [5, 1000]

    Returns:
        out: float16 [5]
        largest: float16 [5]
    """
    out = torch.empty(5, dtype=torch.float16, device=x.device)
    largest = torch.empty(5, dtype=torch.float16, device=x.device)
    minmax_kernel[(2,)](
        x,
        out,
        largest,
        M=5,
        N=1000,
        BLOCK_M=4,
        BLOCK_N=256,
        num_warps=4,
        num_stages=1,
    )
    return out, largest
