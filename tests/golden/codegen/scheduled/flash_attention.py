"""Triton kernels and launcher of attention."""

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
def attention_kernel(
    q_desc,
    k_desc,
    v_desc,
    out_desc,
    N: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    BLOCK_L: tl.constexpr,
):
    # flash_attention.tw:7: out, grid = tile out by [1, 32, 0] onto [block.y, block.x]
    tile_b = tl.program_id(1)
    tile_m = tl.program_id(0)
    off_m = tile_m * BLOCK_M
    offs_m = off_m + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    q = q_desc.load([tile_b, off_m, 0])
    q = tl.reshape(q, (BLOCK_M, BLOCK_K))
    largest = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, BLOCK_L), dtype=tl.float32)
    # flash_attention.tw:12: pv, loop = stream pv by 16
    for n in tl.range(0, N, BLOCK_N, num_stages=3):
        k = k_desc.load([tile_b, n, 0])
        product = tl.dot(q, tl.trans(tl.reshape(k, (BLOCK_N, BLOCK_K))))
        scores = tl.where(
            offs_n[None, :] + n <= offs_m[:, None], product, float("-inf")
        )
        largest2 = tl.max(scores, axis=1)
        largest_new = tl.maximum(largest, largest2)
        x = largest_new * 0.25503486
        x = tl.where(x == float("-inf"), 0.0, x)
        exponential = tl.exp2(scores * 0.25503486 - x[:, None])
        factor = tl.exp2(largest * 0.25503486 - x)
        total = total * factor + tl.sum(exponential, axis=1)
        softmax = exponential.to(tl.float16)
        v = v_desc.load([tile_b, n, 0])
        acc = tl.dot(softmax, tl.reshape(v, (BLOCK_N, BLOCK_L)), acc * factor[:, None])
        largest = largest_new

    cast = (acc / total[:, None]).to(tl.float16)
    out_desc.store([tile_b, off_m, 0], tl.reshape(cast, (1, BLOCK_M, BLOCK_L)))


def attention(q, k, v):
    """attention, on contiguous tensors.

    Args:
        q: float16 [2, 64, 32]
        k: float16 [2, 64, 32]
        v: float16 [2, 64, 32]

    Returns:
        out: float16 [2, 64, 32]
    """
    out = torch.empty(2, 64, 32, dtype=torch.float16, device=q.device)
    attention_kernel[(2, 2)](
        _descriptor(q, (1, 32, 32)),
        _descriptor(k, (1, 16, 32)),
        _descriptor(v, (1, 16, 32)),
        _descriptor(out, (1, 32, 32)),
        N=64,
        BLOCK_M=32,
        BLOCK_N=16,
        BLOCK_K=32,
        BLOCK_L=32,
        num_warps=4,
        num_stages=3,
    )
    return out
