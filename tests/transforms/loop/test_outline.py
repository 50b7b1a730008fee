"""loop.outline, loop.forall_to_for, and the two by way of scf.parallel."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.loops import (
    Bound,
    as_upstream,
    assert_round_trips,
    outer,
    storing,
    summing,
    transformed,
)
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    by_real_mlir,
    match,
    refusal,
    schedule_of,
    transform,
)

OUTLINE = (
    f'%r, %c = transform.loop.outline %l {{func_name = "g"}} : ({OP}) -> ({OP}, {OP})'
)
MARKS = [
    f'transform.annotate %r "made" : {OP}',
    f'transform.annotate %c "called" : {OP}',
]
ANY = match("%l", "scf.for")
FORALL = """\
func.func @f(%n: index, %s: index, %t: memref<8x16xf32>, %z: f32) {
  %c2 = arith.constant 2 : index
  scf.forall (%i, %j) = (0, 2) to (4, %n) step (1, 3) {
    %k = arith.addi %i, %c2 : index
    %v = memref.load %t[%k, %j] : memref<8x16xf32>
    %w = arith.addf %v, %z : f32
    memref.store %w, %t[%i, %j] : memref<8x16xf32>
  } {outer}
  return
}
"""


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("loop", [summing, storing])
@pytest.mark.parametrize("bounds", [(0, 12, 3), (2, "%n", 3), ("%s", "%n", "%s")])
def test_outlined_as_upstream_does(
    loop: Callable[..., str], bounds: tuple[Bound, Bound, Bound]
) -> None:
    as_upstream(loop(*bounds), ANY, OUTLINE, *MARKS)


@needs_mlir
def test_nested_loops_are_outlined_from_the_inside() -> None:
    payload = (
        summing(0, "%n", 3)
        .replace(
            "    %p =",
            """\
    %o = scf.for %j = %b0 to %s step %b2 iter_args(%h = %v) -> (f32) {
      %g = arith.addf %h, %x : f32
      scf.yield %g : f32
    }
    %p =""",
        )
        .replace("%p, %v", "%p, %o")
    )
    after = as_upstream(payload, ANY, OUTLINE, *MARKS)
    assert "@g_0(" in after


@needs_mlir
def test_only_index_constants_are_made_again() -> None:
    payload = summing(0, 12, 3).replace(
        "  %c8 =", "  %two = arith.constant 2 : i32\n  %c8 ="
    )
    payload = payload.replace(
        "    %q = arith.addf %p, %v : f32",
        "    %g = arith.sitofp %two : i32 to f32\n    %q = arith.addf %p, %g : f32",
    )
    as_upstream(payload, ANY, OUTLINE, *MARKS)


@needs_mlir
def test_a_grid_is_outlined() -> None:
    as_upstream(FORALL, match("%l", "scf.forall"), OUTLINE, *MARKS)


def test_a_name_that_is_taken_gets_a_number() -> None:
    """Upstream renames the call only, and fails."""
    payload = summing(0, 12, 3) + "func.func private @g(%x: f32) { return }\n"
    after = transform(payload, schedule_of(ANY, OUTLINE)).text
    assert "func.func @g_0(" in after and "call @g_0(" in after


def test_outline_twice() -> None:
    payload = summing(0, 12, 3)
    again = OUTLINE.replace("%r, %c", "%r2, %c2").replace("%l", "%l2")
    after = transformed(payload, ANY, OUTLINE, match("%l2", "scf.for"), again)
    assert after.count("func.func") == 3


def test_what_stands_in_no_function_is_refused() -> None:
    schedule = schedule_of(match("%l", "func.func"), OUTLINE)
    assert "does not stand in a function" in refusal(summing(0, 4, 1), schedule).fact


def to_for(count: int) -> str:
    results = ", ".join(f"%f{i}" for i in range(count))
    types = ", ".join([OP] * count)
    return f"{results} = transform.loop.forall_to_for %l : ({OP}) -> ({types})"


@needs_mlir
def test_a_forall_becomes_loops_as_upstream_does() -> None:
    as_upstream(
        FORALL.replace("%t[%k", "%t[%i"),
        outer("%l", OP, "scf.forall"),
        to_for(2),
        f'transform.annotate %f0 "out" : {OP}',
        f'transform.annotate %f1 "in" : {OP}',
    )


GRID = """\
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1]
        : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("payload", "matched", "count", "reason"),
    [
        (GRID, "scf.forall", 1, "has shared outputs"),
        (FORALL, "scf.forall", 1, "2 loops are made, but 1 results are bound"),
        (FORALL, "func.func", 1, "'func.func' is not scf.forall"),
        (FORALL, "scf.for", 1, "the handle points at 0"),
    ],
)
def test_forall_to_for_refuses(
    payload: str, matched: str, count: int, reason: str
) -> None:
    schedule = schedule_of(match("%l", matched), to_for(count))
    assert reason in refusal(payload, schedule).fact


