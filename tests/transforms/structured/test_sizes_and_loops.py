"""Sizes worked out for a loop; scalarize, convert_to_loops, insert_slice_to_copy."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.loops import assert_round_trips
from support.transforms.payloads import elementwise, linear, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    forall,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)

from tilewright.ir.errors import DefiniteFailure, SilenceableFailure, UserError
from tilewright.ir.interpreter import run
from tilewright.transforms.structured.tile import continuous_tile_sizes, multitile_sizes

PARAM = "!transform.param<i64>"


def one_result(verb: str, target: str = "%h", result: str = "%r") -> str:
    return f"{result} = transform.structured.{verb} {target} : ({OP}) -> {OP}"


def on_op(verb: str, op: str, mark: bool = True) -> str:
    marks = [f'transform.annotate %r "made" : {OP}'] if mark else []
    return schedule_of(match("%h", op), one_result(verb), *marks)


def same_by_real_mlir(payload: str, schedule: str, reduction: int = 1) -> str:
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=reduction)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    return ran.text


# -- multitile_sizes -------------------------------------------------------------------


def multitile(loop: int, size: int, divisor: int | None = None, of: str = PARAM) -> str:
    more = "" if divisor is None else f", divisor = {divisor}"
    return (
        "%low, %high, %split = transform.structured.multitile_sizes %h "
        f"{{dimension = {loop}, target_size = {size}{more}}} : ({OP}) -> {of}"
    )


TWO_SIZES = [
    f"%parts = transform.structured.split %h after %split {{dimension = 0}} : {OP}, "
    + PARAM,
    "%a, %b = transform.split_handle %parts {overflow_result = 1, "
    f"fail_on_payload_too_small = false}} : ({OP}) -> ({OP}, {OP})",
    *(
        f"%t{p}, %l{p} = transform.structured.tile_using_for {p} tile_sizes [{s}] "
        f": ({OP}, {PARAM}) -> ({OP}, {OP})".replace(f"%t{p}, %l{p}", f"%t{i}, %l{i}")
        for i, (p, s) in enumerate((("%a", "%low"), ("%b", "%high")))
    ),
]


@needs_mlir
@pytest.mark.parametrize(
    ("rows", "size", "divisor"), [(100, 7, 2), (24, 5, None), (25, 7, 1)]
)
def test_two_tile_sizes(rows, size, divisor, golden) -> None:
    schedule = schedule_of(
        match("%h", "linalg.matmul"), multitile(0, size, divisor), *TWO_SIZES
    )
    text = same_by_real_mlir(matmul(rows, 5, 3), schedule, reduction=3)
    assert "affine.min" not in text, "no tile is partial"
    if rows == 100:
        golden("transforms/multitile_sizes.mlir", text)


@given(st.integers(1, 400), st.integers(1, 50), st.integers(1, 8))
def test_two_tile_sizes_cover_a_loop(units, size, divisor) -> None:
    extent = units * divisor
    made = multitile_sizes.sizes_for(extent, size, divisor)
    assert made.low % divisor == made.high % divisor == 0
    assert made.split % made.low == 0
    assert (extent - made.split) % made.high == 0
    largest = made.low if made.split == extent else made.high
    assert largest <= -(-size // divisor) * divisor


# -- continuous_tile_sizes -------------------------------------------------------------


def continuous(loop: int, size: int, of: str = PARAM) -> str:
    return (
        "%tiles, %chunks = transform.structured.continuous_tile_sizes %h "
        f"{{dimension = {loop}, target_size = {size}}} : ({OP}) -> {of}"
    )


SHRINKING = [
    f"%parts = transform.structured.split %h after %chunks {{dimension = 0, multiway}} "
    f": {OP}, {PARAM}",
    f"transform.foreach %parts, %tiles with_zip_shortest : {OP}, {PARAM} {{",
    f"^bb0(%part: {OP}, %tile: {PARAM}):",
    "  %t, %l = transform.structured.tile_using_for %part tile_sizes [%tile] "
    f": ({OP}, {PARAM}) -> ({OP}, {OP})",
    "}",
]


@needs_mlir
@pytest.mark.parametrize(("rows", "size"), [(25, 7), (24, 16), (28, 7), (9, 9)])
def test_tile_sizes_that_shrink(rows, size, golden) -> None:
    schedule = schedule_of(
        match("%h", "linalg.matmul"), continuous(0, size), *SHRINKING
    )
    text = same_by_real_mlir(matmul(rows, 5, 3), schedule, reduction=3)
    assert "affine.min" not in text, "no tile is partial"
    if rows == 25:
        golden("transforms/continuous_tile_sizes.mlir", text)


def reported(text: str) -> list[list[int]]:
    return [
        [int(n) for n in re.findall(r"(\d+) : i64", line)]
        for line in re.findall(r"remark: \w+ (.*)", text)
    ]


@needs_mlir
@pytest.mark.parametrize(("rows", "size"), [(6, 7), (100, 16), (1, 4), (47, 16)])
def test_real_mlir_gives_the_same_sizes(rows, size) -> None:
    schedule = schedule_of(
        match("%h", "linalg.matmul"),
        continuous(0, size),
        f'transform.debug.emit_param_as_remark %tiles, "tiles" : {PARAM}',
        f'transform.debug.emit_param_as_remark %chunks, "chunks" : {PARAM}',
    )
    parts = continuous_tile_sizes.sizes_for(rows, size)
    ours = [[tile for tile, _ in parts], [chunk for _, chunk in parts]]
    assert ours == reported(by_real_mlir_with_remarks(matmul(rows, 5, 3), schedule))


def by_real_mlir_with_remarks(payload: str, schedule: str) -> str:
    both = (
        f"module attributes {{transform.with_named_sequence}} {{\n{schedule}{payload}}}"
    )
    done = subprocess.run(
        ["mlir-opt-22", "--transform-interpreter"],
        input=both,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


# -- scalarize -------------------------------------------------------------------------

A, B, C = "tensor<?x4xf32>", "tensor<4x?xf32>", "tensor<?x?xf32>"
DYNAMIC = (
    f"func.func @f(%a: {A}, %b: {B}, %c: {C}) -> {C} {{\n"
    f"  %r = linalg.matmul ins(%a, %b : {A}, {B}) outs(%c : {C}) -> {C}\n"
    f"  return %r : {C}\n}}\n"
)


@needs_mlir
def test_scalarize(golden) -> None:
    schedule = on_op("scalarize", "linalg.matmul")
    ran = transform(DYNAMIC, schedule)
    golden("transforms/scalarize.mlir", ran.text)
    assert_same_program(ran.text, by_real_mlir(DYNAMIC, schedule))
    inputs = [np.ones(s, np.float32) for s in ((3, 4), (4, 5), (3, 5))]
    (expected,), (actual,) = (run(m, inputs) for m in (ran.before, ran.module))
    assert np.array_equal(expected, actual)


@needs_mlir
def test_nothing_to_scalarize() -> None:
    schedule = on_op("scalarize", "linalg.matmul")
    text = same_by_real_mlir(matmul(4, 5, 3), schedule, reduction=3)
    assert "scf.for" not in text


# -- convert_to_loops ------------------------------------------------------------------


def on_buffers(op: str, *kinds: str) -> str:
    names = ", ".join(f"%x{i}: {kind}" for i, kind in enumerate(kinds))
    return f"func.func @f({names}) {{\n  {op}\n  return\n}}\n"


LEFT, RIGHT, OUT = "memref<?x4xf32>", "memref<4x5xf32>", "memref<?x5xf32>"
LOOPS = {
    "matmul": on_buffers(
        f"linalg.matmul ins(%x0, %x1 : {LEFT}, {RIGHT}) outs(%x2 : {OUT})",
        LEFT,
        RIGHT,
        OUT,
    ),
    "fill": on_buffers(f"linalg.fill ins(%x0 : f32) outs(%x1 : {RIGHT})", "f32", RIGHT),
    "index": on_buffers(
        "linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>], "
        'iterator_types = ["parallel", "parallel"]} outs(%x0 : memref<4x5xindex>) {\n'
        "  ^bb0(%o: index):\n    %i = linalg.index 0 : index\n"
        "    %j = linalg.index 1 : index\n    %y = arith.subi %i, %j : index\n"
        "    linalg.yield %y : index\n  }",
        "memref<4x5xindex>",
    ),
    "window": on_buffers(
        "linalg.generic {indexing_maps = [affine_map<(i, j) -> (2 * i + j)>, "
        "affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], "
        'iterator_types = ["parallel", "reduction"]} '
        "ins(%x0, %x1 : memref<9xf32>, memref<3xf32>) outs(%x2 : memref<4xf32>) {\n"
        "  ^bb0(%a: f32, %w: f32, %o: f32):\n    %p = arith.mulf %a, %w : f32\n"
        "    %y = arith.addf %p, %o : f32\n    linalg.yield %y : f32\n  }",
        "memref<9xf32>",
        "memref<3xf32>",
        "memref<4xf32>",
    ),
    "rank 0": on_buffers(
        "linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], "
        "iterator_types = []} ins(%x0 : memref<f32>) outs(%x1 : memref<f32>) {\n"
        "  ^bb0(%a: f32, %o: f32):\n    %y = arith.addf %a, %o : f32\n"
        "    linalg.yield %y : f32\n  }",
        "memref<f32>",
        "memref<f32>",
    ),
}


def filled_in(payload: str, rng: Any) -> list[Any]:
    made = []
    for dims, of in re.findall(r"%x\d: (?:memref<)?((?:[\d?]+x)*)(\w+)", payload):
        shape = [3 if d == "?" else int(d) for d in dims.split("x")[:-1]]
        values = rng.standard_normal(shape) * 4
        made.append(np.asarray(values, np.float32 if of == "f32" else np.int64))
    return made


@needs_mlir
@pytest.mark.parametrize("name", LOOPS)
def test_convert_to_loops(name, golden) -> None:
    payload = LOOPS[name]
    op = "linalg.generic" if "generic" in payload else f"linalg.{name}"
    schedule = on_op("convert_to_loops", op)
    ran = transform(payload, schedule)
    assert "linalg." not in ran.text
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    if name == "matmul":
        golden("transforms/convert_to_loops.mlir", ran.text)
    given = filled_in(payload, np.random.default_rng(2))
    after = []
    for module in (ran.before, ran.module):
        arrays = [np.array(array) for array in given]
        run(module, arrays)
        after.append(arrays)
    for expected, actual in zip(*after, strict=True):
        assert np.allclose(expected, actual, rtol=1e-5)


# -- insert_slice_to_copy --------------------------------------------------------------


def insertion(source: str, offsets: str, sizes: str, into: str) -> str:
    ones = ", ".join("1" for _ in offsets.split(","))
    return (
        f"func.func @f(%a: {source}, %b: {into}) -> {into} {{\n"
        f"  %r = tensor.insert_slice %a into %b[{offsets}] [{sizes}] [{ones}] "
        f": {source} into {into}\n  return %r : {into}\n}}\n"
    )


INSERT = insertion("tensor<3x4xf32>", "0, 2", "3, 4", "tensor<3x8xf32>")


@needs_mlir
def test_a_copy_into_the_slice(golden) -> None:
    schedule = on_op("insert_slice_to_copy", "tensor.insert_slice")
    text = same_by_real_mlir(INSERT, schedule)
    golden("transforms/insert_slice_to_copy.mlir", text)


def test_a_slice_of_lower_rank() -> None:
    """Upstream leaves invalid IR: a copy of one rank into another."""
    for source, sizes in (("tensor<4xf32>", "1, 4"), ("tensor<f32>", "1, 1")):
        payload = insertion(source, "1, 2", sizes, "tensor<3x8xf32>")
        ran = transform(payload, on_op("insert_slice_to_copy", "tensor.insert_slice"))
        assert "linalg.copy" in ran.text
        assert_same_numbers(ran)
        mlir_opt(ran.text)


@needs_mlir
def test_insertions_in_parallel() -> None:
    schedule = schedule_of(
        match("%mm", "linalg.matmul"),
        forall("%t, %l", "%mm", "4, 4"),
        match("%h", "tensor.parallel_insert_slice"),
        one_result("insert_slice_to_copy"),
        f'transform.annotate %r "made" : {OP}',
    )
    text = same_by_real_mlir(matmul(10, 8, 3), schedule, reduction=3)
    assert "linalg.copy" in text


def test_a_second_copy_is_not_made() -> None:
    schedule = schedule_of(
        match("%h", "tensor.insert_slice"),
        one_result("insert_slice_to_copy"),
        match("%again", "tensor.insert_slice"),
        one_result("insert_slice_to_copy", "%again", "%s"),
    )
    assert transform(INSERT, schedule).text.count("linalg.copy") == 1


# -- all of them -----------------------------------------------------------------------


@settings(max_examples=examples(8), deadline=None)
@given(st.integers(1, 40), st.integers(1, 12))
def test_any_extent(rows, size) -> None:
    schedule = schedule_of(match("%h", "linalg.matmul"), multitile(0, size), *TWO_SIZES)
    assert_same_numbers(transform(linear(rows, 3, 4), schedule), reduction=4)


@needs_mlir
def test_their_text() -> None:
    assert_round_trips(match("%h", "linalg.matmul"), multitile(0, 7, 2))
    assert_round_trips(match("%h", "linalg.matmul"), multitile(1, 7))
    assert_round_trips(match("%h", "linalg.matmul"), continuous(1, 7))
    for verb in ("scalarize", "convert_to_loops", "insert_slice_to_copy"):
        assert_round_trips(match("%h", "linalg.matmul"), one_result(verb))


@pytest.mark.parametrize(
    "verb", ["scalarize", "convert_to_loops", "insert_slice_to_copy"]
)
def test_no_target(verb) -> None:
    payload = matmul(4, 4, 4)
    assert transform(payload, on_op(verb, "linalg.dot", False)).dumps == []


def on_matmul(line: str) -> str:
    return schedule_of(match("%h", "linalg.matmul"), line)


def on_function(line: str) -> str:
    return schedule_of(match("%h", "func.func"), line)


REFUSED = {
    "multitile_sizes: an extent of 25 is not made up of multiples of 2; choose a "
    "divisor of the extent": (matmul(25, 4, 4), on_matmul(multitile(0, 7, 2))),
    "multitile_sizes: there is no loop 5, the op has 3": (
        matmul(4, 4, 4),
        on_matmul(multitile(5, 7)),
    ),
    "multitile_sizes: loop 0 has an extent known only at run time": (
        DYNAMIC,
        on_matmul(multitile(0, 7)),
    ),
    "continuous_tile_sizes: loop 0 has an extent known only at run time": (
        DYNAMIC,
        on_matmul(continuous(0, 7)),
    ),
    "continuous_tile_sizes: 'func.func' is not a structured op": (
        DYNAMIC,
        on_function(continuous(0, 7)),
    ),
    "scalarize: 'func.func' is not a structured op": (
        DYNAMIC,
        on_function(one_result("scalarize")),
    ),
    "convert_to_loops: the op works on tensors; bufferize first": (
        DYNAMIC,
        on_matmul(one_result("convert_to_loops")),
    ),
    "convert_to_loops: 'func.func' is not a structured op": (
        DYNAMIC,
        on_function(one_result("convert_to_loops")),
    ),
    "insert_slice_to_copy: 'linalg.matmul' is neither tensor.insert_slice nor": (
        DYNAMIC,
        on_matmul(one_result("insert_slice_to_copy")),
    ),
}


@pytest.mark.parametrize("fact", REFUSED)
def test_refusals(fact) -> None:
    error = refusal(*REFUSED[fact])
    assert isinstance(error, SilenceableFailure)
    assert fact in str(error)


BROKEN = {
    "multitile_sizes: a tile of size 0 covers nothing": on_matmul(multitile(0, 0)),
    "multitile_sizes: nothing is a multiple of 0": on_matmul(multitile(0, 4, 0)),
    "continuous_tile_sizes: a tile of size 0 covers nothing": on_matmul(
        continuous(0, 0)
    ),
    "continuous_tile_sizes: it looks at one op, the handle has 0": schedule_of(
        match("%h", "linalg.dot"), continuous(0, 4)
    ),
}


@pytest.mark.parametrize("fact", BROKEN)
def test_broken_schedules(fact) -> None:
    error = refusal(matmul(4, 4, 4), BROKEN[fact])
    assert isinstance(error, DefiniteFailure)
    assert fact in str(error)


@pytest.mark.parametrize("line", [multitile(0, 4, of=OP), continuous(0, 4, of=OP)])
def test_sizes_as_ops_are_not_made(line) -> None:
    with pytest.raises(UserError) as caught:
        parse_schedule(on_matmul(line))
    assert "it gives sizes as parameters, not as ops of the payload" in str(
        caught.value
    )
    assert caught.value.place is not None


def test_buffers_are_not_scalarized() -> None:
    error = refusal(LOOPS["matmul"], on_matmul(one_result("scalarize")))
    assert "buffer" in str(error)


def test_a_body_that_reads_nothing() -> None:
    payload = elementwise("linalg.yield %zero : f32")
    schedule = on_op("scalarize", "linalg.generic", False)
    assert transform(payload, schedule).dumps == []
