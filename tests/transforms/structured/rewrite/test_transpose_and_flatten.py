"""transpose_matmul and flatten_elementwise."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import generic, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    inputs_of,
    match,
    parse_payload,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import compare


def verb(name: str, op: str, side: str = "") -> str:
    return schedule_of(
        match("%h", op),
        f"%r = transform.structured.{name} %h {side}: ({OP}) -> {OP}",
        f'transform.annotate %r "made" : {OP}',
    )


def same_by_real_mlir(payload: str, schedule: str, reduction: int = 1) -> str:
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=reduction)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    return ran.text


# -- transpose_matmul --------------------------------------------------------------


def batched(b: str, m: str, n: str, k: str) -> str:
    x, y, o = (
        f"tensor<{b}x{m}x{k}xf16>",
        f"tensor<{b}x{k}x{n}xf16>",
        f"tensor<{b}x{m}x{n}xf32>",
    )
    return f"""\
func.func @f(%x: {x}, %y: {y}, %o: {o}) -> {o} {{
  %r = linalg.batch_matmul ins(%x, %y : {x}, {y}) outs(%o : {o}) -> {o}
  return %r : {o}
}}
"""


@needs_mlir
@pytest.mark.parametrize("side", ["", "<lhs> ", "<rhs> "])
def test_transpose(side, golden) -> None:
    schedule = verb("transpose_matmul", "linalg.matmul", side)
    text = same_by_real_mlir(matmul(4, 5, 7, "f16"), schedule, reduction=7)
    if side == "<rhs> ":
        golden("transforms/transpose_matmul.mlir", text)


@needs_mlir
@pytest.mark.parametrize("side", ["<lhs> ", "<rhs> "])
def test_transpose_in_batches(side) -> None:
    schedule = verb("transpose_matmul", "linalg.batch_matmul", side)
    same_by_real_mlir(batched("3", "4", "5", "7"), schedule, reduction=7)


@needs_mlir
@pytest.mark.parametrize("side", ["<lhs> ", "<rhs> "])
def test_transpose_extents_of_the_run_time(side) -> None:
    schedule = verb("transpose_matmul", "linalg.batch_matmul", side)
    payload = batched("?", "4", "5", "?")
    ran = transform(payload, schedule)
    inputs = inputs_of(parse_payload(batched("3", "4", "5", "7")))
    (want,), (got,) = evaluate(ran.before, inputs), evaluate(ran.module, inputs)
    assert compare(got, want, "f32", 7).ok
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


def test_transposing_twice_reads_it_straight_again() -> None:
    schedule = schedule_of(
        match("%h", "linalg.matmul"),
        f"%r = transform.structured.transpose_matmul %h <rhs> : ({OP}) -> {OP}",
        f"%s = transform.structured.transpose_matmul %r <rhs> : ({OP}) -> {OP}",
    )
    ran = transform(matmul(4, 5, 7), schedule)
    assert_same_numbers(ran, reduction=7)
    assert "indexing_maps" not in ran.text


def test_transpose_refuses_a_factor_of_one_dimension() -> None:
    payload = """\
func.func @f(%x: tensor<7xf32>, %y: tensor<7x5xf32>, %o: tensor<4x5xf32>)
    -> tensor<4x5xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k)>,
      affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %y : tensor<7xf32>, tensor<7x5xf32>) outs(%o : tensor<4x5xf32>)
      -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
"""
    error = refusal(payload, verb("transpose_matmul", "linalg.matmul"))
    assert "the lhs is broadcast" in str(error)


def test_transpose_refuses_other_ops() -> None:
    error = refusal(matmul(4, 4, 4), verb("transpose_matmul", "func.return"))
    assert "neither linalg.matmul, linalg.batch_matmul nor" in str(error)


def contracted(of_y: str, y: str) -> str:
    x, o = "tensor<2x3x4x7xf32>", "tensor<2x3x4x5xf32>"
    return f"""\
