"""split_reduction."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.sampling import mostly_slow
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


def rows(rows_: str, columns: str, combine: str = "arith.addf", of: str = "f32") -> str:
    return generic(
        ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [(f"tensor<{rows_}x{columns}x{of}>", of), (f"tensor<{rows_}x{of}>", of)],
        f"%s = {combine} %x0, %x1 : {of}\n    linalg.yield %s : {of}",
    )


def columns(combine: str = "arith.addf") -> str:
    return generic(
        ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1)"],
        ["reduction", "parallel"],
        [("tensor<32x6xf32>", "f32"), ("tensor<6xf32>", "f32")],
        f"%s = {combine} %x0, %x1 : f32\n    linalg.yield %s : f32",
    )


def split(how: str, op: str = "linalg.generic") -> str:
    return schedule_of(
        match("%h", op),
        f"%a, %b, %c, %d = transform.structured.split_reduction %h {{{how}}} "
        f": ({OP}) -> ({OP}, {OP}, {OP}, {OP})",
        *(f'transform.annotate %{r} "{r}" : {OP}' for r in "abcd"),
    )


HOW = {
    "plain": "split_factor = 4, insert_split_dimension = 1",
    "first": "split_factor = 4, insert_split_dimension = 0",
    "all": "split_factor = 32, insert_split_dimension = 1",
    "inner": "split_factor = 4, insert_split_dimension = 1, inner_parallel",
    "inner_first": "split_factor = 8, insert_split_dimension = 0, inner_parallel",
    "alloc": "split_factor = 4, insert_split_dimension = 1, use_alloc",
    "scaling": "split_factor = 4, insert_split_dimension = 1, use_scaling_algorithm",
    "scaling_alloc": "split_factor = 4, insert_split_dimension = 1, "
    "use_scaling_algorithm, use_alloc",
}


@pytest.mark.parametrize("name", HOW)
def test_golden(name, golden) -> None:
    ran = transform(rows("6", "32"), split(HOW[name]))
    assert_same_numbers(ran, reduction=32)
    golden(f"transforms/split_reduction_{name}.mlir", ran.text)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", HOW)
def test_real_mlir_gives_the_same_program(name) -> None:
    payload, schedule = rows("6", "32"), split(HOW[name])
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize("name", ["plain", "first", "inner", "inner_first"])
def test_an_outer_reduction(name) -> None:
    ran = transform(columns(), split(HOW[name]))
    assert_same_numbers(ran, reduction=32)
    assert_same_program(ran.text, by_real_mlir(columns(), split(HOW[name])))


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize(
    "how",
    [
        "split_factor = 4, insert_split_dimension = 0",
        "split_factor = 3, insert_split_dimension = 1",
        "split_factor = 6, insert_split_dimension = 2",
        "split_factor = 6, insert_split_dimension = 1, inner_parallel",
        "split_factor = 3, insert_split_dimension = 2, use_scaling_algorithm",
    ],
)
def test_split_k_of_a_matmul(how) -> None:
    payload, schedule = matmul(5, 7, 12), split(how, "linalg.matmul")
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=12)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


FLOATS = ["addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"]
INTEGERS = ["addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"]


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("flags", ["ninf", "nnan", "fast"])
@pytest.mark.parametrize("of", ["f32", "bf16"])
@pytest.mark.parametrize("op", ["maximumf", "minimumf", "maxnumf", "minnumf"])
def test_neutral_elements_under_fastmath(op: str, of: str, flags: str) -> None:
    """Infinities are poison under ninf: the start is the lowest or largest number."""
    payload = rows("3", "32", f"arith.{op}", of)
    payload = payload.replace("%x0, %x1 :", f"%x0, %x1 fastmath<{flags}> :")
    ran = transform(payload, split(HOW["plain"]))
    assert_same_program(ran.text, by_real_mlir(payload, split(HOW["plain"])))


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("op", [*FLOATS, *INTEGERS])
@pytest.mark.parametrize("name", mostly_slow(["plain", "scaling"], ["plain"]))
def test_every_combiner_starts_from_its_neutral_element(op, name) -> None:
    of = "f32" if op in FLOATS else "i32"
    payload, schedule = rows("3", "32", f"arith.{op}", of), split(HOW[name])
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=32)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@pytest.mark.parametrize("name", ["first", "scaling"])
def test_the_new_dimension_goes_where_it_is_asked_for(name) -> None:
    # Real MLIR's scaling algorithm fails its verifier unless the two numbers agree.
    how = HOW[name].replace("dimension = 1", "dimension = 0")
    ran = transform(rows("6", "32"), split(how))
    assert_same_numbers(ran, reduction=32)
    partial = "tensor<8x6xf32>" if name == "scaling" else "tensor<4x6xf32>"
    assert f"-> {partial}" in ran.text


def test_the_first_of_two_reductions() -> None:
    payload = generic(
        ["(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1, d2) -> (d1)"],
        ["reduction", "parallel", "reduction"],
        [("tensor<12x5x7xf32>", "f32"), ("tensor<5xf32>", "f32")],
        "%s = arith.addf %x0, %x1 : f32\n    linalg.yield %s : f32",
    )
    for how in ("plain", "scaling"):
        assert_same_numbers(transform(payload, split(HOW[how])), reduction=84)


@pytest.mark.parametrize("name", HOW)
def test_indices_in_the_body_stay_what_they_were(name) -> None:
    # Real MLIR leaves linalg.index as it is, which then counts another loop.
    payload = generic(
        ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
        ["parallel", "reduction"],
        [("tensor<6x32xi64>", "i64"), ("tensor<6xi64>", "i64")],
        """%i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %f = arith.index_cast %i : index to i64
    %g = arith.index_cast %k : index to i64
    %p = arith.muli %x0, %g : i64
    %q = arith.addi %p, %f : i64
    %s = arith.addi %q, %x1 : i64
    linalg.yield %s : i64""",
    )
    assert_same_numbers(transform(payload, split(HOW[name])))


@pytest.mark.parametrize("name", ["plain", "inner_first", "alloc", "scaling"])
def test_extents_of_the_run_time(name) -> None:
    payload, schedule = rows("?", "32"), split(HOW[name])
    ran = transform(payload, schedule)
    for count in (3, 1, 0):
        inputs = inputs_of(parse_payload(rows(str(count), "32")))
        (want,) = evaluate(ran.before, inputs, shuffle=None)
        (got,) = evaluate(ran.module, inputs)
        outcome = compare(got, want, "f32", 32)
        assert outcome.ok, outcome.message


@needs_mlir
def test_scaling_with_extents_of_the_run_time_by_real_mlir() -> None:
    payload, schedule = rows("?", "32"), split(HOW["scaling"])
    ours = transform(payload, schedule).text
    assert_same_program(ours, by_real_mlir(payload, schedule))
    mlir_opt(transform(payload, split(HOW["plain"])).text)


def test_a_split_reduction_can_be_split_again() -> None:
    ops = f"({OP}) -> ({OP}, {OP}, {OP}, {OP})"
    verb = "transform.structured.split_reduction"
    schedule = schedule_of(
        match("%h", "linalg.generic"),
        f"%a, %b, %c, %d = {verb} %h {{{HOW['plain']}}} : {ops}",
        f"%e, %f, %g, %i = {verb} %c {{split_factor = 2}} : {ops}",
        f"%j, %k, %l, %m = {verb} %d {{split_factor = 2}} : {ops}",
    )
    assert_same_numbers(transform(rows("6", "32"), schedule), reduction=32)


NO_NEUTRAL = generic(
    ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"],
    ["parallel", "reduction"],
    [("tensor<6x32xf32>", "f32"), ("tensor<6xf32>", "f32")],
    "%s = arith.subf %x1, %x0 : f32\n    linalg.yield %s : f32",
)

REFUSALS = {
    "factor 0": (rows("6", "32"), "", "split_factor 0 splits nothing"),
    "factor 1": (rows("6", "32"), "split_factor = 1", "splits nothing"),
    "does not divide": (
        rows("6", "32"),
        "split_factor = 5",
        "split_factor 5 does not divide the extent 32 of loop 1",
    ),
    "unknown extent": (rows("6", "?"), "split_factor = 4", "tile_reduction_using_for"),
    "no such place": (
        rows("6", "32"),
        "split_factor = 4, insert_split_dimension = 2",
        "no place among the 1 dimensions",
    ),
    "both": (
        rows("6", "32"),
        "split_factor = 4, inner_parallel, use_scaling_algorithm",
        "exclude each other",
    ),
    "no neutral element": (NO_NEUTRAL, "split_factor = 4", "neutral element"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name) -> None:
    payload, how, words = REFUSALS[name]
    assert words in str(refusal(payload, split(how)))


def test_an_op_without_a_reduction_is_refused() -> None:
    payload = matmul(4, 4, 4).replace("linalg.matmul", "linalg.add")
    error = refusal(payload, split("split_factor = 2", "linalg.add"))
    assert "the op has no reduction" in str(error)


@pytest.mark.slow
@needs_mlir
def test_real_mlir_reads_the_op() -> None:
    for how in [*HOW.values(), ""]:
        printed = mlir_opt(to_text(parse_schedule(split(how))))
        generic_form = mlir_opt(printed, "--mlir-print-op-generic")
        again = mlir_opt(to_text(parse_schedule(generic_form)))
        for part in how.replace("insert_split_dimension = 0", "").split(", "):
            assert part in printed and part in again
