"""Hand-written Triton kernels: the forward pass of flash attention, and its variants.

A program has a block of query rows of one head. It visits the keys that any of its rows
sees in up to three loops: keys that only some rows see on the left (a window, a
document), keys that all rows see, which need no mask, and the diagonal.

Scores are in units of log2(e), so that the exponential is one instruction; without a
bias or a cap the scale is folded into the subtraction of the maximum.
"""

from __future__ import annotations

import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)
# Finite, so that a row whose first keys are all hidden has no inf - inf. It replaces
# scaled scores: the rounding error of its product with a scale, which a fused
# multiply-add keeps, has an infinite exponential.
HIDDEN = tl.constexpr(-1.0e30)


@triton.jit
def _tanh(x, APPROXIMATE: tl.constexpr):
    if APPROXIMATE:
        y = tl.inline_asm_elementwise(
            "tanh.approx.f32 $0, $1;", "=f,f", [x], tl.float32, is_pure=True, pack=1
        )
    else:
        y = 1.0 - 2.0 / (1.0 + tl.exp2(x * (2.0 * LOG2E)))
    return y


@triton.jit
def _tile(
    source,
    first,
    BLOCK: tl.constexpr,
    FEATURES: tl.constexpr,
    DESCRIPTORS: tl.constexpr,
):
    """BLOCK rows of a matrix of FEATURES columns, from row `first`."""
    if DESCRIPTORS:
        tile = source.load([first, 0])
    else:
        row = tl.arange(0, BLOCK)[:, None]
        column = tl.arange(0, FEATURES)[None, :]
        at = source + tl.cast(first, tl.int64) * FEATURES
        tile = tl.load(at + row * FEATURES + column)
    return tile


@triton.jit
def _visit(
    acc,
    total,
    top,
    query,
    key,
    value,
    first_key,
    begin,
    end,
    rows,
    documents,
    row_documents,
    slope,
    scale,
    cap,
    MASKED: tl.constexpr,
    WINDOW: tl.constexpr,
    APPROXIMATE: tl.constexpr,
    BN: tl.constexpr,
    FEATURES: tl.constexpr,
    DESCRIPTORS: tl.constexpr,
):
    """Take the keys from `begin` to `end` into the running values."""
    PLAIN: tl.constexpr = cap is None and slope is None
    UNSCALED: tl.constexpr = PLAIN and not MASKED
    for start in tl.range(begin, end, BN):
        start = tl.multiple_of(start, BN)
        keys = _tile(key, first_key + start, BN, FEATURES, DESCRIPTORS)
        score = tl.dot(query, keys.T)
        column = start + tl.arange(0, BN)
        if cap is not None:
            score = _tanh(score * (scale / cap), APPROXIMATE) * (cap * LOG2E)
        if slope is not None:
            # A row's own position would move all its scores alike: it is left out.
            distance = (column - tl.min(rows, 0)).to(tl.float32)
            score = score * (scale * LOG2E) + (slope * distance)[None, :]
        if MASKED:
            seen = column[None, :] <= rows[:, None]
            if WINDOW:
                seen &= rows[:, None] - column[None, :] < WINDOW
            if documents is not None:
                seen &= row_documents[:, None] == tl.load(documents + column)[None, :]
            if PLAIN:
                score = score * (scale * LOG2E)
            score = tl.where(seen, score, HIDDEN)
        if UNSCALED:
            largest = tl.maximum(top, tl.max(score, 1) * (scale * LOG2E))
            power = tl.exp2(score * (scale * LOG2E) - largest[:, None])
        else:
            largest = tl.maximum(top, tl.max(score, 1))
            power = tl.exp2(score - largest[:, None])
        shrink = tl.exp2(top - largest)
        total = total * shrink + tl.sum(power, 1)
        acc = acc * shrink[:, None]
        values = _tile(value, first_key + start, BN, FEATURES, DESCRIPTORS)
        acc = tl.dot(power.to(values.dtype), values, acc)
        top = largest
    return acc, total, top


@triton.jit
def attention_kernel(
    query,
    key,
    value,
    out,
    slopes,
    documents,
    starts,
    length,
    scale,
    cap,
    HEADS: tl.constexpr,
    GROUP: tl.constexpr,
    CAUSAL: tl.constexpr,
    WINDOW: tl.constexpr,
    APPROXIMATE: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    FEATURES: tl.constexpr,
    DESCRIPTORS: tl.constexpr,
    REGISTERS: tl.constexpr,
):
    """A block of BM rows of a head; tensors are matrices (batch * heads * length, D).

    GROUP query heads share a head of keys. `starts` has the position at which the
    document of each row begins. Everything but the plain softmax is CAUSAL.
    """
    block = tl.program_id(0)
    if CAUSAL:  # the longest rows first
        block = tl.num_programs(0) - 1 - block
    head = tl.program_id(1)
    first_row = block * BM
    first_key = (head // GROUP) * length
    rows = first_row + tl.arange(0, BM)
    tile = _tile(query, head * length + first_row, BM, FEATURES, DESCRIPTORS)
    if REGISTERS:
        # What was computed is an operand in registers, what was loaded one in shared
        # memory. There, 64 keys a tile are at the limit of its bandwidth: queries are
        # read as often as keys. Halving is exact.
        tile = tile * 0.5
        scale = scale * 2.0
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, FEATURES), tl.float32)
    slope = None
    row_documents = None
    if slopes is not None:
        slope = tl.load(slopes + head % HEADS) * LOG2E
    if documents is not None:
        documents += (head // HEADS) * length
        starts += (head // HEADS) * length
        row_documents = tl.load(documents + rows)
    if CAUSAL:
        diagonal = first_row // BN * BN
        left = 0
        if WINDOW or documents is not None:
            if WINDOW:
                begin = tl.maximum(first_row - WINDOW + 1, 0) // BN * BN
                left = tl.maximum(first_row + BM - WINDOW, 0)
            else:
                begin = tl.load(starts + first_row) // BN * BN
                left = tl.load(starts + first_row + BM - 1)
            left = tl.minimum((left + BN - 1) // BN * BN, diagonal)
            acc, total, top = _visit(
                acc,
                total,
                top,
                tile,
                key,
                value,
                first_key,
                begin,
                left,
                rows,
                documents,
                row_documents,
                slope,
                scale,
                cap,
                True,
                WINDOW,
                APPROXIMATE,
                BN,
                FEATURES,
                DESCRIPTORS,
            )
        acc, total, top = _visit(
            acc,
            total,
            top,
            tile,
            key,
            value,
            first_key,
            left,
            diagonal,
            rows,
            documents,
            row_documents,
            slope,
            scale,
            cap,
            False,
            WINDOW,
            APPROXIMATE,
            BN,
            FEATURES,
            DESCRIPTORS,
        )
        begin = diagonal
        end = first_row + BM
    else:
        begin = 0
        end = length
    acc, total, top = _visit(
        acc,
        total,
        top,
        tile,
        key,
        value,
        first_key,
        begin,
        end,
        rows,
        documents,
        row_documents,
        slope,
        scale,
        cap,
        CAUSAL,
        WINDOW,
        APPROXIMATE,
        BN,
        FEATURES,
        DESCRIPTORS,
    )
    result = (acc / total[:, None]).to(tile.dtype)
    if DESCRIPTORS:
        out.store([head * length + first_row, 0], result)
    else:
        at = out + tl.cast(head * length + first_row, tl.int64) * FEATURES
        offsets = tl.arange(0, BM)[:, None] * FEATURES + tl.arange(0, FEATURES)[None, :]
        tl.store(at + offsets, result)
