"""The ceilings of this card: the rates of a plain copy and of a large matrix product.

A rate means little by itself, and no program reaches the rates of a data sheet. These
ceilings are measured with the clock that timed the program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.codegen.runtime.compile import torch_dtype
from tilewright.ir.element_types import ELEMENT_TYPES

if TYPE_CHECKING:
    from tilewright.tuning.measure.timing import Clock

EXTENT = 8192
"""The extent of the matrices: large enough for every card, and quick even in f32."""
SMALLEST_COPY = 1 << 20
"""Bytes; a smaller copy would measure its launch."""


@dataclass(frozen=True)
class Ceilings:
    """The highest rates that one program could reach on one card."""

    copy_gbs: float
    """GB/s read and written by a copy that moves as many bytes as the program must."""
    product_tflops: float | None
    """Of the vendor's library in the type of the program's dots; None without dots."""


def measure_ceilings(moved: int, dtype: str | None, clock: Clock) -> Ceilings:
    """Time a copy and a matrix product on the current device."""
    half = max(moved, SMALLEST_COPY) // 2
    copied = 2.0 * half / _median_ms(_copy(half), clock) * 1e-6
    product = None if dtype is None else _product(dtype)
    if product is None:
        return Ceilings(copied, None)
    return Ceilings(copied, 2.0 * EXTENT**3 / _median_ms(product, clock) * 1e-9)


def _median_ms(call: Callable[[], Any], clock: Clock) -> float:
    for _ in range(3):
        call()
    clock.finish()
    return float(np.median(clock.sample(call, 10, 0.0)))


def _copy(count: int) -> Callable[[], Any]:
    import torch

    source = torch.empty(count, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    return lambda: target.copy_(source)


def _product(dtype: str) -> Callable[[], Any] | None:
    """A call of the vendor's matrix product in a type, where torch has one."""
    import torch

    size = (EXTENT, EXTENT)
    if dtype in ("f16", "bf16"):
        a = torch.randn(size, device="cuda").to(torch_dtype(dtype))
        return lambda: a @ a
    if dtype in ("f32", "tf32"):
        a = torch.randn(size, device="cuda")
        return lambda: _f32_product(a, dtype == "tf32")
    if dtype == "i8":
        a = torch.randint(-128, 128, size, device="cuda", dtype=torch.int8)
        return lambda: torch.ops.aten._int_mm(a, a.T)
    if dtype in _FP8:
        # All run at one rate, and cuBLAS multiplies only by the first one.
        a = torch.randn(size, device="cuda").to(torch_dtype(_FP8[0]))
        one = torch.ones((), device="cuda")
        options = {"out_dtype": torch.bfloat16, "use_fast_accum": True}
        return lambda: torch.ops.aten._scaled_mm(a, a.T, one, one, **options)
    return None


_FP8 = tuple(row.name for row in ELEMENT_TYPES if row.is_fp8)


def _f32_product(a: Any, rounded: bool) -> Any:
    import torch

    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = rounded
    try:
        return a @ a
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before
