"""structured.fuse: tile an op and fuse what feeds it."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.payloads import linear, matmul
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.text import to_text

TAIL = match("%tail", "linalg.generic")
SIZES = [(64, 64, 32), (40, 50, 12), (7, 1, 5)]


def fuse_all(loops: int, text: str, target: str = "%tail") -> str:
    names = ", ".join(f"%l{i}" for i in range(loops))
    types = ", ".join([OP] * (loops + 1))
    return (
        f"%t, {names} = transform.structured.fuse {target} {text} : ({OP}) -> ({types})"
    )


CASES = {
    "both_loops": [TAIL, fuse_all(2, "tile_sizes [16, 32]")],
    "one_loop": [TAIL, fuse_all(1, "tile_sizes [0, 32]")],
    "interchange": [TAIL, fuse_all(2, "tile_sizes [16, 32] interchange [1, 0]")],
    "forall": [TAIL, fuse_all(1, "tile_sizes [16, 32] {use_forall}")],
    "a_parameter": [
        TAIL,
        "%p = transform.param.constant 8 : i64 -> !transform.param<i64>",
        "%t, %l = transform.structured.fuse %tail tile_sizes [%p] "
        f": ({OP}, !transform.param<i64>) -> ({OP}, {OP})",
    ],
    "through_the_accumulator": [
        match("%mm", "linalg.matmul"),
        fuse_all(2, "tile_sizes [16, 32]", "%mm"),
    ],
}


@pytest.mark.parametrize("name", CASES)
def test_golden(name, golden) -> None:
    ran = transform(linear(64, 64, 32), schedule_of(*CASES[name]))
    golden(f"transforms/fuse_all_{name}.mlir", ran.text)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_numbers(name, size) -> None:
    ran = transform(linear(*size), schedule_of(*CASES[name]))
    assert_same_numbers(ran, reduction=size[2])


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_gives_the_same_program(name, size) -> None:
    payload, schedule = linear(*size), schedule_of(*CASES[name])
    ran = transform(payload, schedule)
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


@needs_mlir
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_reads_the_op(name) -> None:
    printed = to_text(parse_schedule(schedule_of(*CASES[name])))
    assert to_text(parse_schedule_text(mlir_opt(printed))).count(".fuse ") == 1


def parse_schedule_text(text: str):
    body = text.partition("{transform.with_named_sequence} {\n")[2]
    return parse_schedule(body.rstrip().removesuffix("}"))


def test_cleanup_leaves_no_slices_of_slices() -> None:
    schedule = schedule_of(TAIL, fuse_all(2, "tile_sizes [16, 32] {apply_cleanup}"))
    ran = transform(linear(64, 64, 32), schedule)
    assert_same_numbers(ran, reduction=32)


@needs_mlir
def test_cleanup_keeps_a_loop_that_runs_once() -> None:
    schedule = schedule_of(
        TAIL,
        fuse_all(2, "tile_sizes [16, 64] {apply_cleanup}"),
        f'transform.annotate %l1 "kept" : {OP}',
    )
    payload = linear(50, 64, 32)
    ran = transform(payload, schedule)
    assert "kept" in ran.text
    assert_same_program(ran.text, by_real_mlir(payload, schedule))


def test_an_accumulator_is_not_filled_again_in_every_step_of_the_sum() -> None:
    """Real MLIR fuses the fill into the loop over k, and computes something else."""
    schedule = schedule_of(
        match("%mm", "linalg.matmul"), fuse_all(3, "tile_sizes [8, 8, 4]", "%mm")
    )
    ran = transform(linear(16, 16, 16), schedule)
    assert_same_numbers(ran, reduction=16)
    loop = ran.text.index("scf.for")
    assert ran.text.index("linalg.fill") < loop


def test_a_second_application_finds_everything_fused() -> None:
    schedule = schedule_of(
        TAIL,
        fuse_all(2, "tile_sizes [16, 32]"),
        "%u, %m = transform.structured.fuse %t tile_sizes [4] "
        f": ({OP}) -> ({OP}, {OP})",
    )
    ran = transform(linear(64, 64, 32), schedule)
    assert_same_numbers(ran, reduction=32)


REFUSALS = {
    "too many sizes": (
        fuse_all(4, "tile_sizes [4, 4, 4, 4]"),
        "fuse: 4 tile sizes for an op with 2 loops",
    ),
    "too few handles": (
        fuse_all(1, "tile_sizes [4, 4]"),
        "fuse: 2 loops are made, but 1 loop handles are bound",
    ),
    "no order": (
        fuse_all(1, "tile_sizes [4, 4] interchange [1, 1] {use_forall}"),
        "fuse: interchange [1, 1] is not a permutation",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name) -> None:
    step, fact = REFUSALS[name]
    assert refusal(linear(16, 16, 16), schedule_of(TAIL, step)).fact == fact


def test_buffers_have_no_producers() -> None:
    payload = """func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
"""
    schedule = schedule_of(
        match("%e", "linalg.exp"), fuse_all(1, "tile_sizes [4]", "%e")
    )
    assert refusal(payload, schedule).fact == (
        "fuse: an op on buffers has no producers to fuse"
    )


BEHIND = """func.func @f(%x: tensor<20x12xf32>) -> tensor<15x9xf32> {
  %e = tensor.empty() : tensor<20x12xf32>
  %p = linalg.exp ins(%x : tensor<20x12xf32>) outs(%e : tensor<20x12xf32>)
    -> tensor<20x12xf32>
  %s = tensor.extract_slice %p[3, 2] [15, 9] [1, 1]
    : tensor<20x12xf32> to tensor<15x9xf32>
  %c = tensor.cast %s : tensor<15x9xf32> to tensor<?x?xf32>
  %n = linalg.negf ins(%c : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  %r = tensor.cast %n : tensor<?x?xf32> to tensor<15x9xf32>
  return %r : tensor<15x9xf32>
}
"""


@pytest.mark.parametrize("flags", ["apply_cleanup", "apply_cleanup, use_forall"])
def test_cleaning_up_reaches_producers_behind_slices_and_casts(flags) -> None:
    loops = 1 if "forall" in flags else 2
    schedule = schedule_of(
        match("%n", "linalg.negf"),
        fuse_all(loops, f"tile_sizes [4, 4] {{{flags}}}", "%n"),
    )
    ran = transform(BEHIND, schedule)
    assert_same_numbers(ran)
    assert ran.text.count("linalg.exp") == 2
    assert ran.text.rindex("linalg.exp") > ran.text.index("scf.for")


def test_a_matmul_alone_is_just_tiled() -> None:
    ran = transform(
        matmul(16, 16, 16),
        schedule_of(
            match("%mm", "linalg.matmul"), fuse_all(2, "tile_sizes [8, 8]", "%mm")
        ),
    )
    assert_same_numbers(ran, reduction=16)
