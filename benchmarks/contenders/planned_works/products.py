"""Plain products: every aspect, ragged sizes, several types, transposed, batched."""

from __future__ import annotations

from typing import Any

import torch

from contenders.planned_works.work import PlannedWork, Row, Spec, rows, size, weight
from tilewright.payloads import matmul, scaled_matmul


def gemm(m: int, n: int, k: int, dtype: str = "bf16") -> PlannedWork:
    """a b."""
    return PlannedWork(
        f"gemm {size(m, n, k)} {dtype}",
        {"a": Spec((m, k), dtype), "b": weight(k, n, dtype)},
        lambda a, b: matmul(a, b, dtype=dtype),
        lambda a, b: a @ b,
        2.0 * m * n * k,
    )


def matrix_vector(m: int, k: int, dtype: str) -> PlannedWork:
    """a x for a vector x."""
    return PlannedWork(
        f"matrix-vector {m}x{k} {dtype}",
        {"a": weight(m, k, dtype), "x": Spec((k,), dtype)},
        lambda a, x: matmul(a, x, dtype=dtype),
        lambda a, x: a @ x,
        2.0 * m * k,
    )


def gemm_nt(m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """x w^T, the weight stored as torch stores it."""
    return PlannedWork(
        f"gemm nt {size(m, n, k)} {dtype}",
        {"x": Spec((m, k), dtype), "w": Spec((n, k), dtype, k**-0.5)},
        lambda x, w: matmul(x, w.T, dtype=dtype),
        lambda x, w: x @ w.T,
        2.0 * m * n * k,
    )


def gemm_tn(m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """x^T y, the gradient of a weight."""
    return PlannedWork(
        f"gemm tn {size(m, n, k)} {dtype}",
        {"x": Spec((k, m), dtype, k**-0.5), "y": Spec((k, n), dtype)},
        lambda x, y: matmul(x.T, y, dtype=dtype),
        lambda x, y: x.T @ y,
        2.0 * m * n * k,
    )


def batched(batch: int, m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """A batch of products."""
    return PlannedWork(
        f"batched {size(batch, m, n, k)} {dtype}",
        {"a": Spec((batch, m, k), dtype), "b": Spec((batch, k, n), dtype, k**-0.5)},
        lambda a, b: matmul(a, b, dtype=dtype),
        lambda a, b: torch.bmm(a, b),
        2.0 * batch * m * n * k,
    )


def scores(batch: int, m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """q k^T / sqrt(k) of every head."""
    return PlannedWork(
        f"attention scores {size(batch, m, n, k)} {dtype}",
        {"q": Spec((batch, m, k), dtype), "k": Spec((batch, n, k), dtype)},
        lambda q, k_: (matmul(q, k_.T) * k**-0.5).cast(dtype),
        lambda q, k_: (q @ k_.transpose(1, 2)) * k**-0.5,
        2.0 * batch * m * n * k,
    )


def fp8(m: int, n: int, k: int, by_row: bool, out: str) -> PlannedWork:
    """a b^T of fp8 with scales: a number, or one for each row and column."""
    scales = (
        {"a_scale": (m,), "b_scale": (n,)} if by_row else dict(a_scale=(), b_scale=())
    )

    def exact(a: Any, b: Any, a_scale: Any, b_scale: Any) -> torch.Tensor:
        rows_scale = a_scale[:, None] if by_row else a_scale
        return (a @ b.T) * rows_scale * b_scale

    def scaled(a: Any, b: Any, a_scale: Any, b_scale: Any) -> torch.Tensor:
        if a.device.type == "cpu":
            made = exact(a.float(), b.float(), a_scale, b_scale)
            return made.to(torch.float16 if out == "f16" else torch.bfloat16)
        if by_row:
            a_scale, b_scale = a_scale[:, None], b_scale[None, :]
        return torch._scaled_mm(
            *(a, b.T, a_scale, b_scale), out_dtype=torch.bfloat16, use_fast_accum=True
        )

    operands = {
        "a": Spec((m, k), "f8E4M3FN"),
        "b": Spec((n, k), "f8E4M3FN"),
        **{name: Spec(shape, "f32") for name, shape in scales.items()},
    }
    return PlannedWork(
        f"fp8 {'row' if by_row else 'scalar'} scales {size(m, n, k)}",
        operands,
        lambda a, b, s, t: scaled_matmul(a, b.T, s, t, dtype=out),
        scaled,
        2.0 * m * n * k,
        exact,
    )


TABLE: tuple[Row, ...] = (
    *rows(
        gemm,
        (3000, 5000, 2000),
        (8192, 1024, 8192),
        (128, 11008, 4096),
        (1, 14336, 4096),
        (64, 256, 16384),
        (4096, 4096, 4096),
        (1021, 2039, 1013),
        (16384, 128, 1024),
        (7, 4096, 4096),
        (16, 12288, 5120),
        (33, 1000, 5120),
        (16384, 16, 4096),
        (256, 256, 256),
        (4096, 4096, 64),
        (1, 50257, 768),
        (8191, 8191, 509),
        (2048, 2048, 2048, "f16"),
        (1500, 1500, 1500, "f16"),
        (1024, 1024, 1024, "f32"),
        (777, 3000, 1100, "f32"),
    ),
    *rows(matrix_vector, (16384, 4096, "bf16")),
    *rows(gemm_nt, (2048, 4096, 4096, "bf16"), (300, 32000, 4096, "bf16")),
    *rows(gemm_tn, (4096, 1024, 8192, "bf16")),
    *rows(
        batched,
        (64, 1024, 1024, 64, "bf16"),
        (96, 197, 197, 64, "f16"),
        (1024, 64, 64, 64, "bf16"),
        (12, 1000, 333, 77, "f32"),
    ),
    *rows(scores, (32, 2048, 2048, 128, "bf16")),
    *rows(fp8, (4096, 4096, 4096, True, "bf16"), (512, 7168, 2048, False, "bf16")),
)
