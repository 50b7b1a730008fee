"""Triton kernels and launcher of linear_gelu."""

import torch
import triton
import triton.language as tl


@triton.jit
def linear_gelu_kernel(
    x_ptr,
    w_ptr,
    bias_ptr,
    res_ptr,
    out_ptr,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    # gelu.mlir:12
    tile_m = tl.program_id(1)
    tile_n = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    x_tile = x_ptr + offs_m[:, None] * K + offs_k[None, :]
    w_tile = w_ptr + offs_n[None, :] * K + offs_k[:, None]
    a0 = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # gelu.mlir:15
    for k in tl.range(0, K, BLOCK_K, num_stages=3):
        x = tl.load(x_tile + k)
        w = tl.load(w_tile + k)
        a0 = tl.dot(x, w, a0, input_precision="ieee")

    bias = tl.load(bias_ptr + offs_n)
    a0 += bias[None, :]
    offs = offs_m[:, None] * N + offs_n[None, :]
    res = tl.load(res_ptr + offs)
    tl.store(out_ptr + offs, a0 * 0.5 * (tl.erf(a0 * 0.70710677) + 1.0) + res)


def linear_gelu(x, w, bias, res):
    """linear_gelu, on contiguous tensors.

    Args:
        x: float32 [128, 64]
        w: float32 [128, 64]
        bias: float32 [128]
        res: float32 [128, 128]

    Returns:
        out: float32 [128, 128]
    """
    out = torch.empty(128, 128, dtype=torch.float32, device=x.device)
    linear_gelu_kernel[(2, 2)](
        x,
        w,
        bias,
        res,
        out,
        N=128,
        K=64,
        BLOCK_M=64,
        BLOCK_N=64,
        BLOCK_K=32,
        num_warps=4,
        num_stages=3,
    )
    return out
