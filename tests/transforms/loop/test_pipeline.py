"""loop.pipeline: prologue, kernel and epilogue."""

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
    as_upstream,
    assert_equal_results,
    assert_round_trips,
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


def pipeline(interval: int = 1, latency: int = 10) -> str:
    options = f"{{iteration_interval = {interval}, read_latency = {latency}}}"
    return f"%r = transform.loop.pipeline %l {options} : ({FOR}) -> {OP}"


MARK = f'transform.annotate %r "kernel" : {OP}'


def scalars(upper: int = 10, step: int = 1, lower: int = 0) -> str:
    """Load, add, store: a stage each."""
    return f"""\
func.func @f(%n: index, %s: index, %a: memref<32xf32>, %b: memref<32xf32>, %z: f32) {{
  %c0 = arith.constant {lower} : index
  %c1 = arith.constant {step} : index
  %c9 = arith.constant {upper} : index
  scf.for %i = %c0 to %c9 step %c1 {{
    %v = memref.load %a[%i] : memref<32xf32>
    %w = arith.addf %v, %z : f32
    memref.store %w, %b[%i] : memref<32xf32>
  }} {{kept}}
  return
}}
"""


def vectors(upper: int = 24) -> str:
    """A dot product and a sum, read by vectors; three carried values."""
    return f"""\
func.func @f(%n: index, %s: index, %a: memref<32x2xf32>, %t: tensor<32xf32>,
             %x0: vector<4xf32>, %z: f32) -> (vector<4xf32>, f32, vector<4xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant {upper} : index
  %pad = arith.constant 0.0 : f32
  %r:3 = scf.for %i = %c0 to %c9 step %c4 iter_args(%x = %x0, %y = %z, %o = %x0)
      -> (vector<4xf32>, f32, vector<4xf32>) {{
    %v = vector.transfer_read %a[%i, %c1], %pad
      {{permutation_map = affine_map<(d0, d1) -> (d0)>, in_bounds = [true]}}
      : memref<32x2xf32>, vector<4xf32>
    %u = vector.transfer_read %t[%i], %pad {{in_bounds = [true]}}
      : tensor<32xf32>, vector<4xf32>
    %p = arith.mulf %v, %u : vector<4xf32>
    %q = arith.addf %x, %p : vector<4xf32>
    %d = tensor.extract %t[%i] : tensor<32xf32>
    %e = arith.subf %d, %y : f32
    %k = arith.subf %u, %o : vector<4xf32>
    scf.yield %q, %e, %k : vector<4xf32>, f32, vector<4xf32>
  }}
  return %r#0, %r#1, %r#2 : vector<4xf32>, f32, vector<4xf32>
}}
"""


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("interval", [1, 2, 3])
@pytest.mark.parametrize("upper", [1, 2, 4, 10])
def test_scalars_pipelined_as_upstream_does(upper: int, interval: int) -> None:
    as_upstream(scalars(upper), LOOPS, pipeline(interval, 2), MARK)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize(
    ("interval", "latency"),
    [(2, 1), (2, 2), (2, 3), (2, 5), (3, 4), (3, 10), (4, 1), (4, 10), (7, 10)],
)
def test_vectors_pipelined_as_upstream_does(interval: int, latency: int) -> None:
    as_upstream(vectors(), LOOPS, pipeline(interval, latency), MARK)


@needs_mlir
def test_regions_are_pipelined_as_upstream_does() -> None:
    payload = scalars().replace(
        "    memref.store %w,",
        """\
    %c = arith.cmpf olt, %v, %z : f32
    %x = scf.if %c -> (f32) {
      scf.yield %w : f32
    } else {
      scf.yield %v : f32
    }
    memref.store %x,""",
    )
    as_upstream(payload, LOOPS, pipeline(2), MARK)


@settings(max_examples=examples(40), deadline=None)
@given(
    interval=st.integers(1, 6),
    latency=st.integers(0, 12),
    trips=st.integers(0, 8),
    scalar=st.booleans(),
)
def test_any_schedule_computes_the_same(
    interval: int, latency: int, trips: int, scalar: bool
) -> None:
    payload = scalars(3 + 2 * trips, 2, 3) if scalar else vectors(4 * trips)
    try:
        after = transform(payload, schedule_of(LOOPS, pipeline(interval, latency)))
    except SilenceableFailure as failure:
        assert "under way" in failure.fact or "needs is there" in failure.fact
        return
    assert_equal_results(payload, after.text, [(1, 1)])


def test_pipelined_twice() -> None:
    """The kernel's loads are a stage ahead, and can go another one ahead."""
    again = [f"%m = transform.cast %r : {OP} to {FOR}"]
    again.append(pipeline(2).replace("%r", "%r2").replace("%l", "%m"))
    transformed(vectors(), LOOPS, pipeline(3, 4), *again)


