"""Hand-written Triton kernels along rows: softmax, layernorm and rmsnorm.

Three structures:

    rows        one or more whole rows a program, in registers: each element read once
    persistent  a few programs an SM, row after row, the next ones already on their way
    looped      one row a program, piece by piece: any length, read once a pass

A norm may be of the sum of two matrices, rounded first as torch does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
import triton
import triton.language as tl

from rivals.launching import Candidate, Launch

EPSILON = 1e-5
# A row that leaves no room for a second program on its SM.
LONG_ROW = 32768
SHARED_MEMORY = 200_000


@triton.jit
def _read(x, residual, offsets, inside, PAD: tl.constexpr, EVEN: tl.constexpr):
    if EVEN:
        value = tl.load(x + offsets)
    else:
        value = tl.load(x + offsets, mask=inside, other=PAD)
    if residual is not None:
        if EVEN:
            added = tl.load(residual + offsets)
        else:
            added = tl.load(residual + offsets, mask=inside, other=0.0)
        total = value.to(tl.float32) + added.to(tl.float32)
        value = total.to(x.dtype.element_ty)
    return value.to(tl.float32)


@triton.jit
def _write(out, offsets, value, inside, EVEN: tl.constexpr):
    value = value.to(out.dtype.element_ty)
    if EVEN:
        tl.store(out + offsets, value)
    else:
        tl.store(out + offsets, value, mask=inside)


@triton.jit
def _scaled(value, weight, bias, columns, inside, EVEN: tl.constexpr):
    if EVEN:
        value *= tl.load(weight + columns).to(tl.float32)
    else:
        value *= tl.load(weight + columns, mask=inside, other=0.0).to(tl.float32)
    if bias is not None:
        if EVEN:
            value += tl.load(bias + columns).to(tl.float32)
        else:
            value += tl.load(bias + columns, mask=inside, other=0.0).to(tl.float32)
    return value


@triton.jit
def softmax_rows(
    x, out, count, n, ROWS: tl.constexpr, BLOCK: tl.constexpr, EVEN: tl.constexpr
):
    """ROWS whole rows a program."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    inside = (row < count) & (column < n)
    offsets = row * n + column
    value = _read(x, None, offsets, inside, -float("inf"), EVEN)
    power = tl.exp(value - tl.max(value, 1)[:, None])
    _write(out, offsets, power / tl.sum(power, 1)[:, None], inside, EVEN)


@triton.jit
def softmax_persistent(x, out, count, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    """Rows of BLOCK elements, one after the other."""
    column = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), count, tl.num_programs(0), num_stages=STAGES):
        value = tl.load(x + row * BLOCK + column).to(tl.float32)
        power = tl.exp(value - tl.max(value, 0))
        result = power / tl.sum(power, 0)
        tl.store(out + row * BLOCK + column, result.to(out.dtype.element_ty))