func.func @f(%x: {x}, %y: {y}, %o: {o}) -> {o} {{
  %r = linalg.contract indexing_maps = [affine_map<(a, b, m, n, k) -> (a, b, m, k)>,
      affine_map<(a, b, m, n, k) -> {of_y}>,
      affine_map<(a, b, m, n, k) -> (a, b, m, n)>]
      ins(%x, %y : {x}, {y}) outs(%o : {o}) -> {o}
  return %r : {o}
}}
"""


def test_the_sum_of_a_contraction_comes_last() -> None:
    """Heads lie between the rows and the columns of a value of attention."""
    schedule = verb("transpose_matmul", "linalg.contract", "<rhs> ")
    ran = transform(contracted("(a, k, b, n)", "tensor<2x7x3x5xf32>"), schedule)
    assert_same_numbers(ran, reduction=7)
    assert "permutation = [0, 2, 3, 1]" in ran.text


def test_a_contraction_along_its_factor_is_not_transposed() -> None:
    payload = contracted("(a, b, n, k)", "tensor<2x3x5x7xf32>")
    error = refusal(payload, verb("transpose_matmul", "linalg.contract", "<rhs> "))
    assert "the rhs is not summed along one dimension before its last" in str(error)


# -- flatten_elementwise -----------------------------------------------------------


def add(shape: str, op: str = "linalg.add") -> str:
    kind = f"tensor<{shape}f32>"
    return f"""\
func.func @f(%x: {kind}, %y: {kind}, %o: {kind}) -> {kind} {{
  %r = {op} ins(%x, %y : {kind}, {kind}) outs(%o : {kind}) -> {kind}
  return %r : {kind}
}}
"""


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("shape", ["4x5x", "2x3x7x", "5x", "", "1x1x", "4x0x"])
def test_flatten(shape, golden) -> None:
    schedule = verb("flatten_elementwise", "linalg.add")
    text = same_by_real_mlir(add(shape), schedule)
    if shape == "4x5x":
        golden("transforms/flatten_elementwise.mlir", text)


@needs_mlir
@pytest.mark.parametrize("shape", ["?x5x", "4x?x3x", "?x?x"])
def test_flatten_extents_of_the_run_time(shape) -> None:
    schedule = verb("flatten_elementwise", "linalg.add")
    ran = transform(add(shape), schedule)
    inputs = inputs_of(parse_payload(add(shape.replace("?", "6"))))
    (want,), (got,) = evaluate(ran.before, inputs), evaluate(ran.module, inputs)
    assert (want == got).all()
    assert_same_program(ran.text, by_real_mlir(add(shape), schedule))


GENERIC = """\
func.func @f(%x: tensor<4x5xf32>, %v: f32, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>,
                     affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x, %v : tensor<4x5xf32>, f32) outs(%o : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
"""
INDICES = generic(
    ["(d0, d1, d2) -> (d0, d1, d2)"] * 2,
    ["parallel"] * 3,
    [("tensor<2x3x5xi64>", "i64")] * 2,
    """%i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %s = arith.muli %i, %j : index
    %t = arith.addi %s, %k : index
    %n = arith.index_cast %t : index to i64
    %r = arith.muli %n, %x0 : i64
    linalg.yield %r : i64""",
)


@needs_mlir
@pytest.mark.parametrize("payload", [GENERIC, INDICES])
def test_flatten_a_generic_op(payload) -> None:
    same_by_real_mlir(payload, verb("flatten_elementwise", "linalg.generic"))


def test_flattening_again_changes_nothing() -> None:
    schedule = schedule_of(
        match("%h", "linalg.add"),
        f"%r = transform.structured.flatten_elementwise %h : ({OP}) -> {OP}",
        f"%s = transform.structured.flatten_elementwise %r : ({OP}) -> {OP}",
    )
    assert len(transform(add("4x5x"), schedule).dumps) == 1


TRANSPOSED = generic(
    ["(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)"],
    ["parallel", "parallel"],
    [("tensor<5x4xf32>", "f32"), ("tensor<4x5xf32>", "f32")],
    "linalg.yield %x0 : f32",
)


def test_flatten_refuses_what_is_not_element_by_element() -> None:
    error = refusal(TRANSPOSED, verb("flatten_elementwise", "linalg.generic"))
    assert "operand 0 is not indexed by the loops in their order" in str(error)
    error = refusal(matmul(4, 4, 4), verb("flatten_elementwise", "linalg.matmul"))
    assert "it has a reduction" in str(error)
    error = refusal(matmul(4, 4, 4), verb("flatten_elementwise", "func.return"))
    assert "is not a structured op" in str(error)


@needs_mlir
@pytest.mark.parametrize(
    ("name", "side"), [("transpose_matmul", "<rhs> "), ("flatten_elementwise", "")]
)
def test_real_mlir_reads_the_op(name, side) -> None:
    printed = mlir_opt(to_text(parse_schedule(verb(name, "linalg.matmul", side))))
    line = f"transform.structured.{name} %0{side or ' '}: ({OP}) -> {OP}"
    assert line in printed
    again = mlir_opt(printed, "--mlir-print-op-generic")
    assert line in to_text(parse_schedule(again))
