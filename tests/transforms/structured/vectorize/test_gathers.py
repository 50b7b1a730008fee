"""vectorize: elements that the body extracts from other tensors."""

from __future__ import annotations

import numpy as np
import pytest

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
)
from support.transforms.schedules import vectorize as vectorize_plainly
from tilewright.ir.interpreter import run

GENERIC = match("%g", "linalg.generic")


def vectorize(target: str, sizes: str) -> str:
    """`vectorize`, with elements of tensors of any rank."""
    form = vectorize_plainly(target, sizes)
    return form.replace(" :", " {vectorize_nd_extract} :", 1)


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


def test_elements_by_two_indices_need_no_flag() -> None:
    ran = transform(ROWS, schedule_of(GENERIC, vectorize_plainly("%g", "6, 5")))
    assert_same_numbers(ran)
    assert "vector.gather" in ran.text


NEIGHBOURS = """\
func.func @f(%t: tensor<80x16xf32>, %a: tensor<1xindex>, %o: tensor<1x4xf32>)
    -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %i = tensor.extract %a[%c0] : tensor<1xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} outs(%o : tensor<1x4xf32>) {
  ^bb0(%x: f32):
    %c5 = arith.constant 5 : index
    %j = linalg.index 1 : index
    %k = arith.addi INDEX : index
    %e = tensor.extract %t[%i, %k] : tensor<80x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
"""


@pytest.mark.parametrize(
    ("index", "by"),
    [
        ("%j, %c5", "vector.transfer_read"),
        ("%c5, %c5", "vector.transfer_read"),
        ("%j, %j", "vector.gather"),
    ],
)
def test_lanes_side_by_side_are_read_at_once(index: str, by: str) -> None:
    """Upstream reads `%j + %j` as if its lanes were side by side."""
    payload = NEIGHBOURS.replace("INDEX", index)
    ran = transform(payload, schedule_of(GENERIC, vectorize("%g", "1, 4")))
    assert f"{by} %t[" in ran.text
    table = np.arange(80 * 16, dtype=np.float32).reshape(80, 16)
    inputs = [table, np.array([7]), np.zeros((1, 4), np.float32)]
    (want,), (got,) = (evaluate(m, inputs) for m in (ran.before, ran.module))
    assert (np.asarray(got) == np.asarray(want)).all()


def test_gathered_elements_are_reduced() -> None:
    ran = transform(SUMS, schedule_of(GENERIC, vectorize("%g", "8, 4")))
    assert_same_numbers(ran, reduction=3)
    assert "vector.multi_reduction <add>" in ran.text


@needs_mlir
def test_real_mlir_gathers_the_same_elements() -> None:
    schedule = schedule_of(GENERIC, vectorize("%g", "8, 8"))
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
