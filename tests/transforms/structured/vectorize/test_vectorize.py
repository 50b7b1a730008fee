"""vectorize."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import elementwise, generic, linear, matmul, reduction
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    BUFFERIZE,
    TO_VECTORS,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    forall,
    include,
    inputs_of,
    match,
    patterns,
    refusal,
    schedule_of,
    transform,
    vectorize,
)
from tilewright.ir.errors import SilenceableFailure

RELU = "%m = arith.maximumf %x, %zero : f32\n    linalg.yield %m : f32"
GENERIC = match("%g", "linalg.generic")
LOWER_MASKS = patterns("vector.lower_masked_transfers", "canonicalization")

TRANSPOSED_BIAS = generic(
    ["(d0, d1) -> (d1, d0)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0, d1)"],
    ["parallel", "parallel"],
    [
        ("tensor<20x12xf32>", "f32"),
        ("tensor<20xf32>", "f32"),
        ("tensor<12x20xf32>", "f32"),
    ],
    "%s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32",
)
PERMUTED_OUTPUT = generic(
    ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1, d0)"],
    ["parallel", "parallel"],
    [("tensor<12x20xf32>", "f32"), ("tensor<20x12xf32>", "f32")],
    "%s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32",
)
UNIT_COLUMN = generic(
    ["(d0, d1) -> (d0, 0)", "(d0, d1) -> (d0, d1)"],
    ["parallel", "parallel"],
    [("tensor<12x1xf32>", "f32"), ("tensor<12x20xf32>", "f32")],
    "%s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32",
)
UNIT_RESULT = generic(
    ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, 0, d1)"],
    ["parallel", "parallel"],
    [("tensor<12x20xf32>", "f32"), ("tensor<12x1x20xf32>", "f32")],
    "%s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32",
)

# name: payload, op, sizes, whether real MLIR makes the same of it
CASES = {
    "relu": (elementwise(RELU), "linalg.generic", None, True),
    "relu_masked": (elementwise(RELU), "linalg.generic", "32", True),
    "matmul": (matmul(16, 8, 4, "f16"), "linalg.matmul", None, True),
    "matmul_masked": (matmul(12, 7, 3, "f16"), "linalg.matmul", "16, 8, 4", True),
    "fill": (linear(16, 16, 4), "linalg.fill", "16, 16", True),
    "sum": (reduction("arith.addf", "0.0"), "linalg.generic", "8, 32", True),
    "maximum": (
        reduction("arith.maximumf", "0xFF800000"),
        "linalg.generic",
        "8, 32",
        True,
    ),
    "transposed": (TRANSPOSED_BIAS, "linalg.generic", "16, 32", True),
    "permuted_output": (PERMUTED_OUTPUT, "linalg.generic", "16, 32", True),
    "unit_column": (UNIT_COLUMN, "linalg.generic", "16, 32", True),
    "unit_result": (UNIT_RESULT, "linalg.generic", "16, 32", False),
}


def schedule_for(op: str, sizes: str | None) -> str:
    return schedule_of(match("%h", op), vectorize("%h", sizes))


@pytest.mark.parametrize("name", CASES)
def test_golden_and_numbers(name, golden) -> None:
    payload, op, sizes, _ = CASES[name]
    ran = transform(payload, schedule_for(op, sizes))
    golden(f"transforms/vectorize_{name}.mlir", ran.text)
    assert_same_numbers(ran, reduction=32)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", [n for n, case in CASES.items() if case[3]])
def test_real_mlir_gives_the_same_program(name) -> None:
    payload, op, sizes, _ = CASES[name]
    schedule = schedule_for(op, sizes)
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


BODIES = {
    "compare": (
        "%c = arith.cmpf ogt, %x, %zero : f32\n"
        "%s = arith.select %c, %x, %zero : f32\nlinalg.yield %s : f32",
        "f32",
        "f32",
    ),
    "compare integers": (
        "%k = arith.constant 2 : i32\n%c = arith.cmpi sgt, %x, %k : i32\n"
        "%s = arith.select %c, %x, %k : i32\nlinalg.yield %s : i32",
        "i32",
        "i32",
    ),
    "to float": (
        "%s = arith.sitofp %x : i32 to f32\nlinalg.yield %s : f32",
        "i32",
        "f32",
    ),
    "to integer": (
        "%s = arith.fptosi %x : f32 to i32\nlinalg.yield %s : i32",
        "f32",
        "i32",
    ),
    "wider": ("%s = arith.extsi %x : i8 to i32\nlinalg.yield %s : i32", "i8", "i32"),
    "narrower": (
        "%s = arith.trunci %x : i32 to i8\nlinalg.yield %s : i8",
        "i32",
        "i8",
    ),
    "to half": (
        "%s = arith.truncf %x : f32 to bf16\nlinalg.yield %s : bf16",
        "f32",
        "bf16",
    ),
    "math": ("%s = math.exp %x : f32\nlinalg.yield %s : f32", "f32", "f32"),
    "constant inside": (
        "%q = arith.constant 2.5 : f32\n%s = arith.addf %x, %q : f32\n"
        "linalg.yield %s : f32",
        "f32",
        "f32",
    ),
    "argument as it is": ("linalg.yield %x : f32", "f32", "f32"),
    "a constant": ("linalg.yield %zero : f32", "f32", "f32"),
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("sizes", [None, "32"], ids=["whole", "masked"])
@pytest.mark.parametrize("name", BODIES)
def test_every_kind_of_scalar_op(name, sizes) -> None:
    body, given, made = BODIES[name]
    payload = elementwise(body, 30, given, made)
    ran = transform(payload, schedule_for("linalg.generic", sizes))
    assert "linalg.generic" not in ran.text
    assert_same_numbers(ran)
    mlir_opt(ran.text)


REDUCTIONS = {
    "arith.addf": ("0.0", "f32"),
    "arith.mulf": ("1.0", "f32"),
    "arith.maximumf": ("0xFF800000", "f32"),
    "arith.minimumf": ("0x7F800000", "f32"),
    "arith.maxnumf": ("0xFF800000", "f32"),
    "arith.minnumf": ("0x7F800000", "f32"),
    "arith.addi": ("0", "i32"),
    "arith.muli": ("1", "i32"),
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("combiner", REDUCTIONS)
def test_every_kind_of_reduction_down_to_buffers(combiner) -> None:
    payload = reduction(combiner, *REDUCTIONS[combiner])
    schedule = schedule_of(
        match("%func", "func.func"),
        match("%fill", "linalg.fill"),
        GENERIC,
        vectorize("%fill", "8"),
        vectorize("%g", "8, 32"),
        include("to_vectors", "%func"),
        BUFFERIZE,
        sequences=TO_VECTORS,
    )
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=30)
    for dump in ran.dumps:
        mlir_opt(dump.text)
    assert "vector.mask" not in ran.text


def test_a_masked_maximum_keeps_nan_and_infinity() -> None:
    payload = reduction("arith.maximumf", "0xFF800000")
    schedule = schedule_of(
        GENERIC, vectorize("%g", "8, 32"), LOWER_MASKS, patterns("canonicalization")
    )
    ran = transform(payload, schedule)
    (a,) = inputs_of(ran.before)
    a[1], a[2, 3], a[3, 29] = -np.inf, np.nan, np.inf
    (expected,) = evaluate(ran.before, [a])
    (actual,) = evaluate(ran.module, [a])
    assert np.array_equal(actual, expected, equal_nan=True)
    assert np.isneginf(actual[1]) and np.isnan(actual[2]) and np.isposinf(actual[3])


def test_a_partial_tile_is_masked_by_what_it_was_cut_to(golden) -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        forall("%t, %g", "%mm", "16, 16"),
        vectorize("%t", "16, 16, 32"),
    )
    ran = transform(matmul(40, 20, 30), schedule)
    assert_same_numbers(ran, reduction=30)
    golden("transforms/vectorize_partial_tile.mlir", ran.text)


def test_a_second_application_finds_nothing() -> None:
    payload = elementwise(RELU)
    once = schedule_of(GENERIC, vectorize("%g", "32"))
    twice = schedule_of(
        GENERIC,
        vectorize("%g", "32"),
        match("%again", "linalg.generic"),
        vectorize("%again", "32"),
    )
    assert transform(payload, twice).text == transform(payload, once).text


# -- refusals --------------------------------------------------------------------------

TILED = [match("%mm", "linalg.matmul"), forall("%g, %l", "%mm", "32, 32")]
STRIDED = generic(
    ["(d0) -> (d0, d0)", "(d0) -> (d0)"],
    ["parallel"],
    [("tensor<8x8xf32>", "f32"), ("tensor<8xf32>", "f32")],
    "linalg.yield %x0 : f32",
)
FIXED_COLUMN = generic(
    ["(d0) -> (d0, 1)", "(d0) -> (d0)"],
    ["parallel"],
    [("tensor<8x2xf32>", "f32"), ("tensor<8xf32>", "f32")],
    "linalg.yield %x0 : f32",
)
UNBOUNDED = """\
func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 1.0 : f32
  %g = linalg.fill ins(%c : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %g : tensor<?xf32>
}
"""
DIFFERENCE = reduction("arith.subf", "0.0")

REFUSALS = {
    "too small": (
        elementwise(RELU),
        [GENERIC, vectorize("%g", "16")],
        "vector size 16 does not cover loop 0 of extent 30",
        "tile the loop to at most 16, or use a larger vector size",
    ),
    "too small for a partial tile": (
        matmul(40, 40, 16),
        [*TILED, vectorize("%g", "16, 32, 16")],
        "vector size 16 does not cover loop 0 of extent 32",
        "tile the loop to at most 16, or use a larger vector size",
    ),
    "too few sizes": (
        matmul(8, 8, 8),
        [match("%g", "linalg.matmul"), vectorize("%g", "8, 8")],
        "2 vector sizes for an op with 3 loops",
        "give one size for each loop",
    ),
    "no size, dynamic": (
        matmul(40, 40, 16),
        [*TILED, vectorize("%g")],
        "loop 0 has an extent known only at run time",
        "give vector_sizes",
    ),
    "nothing bounds it": (
        UNBOUNDED,
        [match("%g", "linalg.fill"), vectorize("%g", "16")],
        "nothing bounds the extent of loop 0, vector size 16 may not cover it",
        "tile the loop by 16 first",
    ),
    "a diagonal": (
        STRIDED,
        [GENERIC, vectorize("%g", "8")],
        "an indexing map is not a projection of distinct loops",
        "make each result of the map a loop of its own",
    ),
    "a column that is not the first": (
        FIXED_COLUMN,
        [GENERIC, vectorize("%g", "8")],
        "an indexing map is not a projection of distinct loops",
        "make each result of the map a loop of its own",
    ),
    "an unknown combiner": (
        DIFFERENCE,
        [GENERIC, vectorize("%g", "8, 32")],
        "result 0 is reduced in a way that has no vector form",
        "use one of addf, addi, mulf, muli, maximumf, minimumf, maxnumf, minnumf, "
        "andi, ori, xori, maxsi, minsi, maxui, minui to combine",
    ),
    "not structured": (
        elementwise(RELU),
        [match("%g", "tensor.empty"), vectorize("%g", "32")],
        "'tensor.empty' is not a structured op",
        "match a linalg op",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name) -> None:
    payload, steps, fact, remedy = REFUSALS[name]
    error = refusal(payload, schedule_of(*steps))
    assert isinstance(error, SilenceableFailure)
    assert (error.fact, error.remedy) == (f"vectorize: {fact}", remedy)


def test_one_op_that_cannot_be_vectorized_spares_the_others() -> None:
    payload = linear(30, 30, 8)
    schedule = schedule_of(
        match("%fill", "linalg.fill"),
        match("%mm", "linalg.matmul"),
        "%both = transform.merge_handles %fill, %mm : !transform.any_op",
        vectorize("%both", "32, 32"),
    )
    error = refusal(payload, schedule)
    assert error.fact == "vectorize: 2 vector sizes for an op with 3 loops"
