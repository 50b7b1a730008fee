"""Triton kernels and launcher of branches."""

import torch
import triton
import triton.language as tl


@triton.jit
def branches_kernel(
    x_ptr,
    second_ptr,
    first_ptr,
    least_ptr,
    totals_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    N_2: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # branches.mlir:14
    tile_m = tl.program_id(0)
    off_m = tile_m * BLOCK_M
    offs_m = off_m + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    x_tile = x_ptr + offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # branches.mlir:18
    for n in tl.range(0, N, BLOCK_N):
        # branches.mlir:20
        if n <= off_m:
            x = tl.load(x_tile + n, mask=mask_m[:, None], other=0.0)
            # branches.mlir:25
            if n == off_m:
                part = x * 0.5
            else:
                part = x
            acc += part

    is_late = tile_m >= 2
    offs = offs_m[:, None] * N_2 + offs_n[None, :]
    second_tile = second_ptr + offs
    first_tile = first_ptr + offs
    # branches.mlir:37
    if is_late:
        tl.store(second_tile, acc, mask=mask_m[:, None])
        total = tl.full((), 0.0, tl.float32)
    else:
        e = tl.exp(acc)
        tl.store(first_tile, e, mask=mask_m[:, None])
        tl.store(second_tile, 0.0, mask=mask_m[:, None])
        all_ = tl.sum(e, axis=1)
        total = tl.sum(all_, axis=0)
    # branches.mlir:47
    if is_late:
        tl.store(first_tile, 0.0, mask=mask_m[:, None])
    least = tl.load(least_ptr)
    # branches.mlir:54
    if total < least:
        kept = least
    else:
        kept = total
    tl.store(totals_ptr + tile_m, kept)


def branches(x, least):
    """branches, on contiguous tensors.

    Args:
        x: float32 [60, 64]
        least: float32 [1]

    Returns:
        first: float32 [60, 16]
        second: float32 [60, 16]
        totals: float32 [4]
    """
    first = torch.empty(60, 16, dtype=torch.float32, device=x.device)
    second = torch.empty(60, 16, dtype=torch.float32, device=x.device)
    totals = torch.empty(4, dtype=torch.float32, device=x.device)
    branches_kernel[(4,)](
        x,
        second,
        first,
        least,
        totals,
        M=60,
        N=64,
        N_2=16,
        BLOCK_M=16,
        BLOCK_N=16,
        num_warps=4,
        num_stages=1,
    )
    return first, second, totals
