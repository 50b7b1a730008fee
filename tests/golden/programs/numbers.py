"""Triton kernels and launcher of numbers."""

import torch
import triton
import triton.language as tl


@triton.jit
def numbers_kernel(
    a_ptr,
    shift_ptr,
    e_ptr,
    scale: tl.float32,
    count: tl.int32,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:4
    offs_m = tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    a = tl.load(a_ptr + offs, mask=mask, other=0.0)
    shift = tl.load(shift_ptr)
    tl.store(e_ptr + offs, a * scale + tl.cast(count, tl.float32) - shift, mask=mask)


def numbers(a, scale, count, shift):
    """numbers, on contiguous tensors.

    Args:
        a: float32 [33, 48]
        scale: float32
        count: int32
        shift: float32 []

    Returns:
        e: float32 [33, 48]
    """
    e = torch.empty(33, 48, dtype=torch.float32, device=a.device)
    numbers_kernel[(1, 1)](
        a,
        shift,
        e,
        scale,
        count,
        M=33,
        N=48,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    return e
