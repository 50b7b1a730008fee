"""The matrix product of Triton's tutorial in f16, which the published study tunes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import triton
import triton.language as tl

from rivals.launching import Launch

if TYPE_CHECKING:
    from study import Configuration, Input

Tensors = tuple[torch.Tensor, torch.Tensor, torch.Tensor]

GROUP_M = 8
"""Rows of tiles that programs go down before the next column, as in the study."""


@triton.jit
def matmul_kernel(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    """c = a b, summed in f32 and stored as f16."""
    pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BLOCK_M)
    num_pid_n = tl.cdiv(N, BLOCK_N)
    num_pid_in_group = GROUP_M * num_pid_n
    group_id = pid // num_pid_in_group
    first_pid_m = group_id * GROUP_M
    group_size_m = min(num_pid_m - first_pid_m, GROUP_M)
    pid_m = first_pid_m + ((pid % num_pid_in_group) % group_size_m)
    pid_n = (pid % num_pid_in_group) // group_size_m

    offs_am = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    offs_bn = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    offs_k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)

    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BLOCK_K, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BLOCK_K, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    c = accumulator.to(tl.float16)

    offs_cm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_cn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    c_mask = (offs_cm[:, None] < M) & (offs_cn[None, :] < N)
    tl.store(c_ptrs, c, mask=c_mask)


def launch(tensors: Tensors, choice: Configuration) -> Launch:
    """The kernel in this configuration, bound to a, b and the result."""
    a, b, c = tensors
    (m, k), n = a.shape, b.shape[1]
    programs = -(-m // choice.BLOCK_M) * -(-n // choice.BLOCK_N)
    sizes = (m, n, k, *a.stride(), *b.stride(), *c.stride())
    return Launch(
        matmul_kernel,
        (programs,),
        (a, b, c, *sizes),
        {**choice.values, "GROUP_M": GROUP_M},
    )


def make_tensors(extents: Input, on_cpu: bool) -> Tensors:
    """Random a and b, and the result."""
    m, n, k = extents
    device = "cpu" if on_cpu else "cuda"
    a, b = (
        torch.randn(shape, device=device).to(torch.float16)
        for shape in ((m, k), (k, n))
    )
    return a, b, torch.empty((m, n), dtype=torch.float16, device=device)
