"""Products with a tail (bias, activation, residual, scales) or a prologue."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from contenders.planned_works.work import PlannedWork, Row, Spec, rows, size, weight
from tilewright.payloads import elementwise, linear, matmul, rmsnorm, silu

ACTIVATIONS = {
    "": lambda x: x,
    "relu": torch.relu,
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
}


def layer(
    m: int, n: int, k: int, activation: str, residual: bool, dtype: str
) -> PlannedWork:
    """activation(x w + bias), and + residual."""
    act = ACTIVATIONS[activation]

    def ours(x: Any, w: Any, bias: Any, added: Any = None) -> Any:
        kind = activation or None
        return linear(x, w, bias=bias, activation=kind, residual=added)

    def plain(x: Any, w: Any, bias: Any) -> Any:
        return act(torch.addmm(bias, x, w))

    def with_residual(x: Any, w: Any, bias: Any, added: Any) -> Any:
        return act(torch.addmm(bias, x, w)) + added

    specs = {"x": Spec((m, k), dtype), "w": weight(k, n, dtype), "b": Spec((n,), dtype)}
    if residual:
        specs["residual"] = Spec((m, n), dtype)
    tail = f"+{activation}" * bool(activation) + "+residual" * residual
    return PlannedWork(
        f"linear{tail} {size(m, n, k)} {dtype}",
        specs,
        ours,
        with_residual if residual else plain,
        2.0 * m * n * k,
    )


def scaled_sum(m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """0.5 (a b) + 2 c."""
    return PlannedWork(
        f"alpha a b + beta c {size(m, n, k)} {dtype}",
        {"a": Spec((m, k), dtype), "b": weight(k, n, dtype), "c": Spec((m, n), dtype)},
        lambda a, b, c: elementwise(
            lambda acc, c: acc * 0.5 + c * 2.0, matmul(a, b), c, dtype=dtype
        ),
        lambda a, b, c: torch.addmm(c, a, b, beta=2.0, alpha=0.5),
        2.0 * m * n * k,
    )


def row_scaled(m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """(x w) times a scale for each row and each column, silu of that."""

    def tail(acc: Any, rows: Any, columns: Any) -> Any:
        return silu(acc * rows * columns)

    return PlannedWork(
        f"product with scales+silu {size(m, n, k)} {dtype}",
        {
            **{"x": Spec((m, k), dtype), "w": weight(k, n, dtype)},
            **{"rows": Spec((m,), "f32"), "columns": Spec((n,), "f32")},
        },
        lambda x, w, r, c: elementwise(tail, matmul(x, w), r[:, None], c, dtype=dtype),
        lambda x, w, r, c: F.silu((x @ w) * r[:, None] * c).to(x.dtype),
        2.0 * m * n * k,
    )


def cast_input(m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """x in f32, rounded, then the product."""
    kind = torch.float16 if dtype == "f16" else torch.bfloat16
    return PlannedWork(
        f"cast f32+product {size(m, n, k)} {dtype}",
        {"x": Spec((m, k), "f32"), "w": weight(k, n, dtype)},
        lambda x, w: matmul(x.cast(dtype), w, dtype=dtype),
        lambda x, w: x.to(kind) @ w,
        2.0 * m * n * k,
        lambda x, w: x @ w,
    )


def cast_weight(m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """A weight in i8 with a scale for each column."""
    return PlannedWork(
        f"i8 weight+product {size(m, n, k)} {dtype}",
        {
            "x": Spec((m, k), dtype),
            "w": Spec((k, n), "i8"),
            "scale": Spec((n,), "f32", 0.01),
        },
        lambda x, w, s: elementwise(
            lambda acc, s: acc * s, matmul(x, w.cast(dtype)), s, dtype=dtype
        ),
        lambda x, w, s: ((x @ w.to(x.dtype)) * s).to(x.dtype),
        2.0 * m * n * k,
    )


def gated_down(m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """(silu(gate) * up) w: the second half of a gated MLP."""
    return PlannedWork(
        f"silu(x)*y+product {size(m, n, k)} {dtype}",
        {
            "gate": Spec((m, k), dtype),
            "up": Spec((m, k), dtype),
            "w": weight(k, n, dtype),
        },
        lambda g, u, w: matmul(
            elementwise(lambda g, u: silu(g) * u, g, u, dtype=dtype), w, dtype=dtype
        ),
        lambda g, u, w: (F.silu(g) * u) @ w,
        2.0 * m * n * k,
    )


def norm_product(m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """rmsnorm(x) w."""
    return PlannedWork(
        f"rmsnorm+product {size(m, n, k)} {dtype}",
        {"x": Spec((m, k), dtype), "g": Spec((k,), dtype), "w": weight(k, n, dtype)},
        lambda x, g, w: matmul(rmsnorm(x, g, eps=1e-5), w, dtype=dtype),
        lambda x, g, w: F.rms_norm(x, (k,), g, 1e-5) @ w,
        2.0 * m * n * k,
    )


TABLE: tuple[Row, ...] = (
    *rows(
        layer,
        (2048, 3072, 768, "gelu", False, "bf16"),
        (1000, 2816, 1024, "silu", False, "bf16"),
        (8192, 1024, 4096, "", True, "bf16"),
        (77, 1280, 1280, "relu", False, "f16"),
        (4096, 4096, 1024, "gelu_tanh", True, "f16"),
        (1, 4096, 4096, "gelu", True, "bf16"),
        (500, 1999, 700, "relu", False, "f32"),
    ),
    *rows(scaled_sum, (2048, 2048, 4096, "bf16")),
    *rows(row_scaled, (512, 4096, 4096, "bf16")),
    *rows(cast_input, (4096, 1024, 1024, "bf16")),
    *rows(cast_weight, (16, 4096, 4096, "bf16")),
    *rows(gated_down, (1024, 4096, 11008, "bf16")),
    *rows(norm_product, (2048, 2048, 2048, "bf16")),
)
