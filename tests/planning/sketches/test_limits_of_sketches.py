"""Up to which sizes sketches are proposed, and how their programs are cut."""

from __future__ import annotations

import pytest

from support.planned_kernels import assert_right, planned
from tilewright.payloads import Payload, exp, linear, reduce, rmsnorm, scan
from tilewright.planning.kernels import Candidate
from tilewright.planning.sketches.matmuls.lanes import LaneSums
from tilewright.planning.sketches.rows.whole import WholeRows


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
    return list(kernel.considered)


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


@pytest.mark.parametrize("rows", [512, 513])
def test_columns_of_512_rows_are_held(rows: int) -> None:
    """Eight warps hold 16 columns, with 32 elements a thread."""
    kernels = planned(softmax_across(rows, 4096)).kernels
    labels = [c.sketch.label for kernel in kernels for c in kernel.candidates]
    assert ("held_columns" in labels) == (rows == 512)


def running(*shape: int) -> Payload:
    p = Payload("running")
    p.output(scan("sum", p.input("x", shape, "f32"), axis=-2, dtype="f32"))
    return p


@pytest.mark.parametrize("rows", [128, 129])
def test_scans_of_128_rows_are_held(rows: int) -> None:
    labels = [c.sketch.label for c in candidates(running(64, rows, 256))]
    assert ("held_columns" in labels) == (rows == 128)


def test_scans_have_as_many_axes_as_tensors() -> None:
    payload = running(2, 2, 3, 140, 20)
    assert "scan_steps" in candidates(payload)[0].sketch.label
    assert_right(payload)


def test_factors_of_four_dimensions_are_padded() -> None:
    p = Payload("f")
    a, b = p.input("a", (2, 3, 33, 45), "f16"), p.input("b", (2, 3, 45, 53), "f16")
    p.output((a @ b).cast("f16"))
    made = assert_right(p, point={"kernel": "padded"})
    assert len(made.program.kernels) == 3


def test_sides_of_tiles_are_256_at_most() -> None:
    p = Payload("f")
    a, b = p.input("a", (4096, 4096), "f16"), p.input("b", (4096, 4096), "f16")
    p.output((a @ b).cast("f16"))
    (tiles,) = [c for c in candidates(p) if c.sketch.label == "tiles"]
    sides = {k.name: k.options for k in tiles.sketch.knobs()}
    assert max(sides["BM"]) == max(sides["BN"]) == 256


@pytest.mark.parametrize(("length", "early"), [(1024, 0.25), (1023, 1.0)])
def test_threads_load_a_quarter_of_a_weight_early(length: int, early: float) -> None:
    """All of it, where its elements are loaded one by one."""
    p = Payload("f")
    x, w = p.input("x", (512, length), "f32"), p.input("w", (length,), "f32")
    p.output(rmsnorm(x, w))
    sketch = next(c.sketch for c in candidates(p) if isinstance(c.sketch, WholeRows))
    point = dict.fromkeys((k.name for k in sketch.knobs()), 1) | {"aligned": 0}
    assert sketch.program(point).early == early
