"""Triton kernels and launcher of softmax_loops."""

import torch
import triton
import triton.language as tl


@triton.jit
def _maximum(x, y):
    """Combine for a maximum that is NaN where an element is; `tl.max` drops NaNs."""
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def softmax_loops_kernel(
    x_ptr,
    out_ptr,
    N: tl.constexpr,
    BLOCK_N: tl.constexpr,
    GROUP: tl.constexpr,
    EDGES: tl.constexpr,
):
    # softmax_loops.tw:10: norm, grid = tile norm by [1] onto [block.x]
    tile_m = tl.program_id(0)
    start = tile_m * N
    aligned = (start + GROUP - 1) // GROUP * GROUP
    head = aligned - start
    groups = min((N - head) // GROUP, N // GROUP)
    edges = tl.arange(0, EDGES)
    in_head = edges < GROUP
    edge_columns = tl.where(in_head, edges, edges + (head + groups * GROUP - GROUP))
    edge_mask = edge_columns < tl.where(in_head, head, N)
    offs_n = tl.arange(0, BLOCK_N)
    lane_groups = offs_n // GROUP
    x_tile = x_ptr + aligned + offs_n
    largest = tl.full((), float("-inf"), dtype=tl.float16)
    x_tile_edge = x_ptr + start + edge_columns
    x_edge = tl.load(x_tile_edge, mask=edge_mask, other=float("-inf"))
    largest = tl.maximum(
        largest, tl.reduce(x_edge, 0, _maximum), propagate_nan=tl.PropagateNan.ALL
    )
    # softmax_loops.tw:20: largest, maxima = tile largest by [0, BN]
    for n in tl.range(0, N, BLOCK_N):
        x = tl.load(
            x_tile + n, mask=lane_groups < groups - n // GROUP, other=float("-inf")
        )
        largest = tl.maximum(
            largest, tl.reduce(x, 0, _maximum), propagate_nan=tl.PropagateNan.ALL
        )

    x = tl.cast(largest, tl.float32)
    total = tl.zeros((), dtype=tl.float32)
    x_edge2 = tl.load(x_tile_edge, mask=edge_mask, other=0.0).to(tl.float32)
    x2 = tl.cast(largest, tl.float32)
    exponential_edge = tl.exp(x_edge2 - x2)
    total += tl.sum(tl.where(edge_mask, exponential_edge, 0.0), axis=0)
    # softmax_loops.tw:21: total, sums = tile total by [0, BN]
    for n in tl.range(0, N, BLOCK_N):
        mask_n = lane_groups < groups - n // GROUP
        x3 = tl.load(x_tile + n, mask=mask_n, other=0.0).to(tl.float32)
        exponential = tl.exp(x3 - x)
        total += tl.sum(tl.where(mask_n, exponential, 0.0), axis=0)

    out_tile = out_ptr + aligned + offs_n
    x_edge3 = tl.load(x_tile_edge, mask=edge_mask, other=0.0).to(tl.float32)
    exponential_edge2 = tl.exp(x_edge3 - x2)
    tl.store(
        out_ptr + start + edge_columns,
        (exponential_edge2 / total).to(tl.float16),
        mask=edge_mask,
    )
    # softmax_loops.tw:22: norm, stores = tile norm by [0, BN]
    for n in tl.range(0, N, BLOCK_N):
        mask_n = lane_groups < groups - n // GROUP
        x3 = tl.load(x_tile + n, mask=mask_n, other=0.0).to(tl.float32)
        exponential = tl.exp(x3 - x)
        tl.store(out_tile + n, (exponential / total).to(tl.float16), mask=mask_n)


def softmax_loops(x):
    """softmax_loops, on contiguous tensors.

    Args:
        x: float16 [9, 2051]

    Returns:
        out: float16 [9, 2051]
    """
    out = torch.empty(9, 2051, dtype=torch.float16, device=x.device)
    softmax_loops_kernel[(9,)](
        x,
        out,
        N=2051,
        BLOCK_N=1024,
        GROUP=8,
        EDGES=16,
        num_warps=8,
        num_stages=1,
    )
    return out
