"""vectorize: bodies and ranks of every form, and named ops."""

from __future__ import annotations

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.payloads import generic
from support.transforms.schedules import (
    assert_same_numbers,
    match,
    patterns,
    schedule_of,
    transform,
    vectorize,
)
from support.transforms.vectorized import GENERIC, NAMED, same_by_real_mlir


@needs_mlir
@pytest.mark.parametrize("of", ["f32", "i32"])
def test_single_numbers(of) -> None:
    add = "arith.addf" if of == "f32" else "arith.addi"
    payload = generic(
        ["() -> ()", "() -> ()"],
        [],
        [(f"tensor<{of}>", of), (f"tensor<{of}>", of)],
        f"%s = {add} %x0, %x1 : {of}\n    linalg.yield %s : {of}",
    )
    same_by_real_mlir(payload, schedule_of(GENERIC, vectorize("%g")))


@needs_mlir
def test_values_of_outside_stay_scalars_until_they_meet_a_vector(golden) -> None:
    payload = """\
func.func @f(%p: f32, %q: f32, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%q : f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %two = arith.constant 2.0 : f32
    %s = arith.mulf %p, %two : f32
    %t = arith.addf %s, %a : f32
    %u = arith.mulf %t, %b : f32
    linalg.yield %u : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
"""
    schedule = schedule_of(GENERIC, vectorize("%g"))
    same_by_real_mlir(payload, schedule)
    golden("transforms/vectorize_scalars.mlir", transform(payload, schedule).text)


INTEGERS = ["addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"]


def integers(op: str) -> str:
    return generic(
        ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [("tensor<4x11xi32>", "i32"), ("tensor<4xi32>", "i32")],
        f"%s = arith.{op} %x0, %x1 : i32\n    linalg.yield %s : i32",
    )


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("op", INTEGERS)
@pytest.mark.parametrize("sizes", [None, "4, 16"])
def test_integers_are_reduced_in_every_way(op, sizes) -> None:
    schedule = schedule_of(GENERIC, vectorize("%g", sizes))
    same_by_real_mlir(integers(op), schedule)


@pytest.mark.parametrize("op", INTEGERS)
def test_lanes_off_hold_what_changes_nothing(op) -> None:
    schedule = schedule_of(
        GENERIC,
        vectorize("%g", "4, 16"),
        patterns("vector.lower_masked_transfers", "canonicalization"),
    )
    ran = transform(integers(op), schedule)
    assert_same_numbers(ran)
    assert "vector.mask" not in ran.text


TWO = """\
func.func @f(%x: tensor<5x9xf32>, %o: tensor<5xf32>, %p: tensor<5x9xf32>)
    -> (tensor<5xf32>, tensor<5x9xf32>) {
  %r, %q = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                     affine_map<(d0, d1) -> (d0)>,
                     affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<5x9xf32>) outs(%o, %p : tensor<5xf32>, tensor<5x9xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.maximumf %b, %a : f32
    %e = math.exp %a : f32
    linalg.yield %s, %e : f32, f32
  } -> (tensor<5xf32>, tensor<5x9xf32>)
  return %r, %q : tensor<5xf32>, tensor<5x9xf32>
}
"""


@pytest.mark.parametrize("sizes", [None, "8, 16"])
def test_two_results_one_of_them_reduced(sizes) -> None:
    schedule = schedule_of(GENERIC, vectorize("%g", sizes))
    assert_same_numbers(transform(TWO, schedule), reduction=9)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("op", NAMED)
@pytest.mark.parametrize("masked", [False, True])
def test_named_ops(op, masked) -> None:
    sizes = "16" if op == "linalg.dot" else "16, 16"
    schedule = schedule_of(match("%g", op), vectorize("%g", sizes if masked else None))
    same_by_real_mlir(NAMED[op], schedule, reduction=12)
