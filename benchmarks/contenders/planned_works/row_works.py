"""Work on rows: softmax, norms, cross-entropy, sums; 40 to 200,000 columns."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from contenders.planned_works.work import PlannedWork, Row, Spec, rows
from tilewright import payloads as tw

EPSILON = 1e-5


def softmax(r: int, c: int, dtype: str) -> PlannedWork:
    """Softmax of the rows."""
    return PlannedWork(
        f"softmax {r}x{c} {dtype}",
        {"x": Spec((r, c), dtype)},
        tw.softmax,
        lambda x: torch.softmax(x, -1),
    )


def _log_softmax(x: Any, dtype: str) -> Any:
    largest = x.max(-1, keepdims=True)
    total = tw.reduce(
        "sum", x, largest, axis=-1, of=lambda x, m: tw.exp(x - m), keepdims=True
    )
    return tw.elementwise(
        lambda x, m, t: x - m - tw.log(t), x, largest, total, dtype=dtype
    )


def log_softmax(r: int, c: int, dtype: str) -> PlannedWork:
    """The logarithm of softmax."""
    return PlannedWork(
        f"log-softmax {r}x{c} {dtype}",
        {"x": Spec((r, c), dtype)},
        lambda x: _log_softmax(x, dtype),
        lambda x: torch.log_softmax(x, -1),
    )


def cross_entropy(r: int, c: int, dtype: str) -> PlannedWork:
    """The loss of each row: log of the sum of exponentials, less the label's logit."""

    def ours(x: Any, labels: Any) -> Any:
        largest = x.max(-1, keepdims=True)
        total = tw.reduce(
            "sum", x, largest, axis=-1, of=lambda x, m: tw.exp(x - m), keepdims=True
        )
        picked = tw.reduce(
            *("sum", x, labels[:, None]),
            of=lambda x, at: tw.where(tw.index(-1).cast("i64") == at, x, 0.0),
            axis=-1,
            keepdims=True,
        )
        loss = tw.elementwise(
            lambda m, t, p: m + tw.log(t) - p, largest, total, picked, dtype=dtype
        )
        return loss.reshape(r)

    return PlannedWork(
        f"cross-entropy {r}x{c} {dtype}",
        {"x": Spec((r, c), dtype), "labels": Spec((r,), "i64", below=c)},
        ours,
        lambda x, labels: F.cross_entropy(x, labels, reduction="none"),
    )


def layernorm(r: int, c: int, dtype: str) -> PlannedWork:
    """Layernorm of the rows."""
    vector = Spec((c,), dtype)
    return PlannedWork(
        f"layernorm {r}x{c} {dtype}",
        {"x": Spec((r, c), dtype), "weight": vector, "bias": vector},
        lambda x, w, b: tw.layernorm(x, w, b, eps=EPSILON),
        lambda x, w, b: F.layer_norm(x, (c,), w, b, EPSILON),
    )


def rmsnorm(r: int, c: int, dtype: str) -> PlannedWork:
    """Rmsnorm of the rows."""
    return PlannedWork(
        f"rmsnorm {r}x{c} {dtype}",
        {"x": Spec((r, c), dtype), "weight": Spec((c,), dtype)},
        lambda x, w: tw.rmsnorm(x, w, eps=EPSILON),
        lambda x, w: F.rms_norm(x, (c,), w, EPSILON),
    )


def add_layernorm(r: int, c: int, dtype: str) -> PlannedWork:
    """x + y, and the layernorm of that: two outputs."""

    def ours(x: Any, y: Any, w: Any, b: Any) -> Any:
        added = x + y
        return added, tw.layernorm(added, w, b, eps=EPSILON)

    def theirs(x: Any, y: Any, w: Any, b: Any) -> Any:
        added = x + y
        return added, F.layer_norm(added, (c,), w, b, EPSILON)

    matrix, vector = Spec((r, c), dtype), Spec((c,), dtype)
    specs = {"x": matrix, "y": matrix, "weight": vector, "bias": vector}
    return PlannedWork(f"add+layernorm {r}x{c} {dtype}", specs, ours, theirs)


def add_rmsnorm(r: int, c: int, dtype: str) -> PlannedWork:
    """x + y, and the rmsnorm of that: two outputs."""

    def ours(x: Any, y: Any, w: Any) -> Any:
        added = x + y
        return added, tw.rmsnorm(added, w, eps=EPSILON)

    def theirs(x: Any, y: Any, w: Any) -> Any:
        added = x + y
        return added, F.rms_norm(added, (c,), w, EPSILON)

    matrix = Spec((r, c), dtype)
    specs = {"x": matrix, "y": matrix, "weight": Spec((c,), dtype)}
    return PlannedWork(f"add+rmsnorm {r}x{c} {dtype}", specs, ours, theirs)


def masked_softmax(r: int, c: int, dtype: str) -> PlannedWork:
    """Softmax of scaled scores, where a row sees the columns up to its own."""

    def ours(x: Any) -> Any:
        seen = tw.elementwise(
            lambda s: tw.where(tw.index(-1) <= tw.index(-2), s * 0.125, -1e9), x
        )
        return tw.softmax(seen, dtype=dtype)

    def theirs(x: Any) -> Any:
        at = torch.arange(c, device=x.device)
        seen = at <= torch.arange(r, device=x.device)[:, None]
        return torch.softmax(torch.where(seen, x * 0.125, -1e9), -1).to(x.dtype)

    return PlannedWork(
        f"causal softmax {r}x{c} {dtype}", {"x": Spec((r, c), dtype)}, ours, theirs
    )


def row_reduction(kind: str, r: int, c: int, dtype: str) -> PlannedWork:
    """Sum, maximum or mean of each row."""

    def ours(x: Any) -> Any:
        return x.max(-1) if kind == "max" else getattr(x, kind)(-1, dtype=dtype)

    def theirs(x: Any) -> Any:
        return x.amax(-1) if kind == "max" else getattr(x, kind)(-1)

    return PlannedWork(
        f"row {kind} {r}x{c} {dtype}", {"x": Spec((r, c), dtype)}, ours, theirs
    )


TABLE: tuple[Row, ...] = (
    *rows(
        softmax,
        (8192, 50257, "bf16"),
        (100000, 40, "f32"),
        (16384, 1000, "bf16"),
        (4096, 4096, "f16"),
        (256, 131072, "bf16"),
        (64, 200000, "f32"),
    ),
    *rows(log_softmax, (4096, 32000, "bf16"), (20000, 1003, "f32")),
    *rows(cross_entropy, (4096, 50257, "bf16"), (8192, 32000, "f32")),
    *rows(layernorm, (32768, 768, "bf16"), (4096, 5119, "bf16"), (131072, 96, "f32")),
    *rows(rmsnorm, (8192, 5120, "bf16"), (1, 8192, "bf16"), (300, 100003, "bf16")),
    *rows(add_layernorm, (8192, 4096, "bf16")),
    *rows(add_rmsnorm, (16384, 2880, "bf16"), (4, 7168, "f16")),
    *rows(masked_softmax, (4096, 4096, "bf16")),
    *rows(
        row_reduction,
        ("sum", 4096, 16384, "bf16"),
        ("max", 100000, 257, "f32"),
        ("mean", 128, 200000, "bf16"),
    ),
)
