"""loop.unroll and loop.unroll_and_jam: several iterations in one."""

from __future__ import annotations

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
    constants,
    outer,
    storing,
    summing,
    transformed,
)
from support.transforms.schedules import (
    OP,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import SilenceableFailure, UserError


def unroll(factor: int, target: str = "%l", kind: str = FOR) -> str:
    return f"transform.loop.unroll {target} {{factor = {factor}}} : {kind}"


def jam(factor: int, kind: str = FOR) -> str:
    return f"transform.loop.unroll_and_jam %l {{factor = {factor}}} : {kind}"


UNROLLED: list[tuple[tuple[Bound, Bound, Bound], int]] = [
    ((0, 12, 3), 2),
    ((0, 10, 3), 3),
    ((2, 11, 3), 2),
    ((-4, 7, 2), 4),
    ((0, 2, 3), 2),
    ((5, 3, 4), 2),
    ((0, 4, 1), 4),
    ((0, 4, 1), 8),
    ((0, 4, 1), 1),
    ((0, 1, 1), 1),
    ((0, "%n", "%s"), 2),
    ((0, "%n", 1), 3),
]


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("loop", [summing, storing])
@pytest.mark.parametrize(("bounds", "factor"), UNROLLED, ids=str)
def test_unrolled_as_upstream_does(
    loop: Callable[..., str], bounds: tuple[Bound, Bound, Bound], factor: int
) -> None:
    as_upstream(loop(*bounds), LOOPS, unroll(factor))


@settings(max_examples=examples(30), deadline=None)
@given(
    lower=st.integers(-5, 12),
    upper=st.integers(-5, 30),
    step=st.integers(1, 7),
    factor=st.integers(1, 6),
)
def test_any_range_computes_the_same(
    lower: int, upper: int, step: int, factor: int
) -> None:
    payload = summing(lower, upper, step)
    after = transform(payload, schedule_of(LOOPS, unroll(factor))).text
    assert_equal_results(payload, after, [(1, 1)])


def test_bounds_out_of_order_stay_an_empty_loop() -> None:
    """Upstream divides without a sign, and runs on and on."""
    payload = summing("%s", "%n", 2)
    after = transform(payload, schedule_of(LOOPS, unroll(3))).text
    assert_equal_results(payload, after, [(0, 5), (3, 6), (9, 2), (4, 4), (8, 1)])


@needs_mlir
def test_a_loop_over_integers_is_unrolled() -> None:
    payload = """\
func.func @f(%a: f32, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (f32) : i32 {
    %v = arith.sitofp %i : i32 to f32
    %y = arith.addf %x, %v : f32
    scf.yield %y : f32
  }
  return %r : f32
}
"""
    after = transform(payload, schedule_of(LOOPS, unroll(3))).text
    assert "arith.divui" in after and after.count("scf.for") == 2


def test_a_loop_that_runs_once_becomes_its_body() -> None:
    assert "scf.for" not in transformed(summing(0, 1, 1), LOOPS, unroll(1))
    assert "scf.for" in transformed(summing(0, 2, 1), LOOPS, unroll(1))


def nested(lower: Bound, upper: Bound, step: Bound) -> str:
    """Each iteration works on its own row; loops in it carry values and do not."""
    lines, (low, high, by) = constants(lower, upper, step)
    return f"""\
func.func @f(%n: index, %s: index, %a: memref<16x16xf32>, %z: f32) {{
{lines}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = {low} to {high} step {by} {{
    %p = memref.load %a[%i, %c0] : memref<16x16xf32>
    %q:2 = scf.for %j = %c0 to %n step %c1 iter_args(%x = %p, %y = %z) -> (f32, f32) {{
      %v = memref.load %a[%i, %j] : memref<16x16xf32>
      %w = arith.addf %v, %x : f32
      %u = arith.subf %w, %y : f32
      scf.for %k = %c0 to %s step %c1 {{
        memref.store %w, %a[%i, %k] : memref<16x16xf32>
      }}
      scf.yield %w, %u : f32, f32
    }}
    memref.store %q#0, %a[%i, %c1] : memref<16x16xf32>
    memref.store %q#1, %a[%i, %n] : memref<16x16xf32>
  }} {{outer}}
  return
}}
"""


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize(
    ("bounds", "factor"),
    [
        ((0, 4, 1), 2),
        ((0, 6, 1), 3),
        ((0, 2, 1), 2),
        ((1, 10, 3), 3),
        ((0, 4, 1), 9),
        ((0, 4, 1), 1),
        ((0, 1, 1), 4),
    ],
    ids=str,
)
def test_jammed_as_upstream_does(bounds: tuple[int, int, int], factor: int) -> None:
    as_upstream(nested(*bounds), outer(), jam(factor))


def test_jam_twice() -> None:
    again = [outer("%m"), jam(2).replace("%l", "%m")]
    after = transformed(nested(0, 8, 1), outer(), jam(2), *again)
    assert after.count("memref.store") == 4 * 3


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(summing(0, 10, 1), schedule_of(LOOPS, unroll(4))).text
    golden("transforms/loop/unroll.mlir", after)
    after = transform(nested(0, 4, 1), schedule_of(outer(), jam(2))).text
    golden("transforms/loop/unroll_and_jam.mlir", after)


def test_unroll_twice_is_unroll_by_the_product() -> None:
    payload = summing(0, 16, 1)
    twice = transformed(payload, LOOPS, unroll(2), LOOPS.replace("%l", "%m", 1))
    again = transformed(
        payload, LOOPS, unroll(2), LOOPS.replace("%l", "%m", 1), unroll(2, "%m")
    )
    assert twice.count("tensor.extract") == 2 and again.count("tensor.extract") == 4


def test_nothing_to_unroll() -> None:
    payload = summing(0, 16, 1)
    after = transformed(payload, match("%l", "scf.while"), unroll(2, kind=OP))
    assert after.count("tensor.extract") == 1


def test_unroll_refuses_what_is_no_loop() -> None:
    schedule = schedule_of(match("%l", "func.func"), unroll(2, kind=OP))
    error = refusal(summing(0, 4, 1), schedule)
    assert isinstance(error, SilenceableFailure)
    assert "'func.func' is not scf.for" in error.fact


@pytest.mark.parametrize(
    ("payload", "factor", "reason"),
    [
        (summing(0, 4, 1), 2, "carries values"),
        (nested(0, "%n", 1), 2, "how often the loop runs is not known"),
        (nested(0, 5, 1), 2, "does not divide the 5 iterations"),
        (nested(3, 3, 1), 2, "the loop never runs"),
        (nested(0, 4, 1).replace("%c0 to %n", "%i to %n"), 2, "bounds depend"),
        (nested(0, 4, 1).replace("%a[%i, %c1]", "%a[%c1, %i]"), 2, "may touch"),
        (nested(0, 4, 1).replace("%a[%i, %j]", "%a[%j, %j]"), 2, "may touch"),
    ],
)
def test_jam_refuses(payload: str, factor: int, reason: str) -> None:
    assert reason in refusal(payload, schedule_of(outer(), jam(factor))).fact


def test_what_an_iteration_only_reads_may_be_anywhere() -> None:
    payload = nested(0, 4, 1).replace("%z: f32)", "%z: f32, %b: memref<16x16xf32>)")
    payload = payload.replace("%a[%i, %j]", "%b[%j, %j]")
    transformed(payload, outer(), jam(2))


ROWS = """\
func.func @f(%n: index, %s: index, %a: memref<8x4xf32>, %b: memref<4x4xf32>,
             %c: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c2 {
    %p = memref.subview %a[%i, 0] [2, 4] [1, 1]
      : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    %q = memref.subview %c[%i, 0] [SIZE, 4] [1, 1]
      : memref<8x4xf32> to memref<SIZEx4xf32, strided<[4, 1], offset: ?>>
    %r = memref.subview %c[%i, 0] [2, 4] [1, 1]
      : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.matmul ins(%p, %b : memref<2x4xf32, strided<[4, 1], offset: ?>>,
                              memref<4x4xf32>)
                  outs(%r : memref<2x4xf32, strided<[4, 1], offset: ?>>)
    memref.copy %p, %r : memref<2x4xf32, strided<[4, 1], offset: ?>>
      to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp ins(%q : memref<SIZEx4xf32, strided<[4, 1], offset: ?>>)
               outs(%q : memref<SIZEx4xf32, strided<[4, 1], offset: ?>>)
  } {outer}
  return
}
"""


def test_tiles_of_their_own_are_told_apart() -> None:
    transformed(ROWS.replace("SIZE", "2"), outer(), jam(2))
    wide = ROWS.replace("SIZE", "3").replace("%c8 step", "%c4 step")
    wide = wide.replace("  %c8", "  %c4 = arith.constant 4 : index\n  %c8")
    assert "may touch" in refusal(wide, schedule_of(outer(), jam(2))).fact


def test_a_call_may_touch_anything() -> None:
    payload = nested(0, 4, 1).replace(
        "    %p =", "    func.call @g(%i) : (index) -> ()\n    %p ="
    )
    payload += "func.func @g(%i: index) { return }\n"
    assert "'func.call'" in refusal(payload, schedule_of(outer(), jam(2))).fact


@pytest.mark.parametrize("step", [unroll(2), jam(2)])
def test_a_loop_without_a_sign_is_refused(step: str) -> None:
    payload = nested(0, 4, 1).replace("scf.for %i", "scf.for unsigned %i")
    error = refusal(payload, schedule_of(outer(), step))
    assert "compares its bounds without a sign" in error.fact


def test_inner_loops_without_a_sign_stay_so() -> None:
    payload = nested(0, 4, 1).replace("scf.for %j", "scf.for unsigned %j")
    assert "scf.for unsigned" in transformed(payload, outer(), jam(2))


@pytest.mark.parametrize("step", [unroll(0), jam(0), unroll(-2)])
def test_a_factor_is_positive(step: str) -> None:
    with pytest.raises(UserError, match="must be positive"):
        parse_schedule(schedule_of(LOOPS, step))


@pytest.mark.parametrize("step", [unroll(2), jam(2)])
def test_the_target_is_consumed(step: str) -> None:
    late = f'transform.annotate %l "late" : {FOR}'
    error = refusal(nested(0, 4, 1), schedule_of(outer(), step, late))
    assert "invalidated" in error.fact


@needs_mlir
@pytest.mark.parametrize("step", [unroll(3), jam(2)])
def test_round_trip(step: str) -> None:
    assert_round_trips(LOOPS, step)
