"""vectorize: bodies that read the indices of their loops."""

from __future__ import annotations

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.payloads import generic
from support.transforms.schedules import (
    assert_same_numbers,
    forall,
    match,
    patterns,
    schedule_of,
    transform,
    vectorize,
)
from support.transforms.vectorized import CAUSAL, GENERIC, indexed, same_by_real_mlir

SUM = """%i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %a = arith.muli %i, %j : index
    %b = arith.addi %a, %k : index
    %n = arith.index_cast %b : index to i64
    %s = arith.addi %x0, %n : i64
    linalg.yield %s : i64"""


@needs_mlir
@pytest.mark.parametrize("sizes", [None, "4, 8", "8, 16"])
def test_a_causal_mask(sizes, golden) -> None:
    schedule = schedule_of(GENERIC, vectorize("%g", sizes))
    text = same_by_real_mlir(indexed((4, 8), CAUSAL), schedule)
    if sizes == "8, 16":
        golden("transforms/vectorize_index.mlir", transform_of(CAUSAL, sizes))
    assert "vector.step" in text


def transform_of(body: str, sizes: str) -> str:
    schedule = schedule_of(GENERIC, vectorize("%g", sizes))
    return transform(indexed((4, 8), body), schedule).text


@needs_mlir
@pytest.mark.parametrize("sizes", [None, "2, 4, 8"])
def test_each_of_three_loops(sizes) -> None:
    payload = indexed((2, 3, 5), SUM, "i64")
    same_by_real_mlir(payload, schedule_of(GENERIC, vectorize("%g", sizes)))


EXPRESSIONS = [
    "d0 - s0",
    "d0 * 2 - 1",
    "d0 floordiv 3",
    "(d0 - 7) floordiv 3",
    "(d0 - 7) ceildiv 3",
    "d0 ceildiv 3",
    "(d0 - 5) mod 3",
    "d0 * 4 + s0 * 2 + 7",
    "s0 + 2",
]


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_affine_apply_of_an_index(expression) -> None:
    body = f"""%i = linalg.index 0 : index
    %c5 = arith.constant 5 : index
    %k = affine.apply affine_map<(d0)[s0] -> ({expression})>(%i)[%c5]
    %n = arith.index_cast %k : index to i64
    linalg.yield %n : i64"""
    payload = indexed((16,), body, "i64")
    same_by_real_mlir(payload, schedule_of(GENERIC, vectorize("%g", "16")))


@needs_mlir
@pytest.mark.parametrize("sizes", ["4, 8", "3, 5"])
def test_the_indices_of_a_tile_begin_where_the_tile_does(sizes) -> None:
    schedule = schedule_of(
        GENERIC,
        forall("%t, %l", "%g", sizes),
        vectorize("%t", "4, 8"),
        match("%f", "func.func"),
        patterns("vector.lower_masked_transfers", to="%f"),
    )
    same_by_real_mlir(indexed((9, 21), CAUSAL), schedule)


def test_an_index_of_a_reduction_is_spread_before_it_is_reduced() -> None:
    # Real MLIR reduces the short vector and fails its verifier.
    payload = generic(
        ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [("tensor<4x7xi64>", "i64"), ("tensor<4xi64>", "i64")],
        """%j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    %s = arith.addi %n, %x1 : i64
    linalg.yield %s : i64""",
    )
    for sizes in (None, "4, 8"):
        ran = transform(payload, schedule_of(GENERIC, vectorize("%g", sizes)))
        assert_same_numbers(ran)


def test_a_number_added_in_every_step_is_added_as_often() -> None:
    # Real MLIR adds it once.
    payload = generic(
        ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [("tensor<4x7xf32>", "f32"), ("tensor<4xf32>", "f32")],
        """%one = arith.constant 1.0 : f32
    %s = arith.addf %x1, %one : f32
    linalg.yield %s : f32""",
    )
    for sizes in (None, "4, 8"):
        ran = transform(payload, schedule_of(GENERIC, vectorize("%g", sizes)))
        assert_same_numbers(ran)
