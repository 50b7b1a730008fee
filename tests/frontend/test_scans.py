"""Scans (running sums, products, extrema) against numpy, real MLIR and kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.payload_results import assert_close, random_arrays, results_of, wide
from support.planned_kernels import assert_right
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    match,
    refusal,
    schedule_of,
    transform,
)
from tilewright.frontend.builder import Payload, scan
from tilewright.ir.errors import UserError

UFUNCS: dict[str, Any] = {
    "sum": np.add,
    "prod": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}


def totals(kind: Any, shape: tuple[int, ...], dtype: str = "f32", axis: int = -1):
    p = Payload("totals")
    p.output(scan(kind, p.input("x", shape, dtype), axis=axis, dtype=dtype))
    return p


@pytest.mark.parametrize("kind", UFUNCS)
@pytest.mark.parametrize(("shape", "axis"), [((3, 7), 1), ((2, 5, 3), 1), ((9,), 0)])
def test_numbers(kind: str, shape: tuple[int, ...], axis: int) -> None:
    for dtype in ("f32", "bf16", "i64"):
        p = totals(kind, shape, dtype, axis)
        arrays = random_arrays(p)
        (given,) = wide(arrays)
        expected = UFUNCS[kind].accumulate(given, axis=axis)
        assert_close(results_of(p, arrays)[0], expected, dtype, shape[axis])


def test_a_function_of_several_tensors_is_scanned() -> None:
    p = Payload("masked")
    x, mask = p.input("x", (4, 6), "f32"), p.input("mask", (4, 6), "f32")
    p.output(scan("sum", x, mask, of=lambda x, m: x * m))
    arrays = random_arrays(p)
    expected = np.cumsum(arrays[0] * arrays[1], axis=1)
    assert_close(results_of(p, arrays)[0], expected, "f32", 6)


def test_bits_are_refused() -> None:
    p = Payload("bits")
    with pytest.raises(UserError, match="not defined for i1"):
        scan("max", p.input("x", (4,), "i1"))


@needs_mlir
def test_real_mlir_runs_the_loop_in_order() -> None:
    text = mlir_opt(
        totals("sum", (3, 7)).text(),
        "--one-shot-bufferize=bufferize-function-boundaries",
        "--convert-linalg-to-loops",
    )
    assert text.count("scf.for") == 3 and "linalg" not in text


TILED = schedule_of(
    match("%h", "linalg.generic"),
    "%t, %l = transform.structured.tile_using_for %h tile_sizes [0, 5] "
    f": ({OP}) -> ({OP}, {OP})",
)


@needs_mlir
def test_tiles_carry_the_totals() -> None:
    """A second application cuts the steps again."""
    payload = totals("sum", (3, 17)).text()
    ran = transform(payload, TILED)
    assert_same_numbers(ran, reduction=17)
    assert_same_program(ran.text, by_real_mlir(payload, TILED))
    again = transform(ran.text, TILED.replace("[0, 5]", "[0, 2]"))
    assert_same_numbers(again, reduction=17)


def test_vectors(golden: Any) -> None:
    schedule = schedule_of(
        match("%h", "linalg.generic"),
        f"transform.structured.vectorize %h vector_sizes [4, 32] : {OP}",
    )
    ran = transform(totals("max", (3, 17), "f16").text(), schedule)
    assert_same_numbers(ran, reduction=17)
    golden("transforms/vectorize_scan.mlir", ran.text)


def test_what_counts_on_no_order_is_refused() -> None:
    payload = totals("sum", (4, 16)).text()
    split = schedule_of(
        match("%h", "linalg.generic"),
        "%a, %b, %c, %d = transform.structured.tile_reduction_using_for %h "
        f"by tile_sizes = [0, 4] : ({OP}) -> ({OP}, {OP}, {OP}, {OP})",
    )
    assert "is not combined" in str(refusal(payload, split))
    grid = schedule_of(
        match("%h", "linalg.generic"),
        "%t, %l = transform.structured.tile_using_forall %h tile_sizes [0, 4] "
        f": ({OP}) -> ({OP}, {OP})",
    )
    assert "reduction" in str(refusal(payload, grid))


def test_a_slice_of_the_totals_is_not_computed_alone() -> None:
    p = Payload("reader")
    x = p.input("x", (4, 16), "f32")
    p.output(scan("sum", x) * 2.0)
    schedule = schedule_of(
        match("%h", "linalg.generic"),
        f"%s, %m = transform.split_handle %h : ({OP}) -> ({OP}, {OP})",
        "%t, %l = transform.structured.tile_using_forall %m tile_sizes [2, 4] "
        f": ({OP}) -> ({OP}, {OP})",
        "%f, %g = transform.structured.fuse_into_containing_op %s into %l "
        f": ({OP}, {OP}) -> ({OP}, {OP})",
    )
    assert "totals run along" in str(refusal(p.text(), schedule))
    whole = schedule.replace("[2, 4]", "[2, 0]")
    assert_same_numbers(transform(p.text(), whole), reduction=16)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("kind", "shape", "dtype", "axis"),
    [
        ("sum", (5, 100), "f16", 1),
        ("prod", (3, 33), "f32", 1),
        ("max", (2, 40, 70), "bf16", 1),
        ("sum", (300,), "i64", 0),
        ("min", (1, 9000), "f32", 1),
    ],
)
def test_kernels(kind: str, shape: tuple[int, ...], dtype: str, axis: int) -> None:
    assert_right(totals(kind, shape, dtype, axis))


@pytest.mark.slow
def test_kernels_by_triton() -> None:
    assert_right(totals("sum", (3, 9000), "f32"), by_triton=True)
    assert_right(totals("max", (3, 50), "bf16"), by_triton=True)
