"""The library's time from a shape, beside times measured on one H200."""

from __future__ import annotations

import pytest

from tilewright.codegen.targets import TARGETS
from tilewright.planning.model.library import LibraryMatmul, library_time

H200 = TARGETS["h200"]


@pytest.mark.parametrize(
    ("matmul", "microseconds"),
    [
        (LibraryMatmul(1, 4096, 4096), 18.4),
        (LibraryMatmul(16, 4096, 4096), 19.0),
        (LibraryMatmul(128, 11008, 4096), 35.4),
        (LibraryMatmul(64, 256, 16384), 12.7),
        (LibraryMatmul(512, 512, 512, rhs_transposed=True), 7.5),
        (LibraryMatmul(2048, 3072, 768, added="row"), 20.5),
        (LibraryMatmul(8192, 8192, 8192), 1462.9),
        (LibraryMatmul(1024, 1024, 64, batch=64), 46.7),
        # Rows that do not begin at whole 16 bytes.
        (LibraryMatmul(1021, 1031, 1033), 35.4),
        (LibraryMatmul(432, 10295, 2552), 252.2),
        (LibraryMatmul(2048, 2048, 2048, dtype="f32"), 342.7),
        (LibraryMatmul(1, 14336, 4096, dtype="f32"), 66.8),
        (LibraryMatmul(128, 1024, 1024, dtype="f32"), 14.4),
        (LibraryMatmul(128, 1024, 1024, dtype="f32", added="row"), 31.2),
        (LibraryMatmul(128, 4096, 9216, dtype="f32", added="row"), 301.8),
    ],
)
def test_the_time_is_near_what_was_measured(
    matmul: LibraryMatmul, microseconds: float
) -> None:
    estimate = library_time(matmul, H200).seconds * 1e6
    assert estimate == pytest.approx(microseconds, rel=0.3)


def test_what_is_added_costs_a_copy_unless_it_is_a_row() -> None:
    plain, row, matrix = (
        library_time(LibraryMatmul(4096, 4096, 512, added=added), H200).seconds
        for added in (None, "row", "matrix")
    )
    copied = 2 * 2 * 4096 * 4096 / H200.hbm_bandwidth
    assert plain == row and matrix - plain > copied


def test_the_layout_decides_the_alignment() -> None:
    assert LibraryMatmul(64, 64, 7).alignment == 2
    assert LibraryMatmul(64, 12, 64, rhs_transposed=True).alignment == 8
    assert LibraryMatmul(12, 64, 64, lhs_transposed=True).alignment == 8
    assert LibraryMatmul(12, 64, 64).alignment >= 16
