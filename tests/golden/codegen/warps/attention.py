"""Triton kernels and launcher of attention."""

import functools

import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)
from triton.experimental.gluon.nvidia.hopper import (
    TensorDescriptor as GluonDescriptor,
)

# Triton 3.6 calls the barrier of a partition's warps `thread_barrier`.
_sync = gl.barrier if hasattr(gl, "barrier") else gl.thread_barrier


def _gluon_descriptor(tensor, block, extents=None):
    """A descriptor for Gluon: blocks lie in shared memory as wgmma reads them."""
    if tensor.data_ptr() % 16:
        raise ValueError("a tensor descriptor needs an address of whole 16 bytes")
    made = GluonDescriptor.__new__(GluonDescriptor)
    fields = _gluon_fields(tensor.shape, tensor.dtype, block, extents)
    made.__dict__ = {**fields, "base": tensor}
    return made


@functools.cache
def _gluon_fields(shape, dtype, block, extents):
    like = torch.empty(shape, dtype=dtype, device="meta")
    if extents is not None:
        like = like.as_strided(extents, like.stride())
    name = str(dtype).removeprefix("torch.")
    names = {"float8_e4m3fn": "float8e4nv", "float8_e5m2": "float8e5"}
    kind = getattr(gl, names.get(name, name))
    layout = gl.NVMMASharedLayout.get_default_for(list(block), kind)
    return vars(GluonDescriptor.from_tensor(like, list(block), layout))


