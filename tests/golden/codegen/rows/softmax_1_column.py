"""Triton kernels and launcher of softmax."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(
    x_ptr,
    out_ptr,
):
    # softmax.tw:11: softmax, grid = tile softmax by [rows] onto [block.x]
    tile_m = tl.program_id(0)
    x = tl.load(x_ptr + tile_m)
    exponential = tl.exp(x - x)
    total = exponential + 0.0
    tl.store(out_ptr + tile_m, exponential / total)


def softmax(x):
    """softmax, on contiguous tensors.

    Args:
        x: float32 [7, 1]

    Returns:
        out: float32 [7, 1]
    """
    out = torch.empty(7, 1, dtype=torch.float32, device=x.device)
    softmax_kernel[(7,)](x, out, num_warps=1, num_stages=1)
    return out
