"""Element-wise work of ranks 1 to 4, with broadcasts, transposes and casts."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from contenders.planned_works.work import (
    TORCH_TYPES,
    PlannedWork,
    Row,
    Spec,
    rows,
    size,
)
from tilewright import payloads as tw


def silu_times(m: int, n: int, dtype: str) -> PlannedWork:
    """silu(x) * y."""
    matrix = Spec((m, n), dtype)
    return PlannedWork(
        f"silu(x)*y {m}x{n} {dtype}",
        {"x": matrix, "y": matrix},
        lambda x, y: tw.elementwise(lambda x, y: tw.silu(x) * y, x, y, dtype=dtype),
        lambda x, y: F.silu(x) * y,
    )


def gelu(count: int, dtype: str) -> PlannedWork:
    """Gelu of a vector."""
    return PlannedWork(
        f"gelu {count} {dtype}",
        {"x": Spec((count,), dtype)},
        lambda x: tw.elementwise(tw.gelu, x, dtype=dtype),
        lambda x: F.gelu(x),
    )


def bias_relu(m: int, n: int, dtype: str) -> PlannedWork:
    """relu(x + bias), the bias along the columns."""
    return PlannedWork(
        f"bias+relu {m}x{n} {dtype}",
        {"x": Spec((m, n), dtype), "bias": Spec((n,), dtype)},
        lambda x, b: tw.elementwise(lambda x, b: tw.relu(x + b), x, b, dtype=dtype),
        lambda x, b: torch.relu(x + b),
    )


def add_position(b: int, s: int, d: int, dtype: str) -> PlannedWork:
    """x + position, broadcast along the leading dimension."""
    return PlannedWork(
        f"x+position {size(b, s, d)} {dtype}",
        {"x": Spec((b, s, d), dtype), "position": Spec((s, d), dtype)},
        lambda x, p: x + p,
        lambda x, p: x + p,
    )


def channels(n: int, c: int, h: int, w: int, dtype: str) -> PlannedWork:
    """relu(x * scale + shift) with a scale and a shift for each channel."""

    def ours(x: Any, scale: Any, shift: Any) -> Any:
        return tw.elementwise(
            lambda x, a, b: tw.relu(x * a + b),
            *(x, scale[:, None, None], shift[:, None, None]),
            dtype=dtype,
        )

    vector = Spec((c,), dtype)
    return PlannedWork(
        f"scale+shift+relu {size(n, c, h, w)} {dtype}",
        {"x": Spec((n, c, h, w), dtype), "scale": vector, "shift": vector},
        ours,
        lambda x, a, b: torch.relu(x * a[:, None, None] + b[:, None, None]),
    )


def permuted(shape: tuple[int, ...], order: tuple[int, ...], dtype: str) -> PlannedWork:
    """The dimensions in another order, in memory."""
    return PlannedWork(
        f"permute {size(*shape)} to {''.join(map(str, order))} {dtype}",
        {"x": Spec(shape, dtype)},
        lambda x: x.transpose(*order),
        lambda x: x.permute(order).contiguous(),
    )


def add_transposed(n: int, dtype: str) -> PlannedWork:
    """x + y^T."""
    matrix = Spec((n, n), dtype)
    return PlannedWork(
        f"x+y^T {n}x{n} {dtype}",
        {"x": matrix, "y": matrix},
        lambda x, y: x + y.T,
        lambda x, y: x + y.T,
    )


def chosen(count: int, dtype: str) -> PlannedWork:
    """x where x > y, else 0.1 y."""
    vector = Spec((count,), dtype)
    return PlannedWork(
        f"where {count} {dtype}",
        {"x": vector, "y": vector},
        lambda x, y: tw.elementwise(
            lambda x, y: tw.where(x > y, x, y * 0.1), x, y, dtype=dtype
        ),
        lambda x, y: torch.where(x > y, x, y * 0.1),
    )


def cast(m: int, n: int, before: str, after: str) -> PlannedWork:
    """Another element type."""
    kind = TORCH_TYPES[after]
    return PlannedWork(
        f"cast {before} to {after} {m}x{n}",
        {"x": Spec((m, n), before)},
        lambda x: x.cast(after),
        lambda x: x.to(kind),
        exact=lambda x: x,
    )


def outer(m: int, n: int, dtype: str) -> PlannedWork:
    """x_i y_j + x_i: two vectors, broadcast against each other."""
    return PlannedWork(
        f"outer {m}x{n} {dtype}",
        {"x": Spec((m,), dtype), "y": Spec((n,), dtype)},
        lambda x, y: tw.elementwise(
            lambda x, y: x * y + x, x[:, None], y[None, :], dtype=dtype
        ),
        lambda x, y: x[:, None] * y + x[:, None],
    )


def adam(count: int, dtype: str) -> PlannedWork:
    """A step of Adam: the parameter and two moments, three outputs."""

    def step(p: Any, g: Any, m: Any, v: Any, root: Any) -> tuple[Any, Any, Any]:
        m = m * 0.9 + g * 0.1
        v = v * 0.99 + g * g * 0.01
        return p - m * 1e-3 / (root(v) + 1e-8), m, v

    vector = Spec((count,), dtype)
    return PlannedWork(
        f"adam {count} {dtype}",
        {"p": vector, "g": vector, "m": vector, "v": vector},
        lambda p, g, m, v: tw.elementwise(
            lambda p, g, m, v: step(p, g, m, v * v, tw.sqrt), p, g, m, v
        ),
        lambda p, g, m, v: step(p, g, m, v * v, torch.sqrt),
    )


TABLE: tuple[Row, ...] = (
    *rows(silu_times, (8192, 14336, "bf16"), (3, 11008, "bf16")),
    *rows(gelu, (1 << 25, "f32"), (1000003, "bf16")),
    *rows(bias_relu, (10007, 1111, "bf16")),
    *rows(add_position, (32, 512, 1024, "bf16")),
    *rows(channels, (64, 256, 56, 56, "f16")),
    *rows(
        permuted,
        ((8192, 8192), (1, 0), "bf16"),
        ((5000, 3001), (1, 0), "f32"),
        ((128, 300, 512), (2, 0, 1), "f16"),
        ((8, 2048, 32, 128), (0, 2, 1, 3), "bf16"),
    ),
    *rows(add_transposed, (4096, "bf16")),
    *rows(chosen, (30000001, "f32")),
    *rows(cast, (8192, 8192, "f32", "bf16"), (4096, 11008, "bf16", "f8E4M3FN")),
    *rows(outer, (8192, 8192, "f16")),
    *rows(adam, (1 << 24, "f32")),
)
