"""Reductions along leading, middle and last axes, and of whole tensors to a scalar."""

from __future__ import annotations

from typing import Any

import torch

from contenders.planned_works.work import PlannedWork, Row, Spec, rows, size
from tilewright import payloads as tw


def reduction(
    kind: str, shape: tuple[int, ...], axes: tuple[int, ...], dtype: str
) -> PlannedWork:
    """A sum, mean or maximum along axes."""

    def ours(x: Any) -> Any:
        return x.max(axes) if kind == "max" else getattr(x, kind)(axes, dtype=dtype)

    def theirs(x: Any) -> Any:
        return x.amax(axes) if kind == "max" else getattr(x, kind)(axes)

    along = "all" if len(axes) == len(shape) else "axes " + "".join(map(str, axes))
    # A sum of random numbers is small beside its terms, so its relative error is not.
    loose = 1e-2 if dtype == "bf16" else 1e-3
    return PlannedWork(
        f"{kind} {size(*shape)} {along} {dtype}",
        {"x": Spec(shape, dtype)},
        ours,
        theirs,
        tolerance=loose,
    )


def squares(m: int, n: int, dtype: str) -> PlannedWork:
    """The norm of a gradient: the root of the sum of squares, a scalar."""

    def ours(x: Any) -> Any:
        total = tw.reduce("sum", x, axis=(0, 1), of=lambda x: x * x)
        return tw.elementwise(tw.sqrt, total, dtype="f32")

    return PlannedWork(
        f"norm of {m}x{n} {dtype}",
        {"x": Spec((m, n), dtype)},
        ours,
        lambda x: torch.linalg.vector_norm(x, dtype=torch.float32),
        exact=torch.linalg.vector_norm,
    )


def dot(count: int, dtype: str) -> PlannedWork:
    """The sum of x y + x x, a scalar."""
    vector = Spec((count,), dtype)
    return PlannedWork(
        f"dot {count} {dtype}",
        {"x": vector, "y": vector},
        lambda x, y: tw.reduce("sum", x, y, axis=0, of=lambda x, y: x * y + x * x),
        lambda x, y: (x * y + x * x).sum(),
    )


def moments(m: int, n: int, dtype: str) -> PlannedWork:
    """Sum and sum of squares of each column: two outputs of one pass."""

    def ours(x: Any) -> Any:
        squared = tw.reduce("sum", x, axis=0, of=lambda x: x * x)
        return x.sum(0, dtype="f32"), squared

    def theirs(x: Any) -> Any:
        wide = x.float()
        return wide.sum(0), (wide * wide).sum(0)

    return PlannedWork(
        f"column moments {m}x{n} {dtype}",
        {"x": Spec((m, n), dtype)},
        ours,
        theirs,
        exact=lambda x: (x.double().sum(0), (x.double() ** 2).sum(0)),
        tolerance=1e-3,
    )


TABLE: tuple[Row, ...] = (
    *rows(
        reduction,
        ("sum", (16384, 4096), (0,), "bf16"),
        ("sum", (100000, 33), (0,), "f32"),
        ("max", (4096, 4096), (0,), "bf16"),
        ("max", (64, 512, 1024), (1,), "f32"),
        ("mean", (32, 128, 56, 56), (0, 2, 3), "f32"),
        ("mean", (64, 512, 7, 7), (2, 3), "bf16"),
        ("sum", (1 << 26,), (0,), "f32"),
        ("max", (10007, 3001), (0, 1), "bf16"),
    ),
    *rows(squares, (8192, 4096, "bf16")),
    *rows(dot, (1 << 24, "f32")),
    *rows(moments, (32768, 1024, "bf16")),
)
