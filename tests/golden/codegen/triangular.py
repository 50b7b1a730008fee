"""Triton kernels and launcher of triangular."""

import torch
import triton
import triton.language as tl


@triton.jit
def triangular_kernel(
    row_ptr,
    x_ptr,
    first_ptr,
    second_ptr,
    M: tl.constexpr,
    M_2: tl.constexpr,
    BLOCK_M: tl.constexpr,
):
    # triangular.mlir:10
    tile_m = tl.program_id(0)
    offs_m = tl.arange(0, BLOCK_M)
    off_m = tile_m * BLOCK_M
    offs_m2 = off_m + tl.arange(0, BLOCK_M)
    row = tl.load(row_ptr + offs_m[:, None])
    x_tile = x_ptr + offs_m2[None, :] * M_2 + offs_m[:, None]
    a = tl.zeros((BLOCK_M, BLOCK_M), dtype=tl.float32)
    b = tl.full((BLOCK_M, BLOCK_M), 1.0, dtype=tl.float32)
    # triangular.mlir:14
    for m in tl.range(0, off_m + BLOCK_M, BLOCK_M):
        x = tl.load(x_tile + m)
        m2 = (a + x) * row
        a, b = b, m2

    offs = offs_m2[:, None] * M + offs_m[None, :]
    tl.store(first_ptr + offs, tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(second_ptr + offs, b)


def triangular(x, row):
    """triangular, on contiguous tensors.

    Args:
        x: float32 [64, 64]
        row: float32 [16]

    Returns:
        first: float32 [64, 16]
        second: float32 [64, 16]
    """
    first = torch.empty(64, 16, dtype=torch.float32, device=x.device)
    second = torch.empty(64, 16, dtype=torch.float32, device=x.device)
    triangular_kernel[(4,)](
        row,
        x,
        first,
        second,
        M=16,
        M_2=64,
        BLOCK_M=16,
        num_warps=4,
        num_stages=1,
    )
    return first, second
