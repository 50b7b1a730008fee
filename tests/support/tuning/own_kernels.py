"""Kernels that the tests tune, as a user would write them in a file of his own."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from triton.language import cdiv as ceiling

SCALE = tl.constexpr(2.0)
LIMIT = 3
NOT_PLAIN = object()


@triton.jit
def scaled(x):
    return x * SCALE


renamed = scaled


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, renamed(x) + y, mask=mask)


@triton.jit
def tricky_kernel(x_ptr, out_ptr, n, MODE: tl.constexpr, BLOCK: tl.constexpr):
    """Right at mode 0; wrong, failing and not compiling at others."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    if MODE == 1:
        x += 1.0
    if MODE == 2:
        mask = offsets < n + 100000
    if MODE == 3:
        tl.static_assert(False, "mode 3 is not supported")
    if MODE == 4:
        mask = offsets < n // 2
    tl.store(out_ptr + offsets, x * 2, mask=mask)


@triton.jit
def store_through(pointer, value, mask):
    tl.store(pointer, value, mask=mask)


@triton.jit
def many_uses_kernel(
    a_ptr, index_ptr, sums_ptr, both_ptr, out_ptr, other_ptr, n, BLOCK: tl.constexpr
):
    offsets = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + offsets, mask=offsets < n)
    places, source = out_ptr + index, a_ptr
    a = tl.load(source + offsets)
    tl.atomic_add(sums_ptr + offsets, a)
    tl.store(both_ptr + offsets, tl.load(both_ptr + offsets) + a)
    store_through(places, a, mask=offsets < n)
    for step in range(0, n, BLOCK):
        other_ptr += step
    tl.store(other_ptr, 1.0)


@triton.jit
def descriptor_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, [n], [1], [BLOCK])
    target = tl.make_tensor_descriptor(out_ptr, [n], [1], [BLOCK])
    at = tl.program_id(0) * BLOCK
    target.store([at], source.load([at]))


@triton.jit
def silent_kernel(x_ptr, n):
    tl.load(x_ptr + n)


@triton.jit
def odd_global_kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + NOT_PLAIN, ceiling(LIMIT, BLOCK))


@triton.jit(do_not_specialize=["n"], noinline=True)
def optioned_kernel(x_ptr, n, BLOCK: tl.constexpr):
    tl.store(x_ptr + ceiling(n, BLOCK), LIMIT)


def of_closure(factor: Any) -> Any:
    @triton.jit
    def closure_kernel(x_ptr, BLOCK: tl.constexpr):
        tl.store(x_ptr, factor * BLOCK)

    return closure_kernel


def grid(meta: dict[str, Any]) -> tuple[int]:
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


def sum_of(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor, n: int) -> torch.Tensor:
    return 2 * x + y


def double(x: torch.Tensor, out: torch.Tensor, n: int) -> torch.Tensor:
    return 2 * x


@triton.jit
def hostile_kernel(x_ptr, out_ptr, n, MODE: tl.constexpr, BLOCK: tl.constexpr):
    """Right at mode 0; wrong at 1, far out of bounds at 2, endless at 3."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    if MODE == 1:
        x += 1.0
    if MODE == 2:
        tl.store(out_ptr + (offsets.to(tl.int64) + (1 << 40)), x)
    if MODE == 3:
        value = 0.0
        while value < 1.0:
            value = tl.minimum(tl.load(x_ptr, volatile=True), 0.0)
    tl.store(out_ptr + offsets, x * 2, mask=mask)
