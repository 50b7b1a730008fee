"""tile_reduction_using_for and tile_reduction_using_forall."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.sampling import mostly_slow
from support.transforms.payloads import matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    inputs_of,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.text import to_text
from tilewright.ir.tolerance import compare


def rows(rows_: str, columns: str, combine: str, of: str = "f32") -> str:
    kind, result = f"tensor<{rows_}x{columns}x{of}>", f"tensor<{rows_}x{of}>"
    return f"""\
func.func @f(%x: {kind}, %o: {result}) -> {result} {{
  %r = linalg.generic {{
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  }} ins(%x : {kind}) outs(%o : {result}) {{
  ^bb0(%a: {of}, %b: {of}):
    %s = {combine} %a, %b : {of}
    linalg.yield %s : {of}
  }} -> {result}
  return %r : {result}
}}
"""


TWO_RESULTS = """\
func.func @f(%x: tensor<6x10x23xf32>, %o: tensor<10xf32>, %p: tensor<10xf32>)
    -> (tensor<10xf32>, tensor<10xf32>) {
  %r, %q = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
                     affine_map<(d0, d1, d2) -> (d1)>,
                     affine_map<(d0, d1, d2) -> (d1)>],
    iterator_types = ["reduction", "parallel", "reduction"]
  } ins(%x : tensor<6x10x23xf32>) outs(%o, %p : tensor<10xf32>, tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %b, %a : f32
    %m = arith.maximumf %a, %c : f32
    linalg.yield %s, %m : f32, f32
  } -> (tensor<10xf32>, tensor<10xf32>)
  return %r, %q : tensor<10xf32>, tensor<10xf32>
}
"""


def tiled(verb: str, how: str, results: int = 4, op: str = "linalg.generic") -> str:
    names = ", ".join(f"%r{i}" for i in range(results))
    types = ", ".join([OP] * results)
    return schedule_of(
        match("%h", op),
        f"{names} = transform.structured.tile_reduction_using_{verb} %h {how} "
        f": ({OP}) -> ({types})",
        *(f'transform.annotate %r{i} "r{i}" : {OP}' for i in range(results)),
    )


HOW = {
    "for": ("for", "by tile_sizes = [0, 5]"),
    "for_more_than_all": ("for", "by tile_sizes = [0, 50]"),
    "forall": ("forall", "by tile_sizes = [0, 5]"),
    "threads": ("forall", "by num_threads = [0, 4]"),
    "too_many_threads": ("forall", "by num_threads = [0, 30]"),
}


@pytest.mark.parametrize("name", HOW)
def test_golden(name, golden) -> None:
    ran = transform(rows("8", "20", "arith.addf"), tiled(*HOW[name]))
    golden(f"transforms/tile_reduction_{name}.mlir", ran.text)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("columns", ["20", "23", "1"])
@pytest.mark.parametrize("name", HOW)
def test_real_mlir_gives_the_same_program(name, columns) -> None:
    payload, schedule = rows("8", columns, "arith.addf"), tiled(*HOW[name])
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=int(columns))
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@needs_mlir
@pytest.mark.parametrize("name", ["for", "forall", "threads"])
def test_extents_of_the_run_time(name) -> None:
    payload, schedule = rows("?", "?", "arith.addf"), tiled(*HOW[name])
    ran = transform(payload, schedule)
    for shape in ((3, 7), (5, 20), (1, 0)):
        inputs = inputs_of(parse(rows(*map(str, shape), "arith.addf")))
        (want,) = evaluate(ran.before, inputs, shuffle=None)
        (got,) = evaluate(ran.module, inputs)
        outcome = compare(got, want, "f32", 20)
        assert outcome.ok, outcome.message
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


def parse(text: str):
    return transform(text, schedule_of()).module


FLOATS = ["addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"]
INTEGERS = ["addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"]


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("op", [*FLOATS, *INTEGERS])
@pytest.mark.parametrize("name", mostly_slow(["for", "threads"], ["for"]))
def test_every_combiner_starts_from_its_neutral_element(op, name) -> None:
    of = "f32" if op in FLOATS else "i32"
    payload, schedule = rows("4", "13", f"arith.{op}", of), tiled(*HOW[name])
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=13)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize("op", ["maximumf", "minimumf"])
@pytest.mark.parametrize("name", ["for", "threads"])
def test_neutral_elements_without_infinities(op: str, name: str) -> None:
    payload = rows("4", "13", f"arith.{op}", "f16")
    payload = payload.replace("%a, %b :", "%a, %b fastmath<ninf> :")
    assert "fastmath" in payload
    schedule = tiled(*HOW[name])
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@needs_mlir
@pytest.mark.parametrize("verb", ["for", "forall"])
def test_two_reductions_of_two_results(verb) -> None:
    how = "reduction_dims = [0, 2] by tile_sizes = [2, 0, 5]"
    schedule = tiled(verb, how, results=6)
    ran = transform(TWO_RESULTS, schedule)
    assert_same_numbers(ran, reduction=6 * 23)
    theirs = by_real_mlir(TWO_RESULTS, tiled(verb, how, results=6))
    # Their handles to the merging ops lose the second one: compare without marks.
    assert_same_program(without_marks(ran.text), without_marks(theirs))


def without_marks(text: str) -> str:
    module = parse(mlir_opt(text))
    for op in module.walk():
        for name in [n for n in op.attributes if n.startswith("r")]:
            del op.attributes[name]
    return to_text(module)


@needs_mlir
def test_split_k_of_a_matmul(golden) -> None:
    payload = matmul(8, 8, 64)
    schedule = tiled("forall", "by num_threads = [0, 0, 4]", op="linalg.matmul")
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=64)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    golden("transforms/tile_reduction_split_k.mlir", ran.text)


@needs_mlir
def test_real_mlir_reads_the_op() -> None:
    for verb, how in [
        *HOW.values(),
        (
            "forall",
            "by num_threads = [0, 4] tile_sizes = [0, 3] mapping = [#gpu.block<x>]",
        ),
        ("for", "reduction_dims = [1] by tile_sizes = [0, 4]"),
    ]:
        text = to_text(parse_schedule(tiled(verb, how)))
        printed = mlir_opt(text)
        assert how.partition("by ")[2] in printed


def test_the_tiled_reduction_can_be_tiled_again() -> None:
    schedule = schedule_of(
        match("%h", "linalg.generic"),
        "%a, %b, %c, %l = transform.structured.tile_reduction_using_for %h "
        f"by tile_sizes = [0, 5] : ({OP}) -> ({OP}, {OP}, {OP}, {OP})",
        f"%t, %m = transform.structured.tile_using_for %b tile_sizes [3] "
        f": ({OP}) -> ({OP}, {OP})",
        "%d, %e, %f, %n = transform.structured.tile_reduction_using_for %c "
        f"by tile_sizes = [0, 2] : ({OP}) -> ({OP}, {OP}, {OP}, {OP})",
    )
    ran = transform(rows("8", "23", "arith.addf"), schedule)
    assert_same_numbers(ran, reduction=23)


REFUSALS = {
    "no reduction": (
        rows("8", "8", "arith.addf")
        .replace('"reduction"', '"parallel"')
        .replace("affine_map<(d0, d1) -> (d0)>", "affine_map<(d0, d1) -> (d0, d1)>")
        .replace("tensor<8xf32>", "tensor<8x8xf32>"),
        "by tile_sizes = [0, 4]",
        "no reduction has a tile size",
    ),
    "a parallel loop": (
        rows("8", "8", "arith.addf"),
        "by tile_sizes = [4, 4]",
        "loop 0 is no reduction to be split and has tile size 4",
    ),
    "nothing to split": (
        rows("8", "8", "arith.addf"),
        "reduction_dims = [1] by tile_sizes = [0, 0]",
        "loop 1 is a reduction to be split and has tile size 0",
    ),
    "no neutral element": (
        rows("8", "8", "arith.subf"),
        "by tile_sizes = [0, 4]",
        "output 0 is not combined by one op with a neutral element",
    ),
    "no such reduction": (
        rows("8", "8", "arith.addf"),
        "reduction_dims = [0] by tile_sizes = [0, 4]",
        "reduction_dims [0] are not all reductions",
    ),
}


@pytest.mark.parametrize("verb", ["for", "forall"])
@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name, verb) -> None:
    payload, how, fact = REFUSALS[name]
    error = refusal(payload, tiled(verb, how))
    assert error.fact == f"tile_reduction_using_{verb}: {fact}"
    assert error.place is not None and error.notes[0].place is not None


def test_handles_are_counted() -> None:
    error = refusal(
        rows("8", "8", "arith.addf"), tiled("for", "by tile_sizes = [0, 4]", results=3)
    )
    assert "4 results are made" in error.fact