TO_PARALLEL = f"%p = transform.loop.forall_to_parallel %l : ({OP}) -> {OP}"
TO_NEST = f"%q = transform.loop.parallel_for_to_nested_fors %p : ({OP}) -> {OP}"
MAPPED = FORALL.replace("{outer}", "{outer, mapping = [#gpu.block<y>, #gpu.block<x>]}")


@needs_mlir
def test_a_forall_becomes_a_parallel_loop_as_upstream_does() -> None:
    steps = schedule_of(
        match("%l", "scf.forall"), TO_PARALLEL, f'transform.annotate %p "new" : {OP}'
    )
    after = transform(MAPPED, steps).text
    assert "mapping = [#gpu.block<y>, #gpu.block<x>]" in after
    assert_same_program(after, by_real_mlir(MAPPED, steps))


@needs_mlir
def test_a_parallel_loop_becomes_loops_as_upstream_does() -> None:
    payload = MAPPED.replace("%t[%k", "%t[%i")
    mark = f'transform.annotate %q "new" : {OP}'
    as_upstream(payload, match("%l", "scf.forall"), TO_PARALLEL, TO_NEST, mark)


REDUCING = """\
func.func @f(%n: index, %t: memref<8xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
    %v = memref.load %t[%i] : memref<8xf32>
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
"""


@pytest.mark.parametrize(
    ("payload", "matched", "reason"),
    [
        (REDUCING, "scf.parallel", "the loop reduces values"),
        (FORALL, "scf.forall", "'scf.forall' is not scf.parallel"),
        (FORALL, "scf.for", "the handle points at 0"),
    ],
)
def test_parallel_for_to_nested_fors_refuses(
    payload: str, matched: str, reason: str
) -> None:
    schedule = schedule_of(match("%p", matched), TO_NEST)
    assert reason in refusal(payload, schedule).fact


def test_forall_to_parallel_refuses_shared_outputs() -> None:
    schedule = schedule_of(match("%l", "scf.forall"), TO_PARALLEL)
    assert "has shared outputs" in refusal(GRID, schedule).fact


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(summing(0, "%n", 3), schedule_of(ANY, OUTLINE)).text
    golden("transforms/loop/outline.mlir", after)
    after = transform(FORALL, schedule_of(match("%l", "scf.forall"), to_for(2))).text
    golden("transforms/loop/forall_to_for.mlir", after)
    steps = [match("%l", "scf.forall"), TO_PARALLEL]
    after = transform(MAPPED, schedule_of(*steps)).text
    golden("transforms/loop/forall_to_parallel.mlir", after)


@needs_mlir
@pytest.mark.parametrize(
    "steps",
    [
        [ANY, OUTLINE],
        [match("%l", "scf.forall"), to_for(2)],
        [match("%l", "scf.forall"), TO_PARALLEL, TO_NEST],
    ],
)
def test_round_trip(steps: list[str]) -> None:
    assert_round_trips(*steps)
