"""Planned transpositions: tiles along the innermost loops of both sides."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload, elementwise, exp
from tilewright.planning.sketches import transposition


def transposed(shape: tuple[int | str, ...], *order: int) -> Payload:
    payload = Payload("f")
    x = payload.input("x", shape, "f32")
    twice = elementwise(lambda e: e + e, x.transpose(*order), dtype="f32")
    payload.output(twice.named("twice"))
    return payload


@pytest.mark.parametrize(
    ("shape", "order", "tile"),
    [
        ((512, 256), (1, 0), "by [rows, columns] onto [block.y, block.x]"),
        ((3, 100, 50), (0, 2, 1), "by [1, rows, columns]"),
        ((16, 100, 12), (2, 0, 1), "by [rows, columns]"),
        ((6, 10, 48), (2, 1, 0), "by [rows, 1, columns]"),
        # Many small matrices: a program has several.
        ((40960, 8, 4), (0, 2, 1), "by [16, rows, columns]"),
        # The innermost dimension stays: rows are copied.
        ((2, 64, 8, 64), (0, 2, 1, 3), "min(cdiv(block, 64), 64), 64]"),
        # A row becomes a column: nothing moves.
        ((1, 100), (1, 0), "by [128]"),
    ],
)
def test_tiles(shape, order, tile) -> None:
    assert tile in planned(transposed(shape, *order)).text


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("shape", "order"),
    [
        ((129, 65), (1, 0)),
        ((2, 3), (1, 0)),
        ((2, 50, 20, 3), (0, 3, 1, 2)),
        ((2, 5, 3, 33), (0, 2, 1, 3)),
        ((7, 6, 48), (2, 1, 0)),
    ],
)
def test_numbers(shape, order) -> None:
    assert len(assert_right(transposed(shape, *order)).program.kernels) == 1


def test_several_matrices_in_a_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transposition, "PROGRAMS", 4)
    payload = transposed((24, 3, 6, 5), 0, 1, 3, 2)
    assert "by [8, rows, columns]" in planned(payload).text
    assert_right(payload)


def test_an_open_size() -> None:
    assert_right(transposed(("M", 100), 1, 0), [(77, 100)])


def test_work_on_both_sides_is_fused() -> None:
    payload = Payload("f")
    x = payload.input("x", (90, 64), "f32")
    y = payload.input("y", (64, 90), "f32")
    payload.output(exp(x).T + y)
    assert len(assert_right(payload, by_triton=True).program.kernels) == 1
