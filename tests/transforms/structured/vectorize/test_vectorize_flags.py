"""vectorize: ops on buffers, and the flags of the op."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
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
    parse_schedule,
    refusal,
    schedule_of,
    transform,
    vectorize,
)
from support.transforms.vectorized import (
    CAUSAL,
    GENERIC,
    NAMED,
    indexed,
    named,
    same_by_real_mlir,
)
from tilewright.ir.interpreter import run
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import compare


@needs_mlir
@pytest.mark.parametrize("sizes", [None, "8, 16, 8"])
def test_an_op_on_buffers(sizes, golden) -> None:
    a, b, c = (f"memref<{shape}xf32>" for shape in ("5x7", "7x9", "5x9"))
    payload = f"""\
func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
  linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c})
  return %c : {c}
}}
"""
    schedule = schedule_of(match("%g", "linalg.matmul"), vectorize("%g", sizes))
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    inputs = inputs_of(ran.before)
    (want,) = run(ran.before, [value.copy() for value in inputs])
    (got,) = run(ran.module, [value.copy() for value in inputs])
    outcome = compare(got, want, "f32", 7)
    assert outcome.ok, outcome.message
    if sizes is not None:
        golden("transforms/vectorize_buffers.mlir", ran.text)


@needs_mlir
def test_a_view_of_a_buffer_bounds_its_partial_tile() -> None:
    payload = """\
func.func @f(%x: memref<20xf32>, %i: index) {
  %c = arith.constant 1.0 : f32
  %n = affine.min affine_map<(d0) -> (-d0 + 20, 8)>(%i)
  %v = memref.subview %x[%i] [%n] [1]
      : memref<20xf32> to memref<?xf32, strided<[1], offset: ?>>
  linalg.fill ins(%c : f32) outs(%v : memref<?xf32, strided<[1], offset: ?>>)
  return
}
"""
    schedule = schedule_of(match("%g", "linalg.fill"), vectorize("%g", "8"))
    ours = transform(payload, schedule).text
    assert_same_program(ours, by_real_mlir(payload, schedule))
    error = refusal(payload, schedule.replace("[8]", "[4]"))
    assert "vector size 4 does not cover loop 0 of extent 8" in str(error)


def flagged(target: str, sizes: str | None, flag: str) -> str:
    line = vectorize(target, sizes)
    return line.replace(f" : {OP}", f" {{{flag}}} : {OP}")


@needs_mlir
@pytest.mark.parametrize("sizes", [None, "8, 16, 16"])
@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_create_named_contraction(sizes, dtype, golden) -> None:
    schedule = schedule_of(
        match("%g", "linalg.matmul"), flagged("%g", sizes, "create_named_contraction")
    )
    payload = matmul(5, 9, 11, dtype)
    text = same_by_real_mlir(payload, schedule, reduction=11)
    assert "vector.multi_reduction" not in text
    if (sizes, dtype) == ("8, 16, 16", "f16"):
        golden("transforms/vectorize_contract.mlir", text)


@needs_mlir
@pytest.mark.parametrize("op", ["linalg.matvec", "linalg.dot"])
def test_create_named_contraction_of_fewer_dimensions(op) -> None:
    schedule = schedule_of(
        match("%g", op), flagged("%g", None, "create_named_contraction")
    )
    if op == "linalg.dot":  # real MLIR's contraction fails its verifier
        assert_same_numbers(transform(NAMED[op], schedule), reduction=5)
        return
    same_by_real_mlir(NAMED[op], schedule, reduction=12)


def test_only_contractions_are_contractions() -> None:
    schedule = schedule_of(
        match("%g", "linalg.reduce"), flagged("%g", None, "create_named_contraction")
    )
    error = refusal(NAMED["linalg.reduce"], schedule)
    assert "not one sum of products of two inputs" in str(error)


PROMISED = named(
    "linalg.exp ins(%x : tensor<?x12xf32>) outs(%o : tensor<?x12xf32>) "
    "-> tensor<?x12xf32>",
    {"x": "tensor<?x12xf32>", "o": "tensor<?x12xf32>"},
    "tensor<?x12xf32>",
)


@needs_mlir
def test_a_promise_makes_masks_unnecessary() -> None:
    flag = "assume_dynamic_dims_match_vec_sizes"
    schedule = schedule_of(match("%g", "linalg.exp"), flagged("%g", "4, 12", flag))
    ran = transform(PROMISED, schedule)
    assert "mask" not in ran.text
    assert_same_program(ran.text, by_real_mlir(PROMISED, schedule))
    inputs = inputs_of(parse_payload(PROMISED.replace("?", "4")))
    assert (evaluate(ran.before, inputs)[0] == evaluate(ran.module, inputs)[0]).all()
    kept = refusal(PROMISED, schedule.replace(f"{{{flag}}}", ""))
    assert "nothing bounds the extent of loop 0" in str(kept)


def test_scalable_sizes_are_read_and_refused() -> None:
    schedule = schedule_of(match("%g", "linalg.exp"), vectorize("%g", "4, [8]"))
    error = refusal(NAMED["linalg.exp"], schedule)
    assert "scalable vector sizes are not supported" in str(error)


@needs_mlir
def test_real_mlir_reads_the_op() -> None:
    forms = [
        vectorize("%g"),
        vectorize("%g", "4, [8], 16"),
        flagged("%g", "4", "vectorize_nd_extract"),
        flagged("%g", "4", "assume_dynamic_dims_match_vec_sizes"),
        flagged("%g", None, "create_named_contraction"),
    ]
    for form in forms:
        schedule = schedule_of(match("%g", "linalg.exp"), form)
        printed = mlir_opt(to_text(parse_schedule(schedule)))
        assert form.partition("%g")[2] in printed
        again = mlir_opt(printed, "--mlir-print-op-generic")
        assert form.partition("%g")[2] in to_text(parse_schedule(again))


def test_a_loop_around_is_no_hindrance() -> None:
    schedule = schedule_of(
        GENERIC, for_loops("%t, %l", "%g", "3, 0"), vectorize("%t", "4, 8")
    )
    assert_same_numbers(transform(indexed((7, 8), CAUSAL), schedule))