@gluon.jit
def attention_kernel_compute(
    out_desc,
    q_ring,
    q_full,
    q_empty,
    k_ring,
    k_full,
    k_empty,
    v_ring,
    v_full,
    v_empty,
    out_ring,
    PART: gl.constexpr,
    N: gl.constexpr,
    BLOCK_M: gl.constexpr,
    BLOCK_N: gl.constexpr,
):
    mma_64: gl.constexpr = gl.NVMMADistributedLayout(
        version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]
    )
    tile_h = gl.program_id(1)
    tile_m = gl.program_id(0)
    mbarrier.wait(q_full.index(PART), 0)
    mbarrier.wait(k_full.index(0), 0)
    product = warpgroup_mma(
        q_ring.index(PART).reshape([64, 64]),
        k_ring.index(0).reshape([64, 64]).permute((1, 0)),
        gl.zeros((64, 64), gl.float32, mma_64),
        use_acc=False,
        is_async=True,
    )
    product = warpgroup_mma_wait(0, deps=(product,))
    mbarrier.arrive(k_empty.index(0), count=1)
    largest = gl.max(product, axis=1)
    x = gl.full(
        (64,), float("-inf"), dtype=gl.float32, layout=gl.SliceLayout(1, mma_64)
    )
    x = gl.maximum(x, largest)
    x2 = x * 0.18033688
    exponential = gl.exp2(product * 0.18033688 - x2[:, None])
    factor = gl.exp2(float("-inf") - x2)
    x3 = factor * 0.0 + gl.sum(exponential, axis=1)
    softmax = exponential.to(gl.float16)
    x4 = gl.zeros((64, 64), dtype=gl.float32, layout=mma_64)
    largest2 = x
    acc = factor[:, None] * x4
    count = 1
    count2 = 0
    # attention.tw:19: values, loop = stream grid by BN
    for n in range(64, N, BLOCK_N):
        slot = count % 2
        mbarrier.wait(k_full.index(slot), count // 2 & 1)
        count += 1
        product2 = warpgroup_mma(
            q_ring.index(PART).reshape([64, 64]),
            k_ring.index(slot).reshape([64, 64]).permute((1, 0)),
            gl.zeros((64, 64), gl.float32, mma_64),
            use_acc=False,
            is_async=True,
        )
        slot2 = count2 % 2
        mbarrier.wait(v_full.index(slot2), count2 // 2 & 1)
        count2 += 1
        softmax2 = gl.convert_layout(softmax, gl.DotOperandLayout(0, mma_64, k_width=2))
        acc2 = warpgroup_mma(
            softmax2, v_ring.index(slot2).reshape([64, 64]), acc, is_async=True
        )
        product3 = warpgroup_mma_wait(1, deps=(product2,))
        mbarrier.arrive(k_empty.index(slot), count=1)
        largest3 = gl.max(product3, axis=1)
        largest3 = gl.maximum(largest2, largest3)
        x5 = largest3 * 0.18033688
        exponential2 = gl.exp2(product3 * 0.18033688 - x5[:, None])
        factor2 = gl.exp2(largest2 * 0.18033688 - x5)
        x6 = x3 * factor2 + gl.sum(exponential2, axis=1)
        softmax3 = exponential2.to(gl.float16)
        acc3, softmax4, largest2, x3, softmax = warpgroup_mma_wait(
            0, deps=(acc2, softmax2, largest3, x6, softmax3)
        )
        mbarrier.arrive(v_empty.index(slot2), count=1)
        acc = acc3 * factor2[:, None]

    mbarrier.arrive(q_empty.index(PART), count=1)
    slot = count2 % 2
    mbarrier.wait(v_full.index(slot), count2 // 2 & 1)
    softmax = gl.convert_layout(softmax, gl.DotOperandLayout(0, mma_64, k_width=2))
    acc = warpgroup_mma(
        softmax, v_ring.index(slot).reshape([64, 64]), acc, is_async=True
    )
    acc, softmax = warpgroup_mma_wait(0, deps=(acc, softmax))
    mbarrier.arrive(v_empty.index(slot), count=1)
    cast = (acc / x3[:, None]).to(gl.float16)
    tma.store_wait(0)
    _sync()
    out_ring.index(PART).reshape([64, 64]).store(cast)
    fence_async_shared()
    _sync()
    tma.async_copy_shared_to_global(
        out_desc, [0, tile_h, tile_m * BLOCK_M + PART * 64, 0], out_ring.index(PART)
    )
    tma.store_wait(0)


@gluon.jit
def attention_kernel_load(
    q_desc,
    k_desc,
    v_desc,
    q_ring,
    q_full,
    q_empty,
    k_ring,
    k_full,
    k_empty,
    v_ring,
    v_full,
    v_empty,
    N: gl.constexpr,
    BLOCK_M: gl.constexpr,
    BLOCK_N: gl.constexpr,
):
    tile_h = gl.program_id(1)
    tile_m = gl.program_id(0)
    off_m = tile_m * BLOCK_M
    mbarrier.wait(q_empty.index(0), 1)
    mbarrier.expect(q_full.index(0), 8192)
    tma.async_copy_global_to_shared(
        q_desc, [0, tile_h, off_m, 0], q_full.index(0), q_ring.index(0)
    )
    mbarrier.wait(q_empty.index(1), 1)
    mbarrier.expect(q_full.index(1), 8192)
    tma.async_copy_global_to_shared(
        q_desc, [0, tile_h, off_m + 64, 0], q_full.index(1), q_ring.index(1)
    )
    mbarrier.wait(k_empty.index(0), 1)
    mbarrier.expect(k_full.index(0), 8192)
    tma.async_copy_global_to_shared(
        k_desc, [0, tile_h, 0, 0], k_full.index(0), k_ring.index(0)
    )
    count = 1
    count2 = 0
    # attention.tw:19: values, loop = stream grid by BN
    for n in range(64, N, BLOCK_N):
        slot = count % 2
        mbarrier.wait(k_empty.index(slot), count // 2 & 1 ^ 1)
        mbarrier.expect(k_full.index(slot), 8192)
        tma.async_copy_global_to_shared(
            k_desc, [0, tile_h, n, 0], k_full.index(slot), k_ring.index(slot)
        )
        count += 1
        slot2 = count2 % 2
        mbarrier.wait(v_empty.index(slot2), count2 // 2 & 1 ^ 1)
        mbarrier.expect(v_full.index(slot2), 8192)
        tma.async_copy_global_to_shared(
            v_desc, [0, tile_h, n - 64, 0], v_full.index(slot2), v_ring.index(slot2)
        )
        count2 += 1

    slot = count2 % 2
    mbarrier.wait(v_empty.index(slot), count2 // 2 & 1 ^ 1)
    mbarrier.expect(v_full.index(slot), 8192)
    tma.async_copy_global_to_shared(
        v_desc, [0, tile_h, 192, 0], v_full.index(slot), v_ring.index(slot)
    )


@gluon.jit
def attention_kernel(
    q_desc,
    k_desc,
    v_desc,
    out_desc,
    N: gl.constexpr,
    BLOCK_M: gl.constexpr,
    BLOCK_N: gl.constexpr,
):
    q_ring = gl.allocate_shared_memory(gl.float16, [2, 1, 1, 64, 64], q_desc.layout)
    k_ring = gl.allocate_shared_memory(gl.float16, [2, 1, 1, 64, 64], k_desc.layout)
    v_ring = gl.allocate_shared_memory(gl.float16, [2, 1, 1, 64, 64], v_desc.layout)
    out_ring = gl.allocate_shared_memory(gl.float16, [2, 1, 1, 64, 64], out_desc.layout)
    q_full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(q_full.index(slot), count=1)
    q_empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(q_empty.index(slot), count=1)
    k_full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(k_full.index(slot), count=1)
    k_empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(k_empty.index(slot), count=2)
    v_full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(v_full.index(slot), count=1)
    v_empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(v_empty.index(slot), count=2)
    fence_async_shared()
    # attention.tw:16: out, grid = tile out by [1, 1, BM] onto [block.z, block.y, ...
    gl.warp_specialize(
        [
            (
                attention_kernel_compute,
                (
                    out_desc,
                    q_ring,
                    q_full,
                    q_empty,
                    k_ring,
                    k_full,
                    k_empty,
                    v_ring,
                    v_full,
                    v_empty,
                    out_ring,
                    0,
                    N,
                    BLOCK_M,
                    BLOCK_N,
                ),
            ),
            (
                attention_kernel_compute,
                (
                    out_desc,
                    q_ring,
                    q_full,
                    q_empty,
                    k_ring,
                    k_full,
                    k_empty,
                    v_ring,
                    v_full,
                    v_empty,
                    out_ring,
                    1,
                    N,
                    BLOCK_M,
                    BLOCK_N,
                ),
            ),
            (
                attention_kernel_load,
                (
                    q_desc,
                    k_desc,
                    v_desc,
                    q_ring,
                    q_full,
                    q_empty,
                    k_ring,
                    k_full,
                    k_empty,
                    v_ring,
                    v_full,
                    v_empty,
                    N,
                    BLOCK_M,
                    BLOCK_N,
                ),
            ),
        ],
        [4, 1],
        [240, 24],
    )


def attention(q, k, v):
    """attention, on contiguous tensors.

    Args:
        q: float16 [1, 2, 256, 64]
        k: float16 [1, 2, 256, 64]
        v: float16 [1, 2, 256, 64]

    Returns:
        out: float16 [1, 2, 256, 64]
    """
    out = torch.empty(1, 2, 256, 64, dtype=torch.float16, device=q.device)
    attention_kernel[(2, 2, 1)](
        _gluon_descriptor(q, (1, 1, 64, 64)),
        _gluon_descriptor(k, (1, 1, 64, 64)),
        _gluon_descriptor(v, (1, 1, 64, 64)),
        _gluon_descriptor(out, (1, 1, 64, 64)),
        N=256,
        BLOCK_M=128,
        BLOCK_N=64,
        num_warps=4,
        num_stages=2,
    )
    return out
