"""Triton kernels and launcher of mlp."""

import torch
import triton
import triton.language as tl


@triton.jit
def mlp_dot_kernel(
    x_ptr,
    w1_ptr,
    e_ptr,
    M: tl.int32,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    TILES_N: tl.constexpr,
):
    # mlp.mlir:7
    pid = tl.program_id(0)
    tile_n = pid % TILES_N
    tile_m = pid // TILES_N
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    mask_m = offs_m < M
    x = tl.load(
        x_ptr + offs_m[:, None] * K + offs_k[None, :], mask=mask_m[:, None], other=0.0
    )
    mask_n = offs_n < N
    w1 = tl.load(
        w1_ptr + offs_k[:, None] * N + offs_n[None, :], mask=mask_n[None, :], other=0.0
    )
    p = tl.dot(x, w1)
    tl.store(
        e_ptr + offs_m[:, None] * N + offs_n[None, :],
        p,
        mask=mask_m[:, None] & mask_n[None, :],
    )


@triton.jit
def mlp_pointwise_kernel(
    e_ptr,
    b1_ptr,
    o_ptr,
    M: tl.int32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    TILES_N: tl.constexpr,
):
    # mlp.mlir:9
    pid = tl.program_id(0)
    tile_n = pid % TILES_N
    tile_m = pid // TILES_N
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    e = tl.load(e_ptr + offs, mask=mask, other=0.0)
    b1 = tl.load(b1_ptr + offs_n, mask=mask_n, other=0.0).to(tl.float32)
    z = tl.maximum(e + b1[None, :], 0.0, propagate_nan=tl.PropagateNan.ALL)
    tl.store(o_ptr + offs, z.to(tl.float16), mask=mask)


@triton.jit
def mlp_dot2_kernel(
    o_ptr,
    w2_ptr,
    e2_ptr,
    M: tl.int32,
    N: tl.constexpr,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_k = tl.arange(0, BLOCK_K)
    o_tile = o_ptr + offs_m[:, None] * K + offs_k[None, :]
    mask_m = offs_m < M
    w2_tile = w2_ptr + offs_k[:, None] * N + offs_n[None, :]
    mask_n = offs_n < N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # mlp.mlir:19
    for k in tl.range(0, K, BLOCK_K, num_stages=3):
        mask_k = offs_k < K - k
        o = tl.load(o_tile + k, mask=mask_m[:, None] & mask_k[None, :], other=0.0)
        w2 = tl.load(w2_tile + k * N, mask=mask_k[:, None] & mask_n[None, :], other=0.0)
        acc = tl.dot(o, w2, acc)

    tl.store(
        e2_ptr + offs_m[:, None] * N + offs_n[None, :],
        acc,
        mask=mask_m[:, None] & mask_n[None, :],
    )


@triton.jit
def mlp_pointwise2_kernel(
    e2_ptr,
    res_ptr,
    o2_ptr,
    M: tl.int32,
    scale: tl.float32,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # mlp.mlir:21
    tile_m = tl.program_id(0)
    offs_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs = offs_m[:, None] * N + offs_n[None, :]
    mask_m = offs_m < M
    mask_n = offs_n < N
    mask = mask_m[:, None] & mask_n[None, :]
    t = tl.load(e2_ptr + offs, mask=mask, other=0.0).to(tl.float16)
    res = tl.load(res_ptr + offs, mask=mask, other=0.0)
    scale2 = tl.cast(scale, tl.float16)
    tl.store(o2_ptr + offs, t * scale2 + res, mask=mask)


def mlp(x, w1, b1, w2, res, scale):
    """mlp, on contiguous tensors.

    Args:
        x: float16 [M, 64]
        w1: float16 [64, 96]
        b1: float16 [96]
        w2: float16 [96, 48]
        res: float16 [M, 48]
        scale: float16

    Returns:
        o2: float16 [M, 48]
    """
    M = x.shape[0]
    if res.shape[0] != M:
        raise ValueError(
            f"res.shape[0] is {res.shape[0]}, x.shape[0] is {M}: they must agree"
        )
    if M * 96 > 2146435072:
        raise ValueError(
            "one of x, e, o, e2, res, o2 has more than 2146435072 elements, as many "
            "as these kernels number; 'triton.wide_offsets' makes kernels that number"
            " more"
        )
    e = torch.empty(M, 96, dtype=torch.float32, device=x.device)
    mlp_dot_kernel[((M + 63) // 64 * 2,)](
        x,
        w1,
        e,
        M,
        N=96,
        K=64,
        BLOCK_M=64,
        BLOCK_N=64,
        BLOCK_K=64,
        TILES_N=2,
        num_warps=4,
        num_stages=1,
    )
    o = torch.empty(M, 96, dtype=torch.float16, device=x.device)
    mlp_pointwise_kernel[((M + 63) // 64 * 2,)](
        e,
        b1,
        o,
        M,
        N=96,
        BLOCK_M=64,
        BLOCK_N=64,
        TILES_N=2,
        num_warps=4,
        num_stages=1,
    )
    e2 = torch.empty(M, 48, dtype=torch.float32, device=x.device)
    mlp_dot2_kernel[((M + 63) // 64,)](
        o,
        w2,
        e2,
        M,
        N=48,
        K=96,
        BLOCK_M=64,
        BLOCK_N=64,
        BLOCK_K=64,
        num_warps=4,
        num_stages=3,
    )
    o2 = torch.empty(M, 48, dtype=torch.float16, device=x.device)
    mlp_pointwise2_kernel[((M + 63) // 64,)](
        e2,
        res,
        o2,
        M,
        scale,
        N=48,
        BLOCK_M=64,
        BLOCK_N=64,
        num_warps=4,
        num_stages=1,
    )
    return o2
