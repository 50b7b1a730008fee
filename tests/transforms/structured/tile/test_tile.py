"""tile_using_forall and tile_using_for."""

from __future__ import annotations

import numpy as np
import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import elementwise, generic, linear, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    BUFFERIZE,
    OP,
    assert_same_numbers,
    by_real_mlir,
    evaluate,
    for_loops,
    forall,
    fuse,
    match,
    patterns,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure

BLOCKS = "#gpu.block<y>, #gpu.block<x>"
MM = match("%mm", "linalg.matmul")

CASES = {
    "forall": [forall("%t, %g", "%mm", "32, 32", BLOCKS)],
    "forall_one_loop": [forall("%t, %g", "%mm", "0, 16", "#gpu.block<x>")],
    "forall_threads": [
        forall("%t, %g", "%mm", "32, 32", "#gpu.thread<y>, #gpu.thread<x>")
    ],
    "forall_no_mapping": [forall("%t, %g", "%mm", "16")],
    "for": [for_loops("%t, %k", "%mm", "0, 0, 16")],
    "for_all": [for_loops("%t, %i, %j, %k", "%mm", "32, 16, 8")],
    "for_interchange": [
        for_loops("%t, %k, %i, %j", "%mm", "32, 16, 8", "interchange = [2, 0, 1] ")
    ],
    "for_nothing": [
        "%t = transform.structured.tile_using_for %mm tile_sizes [0, 0, 0] "
        f": ({OP}) -> {OP}"
    ],
    "forall_then_for": [
        forall("%t, %g", "%mm", "32, 32", BLOCKS),
        for_loops("%u, %k", "%t", "0, 0, 16"),
    ],
    "for_inside_for": [
        for_loops("%t, %k", "%mm", "0, 0, 32"),
        for_loops("%u, %l", "%t", "0, 0, 8"),
    ],
}
SIZES = [(64, 64, 64), (40, 24, 20), (7, 5, 3), (1, 1, 1)]


@pytest.mark.parametrize("name", CASES)
def test_golden(name, golden) -> None:
    ran = transform(matmul(64, 64, 64), schedule_of(MM, *CASES[name]))
    golden(f"transforms/tile_{name}.mlir", ran.text)


@pytest.mark.parametrize("name", ["forall", "for", "for_all"])
def test_golden_of_partial_tiles(name, golden) -> None:
    ran = transform(matmul(40, 24, 20), schedule_of(MM, *CASES[name]))
    golden(f"transforms/tile_partial_{name}.mlir", ran.text)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_numbers(name, size) -> None:
    ran = transform(matmul(*size), schedule_of(MM, *CASES[name]))
    assert_same_numbers(ran, reduction=size[2])


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("size", [(64, 64, 64), (40, 24, 20), (7, 5, 3)], ids=str)
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_gives_the_same_program(name, size) -> None:
    payload, schedule = matmul(*size), schedule_of(MM, *CASES[name])
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


def test_linalg_index_counts_from_the_whole_op(golden) -> None:
    body = """%i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %y = arith.addi %x, %c : i32
    linalg.yield %y : i32"""
    payload = elementwise(body, 30, "i32", "i32")
    schedule = schedule_of(
        match("%g", "linalg.generic"),
        forall("%t, %l", "%g", "8", "#gpu.block<x>"),
    )
    ran = transform(payload, schedule)
    assert_same_numbers(ran)
    golden("transforms/tile_index.mlir", ran.text)
    mlir_opt(ran.text)


def test_a_dimension_indexed_by_a_number_stays_whole() -> None:
    payload = generic(
        ["(d0, d1) -> (d0, 1)", "(d0, d1) -> (d1, d0)"],
        ["parallel", "parallel"],
        [("tensor<9x2xf32>", "f32"), ("tensor<6x9xf32>", "f32")],
        "linalg.yield %x0 : f32",
    )
    schedule = schedule_of(
        match("%g", "linalg.generic"), forall("%t, %l", "%g", "4, 4", BLOCKS)
    )
    assert_same_numbers(transform(payload, schedule))


def test_two_ops_of_one_handle_are_both_tiled() -> None:
    payload = """\
func.func @f(%a: tensor<20xf32>) -> tensor<20xf32> {
  %c = arith.constant 1.0 : f32
  %f = linalg.fill ins(%c : f32) outs(%a : tensor<20xf32>) -> tensor<20xf32>
  %g = linalg.fill ins(%c : f32) outs(%f : tensor<20xf32>) -> tensor<20xf32>
  return %g : tensor<20xf32>
}
"""
    schedule = schedule_of(
        match("%f", "linalg.fill"), forall("%t, %l", "%f", "8", "#gpu.block<x>")
    )
    ran = transform(payload, schedule)
    assert ran.text.count("scf.forall (") == 2
    assert_same_numbers(ran)


