"""Triton kernels and launcher of constants."""

import functools

import torch
import triton
import triton.language as tl


@functools.cache
def constant_4xf32(device):
    """A constant of the payload, made once for each device."""
    return torch.tensor([1.0, 2.0, 3.5, -4.0], dtype=torch.float32, device=device)


@functools.cache
def constant_33x4xf32(device):
    """A constant of the payload, made once for each device."""
    return torch.full((33, 4), 0.5, dtype=torch.float32, device=device)


@triton.jit
def constants_kernel(
    a_ptr,
    w_ptr,
    halves_ptr,
    e_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # payload.mlir:6
    offs_m = tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    a = tl.load(a_ptr + offs, mask=mask_m[:, None], other=0.0)
    w = tl.load(w_ptr + offs_n)
    halves = tl.load(halves_ptr + offs, mask=mask_m[:, None], other=0.0)
    tl.store(e_ptr + offs, (a + w[None, :]) * halves, mask=mask_m[:, None])


def constants(a):
    """constants, on contiguous tensors.

    Args:
        a: float32 [33, 4]

    Returns:
        e: float32 [33, 4]
    """
    w = constant_4xf32(a.device)
    halves = constant_33x4xf32(a.device)
    e = torch.empty(33, 4, dtype=torch.float32, device=a.device)
    constants_kernel[(1, 1)](
        a,
        w,
        halves,
        e,
        M=33,
        N=4,
        BLOCK_M=64,
        BLOCK_N=4,
        num_warps=4,
        num_stages=1,
    )
    return e
