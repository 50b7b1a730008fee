"""Up to which sizes sketches are proposed, and how their programs are cut."""

from __future__ import annotations

import pytest

from support.planned_kernels import planned
from tilewright.payloads import Payload, exp, linear, reduce
from tilewright.planning.kernels import Candidate
from tilewright.planning.sketches.matmuls.lanes import LaneSums


def few_rows(rows: int, dtype: str) -> Payload:
    p = Payload("f")
    x, w = p.input("x", (rows, 4096), dtype), p.input("w", (4096, 4096), dtype)
    p.output(linear(x, w.T))
    return p


def softmax_across(rows: int, columns: int) -> Payload:
    p = Payload("f")
    x = p.input("x", (rows, columns), "f32")
    powers = exp(x - reduce("max", x, axis=0, keepdims=True))
    p.output(powers / reduce("sum", powers, axis=0, keepdims=True))
    return p


def candidates(payload: Payload) -> list[Candidate]:
    """All that was considered for the only kernel."""
    (kernel,) = planned(payload).kernels
    return [*kernel.candidates, *kernel.slower]


@pytest.mark.parametrize(
    ("rows", "dtype", "step", "each"),
    [
        (2, "bf16", 512, 32),
        (3, "bf16", None, 0),
        (8, "f32", 128, 8),
        (9, "f32", None, 0),
    ],
)
def test_lanes_sum_few_rows(rows: int, dtype: str, step: int | None, each: int) -> None:
    """Two rows beside tensor cores, and eight where libraries are slow."""
    found = [c.sketch for c in candidates(few_rows(rows, dtype))]
    lanes = [sketch for sketch in found if isinstance(sketch, LaneSums)]
    assert [sketch.step for sketch in lanes] == ([] if step is None else [step])
    for sketch in lanes:
        point, *_ = sketch.points()
        assert point["BN"] * sketch.step // (32 * point["warps"]) == each


@pytest.mark.parametrize(
    ("columns", "label"), [(16, "held_columns"), (15, "held_rows")]
)
def test_columns_are_held_where_a_row_has_64_bytes(columns: int, label: str) -> None:
    assert [c.sketch.label for c in candidates(softmax_across(64, columns))] == [label]


def test_ragged_factors_are_copied_by_four_warps_in_tiles_of_4096() -> None:
    p = Payload("f")
    a, b = p.input("a", (1024, 1031), "f16"), p.input("b", (1031, 1024), "f16")
    p.output((a @ b).cast("f16"))
    text = planned(p).text
    assert "tile copies by [4, 1024] onto" in text
    assert "launch copies_grid warps = 4" in text
