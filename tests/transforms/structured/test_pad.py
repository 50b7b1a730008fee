"""structured.pad."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import generic, matmul
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
    parse_schedule,
    refusal,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure, UserError
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import compare

THREE = f"({OP}) -> ({OP}, {OP}, {OP})"
ZEROS = "padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]"


def pad(how: str, target: str = "%h") -> str:
    return f"%a, %b, %c = transform.structured.pad {target} {how} : {THREE}"


def padded(how: str, op: str = "linalg.matmul") -> str:
    return schedule_of(
        match("%h", op),
        pad(how),
        *(f'transform.annotate %{r} "{r}" : {OP}' for r in "abc"),
    )


HOW = {
    "rows": f"pad_to_multiple_of [4] {{{ZEROS}, padding_dimensions = [0]}}",
    "all": f"pad_to_multiple_of [4, 4, 4] {{{ZEROS}, padding_dimensions = [0, 1, 2]}}",
    "no_copy": f"pad_to_multiple_of [4, 8] {{{ZEROS}, padding_dimensions = [0, 1], "
    'copy_back_op = "none"}',
    "linalg_copy": f"pad_to_multiple_of [3] {{{ZEROS}, padding_dimensions = [1], "
    'copy_back_op = "linalg.copy"}',
    "nofold": f"pad_to_multiple_of [2] {{{ZEROS}, padding_dimensions = [0], "
    "nofold_flags = [1, 1, 0], transpose_paddings = [[1, 0], [0, 1]]}",
    "nothing": f"{{{ZEROS}}}",
    "whole_already": f"{{{ZEROS}, padding_dimensions = [0, 1, 2]}}",
    "zeros_by_default": "pad_to_multiple_of [16, 16, 16] "
    "{padding_dimensions = [0, 1, 2]}",
    "strings": 'pad_to_multiple_of [4] {padding_values = ["0.0", "1.5", "0.0"], '
    "padding_dimensions = [0]}",
    "prescribed": "pad_to_multiple_of [4, 2] use_prescribed_tensor_shapes "
    f"{{{ZEROS}, padding_dimensions = [0, 2]}}",
    "all_in_braces": f"pad_to_multiple_of [4] {{{ZEROS}, padding_dimensions = [0], "
    "use_prescribed_tensor_shapes, mark}",
    "more_values": "pad_to_multiple_of [4] {padding_values = [0.0 : f32, 0.0 : f32, "
    "0.0 : f32, 0.0 : f32], padding_dimensions = [0]}",
}


@pytest.mark.parametrize("name", ["rows", "all", "linalg_copy", "nofold"])
def test_golden(name, golden) -> None:
    golden(
        f"transforms/pad_{name}.mlir",
        transform(matmul(10, 6, 7), padded(HOW[name])).text,
    )


@pytest.mark.sampled(6)
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


# -- what padding may not change ---------------------------------------------------


def rows(combine: str, of: str = "f32") -> str:
    return generic(
        ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [(f"tensor<6x7x{of}>", of), (f"tensor<6x{of}>", of)],
        combine,
    )


def combined(op: str, of: str = "f32") -> str:
    return rows(f"%s = {op} %x0, %x1 : {of}\n    linalg.yield %s : {of}", of)


NEUTRAL = {
    ("arith.addf", "f32"): "0.0",
    ("arith.mulf", "f32"): "1.0",
    ("arith.maximumf", "f32"): "0xFF800000",
    ("arith.minimumf", "f32"): "0x7F800000",
    ("arith.maxnumf", "f32"): "0xFF800000",
    ("arith.addi", "i32"): "0",
    ("arith.muli", "i32"): "1",
    ("arith.maxsi", "i32"): "-2147483648",
    ("arith.minui", "i32"): "-1",
    ("arith.andi", "i32"): "-1",
    ("arith.xori", "i32"): "0",
}


def reduction_padded(value: str, of: str = "f32") -> str:
    return padded(
        f"pad_to_multiple_of [4] {{padding_values = [{value} : {of}, {value} : {of}], "
        "padding_dimensions = [1]}",
        "linalg.generic",
    )


@pytest.mark.parametrize(("op", "of"), NEUTRAL)
def test_neutral_values_are_taken_and_others_refused(op, of) -> None:
    value = NEUTRAL[(op, of)]
    ran = transform(combined(op, of), reduction_padded(value, of))
    assert_same_numbers(ran, reduction=8)
    wrong = ("2.0" if of == "f32" else "2") if value not in ("2", "2.0") else "3"
    error = refusal(combined(op, of), reduction_padded(wrong, of))
    assert isinstance(error, SilenceableFailure)
    assert "these padding_values would change result 0" in str(error)
    assert "leave the loop out" in str(error)


def test_zeros_by_default_are_no_good_for_a_maximum() -> None:
    schedule = padded(
        "pad_to_multiple_of [4] {padding_dimensions = [1]}", "linalg.generic"
    )
    error = refusal(combined("arith.maximumf"), schedule)
    assert "reduced over loop 1" in str(error)


def test_a_large_number_is_no_infinity() -> None:
    refusal(combined("arith.maximumf"), reduction_padded("-1.0e30"))


EXPONENTIALS = """%e = math.exp %x0 : f32
    %s = arith.addf %x1, %e : f32
    linalg.yield %s : f32"""


def test_the_body_decides_and_not_the_combiner() -> None:
    refusal(rows(EXPONENTIALS), reduction_padded("0.0"))
    ran = transform(rows(EXPONENTIALS), reduction_padded("0xFF800000"))
    assert_same_numbers(ran, reduction=8)


INDICES = """%k = linalg.index 1 : index
    %n = arith.index_cast %k : index to i64
    %p = arith.muli %x0, %n : i64
    %s = arith.addi %x1, %p : i64
    linalg.yield %s : i64"""


def test_an_index_past_the_end_counts_too() -> None:
    assert_same_numbers(transform(rows(INDICES, "i64"), reduction_padded("0", "i64")))
    added = INDICES.replace("arith.muli", "arith.addi")
    refusal(rows(added, "i64"), reduction_padded("0", "i64"))


def test_a_reduction_that_is_whole_may_be_padded_with_anything() -> None:
    schedule = padded(
        "pad_to_multiple_of [4, 7] {padding_values = [2.0 : f32, 2.0 : f32], "
        "padding_dimensions = [0, 1]}",
        "linalg.generic",
    )
    ran = transform(combined("arith.addf"), schedule)
    assert_same_numbers(ran, reduction=7)


def test_one_factor_of_a_product_is_enough() -> None:
    payload = generic(
        ["(d0, d1) -> (d0)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [("tensor<6xf32>", "f32"), ("tensor<7xf32>", "f32"), ("tensor<6xf32>", "f32")],
        """%p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %x2, %p : f32
    linalg.yield %s : f32""",
    )
    ran = transform(
        payload,
        padded("pad_to_multiple_of [4] {padding_dimensions = [1]}", "linalg.generic"),
    )
    assert_same_numbers(ran, reduction=8)


# -- refusals ----------------------------------------------------------------------

WINDOW = generic(
    ["(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)"],
    ["parallel", "reduction"],
    [("tensor<12xf32>", "f32"), ("tensor<3xf32>", "f32"), ("tensor<10xf32>", "f32")],
    """%p = arith.mulf %x0, %x1 : f32
    %s = arith.addf %x2, %p : f32
    linalg.yield %s : f32""",
)
BUFFERS = """\
func.func @f(%v: f32, %o: memref<10xf32>) {
  linalg.fill ins(%v : f32) outs(%o : memref<10xf32>)
  return
}
"""

REFUSALS = {
    "nothing bounds it": (
        matmul("?", 6, 7),  # type: ignore[arg-type]
        padded("pad_to_multiple_of [4] {padding_dimensions = [0]}"),
        "nothing bounds dimension 0 of operand 0",
    ),
    "too few values": (
        matmul(10, 6, 7),
        padded(
            "pad_to_multiple_of [4] {padding_values = [0.0 : f32, 0.0 : f32], "
            "padding_dimensions = [0]}"
        ),
        "there is no padding value for operand 2",
    ),
    "no such loop": (
        matmul(10, 6, 7),
        padded("pad_to_multiple_of [4] {padding_dimensions = [3]}"),
        "names loop 3 of an op with 3 loops",
    ),
    "a sum of loops": (
        WINDOW,
        padded("pad_to_multiple_of [4] {padding_dimensions = [0]}", "linalg.generic"),
        "dimension 0 of operand 0 is not indexed by loop 0 alone",
    ),
    "buffers": (
        BUFFERS,
        padded("pad_to_multiple_of [4] {padding_dimensions = [0]}", "linalg.fill"),
        "pad, then bufferize",
    ),
    "not structured": (
        matmul(10, 6, 7),
        padded("{padding_dimensions = [0]}", "func.return"),
        "is not a structured op",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name) -> None:
    payload, schedule, words = REFUSALS[name]
    error = refusal(payload, schedule)
    assert isinstance(error, SilenceableFailure)
    assert words in str(error)


def test_a_value_of_another_type_is_an_error() -> None:
    schedule = padded(
        "pad_to_multiple_of [4] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f64], "
        "padding_dimensions = [0]}"
    )
    error = refusal(matmul(10, 6, 7), schedule)
    assert isinstance(error, DefiniteFailure)
    assert "expected a padding value of type f32 for operand 2" in str(error)


REJECTED = {
    "pad_to_multiple_of [4] {padding_dimensions = [0, 1]}": "as many multiples",
    "{padding_dimensions = [-1]}": "numbers of loops",
    "{nofold_flags = [2]}": "0 and 1",
    "{transpose_paddings = [[0, 0]]}": "permutations",
    '{copy_back_op = "memcpy"}': "copy_back_op",
}


@needs_mlir
@pytest.mark.parametrize("how", REJECTED)
def test_wrong_attributes_are_rejected_where_they_stand(how) -> None:
    with pytest.raises(UserError, match=REJECTED[how]) as caught:
        transform(matmul(4, 4, 4), padded(how))
    assert caught.value.place is not None


@needs_mlir
def test_real_mlir_reads_the_op() -> None:
    for how in HOW.values():
        printed = mlir_opt(to_text(parse_schedule(padded(how))))
        again = mlir_opt(printed, "--mlir-print-op-generic")
        twice = mlir_opt(to_text(parse_schedule(again)))
        line = next(row for row in printed.splitlines() if "structured.pad" in row)
        assert line.strip() in [row.strip() for row in twice.splitlines()]


def test_nan_in_what_is_not_padded_stays() -> None:
    ran = transform(matmul(3, 3, 3), padded(HOW["all"]))
    inputs = inputs_of(ran.before)
    inputs[0][1, 1] = np.nan
    (got,) = evaluate(ran.module, inputs)
    (want,) = evaluate(ran.before, inputs)
    assert (np.isnan(got) == np.isnan(want)).all()
