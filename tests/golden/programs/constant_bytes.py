"""Triton kernels and launcher of constants."""

import base64
import functools

import torch
import triton
import triton.language as tl


@functools.cache
def constant_40xf32(device):
    """A constant of the payload, made once for each device."""
    text = (
        "AAAAAAAAAD4AAIA+AADAPgAAAD8AACA/AABAPwAAYD8AAIA/AACQPwAAoD8AALA/AADAPwAA0D8AAO"
        "A/AADwPwAAAEAAAAhAAAAQQAAAGEAAACBAAAAoQAAAMEAAADhAAABAQAAASEAAAFBAAABYQAAAYEAA"
        "AGhAAABwQAAAeEAAAIBAAACEQAAAiEAAAIxAAACQQAAAlEAAAJhAAACcQA=="
    )
    data = torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.uint8)
    return data.view(torch.float32).reshape(40).to(device)


@functools.cache
def constant_33x40xf32(device):
    """A constant of the payload, made once for each device."""
    return torch.full((33, 40), 0.5, dtype=torch.float32, device=device)


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
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    a = tl.load(a_ptr + offs, mask=mask, other=0.0)
    w = tl.load(w_ptr + offs_n, mask=mask_n, other=0.0)
    halves = tl.load(halves_ptr + offs, mask=mask, other=0.0)
    tl.store(e_ptr + offs, (a + w[None, :]) * halves, mask=mask)


def constants(a):
    """constants, on contiguous tensors.

    Args:
        a: float32 [33, 40]

    Returns:
        e: float32 [33, 40]
    """
    w = constant_40xf32(a.device)
    halves = constant_33x40xf32(a.device)
    e = torch.empty(33, 40, dtype=torch.float32, device=a.device)
    constants_kernel[(1, 1)](
        a,
        w,
        halves,
        e,
        M=33,
        N=40,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    return e
