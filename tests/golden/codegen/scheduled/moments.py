"""Triton kernels and launcher of moments."""

import torch
import triton
import triton.language as tl


@triton.jit
def moments_kernel(
    x_ptr,
    out_ptr,
    var_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    mask = offs_m[:, None] < M
    x_tile = x_ptr + offs_m[:, None] * N + offs_n[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    acc2 = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # moments.tw:9
    for n in tl.range(0, N, BLOCK_N):
        x = tl.load(
            x_tile + n,
            mask=(offs_m[:, None] < M) & (offs_n[None, :] < N - n),
            other=0.0,
        )
        x = x.to(tl.float32)
        acc = x + acc
        acc2 = x * x + acc2

    total = tl.sum(tl.where(mask, acc, 0.0), axis=1)
    total2 = tl.sum(tl.where(mask, acc2, 0.0), axis=1)
    out = total / 3000.0
    mask2 = offs_m < M
    tl.store(out_ptr + offs_m, out, mask=mask2)
    tl.store(var_ptr + offs_m, total2 / 3000.0 - out * out, mask=mask2)


def moments(x):
    """moments, on contiguous tensors.

    Args:
        x: bfloat16 [7, 3000]

    Returns:
        out: float32 [7]
        var: float32 [7]
    """
    out = torch.empty(7, dtype=torch.float32, device=x.device)
    var = torch.empty(7, dtype=torch.float32, device=x.device)
    moments_kernel[(4,)](
        x,
        out,
        var,
        M=7,
        N=3000,
        BLOCK_M=2,
        BLOCK_N=512,
        num_warps=4,
        num_stages=1,
    )
    return out, var
