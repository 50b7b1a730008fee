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
def _maximum(x, y):
    """Combine for a maximum that is NaN where an element is; `tl.max` drops NaNs."""
    return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)


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
    # streamed_attention_partial.mlir:11
    tile_b = tl.program_id(1)
    tile_m = tl.program_id(0)
    off_m = tile_m * BLOCK_M
    offs_n = tl.arange(0, BLOCK_N)
    q = q_desc.load([tile_b, off_m, 0])
    q = tl.reshape(q, (BLOCK_M, BLOCK_K))
    mn = tl.full((BLOCK_M,), float("-inf"), dtype=tl.float32)
    ln = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, BLOCK_L), dtype=tl.float32)
    # streamed_attention_partial.mlir:21
    for n in tl.range(0, N, BLOCK_N, num_stages=3):
        k = k_desc.load([tile_b, n, 0])
        s = tl.dot(q, tl.trans(tl.reshape(k, (BLOCK_N, BLOCK_K))))
        mask_n = offs_n < N - n
        mn_new = tl.maximum(
            mn,
            tl.reduce(tl.where(mask_n[None, :], s, float("-inf")), 1, _maximum),
            propagate_nan=tl.PropagateNan.ALL,
        )
        f = tl.exp2(mn * 0.2944889 - mn_new * 0.2944889)
        p = tl.where(
            mask_n[None, :], tl.exp2(s * 0.2944889 - mn_new[:, None] * 0.2944889), 0.0
        )
        ln = ln * f + tl.sum(p, axis=1)
        v = v_desc.load([tile_b, n, 0])
        acc = tl.dot(
            p.to(tl.float16), tl.reshape(v, (BLOCK_N, BLOCK_L)), acc * f[:, None]
        )
        mn = mn_new

    x = tl.reshape((acc / ln[:, None]).to(tl.float16), (1, BLOCK_M, BLOCK_L))
    out_desc.store([tile_b, off_m, 0], x)


def attention(q, k, v):
    """attention, on contiguous tensors.

    Args:
        q: float16 [2, 40, 24]
        k: float16 [2, 50, 24]
        v: float16 [2, 50, 24]

    Returns:
        out: float16 [2, 40, 24]
    """
    out = torch.empty(2, 40, 24, dtype=torch.float16, device=q.device)
    attention_kernel[(2, 2)](
        _descriptor(q, (1, 32, 32)),
        _descriptor(k, (1, 32, 32)),
        _descriptor(v, (1, 32, 32)),
        _descriptor(out, (1, 32, 32)),
        N=50,
        BLOCK_M=32,
        BLOCK_N=32,
        BLOCK_K=32,
        BLOCK_L=32,
        num_warps=4,
        num_stages=3,
    )
    return out
