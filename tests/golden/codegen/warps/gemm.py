"""Triton kernels and launcher of product."""

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
def product_kernel_compute(
    out_desc,
    a_ring,
    b_ring,
    a_b_full,
    a_b_empty,
    out_ring,
    PART: gl.constexpr,
    K: gl.constexpr,
    BLOCK_M: gl.constexpr,
    BLOCK_N: gl.constexpr,
    BLOCK_K: gl.constexpr,
    TILES_M: gl.constexpr,
    TILES_N: gl.constexpr,
    GROUP_M: gl.constexpr,
):
    mma_64: gl.constexpr = gl.NVMMADistributedLayout(
        version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]
    )
    pid = gl.program_id(0)
    # Tiles in groups of GROUP_M rows: those in flight share operands.
    first_row = pid // (GROUP_M * TILES_N) * GROUP_M
    group_rows = min(TILES_M - first_row, GROUP_M)
    place = pid % (GROUP_M * TILES_N)
    tile_m = first_row + place % group_rows
    tile_n = place // group_rows
    acc = gl.zeros((64, BLOCK_N), dtype=gl.float32, layout=mma_64)
    count = 0
    # gemm.tw:16: mm, k = tile mm by [0, 0, BK]
    for k in range(0, K, BLOCK_K):
        slot = count % 2
        mbarrier.wait(a_b_full.index(slot), count // 2 & 1)
        count += 1
        acc2 = warpgroup_mma(
            a_ring.index(slot * 2 + PART), b_ring.index(slot), acc, is_async=True
        )
        acc = warpgroup_mma_wait(1, deps=(acc2,))
        mbarrier.arrive(a_b_empty.index(count % 2), count=1, pred=k > 0)

    acc = warpgroup_mma_wait(0, deps=(acc,))
    mbarrier.arrive(a_b_empty.index((count + 1) % 2), count=1)
    out = (acc + acc).to(gl.float16)
    tma.store_wait(0)
    _sync()
    out_ring.index(PART).store(out)
    fence_async_shared()
    _sync()
    tma.async_copy_shared_to_global(
        out_desc, [tile_m * BLOCK_M + PART * 64, tile_n * BLOCK_N], out_ring.index(PART)
    )
    tma.store_wait(0)


@gluon.jit
def product_kernel_load(
    a_desc,
    b_desc,
    a_ring,
    b_ring,
    a_b_full,
    a_b_empty,
    K: gl.constexpr,
    BLOCK_M: gl.constexpr,
    BLOCK_N: gl.constexpr,
    BLOCK_K: gl.constexpr,
    TILES_M: gl.constexpr,
    TILES_N: gl.constexpr,
    GROUP_M: gl.constexpr,
):
    pid = gl.program_id(0)
    # Tiles in groups of GROUP_M rows: those in flight share operands.
    first_row = pid // (GROUP_M * TILES_N) * GROUP_M
    group_rows = min(TILES_M - first_row, GROUP_M)
    place = pid % (GROUP_M * TILES_N)
    tile_m = first_row + place % group_rows
    tile_n = place // group_rows
    off_m = tile_m * BLOCK_M
    off_n = tile_n * BLOCK_N
    count = 0
    # gemm.tw:16: mm, k = tile mm by [0, 0, BK]
    for k in range(0, K, BLOCK_K):
        slot = count % 2
        mbarrier.wait(a_b_empty.index(slot), count // 2 & 1 ^ 1)
        mbarrier.expect(a_b_full.index(slot), 12288)
        tma.async_copy_global_to_shared(
            a_desc, [off_m, k], a_b_full.index(slot), a_ring.index(slot * 2)
        )
        tma.async_copy_global_to_shared(
            a_desc, [off_m + 64, k], a_b_full.index(slot), a_ring.index(slot * 2 + 1)
        )
        tma.async_copy_global_to_shared(
            b_desc, [k, off_n], a_b_full.index(slot), b_ring.index(slot)
        )
        count += 1


@gluon.jit
def product_kernel(
    a_desc,
    b_desc,
    out_desc,
    K: gl.constexpr,
    BLOCK_M: gl.constexpr,
    BLOCK_N: gl.constexpr,
    BLOCK_K: gl.constexpr,
    TILES_M: gl.constexpr,
    TILES_N: gl.constexpr,
    GROUP_M: gl.constexpr,
):
    a_ring = gl.allocate_shared_memory(gl.float16, [4, 64, 32], a_desc.layout)
    b_ring = gl.allocate_shared_memory(gl.float16, [2, 32, 64], b_desc.layout)
    out_ring = gl.allocate_shared_memory(gl.float16, [2, 64, 64], out_desc.layout)
    a_b_full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(a_b_full.index(slot), count=1)
    a_b_empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(a_b_empty.index(slot), count=2)
    fence_async_shared()
    # gemm.tw:12: out, grid = tile out by [BM, BN] onto [block.y, block.x]
    gl.warp_specialize(
        [
            (
                product_kernel_compute,
                (
                    out_desc,
                    a_ring,
                    b_ring,
                    a_b_full,
                    a_b_empty,
                    out_ring,
                    0,
                    K,
                    BLOCK_M,
                    BLOCK_N,
                    BLOCK_K,
                    TILES_M,
                    TILES_N,
                    GROUP_M,
                ),
            ),
            (
                product_kernel_compute,
                (
                    out_desc,
                    a_ring,
                    b_ring,
                    a_b_full,
                    a_b_empty,
                    out_ring,
                    1,
                    K,
                    BLOCK_M,
                    BLOCK_N,
                    BLOCK_K,
                    TILES_M,
                    TILES_N,
                    GROUP_M,
                ),
            ),
            (
                product_kernel_load,
                (
                    a_desc,
                    b_desc,
                    a_ring,
                    b_ring,
                    a_b_full,
                    a_b_empty,
                    K,
                    BLOCK_M,
                    BLOCK_N,
                    BLOCK_K,
                    TILES_M,
                    TILES_N,
                    GROUP_M,
                ),
            ),
        ],
        [4, 1],
        [240, 24],
    )


def product(a, b):
    """product, on contiguous tensors.

    Args:
        a: float16 [256, 96]
        b: float16 [96, 128]

    Returns:
        out: float16 [256, 128]
    """
    out = torch.empty(256, 128, dtype=torch.float16, device=a.device)
    product_kernel[(4,)](
        _gluon_descriptor(a, (64, 32)),
        _gluon_descriptor(b, (32, 64)),
        _gluon_descriptor(out, (64, 64)),
        K=96,
        BLOCK_M=128,
        BLOCK_N=64,
        BLOCK_K=32,
        TILES_M=2,
        TILES_N=2,
        GROUP_M=2,
        num_warps=4,
        num_stages=2,
    )
    return out
