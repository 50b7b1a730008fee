"""vectorize: elements that the body extracts from other tensors."""

from __future__ import annotations

import numpy as np

from support.mlir_opt import needs_mlir
from support.transforms.schedules import (
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    forall,
    inputs_of,
    match,
    parse_payload,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.interpreter import run

GENERIC = match("%g", "linalg.generic")

ROWS = """\
func.func @rows(%ids: tensor<6xi32>, %table: tensor<9x5xf32>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<6x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>,
    affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    ins(%ids : tensor<6xi32>) outs(%e : tensor<6x5xf32>) {
  ^bb0(%i: i32, %o: f32):
    %row = arith.index_cast %i : i32 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %table[%row, %column] : tensor<9x5xf32>
    linalg.yield %v : f32
  } -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}
"""

SUMS = """\
func.func @sums(%ids: tensor<6x3xi32>, %table: tensor<9xf32>, %z: tensor<6xf32>)
    -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
    affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
    ins(%ids : tensor<6x3xi32>) outs(%z : tensor<6xf32>) {
  ^bb0(%i: i32, %o: f32):
    %row = arith.index_cast %i : i32 to index
    %v = tensor.extract %table[%row] : tensor<9xf32>
    %s = arith.addf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
"""


def test_random_inputs_stay_below_the_extent() -> None:
    (ids, _) = inputs_of(parse_payload(ROWS))
    assert ids.min() >= 0
    assert ids.max() < 9


def test_the_lanes_gather() -> None:
    schedule = schedule_of(GENERIC, vectorize("%g", "6, 5"))
    ran = transform(ROWS, schedule)
    assert_same_numbers(ran)
    assert "vector.gather %table[%" in ran.text
    assert "vector.mask" not in ran.text


def test_lanes_outside_are_masked() -> None:
    schedule = schedule_of(GENERIC, vectorize("%g", "8, 8"))
    ran = transform(ROWS, schedule)
    assert_same_numbers(ran)
    assert ran.text.count("vector.mask") == 3


def test_a_tile_gathers_from_the_whole_table() -> None:
    schedule = schedule_of(
        GENERIC, forall("%t, %l", "%g", "4, 4"), vectorize("%t", "4, 4")
    )
    ran = transform(ROWS, schedule)
    assert_same_numbers(ran)
    assert "tensor<9x5xf32>, vector<4x4xindex>" in ran.text


def test_gathered_elements_are_reduced() -> None:
    ran = transform(SUMS, schedule_of(GENERIC, vectorize("%g", "8, 4")))
    assert_same_numbers(ran, reduction=3)
    assert "vector.multi_reduction <add>" in ran.text


@needs_mlir
def test_real_mlir_gathers_the_same_elements() -> None:
    form = vectorize("%g", "8, 8").replace(" :", " {vectorize_nd_extract} :", 1)
    schedule = schedule_of(GENERIC, form)
    theirs = parse_payload(by_real_mlir(ROWS, schedule))
    ours = transform(ROWS, schedule)
    inputs = inputs_of(ours.before)
    (expected,) = run(theirs, [np.array(value) for value in inputs])
    assert (evaluate(ours.module, inputs)[0] == expected).all()


def test_a_slice_is_gathered_from_the_whole_tensor() -> None:
    payload = ROWS.replace("%table: tensor<9x5xf32>", "%all: tensor<3x12x20xf32>")
    part = (
        "  %table = tensor.extract_slice %all[1, 2, 3] [1, 9, 5] [1, 1, 2]"
        " : tensor<3x12x20xf32> to tensor<9x5xf32>\n"
    )
    payload = payload.replace("  %e =", f"{part}  %e =")
    ran = transform(payload, schedule_of(GENERIC, vectorize("%g", "8, 8")))
    assert_same_numbers(ran)
    assert "vector.gather %all[" in ran.text
