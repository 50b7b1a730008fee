"""structured.pad."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import needs_mlir
from support.transforms.padded import HOW, THREE, ZEROS, pad, padded
from support.transforms.payloads import matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    for_loops,
    inputs_of,
    match,
    parse_payload,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.tolerance import compare


@pytest.mark.parametrize("name", ["rows", "all", "linalg_copy", "nofold"])
def test_golden(name, golden) -> None:
    golden(
        f"transforms/pad_{name}.mlir",
        transform(matmul(10, 6, 7), padded(HOW[name])).text,
    )


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", HOW)
@pytest.mark.parametrize("dtype", ["f32", "f16"])
def test_real_mlir_gives_the_same_program(name, dtype) -> None:
    how = HOW[name]
    if dtype == "f16":
        how = how.replace("[0.0 : f32, 0.0 : f32,", "[0.0 : f16, 0.0 : f16,")
    payload, schedule = matmul(10, 6, 7, dtype), padded(how)
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=7)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize("tile", ["4, 4, 4", "16, 3, 0", "0, 0, 2", "5, 0, 8"])
def test_partial_tiles_become_whole_ones(tile) -> None:
    results = ", ".join(f"%l{i}" for i, n in enumerate(tile.split(", ")) if n != "0")
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        for_loops(f"%h, {results}", "%mm", tile),
        pad(f"{{{ZEROS}, padding_dimensions = [0, 1, 2]}}"),
    )
    payload = matmul(10, 6, 7)
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=7)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


def test_a_padded_tile_is_vectorized_without_masks() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        for_loops("%h, %i, %j, %k", "%mm", "4, 4, 4"),
        pad(f"{{{ZEROS}, padding_dimensions = [0, 1, 2]}}"),
        vectorize("%a"),
    )
    ran = transform(matmul(10, 6, 7), schedule)
    assert_same_numbers(ran, reduction=7)
    assert "mask" not in ran.text


@needs_mlir
@pytest.mark.parametrize("multiples", ["pad_to_multiple_of [4, 8] ", ""])
def test_sizes_of_the_run_time_are_rounded_up(multiples) -> None:
    how = (
        f"{multiples}use_prescribed_tensor_shapes "
        f"{{{ZEROS}, padding_dimensions = [0, 2]}}"
    )
    payload, schedule = matmul("?", 6, "?"), padded(how)  # type: ignore[arg-type]
    ran = transform(payload, schedule)
    for m, k in ((3, 7), (4, 8), (1, 0), (0, 5)):
        inputs = inputs_of(parse_payload(matmul(m, 6, k)))
        (want,) = evaluate(ran.before, inputs, shuffle=None)
        (got,) = evaluate(ran.module, inputs)
        outcome = compare(got, want, "f32", 8)
        assert outcome.ok, outcome.message
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@settings(max_examples=examples(12), deadline=None)
@given(
    sizes=st.tuples(*[st.integers(1, 9)] * 3),
    multiples=st.tuples(*[st.integers(1, 6)] * 3),
    loops=st.sets(st.integers(0, 2)),
)
def test_any_sizes_and_multiples(sizes, multiples, loops) -> None:
    dims = sorted(loops)
    of = [multiples[dim] for dim in dims]
    how = f"pad_to_multiple_of {of} {{padding_dimensions = {dims}}}"
    assert_same_numbers(transform(matmul(*sizes), padded(how)), reduction=9)


def test_parameters_say_the_multiples() -> None:
    schedule = schedule_of(
        match("%h", "linalg.matmul"),
        "%p = transform.param.constant 8 : i64 -> !transform.param<i64>",
        "%a, %b, %c = transform.structured.pad %h pad_to_multiple_of [4, %p] "
        "{padding_dimensions = [0, 1]} "
        f": ({OP}, !transform.param<i64>) -> ({OP}, {OP}, {OP})",
    )
    ran = transform(matmul(10, 6, 7), schedule)
    assert_same_numbers(ran, reduction=7)
    assert "-> tensor<12x8xf32>" in ran.text


def test_a_padded_op_can_be_padded_again() -> None:
    schedule = schedule_of(
        match("%h", "linalg.matmul"),
        pad("pad_to_multiple_of [4] {padding_dimensions = [0]}"),
        "%d, %e, %f = transform.structured.pad %a pad_to_multiple_of [5, 8] "
        f"{{padding_dimensions = [0, 2]}} : {THREE}",
    )
    assert_same_numbers(transform(matmul(10, 6, 7), schedule), reduction=7)


TWO = """\
func.func @f(%x: tensor<5x7xf32>, %o: tensor<5xf32>, %p: tensor<5x7xf32>)
    -> (tensor<5xf32>, tensor<5x7xf32>) {
  %r, %q = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                     affine_map<(d0, d1) -> (d0)>,
                     affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<5x7xf32>) outs(%o, %p : tensor<5xf32>, tensor<5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %e = math.exp %a : f32
    linalg.yield %b, %e : f32, f32
  } -> (tensor<5xf32>, tensor<5x7xf32>)
  return %r, %q : tensor<5xf32>, tensor<5x7xf32>
}
"""


@needs_mlir
def test_two_results_are_copied_back() -> None:
    schedule = padded(
        "pad_to_multiple_of [4, 4] {padding_dimensions = [0, 1]}", "linalg.generic"
    )
    ran = transform(TWO, schedule)
    assert_same_numbers(ran)
    assert_same_program(ran.text, by_real_mlir(TWO, schedule))
    assert ran.text.count("materialize_in_destination") == 2


@needs_mlir
def test_a_scalar_operand_is_left_alone() -> None:
    payload = """\
func.func @f(%v: f32, %o: tensor<10xf32>) -> tensor<10xf32> {
  %r = linalg.fill ins(%v : f32) outs(%o : tensor<10xf32>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}
"""
    schedule = padded(
        "pad_to_multiple_of [8] {padding_dimensions = [0]}", "linalg.fill"
    )
    ran = transform(payload, schedule)
    assert_same_numbers(ran)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
