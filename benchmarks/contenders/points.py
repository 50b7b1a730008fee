"""Our schedules and the points of them worth timing, hand-picked for each kind of work.

A point is named after the structure it stands for, which is the hand-written structure
it is compared with. Those of one structure compete; the fastest takes part.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from contenders.ours import Ours

EXAMPLES = Path(__file__).parents[2] / "examples"
GEMM = EXAMPLES / "gemm" / "gemm.tw"
PLAIN = EXAMPLES / "gemm" / "gemm_plain.tw"
SPLIT_K = EXAMPLES / "gemm" / "split_k.tw"
TRANSPOSED = EXAMPLES / "gemm" / "gemm_tf32.tw"
BATCH = EXAMPLES / "gemm" / "batch.tw"
WALK = EXAMPLES / "gemm" / "batch_walk.tw"
LIBRARY = EXAMPLES / "gemm" / "library.tw"
MLP = EXAMPLES / "gemm" / "mlp.tw"
ROWS = EXAMPLES / "rows"

# BM, BN, BK, warps, stages; then what differs from group 8, one part, not flattened.
Tile = tuple[int, int, int, int, int]
Choice = tuple[str, Tile, dict[str, Any]]

LARGE: tuple[Choice, ...] = (
    ("pointer", (128, 256, 64, 8, 3), {}),
    ("pointer", (128, 256, 64, 8, 4), {}),
    ("pointer", (128, 128, 64, 8, 4), {}),
    ("descriptors", (128, 256, 64, 8, 3), {}),
    ("descriptors", (128, 256, 64, 8, 4), {}),
    ("descriptors", (128, 256, 64, 8, 4), {"group": 16}),
    ("descriptors", (256, 128, 64, 8, 4), {}),
    ("persistent", (128, 256, 64, 8, 3), {"flatten": 1}),
    ("persistent", (128, 256, 64, 8, 4), {"parts": 2, "flatten": 1}),
    ("persistent", (128, 256, 64, 8, 4), {"parts": 2}),
    ("persistent", (128, 256, 64, 8, 3), {"parts": 2, "flatten": 1}),
    ("persistent", (128, 256, 64, 8, 4), {"parts": 2, "flatten": 1, "group": 4}),
)
MEDIUM: tuple[Choice, ...] = (
    ("pointer", (128, 128, 64, 4, 4), {}),
    ("pointer", (128, 128, 64, 8, 4), {}),
    ("pointer", (128, 256, 64, 8, 3), {}),
    ("pointer", (64, 128, 64, 4, 4), {}),
    ("descriptors", (128, 128, 64, 4, 4), {}),
    ("descriptors", (128, 128, 64, 8, 4), {}),
    ("descriptors", (128, 256, 64, 8, 4), {}),
    ("descriptors", (128, 128, 128, 8, 3), {}),
    ("descriptors", (64, 128, 64, 4, 5), {}),
    ("persistent", (128, 128, 64, 8, 4), {"flatten": 1}),
    ("persistent", (128, 256, 64, 8, 4), {"parts": 2, "flatten": 1}),
    ("persistent", (128, 256, 64, 8, 4), {"parts": 2}),
    ("split_k", (128, 128, 64, 8, 4), {"split": "two"}),
    ("split_k", (128, 128, 64, 8, 6), {"split": "two", "loads": "descriptors"}),
)
SMALL: tuple[Choice, ...] = (
    ("pointer", (64, 64, 64, 4, 5), {}),
    ("pointer", (64, 64, 128, 4, 4), {}),
    ("pointer", (64, 32, 128, 4, 5), {}),
    ("pointer", (64, 32, 64, 4, 6), {}),
    ("pointer", (128, 64, 64, 4, 4), {}),
    ("pointer", (64, 128, 64, 4, 6), {"parts": 2}),
    ("descriptors", (64, 64, 64, 4, 6), {}),
    ("descriptors", (64, 128, 64, 4, 6), {"parts": 2}),
    ("descriptors", (64, 64, 128, 4, 4), {}),
    ("descriptors", (64, 32, 128, 4, 5), {}),
    ("descriptors", (64, 128, 64, 4, 5), {}),
    ("descriptors", (128, 128, 64, 8, 4), {}),
    ("persistent", (64, 64, 128, 4, 4), {}),
    ("persistent", (64, 128, 64, 4, 5), {"flatten": 1}),
    ("split_k", (64, 64, 128, 4, 4), {"split": "two"}),
    ("split_k", (64, 64, 64, 4, 4), {"split": "four"}),
)
# 1024^3, and products with one short side: a wave of tiles, or less.
FLAT: tuple[Choice, ...] = (
    *SMALL,
    ("descriptors", (64, 128, 64, 4, 6), {"group": 1}),
    *(("descriptors", (64, 128, 128, 4, 4), {"group": g}) for g in (1, 4, 8)),
    *(("descriptors", (64, 128, 64, 4, 8), {"group": g}) for g in (1, 4)),
    *(("descriptors", (128, 64, 64, 4, 8), {"group": g}) for g in (1, 4, 8)),
    ("descriptors", (128, 64, 64, 4, 6), {"group": 1}),
    ("descriptors", (128, 64, 128, 4, 4), {"group": 1}),
    ("descriptors", (128, 64, 64, 8, 6), {"group": 1, "parts": 2}),
    ("persistent", (64, 128, 64, 8, 6), {"group": 1}),
    ("split_k", (128, 128, 64, 8, 6), {"split": "two", "loads": "descriptors"}),
)
FEW_ROWS: tuple[Choice, ...] = (
    ("pointer", (16, 32, 256, 4, 4), {}),
    ("pointer", (16, 64, 128, 4, 5), {}),
    ("pointer", (16, 64, 128, 4, 6), {"group": 16}),
    ("pointer", (16, 64, 256, 4, 4), {}),
    ("pointer", (16, 64, 256, 4, 5), {"group": 1}),
    ("pointer", (16, 64, 128, 4, 8), {"group": 1}),
    ("descriptors", (16, 32, 256, 4, 4), {}),
    ("descriptors", (16, 64, 128, 4, 5), {}),
    ("split_k", (16, 64, 128, 4, 5), {"split": "two"}),
    ("split_k", (16, 64, 128, 4, 6), {"split": "two"}),
    ("split_k", (16, 64, 128, 4, 4), {"split": "four"}),
    ("split_k", (16, 64, 128, 4, 4), {"split": "eight"}),
    ("split_k", (16, 128, 128, 4, 4), {"split": "eight"}),
    ("split_k", (16, 64, 256, 4, 3), {"split": "four"}),
)
# The error function takes many registers: large tiles are finished in parts.
LARGE_GELU: tuple[Choice, ...] = (
    ("pointer", (128, 128, 64, 8, 4), {}),
    ("descriptors", (128, 128, 64, 8, 4), {}),
    ("descriptors", (128, 256, 64, 8, 3), {"parts": 2}),
    ("descriptors", (128, 256, 64, 8, 4), {"parts": 2}),
    ("descriptors", (128, 256, 64, 8, 4), {"parts": 4}),
    ("persistent", (128, 256, 64, 8, 3), {"parts": 2}),
    ("persistent", (128, 256, 64, 8, 3), {"parts": 4}),
    ("persistent", (128, 256, 64, 8, 4), {"parts": 4}),
    ("persistent", (128, 256, 64, 8, 4), {"parts": 2}),
    ("persistent", (128, 128, 64, 8, 4), {"parts": 2}),
)
IEEE: tuple[Choice, ...] = (
    ("pointer", (128, 128, 16, 8, 3), {}),
    ("pointer", (128, 128, 16, 8, 4), {}),
    ("pointer", (128, 128, 32, 8, 3), {}),
    ("pointer", (128, 64, 16, 4, 4), {}),
    ("pointer", (64, 128, 16, 4, 4), {}),
    # Programs of one warp wait for no other.
    ("pointer", (32, 64, 16, 1, 3), {}),
    ("pointer", (32, 64, 32, 1, 2), {}),
    ("pointer", (64, 64, 32, 2, 3), {}),
    ("pointer", (32, 128, 16, 2, 3), {}),
)
SMALL_IEEE: tuple[Choice, ...] = (
    ("pointer", (64, 64, 16, 4, 4), {}),
    ("pointer", (64, 32, 32, 4, 4), {}),
    ("pointer", (32, 32, 64, 4, 4), {}),
    ("pointer", (32, 32, 32, 4, 4), {}),
)
TF32: tuple[Choice, ...] = (
    ("pointer", (128, 128, 32, 8, 4), {}),
    ("pointer", (128, 256, 32, 8, 3), {}),
    ("descriptors", (128, 128, 32, 8, 4), {}),
    ("descriptors", (128, 256, 32, 8, 3), {}),
    ("persistent", (128, 128, 32, 8, 4), {"flatten": 1}),
    ("transposed", (128, 128, 32, 8, 4), {}),
    ("transposed", (128, 256, 32, 8, 3), {"parts": 2}),
    ("transposed", (128, 256, 32, 8, 4), {"parts": 4}),
    ("transposed", (128, 256, 32, 8, 3), {"parts": 4, "persistent": 1}),
    ("transposed", (128, 128, 32, 8, 5), {"persistent": 1, "flatten": 1}),
)
TF32X3: tuple[Choice, ...] = (
    ("pointer", (128, 64, 32, 4, 3), {}),
    ("pointer", (128, 128, 32, 8, 3), {}),
    ("transposed", (128, 128, 32, 8, 3), {}),
    ("transposed", (64, 128, 32, 4, 3), {}),
    ("transposed", (64, 256, 32, 8, 3), {"parts": 2}),
    ("transposed", (128, 128, 16, 8, 4), {}),
)
BYTES: tuple[Choice, ...] = (
    ("pointer", (128, 256, 128, 8, 3), {}),
    ("pointer", (128, 128, 128, 8, 4), {}),
    ("descriptors", (128, 256, 128, 8, 3), {}),
    ("descriptors", (128, 256, 128, 8, 4), {}),
    ("descriptors", (128, 128, 128, 8, 4), {}),
    ("persistent", (128, 256, 128, 8, 3), {"parts": 2, "flatten": 1}),
    ("persistent", (128, 256, 128, 8, 4), {"parts": 2}),
)
BYTES_TO_I32: tuple[Choice, ...] = (
    ("pointer", (128, 256, 128, 8, 3), {}),
    ("pointer", (128, 128, 128, 8, 4), {}),
    ("descriptors", (128, 256, 128, 8, 3), {"parts": 2}),
    ("descriptors", (128, 128, 128, 8, 4), {}),
    ("persistent", (128, 256, 128, 8, 3), {"parts": 2}),
    ("persistent", (128, 256, 128, 8, 3), {"parts": 4}),
    ("persistent", (128, 128, 128, 8, 4), {"flatten": 1}),
)
SHORT_K: tuple[Choice, ...] = (
    ("pointer", (128, 128, 64, 8, 2), {}),
    ("pointer", (128, 128, 64, 4, 2), {}),
    ("pointer", (128, 256, 64, 8, 2), {}),
    ("descriptors", (128, 128, 64, 8, 2), {}),
    ("descriptors", (128, 128, 64, 4, 2), {}),
    ("persistent", (128, 128, 64, 8, 3), {}),
    ("persistent", (128, 128, 64, 8, 3), {"flatten": 1}),
    ("persistent", (128, 256, 64, 8, 3), {"parts": 2, "flatten": 1}),
)


def points_for(kind: str, dtype: str, m: int, n: int, k: int) -> tuple[Ours, ...]:
    """Every point worth timing for this work; for rows, m of them, n long."""
    if kind in ("softmax", "layernorm", "rmsnorm", "layernorm+residual"):
        rows = _rows(ROWS / f"{kind.replace('+', '_')}.tw", n)
        if kind == "softmax" and n >= 32768 and dtype == "bf16":
            return (*rows, *_persistent_rows())
        return tuple(rows)
    if kind == "elementwise":
        return tuple(_blocks())
    if kind == "batch":
        return (*_products(BATCH, SHORT_K, group=False), *_walks())
    if kind == "mlp":
        choices = SMALL_IEEE if dtype == "f32" else SMALL
        return tuple(_layers(choices))
    small = m * n <= 1024 * 1024
    if kind == "linear":
        return (*_products(GEMM, SMALL if small else LARGE_GELU), *_library())
    if dtype == "f32":
        return tuple(_products(PLAIN, IEEE, precision="ieee"))
    if dtype in ("tf32", "tf32x3"):
        choices = TF32 if dtype == "tf32" else TF32X3
        return tuple(_products(PLAIN, choices, precision=dtype))
    if dtype == "i8":
        return tuple(_products(PLAIN, BYTES_TO_I32, precision="ieee"))
    if dtype == "fp8":
        return tuple(_products(GEMM, BYTES))
    if m < 64:
        choices = FEW_ROWS
    elif m * n >= 4096 * 4096:
        choices = LARGE
    elif m * n == 1024 * 1024:
        choices = FLAT
    else:
        choices = SMALL if small else MEDIUM
    return (*_products(GEMM, choices), *_library())


def _tile(tile: Tile) -> dict[str, Any]:
    return dict(zip(("BM", "BN", "BK", "warps", "stages"), tile, strict=True))


def _products(
    schedule: Path,
    choices: Iterable[Choice],
    group: bool = True,
    precision: str = "",
) -> Iterable[Ours]:
    for structure, tile, differs in choices:
        point = _tile(tile)
        if structure == "split_k":
            yield Ours(structure, SPLIT_K, point | {"loads": "pointers"} | differs)
            continue
        point |= {"group": 8} if group else {}
        point |= {"persistent": int(structure == "persistent"), "parts": 1}
        point |= {"flatten": 0}
        if structure == "transposed":
            point |= {"T": 64, "precision": precision}
            yield Ours(structure, TRANSPOSED, point | differs)
            continue
        point["loads"] = "pointers" if structure == "pointer" else "descriptors"
        point |= {"precision": precision} if precision else {}
        yield Ours(structure, schedule, point | differs)


def _walks() -> Iterable[Ours]:
    for rows, columns, warps, stages in (
        (128, 128, 8, 3),
        (128, 128, 4, 3),
        (128, 128, 8, 4),
        (64, 128, 4, 3),
    ):
        point = {"BM": rows, "BN": columns, "warps": warps, "stages": stages}
        yield Ours("walking", WALK, point)


def _library() -> Iterable[Ours]:
    for rows, columns in ((16, 256), (32, 128)):
        yield Ours("library", LIBRARY, {"BM": rows, "BN": columns, "warps": 4})


def _layers(choices: Iterable[Choice]) -> Iterable[Ours]:
    for structure, tile, _ in choices:
        if structure in ("pointer", "descriptors"):
            loads = "pointers" if structure == "pointer" else "descriptors"
            yield Ours(structure, MLP, {**_tile(tile), "group": 8, "loads": loads})


def _rows(schedule: Path, n: int) -> Iterable[Ours]:
    """As many warps as leave a thread 4 to 64 elements; two rows if they are short."""
    for rows in (1, 2, 4):
        for warps in (1, 2, 4, 8, 16, 32):
            lanes = rows * n // (32 * warps)
            if 4 <= lanes <= 64 and (rows == 1 or n <= 2048):
                yield Ours("rows", schedule, {"rows": rows, "warps": warps})


def _persistent_rows() -> Iterable[Ours]:
    for warps, stages in itertools.product((16, 32), (3, 4)):
        point = {"warps": warps, "programs": 1, "stages": stages}
        yield Ours("persistent", ROWS / "softmax_persistent.tw", point)


def _blocks() -> Iterable[Ours]:
    choices = ((1024, 4), (2048, 4), (2048, 8), (4096, 4), (4096, 8), (8192, 8))
    for block, warps in choices:
        point = {"block": block, "warps": warps}
        yield Ours("blocks", ROWS / "elementwise.tw", point)
