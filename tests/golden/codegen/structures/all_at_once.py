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


@functools.cache
def _multiprocessors(device):
    """How many a card has; in Triton's interpreter, a few."""
    if device.type != "cuda":
        return 3
    return torch.cuda.get_device_properties(device).multi_processor_count


@triton.jit
def _halves(x):
    """The left and the right half of a tile's columns."""
    pairs = tl.reshape(x, (x.shape[0], 2, x.shape[1] // 2))
    return tl.split(tl.permute(pairs, (0, 2, 1)))


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
    PART_N: tl.constexpr,
    TILES: tl.constexpr,
):
    pid = tl.program_id(0)
    # structure.mlir:9
    for tile in tl.range(pid, TILES, tl.num_programs(0)):
        # Tiles in groups of GROUP_M rows: those in flight share operands.
        first_row = tile // (GROUP_M * TILES_N) * GROUP_M
        group_rows = min(TILES_M - first_row, GROUP_M)
        place = tile % (GROUP_M * TILES_N)
        tile_m = first_row + place % group_rows
        tile_n = place // group_rows
        off_m = tile_m * BLOCK_M
        off_n = tile_n * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        # structure.mlir:15
        for k in tl.range(0, K, BLOCK_K, num_stages=3):
            a = a_desc.load([off_m, k])
            b = b_desc.load([k, off_n])
            acc = tl.dot(a, b, acc)

        acc01, acc23 = _halves(acc)
        acc0, acc1 = _halves(acc01)
        h0 = tl.maximum(acc0, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
        out_desc.store([off_m, off_n], h0)
        h1 = tl.maximum(acc1, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
        out_desc.store([off_m, off_n + PART_N], h1)
        acc2, acc3 = _halves(acc23)
        h2 = tl.maximum(acc2, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
        out_desc.store([off_m, off_n + 2 * PART_N], h2)
        h3 = tl.maximum(acc3, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
        out_desc.store([off_m, off_n + 3 * PART_N], h3)


def matmul_relu(a, b):
    """matmul_relu, on contiguous tensors.

    Args:
        a: float16 [100, 72]
        b: float16 [72, 136]

    Returns:
        out: float16 [100, 136]
    """
    out = torch.empty(100, 136, dtype=torch.float16, device=a.device)
    matmul_relu_kernel[(min(12, _multiprocessors(a.device)),)](
        _descriptor(a, (32, 32)),
        _descriptor(b, (32, 64)),
        _descriptor(out, (32, 16)),
        K=72,
        BLOCK_M=32,
        BLOCK_N=64,
        BLOCK_K=32,
        TILES_M=4,
        TILES_N=3,
        GROUP_M=2,
        PART_N=16,
        TILES=12,
        num_warps=4,
        num_stages=3,
    )
    return out
