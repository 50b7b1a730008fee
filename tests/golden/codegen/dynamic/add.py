"""Triton kernels and launcher of add."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(
    x_ptr,
    y_ptr,
    o_ptr,
    N: tl.int32,
    BLOCK_N: tl.constexpr,
):
    # add.tw:3: op, grid = tile op by [1024] onto [block.x]
    tile_n = tl.program_id(0)
    offs_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask_n = offs_n < N
    x = tl.load(x_ptr + offs_n, mask=mask_n, other=0.0)
    y = tl.load(y_ptr + offs_n, mask=mask_n, other=0.0)
    tl.store(o_ptr + offs_n, x + y, mask=mask_n)


def add(x, y):
    """add, on contiguous tensors.

    Args:
        x: float32 [N]
        y: float32 [N]

    Returns:
        o: float32 [N]
    """
    N = x.shape[0]
    if y.shape[0] != N:
        raise ValueError(
            f"y.shape[0] is {y.shape[0]}, x.shape[0] is {N}: they must agree"
        )
    if N > 2146435072:
        raise ValueError(
            "one of x, y, o has more than 2146435072 elements, as many as these "
            "kernels number; 'triton.wide_offsets' makes kernels that number more"
        )
    o = torch.empty(N, dtype=torch.float32, device=x.device)
    add_kernel[((N + 1023) // 1024,)](
        x,
        y,
        o,
        N,
        BLOCK_N=1024,
        num_warps=4,
        num_stages=1,
    )
    return o
