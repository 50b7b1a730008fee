"""coalesce: a nest of loops as one loop."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.loop_nests import (
    BOTH,
    COALESCE,
    PROMOTE,
    UP,
    Range,
    nest,
    siblings,
)
from support.transforms.loops import (
    FOR,
    LOOPS,
    as_upstream,
    assert_equal_results,
    outer,
    summing,
    transformed,
)
from support.transforms.schedules import refusal, schedule_of, transform

EXPANDED = ("--affine-expand-index-ops-as-affine",)
"""Upstream computes the indices by one op, which it can write out as affine maps."""


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize(
    "ranges",
    [
        [(0, 4, 1), (0, 3, 1)],
        [(0, 10, 3), (2, 9, 2)],
        [(0, "%s", 1), (0, 5, "%s")],
        [(0, 2, 1), (0, 3, 1), (0, "%n", 1)],
        [(0, 4, 1), (0, 4, 1), (0, "%i1", 1)],
        [(0, 4, 1), (0, "%i0", 1), (0, 2, 1)],
        [(0, 2, 1), (-1, 3, 1), (1, 5, 2)],
        [(0, 1, 1), (0, 1, 1)],
    ],
    ids=str,
)
def test_coalesced_as_upstream_does(ranges: list[Range]) -> None:
    mark = f'transform.annotate %r "new" : {FOR}'
    as_upstream(nest(*ranges), outer(), COALESCE, mark, then=EXPANDED)


@settings(max_examples=examples(20), deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(-1, 2), st.integers(-1, 5), st.integers(1, 3)),
        min_size=2,
        max_size=3,
    )
)
def test_any_nest_computes_the_same(ranges: list[tuple[int, int, int]]) -> None:
    payload, schedule = nest(*ranges), schedule_of(outer(), COALESCE)
    if any(lower >= upper for lower, upper, _ in ranges):
        assert "never runs" in refusal(payload, schedule).fact
        return
    after = transform(payload, schedule).text
    assert after.count("scf.for") == 1
    assert_equal_results(payload, after, [(1, 1)])


def inside_a_loop(payload: str) -> str:
    """The nest in another loop, on whose index %n depends."""
    head, body = payload.split("  %r0:2 =")
    body, tail = body.split("  return")
    return f"""\
{head.replace("%n: index", "%m: index")}  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %l = scf.for %o = %zero to %m step %one iter_args(%g = %z) -> (f32) {{
    %n = arith.addi %o, %one : index
    %r0:2 = {body.replace("= %z", "= %g")}
    scf.yield %r0#1 : f32
  }}
  return %l, %l : f32, f32
}}
"""


@needs_mlir
def test_bounds_may_depend_on_what_is_around_the_nest() -> None:
    payload = inside_a_loop(nest((0, 2, 1), (0, "%n", 1)))
    after = transformed(payload, outer(), COALESCE)
    assert after.count("scf.for") == 2
    mlir_opt(after)  # it reads what we print, but not what it prints itself


def test_bounds_out_of_order_stay_empty_loops() -> None:
    """Upstream multiplies two negative numbers of iterations."""
    payload = nest(("%s", "%n", 1), ("%s", "%n", 2))
    after = transform(payload, schedule_of(outer(), COALESCE)).text
    assert_equal_results(payload, after, [(0, 3), (2, 4), (3, 1), (2, 2)])


def test_what_an_outer_iteration_began_with_is_kept() -> None:
    """The inner body reads %x0; upstream would hand it the running value."""
    payload = nest((0, 2, 1), (0, 3, 1)).replace("mulf %x1, %half", "mulf %x0, %half")
    assert (
        "carries other values" in refusal(payload, schedule_of(outer(), COALESCE)).fact
    )


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (nest((0, 4, 1)), "more, or less, than one loop"),
        (nest((0, 4, 1), (3, 3, 1)), "never runs"),
        (nest((0, 4, 1), (0, "%i0", 1)), "bounds depend on the outer"),
        (
            nest((0, 4, 1), (0, 3, 1), between="%e = arith.addi %i0, %i0 : index"),
            "more, or less, than one loop",
        ),
    ],
)
def test_coalesce_refuses(payload: str, reason: str) -> None:
    assert reason in refusal(payload, schedule_of(outer(), COALESCE)).fact


def test_loops_without_a_sign_keep_to_themselves() -> None:
    payload = nest((0, 4, 1), (0, 3, 1)).replace("scf.for %i1", "scf.for unsigned %i1")
    assert "than one loop" in refusal(payload, schedule_of(outer(), COALESCE)).fact
    both = siblings().replace("scf.for %i", "scf.for unsigned %i")
    assert "scf.for unsigned" in transformed(both, *BOTH, UP)
    one = siblings().replace("scf.for %i", "scf.for unsigned %i", 1)
    assert "differ in kind" in refusal(one, schedule_of(*BOTH, UP)).fact
    negative = summing(-1, 1, 4).replace("scf.for %i", "scf.for unsigned %i")
    after = transform(negative, schedule_of(LOOPS, PROMOTE)).text
    assert "scf.for unsigned" in after


def test_a_second_coalescing_is_refused() -> None:
    again = f"%q = transform.loop.coalesce %r : ({FOR}) -> {FOR}"
    schedule = schedule_of(outer(), COALESCE, again)
    assert "than one loop" in refusal(nest((0, 4, 1), (0, 3, 1)), schedule).fact
