"""The time of our own matmuls without tensor cores, beside times on one H200."""

from __future__ import annotations

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.planning.model.matmuls import (
    MatmulTile,
    MatmulWork,
    matmul_seconds,
    staged_bytes,
)

H200 = TARGETS["h200"]


@pytest.mark.parametrize(
    ("sizes", "tile", "microseconds"),
    [
        ((4096, 4096, 4096), MatmulTile(32, 64, 16, 1, 4), 7334),
        ((4096, 4096, 4096), MatmulTile(64, 64, 16, 2, 4), 6262),
        ((64, 2048, 512), MatmulTile(32, 32, 16, 1, 4, split=4), 18.2),
        ((128, 1024, 1024), MatmulTile(32, 64, 16, 1, 4, split=8), 24.1),
    ],
)
def test_weights_along_k_in_f32(
    sizes: tuple[int, int, int], tile: MatmulTile, microseconds: float
) -> None:
    m, n, k = sizes
    moved = 4 * (m * k + k * n + m * n)
    work = MatmulWork(
        m, n, k, 1, 1, 4, H200.flops("f32"), False, moved, 4 * m * n, tail=1
    )
    estimate = matmul_seconds(work, tile, H200) * 1e6
    assert estimate == pytest.approx(microseconds, rel=0.3)


def test_one_warp_does_not_fill_a_multiprocessor() -> None:
    def seconds(warps: int) -> float:
        work = MatmulWork(
            32,
            64 * 128,
            512,
            1,
            1,
            4,
            H200.flops("f32"),
            False,
            0,
            1,
            along_columns=True,
        )
        return matmul_seconds(work, MatmulTile(32, 64, 16, warps, 4), H200)

    assert seconds(4) < seconds(1)


def test_factors_in_common_are_loaded_once() -> None:
    """Of two matmuls with one left factor, and of two with one right factor."""

    def staged(rows: int, columns: int, lefts: int, rights: int) -> int:
        size, peak = 1024, H200.matmul_flops("f16")
        work = MatmulWork(
            *(size, size, size, 1, 2, 2, peak, True, 0, 1),
            lefts=lefts,
            rights=rights,
        )
        return staged_bytes(work, MatmulTile(rows, columns, 64, 4, 3), H200)

    step = 2 * 64 * 3
    assert staged(128, 64, lefts=1, rights=2) == (128 + 2 * 64) * step
    assert staged(128, 64, lefts=2, rights=1) == (2 * 128 + 64) * step