def test_launch_attributes_stay() -> None:
    stages = "triton.num_stages = 3 : i64"
    after = transformed(scalars().replace("kept", stages), LOOPS, pipeline())
    assert f"{{{stages}}}" in after


def test_a_row_of_its_own_may_be_read_and_written() -> None:
    payload = scalars().replace("%b[%i]", "%a[%i]")
    transformed(payload, LOOPS, pipeline())


@pytest.mark.parametrize(
    ("payload", "interval", "latency", "reason"),
    [
        (scalars().replace("to %c9", "to %n"), 1, 1, "the bounds are not constants"),
        (scalars(1, 1), 1, 1, None),
        (vectors(4), 2, 8, "iterations would be under way"),
        (
            vectors().replace(
                "%q = arith.addf %x, %p : vector<4xf32>",
                "%g = arith.addf %x, %p : vector<4xf32>\n"
                "    %q = arith.mulf %g, %p : vector<4xf32>",
            ),
            1,
            3,
            "an op would run before what it needs is there",
        ),
        (scalars().replace("%b[%i]", "%a[%c0]"), 1, 1, "may touch what another"),
        (
            scalars().replace(
                "    %v =",
                "    memref.store %z, %b[%i] : memref<32xf32>\n    %v =",
            ),
            1,
            1,
            None,
        ),
        (
            scalars().replace(
                "  } {kept}\n",
                "    %q = memref.load %b[%i] : memref<32xf32>\n  } {kept}\n",
                1,
            ),
            1,
            1,
            "two accesses to one buffer would change places",
        ),
        (
            scalars()
            .replace(
                "    memref.store %w",
                "    %t = memref.alloc() : memref<1xf32>\n"
                "    %0 = arith.constant 0 : index\n"
                "    memref.store %w, %t[%0] : memref<1xf32>\n"
                "    %u = memref.load %t[%0] : memref<1xf32>\n"
                "    memref.store %w",
            )
            .replace("store %w, %b", "store %u, %b"),
            1,
            1,
            "two accesses to one buffer would change places",
        ),
    ],
)
def test_what_is_refused_and_what_is_not(
    payload: str, interval: int, latency: int, reason: str | None
) -> None:
    steps = [LOOPS, pipeline(interval, latency)]
    if reason is None:
        transformed(payload, *steps)
        return
    assert reason in refusal(payload, schedule_of(*steps)).fact


def test_a_value_carried_unchanged_is_refused() -> None:
    payload = vectors().replace("scf.yield %q, %e, %k", "scf.yield %q, %e, %o")
    error = refusal(payload, schedule_of(LOOPS, pipeline(4, 1)))
    assert "not made in the loop's body" in error.fact


def test_a_buffer_that_the_next_iteration_reads_is_shared() -> None:
    payload = """\
func.func @f(%a: memref<32xf32>, %b: memref<32xf32>, %z: f32, %first: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%last = %first) -> (memref<1xf32>) {
    %u = memref.load %last[%c0] : memref<1xf32>
    memref.store %u, %b[%i] : memref<32xf32>
    %t = memref.alloc() : memref<1xf32>
    %v = memref.load %a[%i] : memref<32xf32>
    %w = arith.addf %v, %z : f32
    memref.store %w, %t[%c0] : memref<1xf32>
    scf.yield %t : memref<1xf32>
  }
  return
}
"""
    found = refusal(payload, schedule_of(LOOPS, pipeline(1, 1)))
    assert "may touch what another iteration touches" in found.fact


def test_an_empty_body_is_refused() -> None:
    body = scalars().split("step %c1 {\n")
    payload = body[0] + "step %c1 {\n" + "  }" + body[1].split("  }", 1)[1]
    error = refusal(payload, schedule_of(LOOPS, pipeline()))
    assert "the loop's body is empty" in error.fact


def test_the_handle_and_the_numbers_are_checked() -> None:
    untyped = pipeline().replace(f"({FOR})", f"({OP})")
    with pytest.raises(UserError, match="must be a handle to scf.for"):
        parse_schedule(schedule_of(match("%l", "scf.for"), untyped))
    with pytest.raises(UserError, match="'iteration_interval' must be positive"):
        parse_schedule(schedule_of(LOOPS, pipeline(0)))
    with pytest.raises(UserError, match="'read_latency' must not be negative"):
        parse_schedule(schedule_of(LOOPS, pipeline(1, -1)))


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(scalars(), schedule_of(LOOPS, pipeline(1, 2))).text
    golden("transforms/loop/pipeline.mlir", after)


@needs_mlir
@pytest.mark.parametrize("step", [pipeline(), pipeline(2, 3)])
def test_round_trip(step: str) -> None:
    assert_round_trips(LOOPS, step)
