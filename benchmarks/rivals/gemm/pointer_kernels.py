"""Hand-written products that load by pointers, and the parts all products share.

What may follow the product in the kernel is one function, `tail`; what is not given
(None) is not in the compiled code.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def activated(x, ACTIVATION: tl.constexpr):
    """The activation of that name; "" is none."""
    if ACTIVATION == "relu":
        # torch.relu keeps NaN; a plain maximum would turn it into 0.
        return tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL)
    if ACTIVATION == "gelu":
        return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    return x


@triton.jit
def _vector(pointer, index, extent, EVEN: tl.constexpr):
    if EVEN:
        return tl.load(pointer + index).to(tl.float32)
    return tl.load(pointer + index, mask=index < extent, other=0.0).to(tl.float32)


@triton.jit
def tail(
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
    """activation(acc * scales + bias) + residual."""
    rows = row + tl.arange(0, acc.shape[0])
    columns = column + tl.arange(0, acc.shape[1])
    if a_scale is not None:
        acc *= _vector(a_scale, rows, m, EVEN)[:, None]
        acc *= _vector(b_scale, columns, n, EVEN)[None, :]
    if bias is not None:
        acc += _vector(bias, columns, n, EVEN)[None, :]
    acc = activated(acc, ACTIVATION)
    if residual is not None:
        tile = residual + rows[:, None] * n + columns[None, :]
        if EVEN:
            acc += tl.load(tile).to(tl.float32)
        else:
            inside = (rows[:, None] < m) & (columns[None, :] < n)
            acc += tl.load(tile, mask=inside, other=0.0).to(tl.float32)
    return acc


@triton.jit
def grouped_tile(tile, tiles_m, tiles_n, GROUP: tl.constexpr):
    """The row and the column of a tile."""
    # Down GROUP rows of tiles before the next column: programs that run together then
    # share rows of a and columns of b in L2.
    tiles_per_group = GROUP * tiles_n
    first_m = (tile // tiles_per_group) * GROUP
    rows = min(tiles_m - first_m, GROUP)
    within = tile % tiles_per_group
    return first_m + within % rows, within // rows


@triton.jit
def batched_tile(tile, tiles_m, tiles_n, GROUP: tl.constexpr, BATCHED: tl.constexpr):
    """The batch, the row and the column of a tile."""
    if BATCHED:
        batch = tile // (tiles_m * tiles_n)
        tile = tile % (tiles_m * tiles_n)
    else:
        batch = 0
    tile_m, tile_n = grouped_tile(tile, tiles_m, tiles_n, GROUP)
    return batch, tile_m, tile_n


@triton.jit
def dot(x, y, acc, TRANSPOSED: tl.constexpr, PRECISION: tl.constexpr):
    """acc + x y, with y stored transposed where it says so."""
    if TRANSPOSED:
        y = tl.trans(y)
    return tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=acc.dtype)


@triton.jit
def _pointer_product(
    a,
    b,
    row,
    column,
    m,
    n,
    k,
    first,
    step,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    EVEN_MN: tl.constexpr,
    EVEN_K: tl.constexpr,
    TRANSPOSED: tl.constexpr,
    PRECISION: tl.constexpr,
    ACC: tl.constexpr,
):
    # The product over the blocks of k from `first` on, every `step`.
    rows = row + tl.arange(0, BLOCK_M)
    columns = column + tl.arange(0, BLOCK_N)
    if not EVEN_MN:
        # Wrapping keeps the loads in bounds without a mask; the store drops the rest.
        rows = rows % m
        columns = columns % n
    depth = tl.arange(0, BLOCK_K)
    a_tile = a + rows[:, None] * k + (first + depth)[None, :]
    if TRANSPOSED:
        b_tile = b + columns[:, None] * k + (first + depth)[None, :]
        b_step = step
    else:
        b_tile = b + (first + depth)[:, None] * n + columns[None, :]
        b_step = step * n
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for start in range(first, k, step):
        if EVEN_K:
            x = tl.load(a_tile)
            y = tl.load(b_tile)
        else:
            left = k - start
            x = tl.load(a_tile, mask=depth[None, :] < left, other=0.0)
            if TRANSPOSED:
                y = tl.load(b_tile, mask=depth[None, :] < left, other=0.0)
            else:
                y = tl.load(b_tile, mask=depth[:, None] < left, other=0.0)
        acc = dot(x, y, acc, TRANSPOSED, PRECISION)
        a_tile += step
        b_tile += b_step
    return acc


@triton.jit
def _store_tile(out, acc, row, column, m, n, EVEN: tl.constexpr):
    rows = row + tl.arange(0, acc.shape[0])
    columns = column + tl.arange(0, acc.shape[1])
    tile = out + rows[:, None] * n + columns[None, :]
    result = acc.to(out.dtype.element_ty)
    if EVEN:
        tl.store(tile, result)
    else:
        tl.store(tile, result, mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def pointer_kernel(
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
    EVEN_MN: tl.constexpr,
    EVEN_K: tl.constexpr,
    TRANSPOSED: tl.constexpr,
    PRECISION: tl.constexpr,
    ACC: tl.constexpr,
    ACTIVATION: tl.constexpr,
    BATCHED: tl.constexpr,
):
    """One tile a program, pointer loads."""
    if BATCHED:
        batch = tl.program_id(1)
        a += batch * m * k
        b += batch * k * n
        out += batch * m * n
    tile_m, tile_n = grouped_tile(
        tl.program_id(0), tl.cdiv(m, BLOCK_M), tl.cdiv(n, BLOCK_N), GROUP
    )
    row = tile_m * BLOCK_M
    column = tile_n * BLOCK_N
    acc = _pointer_product(
        *(a, b, row, column, m, n, k, 0, BLOCK_K),
        *(BLOCK_M, BLOCK_N, BLOCK_K, EVEN_MN, EVEN_K, TRANSPOSED, PRECISION, ACC),
    )
    acc = tail(
        *(acc, row, column, m, n, bias, residual, a_scale, b_scale),
        *(ACTIVATION, EVEN_MN),
    )
    _store_tile(out, acc, row, column, m, n, EVEN_MN)


@triton.jit
def walking_kernel(
    a,
    b,
    out,
    m,
    n,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    STAGES: tl.constexpr,
):
    """A row of tiles a program, k in one block: the tile of a stays in registers."""
    batch = tl.program_id(1)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    x = tl.load(a + batch * m * BLOCK_K + rows[:, None] * BLOCK_K + depth[None, :])
    b_tile = b + batch * BLOCK_K * n + depth[:, None] * n + columns[None, :]
    out_tile = out + batch * m * n + rows[:, None] * n + columns[None, :]
    for column in tl.range(0, n, BLOCK_N, num_stages=STAGES):
        acc = tl.dot(x, tl.load(b_tile + column))
        tl.store(out_tile + column, acc.to(out.dtype.element_ty))


@triton.jit
def transposing_kernel(x, out, m, n, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """out = x transposed, a tile a program; the sizes are multiples of the tile's."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    tile = tl.load(x + rows[:, None] * n + columns[None, :])
    tl.store(out + columns[:, None] * m + rows[None, :], tl.trans(tile))


