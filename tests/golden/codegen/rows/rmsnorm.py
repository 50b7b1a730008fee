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
    tile_m = tl.program_id(0)
    offs_n = tl.arange(0, BLOCK_N)
    mask = offs_n < N
    x = tl.load(x_ptr + tile_m * N + offs_n, mask=mask, other=0.0)
    x = x.to(tl.float32)
    x2 = tl.sum(x * x, axis=0)
    weight = tl.load(weight_ptr + offs_n, mask=mask, other=0.0)
    out = x * tl.rsqrt(x2 / 1000.0 + 1e-06) * weight.to(tl.float32)
    tl.store(out_ptr + tile_m * N + offs_n, out.to(tl.float16), mask=mask)


def rmsnorm(x, weight):
    """rmsnorm, on contiguous tensors.

    Args:
        x: float16 [3, 1000]
        weight: float16 [1000]

    Returns:
        out: float16 [3, 1000]
    """
    out = torch.empty(3, 1000, dtype=torch.float16, device=x.device)
    rmsnorm_kernel[(3,)](
        x,
        weight,
        out,
        N=1000,
        BLOCK_N=1024,
        num_warps=4,
        num_stages=1,
    )
    return out
