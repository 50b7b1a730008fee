"""Triton kernels and launcher of linear_relu."""

import torch
import triton
import triton.language as tl


@triton.jit
def linear_relu_kernel(
    a_ptr,
    b_ptr,
    bias_ptr,
    out_ptr,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # dividing_bias.mlir:8
    tile_m = tl.program_id(1)
    tile_n = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    a_tile = a_ptr + offs_m[:, None] * K + offs_k[None, :]
    b_tile = b_ptr + offs_k[:, None] * N + offs_n[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # dividing_bias.mlir:13
    for k in tl.range(0, K, BLOCK_K, num_stages=3):
        a = tl.load(a_tile + k)
        b = tl.load(b_tile + k * N)
        acc = tl.dot(a, b, acc)

    bias = tl.load(bias_ptr + offs_n).to(tl.float32)
    out = tl.maximum(acc + bias[None, :], 0.0, propagate_nan=tl.PropagateNan.ALL)
    tl.store(out_ptr + offs_m[:, None] * N + offs_n[None, :], out.to(tl.float16))


def linear_relu(a, b, bias):
    """linear_relu, on contiguous tensors.

    Args:
        a: float16 [512, 512]
        b: float16 [512, 512]
        bias: float16 [512]

    Returns:
        out: float16 [512, 512]
    """
    out = torch.empty(512, 512, dtype=torch.float16, device=a.device)
    linear_relu_kernel[(4, 4)](
        a,
        b,
        bias,
        out,
        N=512,
        K=512,
        BLOCK_M=128,
        BLOCK_N=128,
        BLOCK_K=64,
        num_warps=8,
        num_stages=3,
    )
    return out