def test_sizes_from_parameters() -> None:
    schedule = schedule_of(
        MM,
        "%s = transform.param.constant 16 : i64 -> !transform.param<i64>",
        "%t, %g = transform.structured.tile_using_forall %mm tile_sizes [%s, 8] "
        f": ({OP}, !transform.param<i64>) -> ({OP}, {OP})",
    )
    plain = schedule_of(MM, forall("%t, %g", "%mm", "16, 8"))
    payload = matmul(32, 32, 32)
    assert transform(payload, schedule).text == transform(payload, plain).text


def test_a_second_application_tiles_the_tile(golden) -> None:
    schedule = schedule_of(
        MM,
        forall("%t, %g", "%mm", "32, 32", BLOCKS),
        forall("%u, %h", "%t", "16, 16"),
    )
    ran = transform(matmul(64, 64, 16), schedule)
    assert_same_numbers(ran, reduction=16)
    golden("transforms/tile_twice.mlir", ran.text)


# -- refusals --------------------------------------------------------------------------

REFUSALS = {
    "reduction": (
        forall("%t, %g", "%mm", "0, 0, 8"),
        "tile_using_forall: loop 2 is a reduction and cannot run in parallel",
        "give it size 0, and tile it with tile_using_for, or use "
        "tile_reduction_using_forall",
    ),
    "too many sizes": (
        forall("%t, %g", "%mm", "8, 8, 0, 8"),
        "tile_using_forall: 4 tile sizes for an op with 3 loops",
        "give at most one size for each loop",
    ),
    "nothing to tile": (
        forall("%t, %g", "%mm", "0, 0"),
        "tile_using_forall: all tile sizes are 0",
        "tile at least one loop",
    ),
    "mapping too short": (
        forall("%t, %g", "%mm", "8, 8", "#gpu.block<x>"),
        "tile_using_forall: the mapping has 1 entries for 2 tiled loops",
        "give one entry for each tiled loop",
    ),
    "mapping twice the same": (
        forall("%t, %g", "%mm", "8, 8", "#gpu.block<x>, #gpu.block<x>"),
        "tile_using_forall: two loops are mapped to the same dimension",
        "give each loop a dimension of its own",
    ),
    "interchange too long": (
        for_loops("%t, %k", "%mm", "0, 0, 8", "interchange = [2, 0, 1, 3] "),
        "tile_using_for: interchange names 4 loops of an op with 3",
        "name at most as many as there are loops",
    ),
    "not a structured op": (
        "\n".join(
            [match("%f", "func.func"), forall("%t, %g", "%f", "8")],
        ),
        "tile_using_forall: 'func.func' cannot be tiled",
        "match a linalg op",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name) -> None:
    step, fact, remedy = REFUSALS[name]
    error = refusal(matmul(16, 16, 16), schedule_of(MM, step))
    assert isinstance(error, SilenceableFailure)
    assert (error.fact, error.remedy) == (fact, remedy)
    assert error.place is not None and error.place.file == "schedule.mlir"
    (note,) = error.notes
    assert note.place is not None and note.place.file == "payload.mlir"


BROKEN = {
    "not a permutation": (
        for_loops("%t, %k", "%mm", "0, 0, 8", "interchange = [2, 2, 1] "),
        "tile_using_for: interchange [2, 2, 1] is not a permutation",
    ),
    "too few loop handles": (
        for_loops("%t, %k", "%mm", "8, 8"),
        "tile_using_for: 2 loops are made, but 1 loop handles are bound",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_schedule(name) -> None:
    step, fact = BROKEN[name]
    error = refusal(matmul(16, 16, 16), schedule_of(MM, step))
    assert isinstance(error, DefiniteFailure)
    assert error.fact == fact


def test_buffers_are_tiled_too() -> None:
    schedule = schedule_of(
        BUFFERIZE,
        match("%mm", "linalg.matmul", "%buffers"),
        forall("%t, %g", "%mm", "8, 8"),
        for_loops("%u, %k", "%t", "0, 0, 5"),
    )
    ran = transform(matmul(16, 20, 24), schedule)
    assert_same_numbers(ran, reduction=24)
    assert ran.text.count("memref.subview") == 6


DYNAMIC = """\
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def threads(sizes: str, mapping: str | None = None) -> str:
    return forall("%t, %g", "%mm", sizes, mapping).replace("tile_sizes", "num_threads")


DYNAMIC_CASES = {
    **{name: body for name, body in CASES.items() if name != "for_nothing"},
    "threads": [threads("3, 2")],
    "one loop of threads": [threads("0, 5", "#gpu.block<x>")],
    "sizes from payload": [
        match("%c", "arith.constant"),
        f"%s, %w = transform.split_handle %c : ({OP}) -> ({OP}, {OP})",
        "%t, %l = transform.structured.tile_using_for %mm tile_sizes [%w] "
        f": ({OP}, {OP}) -> ({OP}, {OP})",
    ],
}


def dynamic_payload(name: str) -> str:
    if name != "sizes from payload":
        return DYNAMIC
    return DYNAMIC.replace("  %f = ", "  %w = arith.constant 5 : index\n  %f = ")


def sized(payload: str, m: int, n: int, k: int) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [
        rng.standard_normal(shape).astype(np.float32)
        for shape in ((m, k), (k, n), (m, n))
    ]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("size", [(7, 5, 3), (64, 33, 20), (1, 1, 1), (0, 4, 2)])
@pytest.mark.parametrize("name", DYNAMIC_CASES)
def test_extents_of_the_run_time(name, size) -> None:
    payload = dynamic_payload(name)
    ran = transform(payload, schedule_of(MM, *DYNAMIC_CASES[name]))
    inputs = sized(payload, *size)
    (expected,) = evaluate(ran.before, inputs, shuffle=None)
    for dump in ran.dumps:
        (got,) = evaluate(dump.module, inputs)
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", DYNAMIC_CASES)
def test_real_mlir_tiles_extents_of_the_run_time_so(name) -> None:
    payload, schedule = dynamic_payload(name), schedule_of(MM, *DYNAMIC_CASES[name])
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


THREADS = [("7, 3", (64, 64, 64)), ("7", (300, 16, 8)), ("30", (20, 5, 3))]


@needs_mlir
@pytest.mark.parametrize(("counts", "size"), THREADS)
def test_a_number_of_tiles_instead_of_their_size(counts, size) -> None:
    payload, schedule = matmul(*size), schedule_of(MM, threads(counts))
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=size[2])
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@needs_mlir
def test_packed_sizes() -> None:
    schedule = schedule_of(
        MM,
        "%p = transform.param.constant 16 : i64 -> !transform.param<i64>",
        "%q = transform.param.constant 8 : i64 -> !transform.param<i64>",
        "%s = transform.merge_handles %p, %q : !transform.param<i64>",
        "%t, %g = transform.structured.tile_using_forall %mm tile_sizes *(%s) "
        f": ({OP}, !transform.param<i64>) -> ({OP}, {OP})",
    )
    payload = matmul(32, 32, 32)
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


WINDOWS = generic(
    ["(d0, d1) -> (d0 * 2 + d1)", "(d0, d1) -> (d1)", "(d0, d1) -> (d0)"],
    ["parallel", "reduction"],
    [
        ("tensor<17xf32>", "f32"),
        ("tensor<3xf32>", "f32"),
        ("tensor<8xf32>", "f32"),
    ],
    "%p = arith.mulf %x0, %x1 : f32\n    %s = arith.addf %p, %x2 : f32\n"
    "    linalg.yield %s : f32",
)


@needs_mlir
@pytest.mark.parametrize(
    "step", [forall("%t, %l", "%g", "3"), for_loops("%t, %l, %k", "%g", "3, 2")]
)
def test_windows_overlap(step) -> None:
    """A map that adds loops: the tile's slice reaches from its first to its last."""
    schedule = schedule_of(match("%g", "linalg.generic"), step)
    ran = transform(WINDOWS, schedule)
    assert_same_numbers(ran, reduction=3)
    assert_same_program(ran.text, by_real_mlir(WINDOWS, schedule))


def test_a_map_that_runs_backwards_is_refused() -> None:
    """Upstream makes an op that its own verifier rejects."""
    payload = generic(
        ["(d0) -> (-d0 + 7)", "(d0) -> (d0)"],
        ["parallel"],
        [("tensor<8xf32>", "f32"), ("tensor<8xf32>", "f32")],
        "linalg.yield %x0 : f32",
    )
    schedule = schedule_of(match("%g", "linalg.generic"), forall("%t, %l", "%g", "4"))
    assert "runs backwards" in refusal(payload, schedule).fact


def test_a_handle_that_names_an_op_twice_cannot_be_consumed() -> None:
    step = [
        f"%two = transform.merge_handles %mm, %mm : {OP}",
        forall("%t, %g", "%two", "8"),
    ]
    error = refusal(matmul(16, 16, 16), schedule_of(MM, *step))
    assert isinstance(error, DefiniteFailure)
    assert "points at the same op twice" in error.fact


def test_an_empty_handle_is_no_error() -> None:
    schedule = schedule_of(
        match("%x", "linalg.transpose"),
        forall("%t, %g", "%x", "8, 8"),
        for_loops("%u, %k", "%t", "0, 8"),
        fuse("%v, %h", "%u", "%g"),
        patterns("canonicalization"),
    )
    payload = linear(16, 16, 16)
    assert transform(payload, schedule).text == transform(payload, schedule_of()).text
