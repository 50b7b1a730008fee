"""vectorize: indices, buffers, single numbers, named ops, and its flags."""

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
    for_loops,
    forall,
    inputs_of,
    match,
    parse_payload,
    parse_schedule,
    patterns,
    refusal,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.interpreter import run
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import compare

GENERIC = match("%g", "linalg.generic")


def same_by_real_mlir(payload: str, schedule: str, reduction: int = 1) -> str:
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=reduction)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    return ran.text


# -- indices -----------------------------------------------------------------------


def indexed(shape: tuple[int, ...], body: str, of: str = "f32") -> str:
    dims = ", ".join(f"d{i}" for i in range(len(shape)))
    kind = f"tensor<{'x'.join(str(n) for n in shape)}x{of}>"
    return generic(
        [f"({dims}) -> ({dims})"] * 2,
        ["parallel"] * len(shape),
        [(kind, of), (kind, of)],
        body,
    )


CAUSAL = """%i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %z = arith.constant -1.0 : f32
    %s = arith.select %c, %x0, %z : f32
    linalg.yield %s : f32"""

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


@pytest.mark.sampled(6)
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


# -- bodies and ranks --------------------------------------------------------------


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


@pytest.mark.sampled(6)
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


def named(line: str, operands: dict[str, str], result: str) -> str:
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in operands.items())
    return f"""\
func.func @f({arguments}) -> {result} {{
  %r = {line}
  return %r : {result}
}}
"""


A, B, V = "tensor<5x12xf32>", "tensor<12x5xf32>", "tensor<5xf32>"
NAMED = {
    "linalg.reduce": named(
        f"linalg.reduce {{ arith.addf }} ins(%x : {A}) outs(%o : {V}) dimensions = [1]",
        {"x": A, "o": V},
        V,
    ),
    "linalg.broadcast": named(
        f"linalg.broadcast ins(%x : {V}) outs(%o : {A}) dimensions = [1]",
        {"x": V, "o": A},
        A,
    ),
    "linalg.transpose": named(
        f"linalg.transpose ins(%x : {A}) outs(%o : {B}) permutation = [1, 0]",
        {"x": A, "o": B},
        B,
    ),
    "linalg.copy": named(
        f"linalg.copy ins(%x : {A}) outs(%o : {A}) -> {A}", {"x": A, "o": A}, A
    ),
    "linalg.fill": named(
        f"linalg.fill ins(%x : f32) outs(%o : {A}) -> {A}", {"x": "f32", "o": A}, A
    ),
    "linalg.exp": named(
        f"linalg.exp ins(%x : {A}) outs(%o : {A}) -> {A}", {"x": A, "o": A}, A
    ),
    "linalg.div": named(
        f"linalg.div ins(%x, %y : {A}, {A}) outs(%o : {A}) -> {A}",
        {"x": A, "y": A, "o": A},
        A,
    ),
    "linalg.matvec": named(
        f"linalg.matvec ins(%x, %y : {B}, {V}) outs(%o : tensor<12xf32>) "
        "-> tensor<12xf32>",
        {"x": B, "y": V, "o": "tensor<12xf32>"},
        "tensor<12xf32>",
    ),
    "linalg.dot": named(
        f"linalg.dot ins(%x, %y : {V}, {V}) outs(%o : tensor<f32>) -> tensor<f32>",
        {"x": V, "y": V, "o": "tensor<f32>"},
        "tensor<f32>",
    ),
}


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize("op", NAMED)
@pytest.mark.parametrize("masked", [False, True])
def test_named_ops(op, masked) -> None:
    sizes = "16" if op == "linalg.dot" else "16, 16"
    schedule = schedule_of(match("%g", op), vectorize("%g", sizes if masked else None))
    same_by_real_mlir(NAMED[op], schedule, reduction=12)


# -- buffers -----------------------------------------------------------------------


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


# -- flags -------------------------------------------------------------------------


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
