"""multitile_sizes and continuous_tile_sizes."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import needs_mlir
from support.transforms.loops import assert_round_trips
from support.transforms.payloads import linear, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    match,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure
from tilewright.ir.text import to_text
from tilewright.transforms.structured.tile import continuous_tile_sizes, multitile_sizes

PARAM = "!transform.param<i64>"


def same_by_real_mlir(payload: str, schedule: str, reduction: int = 1) -> str:
    ran = transform(payload, schedule)
    assert_same_numbers(ran, reduction=reduction)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))
    return ran.text


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


@pytest.mark.sampled(6)
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


@settings(max_examples=examples(8), deadline=None)
@given(st.integers(1, 40), st.integers(1, 12))
def test_any_extent(rows, size) -> None:
    schedule = schedule_of(match("%h", "linalg.matmul"), multitile(0, size), *TWO_SIZES)
    assert_same_numbers(transform(linear(rows, 3, 4), schedule), reduction=4)


def on_matmul(line: str) -> str:
    return schedule_of(match("%h", "linalg.matmul"), line)


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
def test_sizes_as_ops_are_computed_in_the_payload(line) -> None:
    ran = transform(matmul(8, 4, 4), on_matmul(line))
    assert "affine.apply affine_map<() -> (8)>()" in to_text(ran.module)
    assert_same_numbers(ran)


A, B, C = "tensor<?x4xf32>", "tensor<4x?xf32>", "tensor<?x?xf32>"


DYNAMIC = (
    f"func.func @f(%a: {A}, %b: {B}, %c: {C}) -> {C} {{\n"
    f"  %r = linalg.matmul ins(%a, %b : {A}, {B}) outs(%c : {C}) -> {C}\n"
    f"  return %r : {C}\n}}\n"
)


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
}


@pytest.mark.parametrize("fact", REFUSED)
def test_refusals(fact) -> None:
    error = refusal(*REFUSED[fact])
    assert isinstance(error, SilenceableFailure)
    assert fact in str(error)


@needs_mlir
def test_their_text() -> None:
    assert_round_trips(match("%h", "linalg.matmul"), multitile(0, 7, 2))
    assert_round_trips(match("%h", "linalg.matmul"), multitile(1, 7))
    assert_round_trips(match("%h", "linalg.matmul"), continuous(1, 7))