@triton.jit
def split_k_kernel(
    a,
    b,
    out,
    partial,
    arrived,
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
    SPLIT: tl.constexpr,
    EVEN_MN: tl.constexpr,
    EVEN_K: tl.constexpr,
    TRANSPOSED: tl.constexpr,
    PRECISION: tl.constexpr,
    ACC: tl.constexpr,
    ACTIVATION: tl.constexpr,
):
    """SPLIT programs a tile; the last to arrive adds the partial sums."""
    row = tl.program_id(0) * BLOCK_M
    column = tl.program_id(1) * BLOCK_N
    share = tl.program_id(2)
    acc = _pointer_product(
        *(a, b, row, column, m, n, k, share * BLOCK_K, SPLIT * BLOCK_K),
        *(BLOCK_M, BLOCK_N, BLOCK_K, EVEN_MN, EVEN_K, TRANSPOSED, PRECISION, ACC),
    )
    _store_tile(partial + share * m * n, acc, row, column, m, n, EVEN_MN)
    # The atomic is one thread's: all of the tile must be written before it.
    tl.debug_barrier()
    counter = arrived + tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    if tl.atomic_add(counter, 1, sem="acq_rel") == SPLIT - 1:
        rows = row + tl.arange(0, BLOCK_M)
        columns = column + tl.arange(0, BLOCK_N)
        tile = partial + rows[:, None] * n + columns[None, :]
        inside = (rows[:, None] < m) & (columns[None, :] < n)
        total = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
        for _ in range(SPLIT):
            # From L2: the other programs ran on other SMs.
            total += tl.load(tile, mask=inside, other=0.0, cache_modifier=".cg")
            tile += m * n
        total = tail(
            *(total, row, column, m, n, bias, residual, a_scale, b_scale),
            *(ACTIVATION, EVEN_MN),
        )
        _store_tile(out, total, row, column, m, n, EVEN_MN)
        tl.store(counter, 0)
