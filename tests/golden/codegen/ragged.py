"""Triton kernels and launcher of matmul_relu."""

import functools

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


def _descriptor(tensor, block, extents=None):
    """A descriptor of a row-major tensor, or of its first rows and columns.

    Triton checks a shape only once.
    """
    if tensor.data_ptr() % 16:
        raise ValueError("a tensor descriptor needs an address of whole 16 bytes")
    made = TensorDescriptor.__new__(TensorDescriptor)
    fields = _fields(tensor.shape, tensor.dtype, block, extents)
    made.__dict__ = {**fields, "base": tensor}
    return made


@functools.cache
def _fields(shape, dtype, block, extents):
    like = torch.empty(shape, dtype=dtype, device="meta")
    if extents is not None:
        like = like.as_strided(extents, like.stride())
    return vars(TensorDescriptor.from_tensor(like, list(block)))


@triton.jit
def matmul_relu_kernel(
    a_desc,
    b_desc,
    out_desc,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    TILES_M: tl.constexpr,
    TILES_N: tl.constexpr,
    GROUP_M: tl.constexpr,
):
    # ragged.mlir:8
    pid = tl.program_id(0)
    # Tiles in groups of GROUP_M rows: those in flight share operands.
    first_row = pid // (GROUP_M * TILES_N) * GROUP_M
    group_rows = min(TILES_M - first_row, GROUP_M)
    place = pid % (GROUP_M * TILES_N)
    tile_m = first_row + place % group_rows
    tile_n = place // group_rows
    off_m = tile_m * BLOCK_M
    off_n = tile_n * BLOCK_N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    # ragged.mlir:16
    for k in tl.range(0, K, BLOCK_K, num_stages=3):
        a = a_desc.load([off_m, k])
        b = b_desc.load([k, off_n])
        acc = tl.dot(a, b, acc)

    h = tl.maximum(acc, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
    out_desc.store([off_m, off_n], h)


def matmul_relu(a, b):
    """matmul_relu, on contiguous tensors.

    Args:
        a: float16 [1000, 1000]
        b: float16 [1000, 1000]

    Returns:
        out: float16 [1000, 1000]
    """
    out = torch.empty(1000, 1000, dtype=torch.float16, device=a.device)
    matmul_relu_kernel[(64,)](
        _descriptor(a, (128, 64)),
        _descriptor(b, (64, 128)),
        _descriptor(out, (128, 128)),
        K=1000,
        BLOCK_M=128,
        BLOCK_N=128,
        BLOCK_K=64,
        TILES_M=8,
        TILES_N=8,
        GROUP_M=8,
        num_warps=8,
        num_stages=3,
    )
    return out
