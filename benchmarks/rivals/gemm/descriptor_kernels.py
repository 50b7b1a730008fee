"""Hand-written products that load through tensor descriptors."""

from __future__ import annotations

import triton
import triton.language as tl

from rivals.gemm.pointer_kernels import batched_tile, dot, grouped_tile, tail


@triton.jit
def _descriptor_product(
    a,
    b,
    a_row,
    b_row,
    column,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    TRANSPOSED: tl.constexpr,
    PRECISION: tl.constexpr,
    ACC: tl.constexpr,
):
    # `b_row` is where this batch's matrix begins.
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for start in range(0, k, BLOCK_K):
        x = a.load([a_row, start])
        if TRANSPOSED:
            y = b.load([column, start])
        else:
            y = b.load([b_row + start, column])
        acc = dot(x, y, acc, TRANSPOSED, PRECISION)
    return acc


@triton.jit
def descriptor_kernel(
    a,
    b,
    out,
    bias,
    residual,
    a_scale,
    b_scale,
    m,
    n,
    k,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
    SUBTILES: tl.constexpr,
    EVEN_MN: tl.constexpr,
    TRANSPOSED: tl.constexpr,
    PRECISION: tl.constexpr,
    ACC: tl.constexpr,
    ACTIVATION: tl.constexpr,
    BATCHED: tl.constexpr,
):
    """One tile a program, tensor descriptors; a batch is a stack of rows to them."""
    tile_m, tile_n = grouped_tile(
        tl.program_id(0), tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N), GROUP
    )
    row = tile_m * BLOCK_M
    column = tile_n * BLOCK_N
    b_row = 0
    if BATCHED:
        row += tl.program_id(1) * m
        b_row = tl.program_id(1) * k
    acc = _descriptor_product(
        *(a, b, row, b_row, column, k),
        *(BLOCK_M, BLOCK_N, BLOCK_K, TRANSPOSED, PRECISION, ACC),
    )
    _store_parts(
        *(out, acc, row, column, m, n, bias, residual, a_scale, b_scale),
        *(ACTIVATION, EVEN_MN, SUBTILES),
    )


@triton.jit
def _store_part(
    out,
    acc,
    row,
    column,
    m,
    n,
    bias,
    residual,
    a_scale,
    b_scale,
    ACTIVATION: tl.constexpr,
    EVEN: tl.constexpr,
):
    acc = tail(
        *(acc, row, column, m, n, bias, residual, a_scale, b_scale),
        *(ACTIVATION, EVEN),
    )
    out.store([row, column], acc.to(out.dtype))


@triton.jit
def _halves(acc):
    pairs = tl.reshape(acc, (acc.shape[0], 2, acc.shape[1] // 2))
    return tl.split(tl.permute(pairs, (0, 2, 1)))


@triton.jit
def _store_parts(
    out,
    acc,
    row,
    column,
    m,
    n,
    bias,
    residual,
    a_scale,
    b_scale,
    ACTIVATION: tl.constexpr,
    EVEN: tl.constexpr,
    SUBTILES: tl.constexpr,
):
    # A part at a time takes a part of the staging buffer and of the registers.
    if SUBTILES == 1:
        _store_part(
            *(out, acc, row, column, m, n, bias, residual, a_scale, b_scale),
            *(ACTIVATION, EVEN),
        )
    else:
        left, right = _halves(acc)
        _store_parts(
            *(out, left, row, column, m, n, bias, residual, a_scale, b_scale),
            *(ACTIVATION, EVEN, SUBTILES // 2),
        )
        _store_parts(
            *(out, right, row, column + left.shape[1], m, n),
            *(bias, residual, a_scale, b_scale, ACTIVATION, EVEN, SUBTILES // 2),
        )


@triton.jit
def persistent_kernel(
    a,
    b,
    out,
    bias,
    residual,
    a_scale,
    b_scale,
    m,
    n,
    k,
    batches,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
    SUBTILES: tl.constexpr,
    FLATTEN: tl.constexpr,
    EVEN_MN: tl.constexpr,
    TRANSPOSED: tl.constexpr,
    PRECISION: tl.constexpr,
    ACC: tl.constexpr,
    ACTIVATION: tl.constexpr,
    BATCHED: tl.constexpr,
):
    """One program an SM, tile after tile; batches one after the other."""
    tiles_m = tl.cdiv(m, BLOCK_M)
    tiles_n = tl.cdiv(n, BLOCK_N)
    programs = tl.num_programs(0)
    # The tile to store is counted apart from the tile to load: in the flattened loop
    # the loads run ahead, and one shared counter would tie the store to them.
    store_tile = tl.program_id(0) - programs
    for tile in tl.range(
        tl.program_id(0), tiles_m * tiles_n * batches, programs, flatten=FLATTEN
    ):
        batch, tile_m, tile_n = batched_tile(tile, tiles_m, tiles_n, GROUP, BATCHED)
        acc = _descriptor_product(
            *(a, b, batch * m + tile_m * BLOCK_M, batch * k, tile_n * BLOCK_N, k),
            *(BLOCK_M, BLOCK_N, BLOCK_K, TRANSPOSED, PRECISION, ACC),
        )
        store_tile += programs
        batch, tile_m, tile_n = batched_tile(
            store_tile, tiles_m, tiles_n, GROUP, BATCHED
        )
        _store_parts(
            *(out, acc, batch * m + tile_m * BLOCK_M, tile_n * BLOCK_N, m, n),
            *(bias, residual, a_scale, b_scale, ACTIVATION, EVEN_MN, SUBTILES),
        )