@triton.jit
def softmax_looped(x, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    """One row a program, BLOCK elements at a time: largest and sum in one pass."""
    first = tl.program_id(0) * n
    column = tl.arange(0, BLOCK)
    largest = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        inside = start + column < n
        offsets = first + start + column
        value = _read(x, None, offsets, inside, -float("inf"), EVEN)
        larger = tl.maximum(largest, value)
        grown = total * tl.exp(largest - larger) + tl.exp(value - larger)
        total = grown if EVEN else tl.where(inside, grown, total)
        largest = larger
    top = tl.max(largest, 0)
    scale = 1.0 / tl.sum(total * tl.exp(largest - top), 0)
    for start in range(0, n, BLOCK):
        inside = start + column < n
        offsets = first + start + column
        value = _read(x, None, offsets, inside, -float("inf"), EVEN)
        _write(out, offsets, tl.exp(value - top) * scale, inside, EVEN)


@triton.jit
def norm_rows(
    x,
    residual,
    weight,
    bias,
    out,
    count,
    n,
    epsilon,
    CENTRED: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
    EVEN: tl.constexpr,
):
    """ROWS whole rows a program; CENTRED is layernorm, else rmsnorm."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    inside = (row < count) & (column < n)
    offsets = row * n + column
    value = _read(x, residual, offsets, inside, 0.0, EVEN)
    if CENTRED:
        value -= (tl.sum(value, 1) / n)[:, None]
        if not EVEN:
            value = tl.where(column < n, value, 0.0)
    scale = tl.rsqrt(tl.sum(value * value, 1) / n + epsilon)
    value = _scaled(value * scale[:, None], weight, bias, column, column < n, EVEN)
    _write(out, offsets, value, inside, EVEN)


@triton.jit
def norm_looped(
    x,
    residual,
    weight,
    bias,
    out,
    n,
    epsilon,
    CENTRED: tl.constexpr,
    BLOCK: tl.constexpr,
    EVEN: tl.constexpr,
):
    """One row a program, BLOCK elements at a time; a pass a sum, one to write."""
    first = tl.program_id(0) * n
    column = tl.arange(0, BLOCK)
    mean = 0.0
    if CENTRED:
        total = tl.zeros((BLOCK,), tl.float32)
        for start in range(0, n, BLOCK):
            inside = start + column < n
            total += _read(x, residual, first + start + column, inside, 0.0, EVEN)
        mean = tl.sum(total, 0) / n
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        inside = start + column < n
        value = _read(x, residual, first + start + column, inside, 0.0, EVEN) - mean
        if not EVEN:
            value = tl.where(inside, value, 0.0)
        squares += value * value
    scale = tl.rsqrt(tl.sum(squares, 0) / n + epsilon)
    for start in range(0, n, BLOCK):
        inside = start + column < n
        offsets = first + start + column
        value = (_read(x, residual, offsets, inside, 0.0, EVEN) - mean) * scale
        value = _scaled(value, weight, bias, start + column, inside, EVEN)
        _write(out, offsets, value, inside, EVEN)


@dataclass(frozen=True)
class RowWork:
    """A softmax, or a norm if there is a weight; with a bias, a layernorm."""

    x: torch.Tensor
    out: torch.Tensor
    weight: torch.Tensor | None = None
    bias: torch.Tensor | None = None
    residual: torch.Tensor | None = None


def candidates(work: RowWork, programs: int) -> Iterator[Candidate]:
    """Every configuration worth timing: rows short enough for it, warps busy.

    `programs` is the number of SMs.
    """
    n = work.x.shape[1]
    block = triton.next_power_of_2(n)
    for rows in (1, 2, 4):
        for warps in (1, 2, 4, 8, 16, 32):
            lanes = rows * block // (32 * warps)
            if 4 <= lanes <= 64 and (rows == 1 or block <= 2048):
                yield _rows(work, rows, block, warps)
    if work.weight is None and n == block >= LONG_ROW:
        for warps in (16, 32):
            for stages in (3, 4):
                if (stages - 1) * n * work.x.element_size() <= SHARED_MEMORY:
                    yield _persistent(work, programs, warps, stages)
    for piece, warps in ((2048, 4), (4096, 8), (8192, 16)):
        if piece <= n:
            yield _looped(work, piece, warps)


def _rows(work: RowWork, rows: int, block: int, warps: int) -> Candidate:
    count, n = work.x.shape
    even = n == block and count % rows == 0
    options = {"ROWS": rows, "BLOCK": block, "EVEN": even, "num_warps": warps}
    grid = (triton.cdiv(count, rows),)
    if work.weight is None:
        launch = Launch(softmax_rows, grid, (work.x, work.out, count, n), options)
    else:
        arguments = (*_norm_tensors(work), count, n, EPSILON)
        launch = Launch(norm_rows, grid, arguments, options | _centred(work))
    return Candidate("rows", f"{rows} rows w{warps}", (launch,), work.out)


def _persistent(work: RowWork, programs: int, warps: int, stages: int) -> Candidate:
    count, n = work.x.shape
    options = {"BLOCK": n, "STAGES": stages, "num_warps": warps}
    arguments = (work.x, work.out, count)
    launch = Launch(softmax_persistent, (programs,), arguments, options)
    return Candidate("persistent", f"w{warps} s{stages}", (launch,), work.out)


def _looped(work: RowWork, piece: int, warps: int) -> Candidate:
    count, n = work.x.shape
    options = {"BLOCK": piece, "EVEN": n % piece == 0, "num_warps": warps}
    if work.weight is None:
        launch = Launch(softmax_looped, (count,), (work.x, work.out, n), options)
    else:
        arguments = (*_norm_tensors(work), n, EPSILON)
        launch = Launch(norm_looped, (count,), arguments, options | _centred(work))
    return Candidate("looped", f"by {piece} w{warps}", (launch,), work.out)


def _norm_tensors(work: RowWork) -> tuple[Any, ...]:
    return work.x, work.residual, work.weight, work.bias, work.out


def _centred(work: RowWork) -> dict[str, bool]:
    return {"CENTRED": work.bias is not None}
