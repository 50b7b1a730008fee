"""Layers: MLPs, gated MLPs, q/k/v projections, small independent kernels."""

from __future__ import annotations

import itertools
from typing import Any

import torch
import torch.nn.functional as F

from contenders.planned_works.work import PlannedWork, Row, Spec, rows, weight
from tilewright import payloads as tw


def mlp(m: int, widths: tuple[int, ...], dtype: str) -> PlannedWork:
    """Linear layers with biases, and gelu between them."""
    pairs = list(itertools.pairwise(widths))

    def ours(x: Any, *given: Any) -> Any:
        layers = list(zip(given[::2], given[1::2], strict=True))
        return tw.mlp(x, layers, activation="gelu")

    def theirs(x: Any, *given: Any) -> Any:
        for at in range(0, len(given), 2):
            x = F.gelu(x) if at else x
            x = torch.addmm(given[at + 1], x, given[at])
        return x

    specs = {"x": Spec((m, widths[0]), dtype)}
    for at, (inputs, outputs) in enumerate(pairs):
        specs[f"w{at}"] = weight(inputs, outputs, dtype)
        specs[f"b{at}"] = Spec((outputs,), dtype)
    return PlannedWork(
        f"mlp {m}x{'-'.join(map(str, widths))} {dtype}",
        specs,
        ours,
        theirs,
        2.0 * m * sum(inputs * outputs for inputs, outputs in pairs),
    )


def gated_mlp(m: int, width: int, hidden: int, dtype: str) -> PlannedWork:
    """(silu(x gate) * (x up)) down."""
    return PlannedWork(
        f"gated mlp {m}x{width}x{hidden} {dtype}",
        {
            "x": Spec((m, width), dtype),
            "gate": weight(width, hidden, dtype),
            "up": weight(width, hidden, dtype),
            "down": weight(hidden, width, dtype),
        },
        tw.gated_mlp,
        lambda x, gate, up, down: (F.silu(x @ gate) * (x @ up)) @ down,
        6.0 * m * width * hidden,
    )


def projections(
    m: int, width: int, outputs: tuple[int, ...], dtype: str
) -> PlannedWork:
    """x wq, x wk, x wv."""
    return PlannedWork(
        f"qkv {m}x{width} to {'+'.join(map(str, outputs))} {dtype}",
        {
            "x": Spec((m, width), dtype),
            **{f"w{at}": weight(width, n, dtype) for at, n in enumerate(outputs)},
        },
        lambda x, *given: tuple(tw.matmul(x, w, dtype=dtype) for w in given),
        lambda x, *given: tuple(x @ w for w in given),
        2.0 * m * width * sum(outputs),
    )


def norm_projections(
    m: int, width: int, outputs: tuple[int, ...], dtype: str
) -> PlannedWork:
    """q, k, v of rmsnorm(x)."""

    def ours(x: Any, g: Any, *given: Any) -> Any:
        normed = tw.rmsnorm(x, g, eps=1e-5)
        return tuple(tw.matmul(normed, w, dtype=dtype) for w in given)

    def theirs(x: Any, g: Any, *given: Any) -> Any:
        normed = F.rms_norm(x, (width,), g, 1e-5)
        return tuple(normed @ w for w in given)

    return PlannedWork(
        f"rmsnorm+qkv {m}x{width} to {'+'.join(map(str, outputs))} {dtype}",
        {
            **{"x": Spec((m, width), dtype), "g": Spec((width,), dtype)},
            **{f"w{at}": weight(width, n, dtype) for at, n in enumerate(outputs)},
        },
        ours,
        theirs,
        2.0 * m * width * sum(outputs),
    )


def small_products(count: int, m: int, n: int, k: int, dtype: str) -> PlannedWork:
    """Independent small products."""
    specs: dict[str, Spec] = {}
    for at in range(count):
        specs[f"a{at}"] = Spec((m, k), dtype)
        specs[f"b{at}"] = weight(k, n, dtype)

    def pairs(given: Any) -> Any:
        return zip(given[::2], given[1::2], strict=True)

    return PlannedWork(
        f"{count} products {m}x{n}x{k} {dtype}",
        specs,
        lambda *given: tuple(tw.matmul(a, b, dtype=dtype) for a, b in pairs(given)),
        lambda *given: tuple(a @ b for a, b in pairs(given)),
        2.0 * count * m * n * k,
    )


def small_works(m: int, n: int, dtype: str) -> PlannedWork:
    """Independent small kernels: gelu, softmax, the sum of rows and of columns."""
    matrix = Spec((m, n), dtype)
    return PlannedWork(
        f"4 small works {m}x{n} {dtype}",
        {"a": matrix, "b": matrix, "c": matrix, "d": matrix},
        lambda a, b, c, d: (
            tw.elementwise(tw.gelu, a, dtype=dtype),
            tw.softmax(b),
            c.max(-1),
            d.max(0),
        ),
        lambda a, b, c, d: (F.gelu(a), torch.softmax(b, -1), c.amax(-1), d.amax(0)),
    )


TABLE: tuple[Row, ...] = (
    *rows(
        mlp,
        (4096, (4096, 1024, 4096), "bf16"),
        (4096, (1024, 4096, 1024), "bf16"),
        (256, (512, 512, 512, 10), "f16"),
        (50, (300, 700, 300), "f32"),
    ),
    *rows(
        gated_mlp,
        (2048, 4096, 11008, "bf16"),
        (64, 2048, 5632, "bf16"),
        (1, 4096, 11008, "bf16"),
    ),
    *rows(
        projections,
        (2048, 4096, (4096, 4096, 4096), "bf16"),
        (4096, 4096, (4096, 1024, 1024), "bf16"),
        (1, 4096, (4096, 1024, 1024), "bf16"),
        (100, 768, (768, 768, 768), "f16"),
    ),
    *rows(norm_projections, (1024, 2048, (2048, 512, 512), "bf16")),
    *rows(small_products, (6, 128, 128, 256, "bf16")),
    *rows(small_works, (512, 1024, "bf16")),
)
