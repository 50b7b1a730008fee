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
def matmul_relu_kernel(
    a_desc,
    b_desc,
    out_desc,
    K: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    TILES_N: tl.constexpr,
    TILES: tl.constexpr,
):
    pid = tl.program_id(0)
    # structure.mlir:9
    for tile in tl.range(pid, TILES, tl.num_programs(0)):
        tile_n = tile % TILES_N
        tile_m = tile // TILES_N
        off_m = tile_m * BLOCK_M
        off_n = tile_n * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        # structure.mlir:15
        for k in tl.range(0, K, BLOCK_K, num_stages=3):
            a = a_desc.load([off_m, k])
            b = b_desc.load([k, off_n])
            acc = tl.dot(a, b, acc)

        h = tl.maximum(acc, 0.0, propagate_nan=tl.PropagateNan.ALL).to(tl.float16)
        out_desc.store([off_m, off_n], h)


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
        _descriptor(out, (32, 64)),
        K=72,
        BLOCK_M=32,
        BLOCK_N=64,
        BLOCK_K=32,
        TILES_N=3,
        TILES=12,
        num_warps=4,
        num_stages=3,
    )
    return out
