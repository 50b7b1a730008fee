"""loop.peel: the partial iteration, or the first one, split off."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import needs_mlir
from support.transforms.loops import (
    FOR,
    LOOPS,
    Bound,
    as_upstream,
    assert_equal_results,
    assert_round_trips,
    outer,
    storing,
    summing,
    transformed,
)
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    for_loops,
    match,
    patterns,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import SilenceableFailure, UserError

BACK = f"%m, %r = transform.loop.peel %l : ({FOR}) -> ({FOR}, {FOR})"
FRONT = BACK.replace("%l :", "%l {peel_front = true} :")
MARKS = [
    f'transform.annotate %m "main" : {FOR}',
    f'transform.annotate %r "rest" : {FOR}',
]

RANGES: list[tuple[Bound, Bound, Bound]] = [
    (0, 10, 3),
    (2, 10, 3),
    (-3, 10, 4),
    (0, 2, 3),
    (0, "%n", 3),
    (0, "%n", "%s"),
]


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("loop", [summing, storing])
@pytest.mark.parametrize("bounds", RANGES, ids=str)
def test_the_partial_iteration_is_split_off_as_upstream_does(
    loop: Callable[..., str], bounds: tuple[Bound, Bound, Bound]
) -> None:
    as_upstream(loop(*bounds), LOOPS, BACK, *MARKS)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("loop", [summing, storing])
@pytest.mark.parametrize("bounds", [(0, 10, 3), (2, 10, 4), (0, 12, 3)], ids=str)
def test_the_first_iteration_is_split_off_as_upstream_does(
    loop: Callable[..., str], bounds: tuple[int, int, int]
) -> None:
    as_upstream(loop(*bounds), LOOPS, FRONT, *MARKS)


def test_a_loop_that_may_not_run_has_no_first_iteration() -> None:
    """Upstream runs it in any case; n = 0 is among the sizes."""
    after = transformed(summing(0, "%n", 3), LOOPS, FRONT)
    assert "affine.min" in after


@pytest.mark.parametrize("step", [FRONT, BACK])
def test_bounds_out_of_order_stay_an_empty_loop(step: str) -> None:
    """Upstream's remainder runs from below the loop's own lower bound."""
    payload = summing("%s", "%n", 4)
    after = transform(payload, schedule_of(LOOPS, step)).text
    assert_equal_results(payload, after, [(0, 5), (3, 6), (2, 9), (9, 2), (4, 4)])


@settings(max_examples=examples(30), deadline=None)
@given(
    lower=st.integers(-5, 12),
    upper=st.integers(-5, 30),
    step=st.integers(1, 7),
    front=st.booleans(),
)
def test_any_range_computes_the_same(
    lower: int, upper: int, step: int, front: bool
) -> None:
    payload = summing(lower, upper, step)
    schedule = schedule_of(LOOPS, FRONT if front else BACK)
    try:
        after = transform(payload, schedule).text
    except SilenceableFailure:
        trips = len(range(lower, upper, step))
        divides = trips == 0 or (upper - lower) % step == 0
        assert trips <= 1 if front else divides
        return
    assert_equal_results(payload, after, [(1, 1)])


MATMUL = """\
func.func @f(%a: tensor<7x10xf32>, %b: tensor<10x9xf32>, %c: tensor<7x9xf32>)
    -> tensor<7x9xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<7x10xf32>, tensor<10x9xf32>)
                     outs(%c : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %r : tensor<7x9xf32>
}
"""
TILED = [
    match("%mm", "linalg.matmul"),
    for_loops("%t, %i, %k", "%mm", "3, 0, 4"),
    f"%l = transform.cast %k : {OP} to {FOR}",
]


@needs_mlir
def test_a_full_tile_has_a_known_size() -> None:
    """The min that cut the last tile short is gone from both loops."""
    schedule = schedule_of(*TILED, BACK)
    ran = transform(MATMUL, schedule)
    assert_same_numbers(ran, reduction=10)
    before, after = ran.dumps[0].text, ran.text
    assert len(re.findall("affine.min.*10", before)) == 1
    assert not re.findall("affine.min.*10", after)
    assert_same_program(ran.text, by_real_mlir(MATMUL, schedule))


@needs_mlir
def test_loops_are_peeled_from_the_inside_out() -> None:
    schedule = schedule_of(
        *TILED,
        BACK,
        f"%o = transform.cast %i : {OP} to {FOR}",
        BACK.replace("%m, %r", "%m2, %r2").replace("%l", "%o"),
        match("%func", "func.func"),
        patterns("canonicalization", to="%func"),
    )
    ran = transform(MATMUL, schedule)
    assert_same_numbers(ran, reduction=10)
    assert "affine.min" not in ran.text
    assert_same_program(ran.text, by_real_mlir(MATMUL, schedule))


MINIMA = """\
func.func @f(%n: index, %s: index, %x: index) -> index {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%t = %c0) -> (index) {{
    %m = {op}
    %u = arith.addi %t, %m : index
    scf.yield %u : index
  }}
  return %r : index
}}
"""


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize(
    "op",
    [
        "affine.min affine_map<(d0)[s0] -> (-d0 + s0, 4)>(%i)[%n]",
        "affine.max affine_map<(d0)[s0] -> (d0 - s0, -4)>(%i)[%n]",
        "affine.min affine_map<(d0)[s0] -> (-d0 + s0 + 3, 7)>(%i)[%n]",
        "affine.min affine_map<(d0)[s0] -> (s0 * 2 - d0 * 2, 8)>(%i)[%n]",
        "affine.min affine_map<(d0)[s0] -> (-d0 + s0, 5)>(%i)[%n]",
        "affine.min affine_map<(d0)[s0] -> (-d0 + s0, 3)>(%i)[%n]",
        "affine.min affine_map<(d0)[s0] -> (-d0 + s0, 2)>(%i)[%n]",
        "affine.min affine_map<(d0)[s0, s1] -> (-d0 + s0, s1)>(%i)[%n, %x]",
        "affine.min affine_map<(d0)[s0] -> (s0 mod 8 - d0, 4)>(%i)[%n]",
        "affine.min affine_map<(d0)[s0] -> (-d0 + s0, -d0 + s0 + 1, 4)>(%i)[%n]",
    ],
)
def test_minima_and_maxima_are_decided_as_upstream_does(op: str) -> None:
    as_upstream(MINIMA.format(op=op), LOOPS, BACK)


INNER = """\
func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> (f32) {
    %m = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %q = scf.for %j = LOWER to UPPER step %c3 iter_args(%y = %x) -> (f32) {
      %v = tensor.extract %t[%j] : tensor<40xf32>
      %w = arith.subf %v, %y : f32
      scf.yield %w : f32
    } {outer}
    scf.yield %q : f32
  }
  return %r : f32
}
"""


@needs_mlir
def test_bounds_may_depend_on_an_outer_loop() -> None:
    payload = INNER.replace("LOWER", "%c0").replace("UPPER", "%m")
    as_upstream(payload, outer(), BACK)


def test_a_triangle_is_peeled_right() -> None:
    """The bounds are out of order in the last row, where upstream is wrong."""
    payload = INNER.replace("LOWER", "%m").replace("UPPER", "%n")
    beyond = payload.replace("d0 + 1", "d0 + 2")
    assert "affine.max" in transformed(beyond, outer(), BACK)
    transformed(beyond, outer(), FRONT)
    # From `i + 1` to `n`, with `i` below `n`, they are never out of order.
    assert "affine.max" not in transformed(payload, outer(), BACK)


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(MATMUL, schedule_of(*TILED, BACK)).text
    golden("transforms/loop/peel.mlir", after)
    front = transform(summing(0, 10, 4), schedule_of(LOOPS, FRONT)).text
    golden("transforms/loop/peel_front.mlir", front)


def test_several_loops_and_none() -> None:
    two = summing(0, 10, 4).replace("  return", "@again\n  return")
    body = two.split("  %r:2 =")[1].split("@again")[0].replace("%r#", "%s#")
    two = two.replace("@again", "%s2:2 =" + body)
    assert transformed(two, LOOPS, BACK).count("scf.for") == 4
    nothing = LOOPS.replace("scf.for", "scf.while").replace('scf.while">', 'scf.for">')
    assert transformed(two, nothing, BACK).count("scf.for") == 2


@pytest.mark.parametrize(
    ("bounds", "step", "reason"),
    [
        ((0, 12, 3), BACK, "the step already divides the range"),
        ((0, 12, 1), BACK, "the step already divides the range"),
        ((5, 3, 4), BACK, "the loop never runs"),
        ((0, 3, 3), FRONT, "the loop runs only once"),
        ((3, 3, 3), FRONT, "the loop never runs"),
    ],
)
def test_refusals(bounds: tuple[int, int, int], step: str, reason: str) -> None:
    assert reason in refusal(summing(*bounds), schedule_of(LOOPS, step)).fact


def test_what_is_divisible_by_its_making_is_refused() -> None:
    payload = summing(0, "%m", 4).replace(
        "  %half", "  %m = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%n]\n  %half"
    )
    assert "already divides" in refusal(payload, schedule_of(LOOPS, BACK)).fact


def test_a_second_application_is_refused() -> None:
    again = BACK.replace("%l", "%m").replace("%m, %r", "%m2, %r2")
    payload = summing(0, 10, 4)
    error = refusal(payload, schedule_of(LOOPS, BACK, again))
    assert "already divides" in error.fact


def test_a_loop_over_integers_is_refused() -> None:
    payload = """\
func.func @f(%a: f32, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %r = scf.for %i = %c0 to %n step %c3 iter_args(%x = %a) -> (f32) : i32 {
    %y = arith.addf %x, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}
"""
    assert "counts in i32" in refusal(payload, schedule_of(LOOPS, BACK)).fact


def test_the_handle_must_be_declared_to_point_at_loops() -> None:
    untyped = BACK.replace(f"({FOR}) ->", f"({OP}) ->")
    with pytest.raises(UserError, match="must be a handle to scf.for"):
        transform(summing(0, 10, 3), schedule_of(match("%l", "scf.for"), untyped))


def test_the_target_is_consumed() -> None:
    again = f'transform.annotate %l "late" : {FOR}'
    error = refusal(summing(0, 10, 3), schedule_of(LOOPS, BACK, again))
    assert "invalidated" in error.fact


@needs_mlir
@pytest.mark.parametrize(
    "step",
    [BACK, FRONT, BACK.replace("%l :", "%l {fail_if_already_divisible = true} :")],
)
def test_round_trip(step: str) -> None:
    assert_round_trips(outer(), step)
