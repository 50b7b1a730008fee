"""Triton kernels and launcher of rmsnorm."""

import torch
import triton
import triton.language as tl


@triton.jit
def rmsnorm_kernel(
    x_ptr,
    weight_ptr,
    out_ptr,
    N: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # rmsnorm_partial.tw:8: norm, grid = tile norm by [1] onto [block.x]
    tile_m = tl.program_id(0)
    offs_n = tl.arange(0, BLOCK_N)
    start = tile_m * N
    x_tile = x_ptr + start + offs_n
    acc = tl.zeros((BLOCK_N,), dtype=tl.float32)
    # rmsnorm_partial.tw:14: start, lanes, total, loop = tile_reduction squares by ...
    for n in tl.range(0, N, BLOCK_N):
        x = tl.load(x_tile + n).to(tl.float32)
        acc += x * x

    squares = tl.sum(acc, axis=0)
    scale = tl.rsqrt(squares / 8192.0 + 1e-06)
    weight_tile = weight_ptr + offs_n
    out_tile = out_ptr + start + offs_n
    # rmsnorm_partial.tw:15: norm, stores = tile norm by [0, 2048]
    for n in tl.range(0, N, BLOCK_N):
        x = tl.load(x_tile + n).to(tl.float32)
        weight = tl.load(weight_tile + n).to(tl.float32)
        tl.store(out_tile + n, (x * scale * weight).to(tl.float16))


def rmsnorm(x, weight):
    """rmsnorm, on contiguous tensors.

    Args:
        x: float16 [3, 8192]
        weight: float16 [8192]

    Returns:
        out: float16 [3, 8192]
    """
    out = torch.empty(3, 8192, dtype=torch.float16, device=x.device)
    rmsnorm_kernel[(3,)](
        x,
        weight,
        out,
        N=8192,
        BLOCK_N=2048,
        num_warps=8,
        num_stages=1,
    )
    return out
