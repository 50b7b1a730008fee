"""loop.coalesce, fuse_sibling, promote_if_one_iteration, get_parent_for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.loops import (
    FOR,
    LENGTH,
    LOOPS,
    Bound,
    as_upstream,
    assert_equal_results,
    assert_round_trips,
    constants,
    outer,
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
from tilewright.ir.errors import DefiniteFailure, UserError

COALESCE = f"%r = transform.loop.coalesce %l : ({FOR}) -> {FOR}"
EXPANDED = ("--affine-expand-index-ops-as-affine",)
"""Upstream computes the indices by one op, which it can write out as affine maps."""
Range = tuple[Bound, Bound, Bound]


def nest(*ranges: Range, between: str = "") -> str:
    """Perfectly nested loops that carry two values; the indices are %i0, %i1, ..."""
    lines, names = constants(*(bound for range_ in ranges for bound in range_))
    body: list[str] = []
    x, y = "%z", "%half"
    for depth in range(len(ranges)):
        low, high, by = names[3 * depth : 3 * depth + 3]
        body.append(
            f"%r{depth}:2 = scf.for %i{depth} = {low} to {high} step {by} "
            f"iter_args(%x{depth} = {x}, %y{depth} = {y}) -> (f32, f32) {{"
        )
        x, y = f"%x{depth}", f"%y{depth}"
        if depth == 0 and between:
            body.append(between)
    last = len(ranges) - 1
    body += [
        f"%a = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 + 8)>(%i0, %i{last})",
        f"%v = tensor.extract %t[%a] : tensor<{LENGTH}xf32>",
        f"%p = arith.mulf {x}, %half : f32",
        "%q = arith.addf %p, %v : f32",
        f"%w = arith.subf %q, {y} : f32",
        "scf.yield %q, %w : f32, f32",
    ]
    for depth in reversed(range(1, len(ranges))):
        body += ["}", f"scf.yield %r{depth}#0, %r{depth}#1 : f32, f32"]
    inside = "\n".join(f"  {line}" for line in body)
    return f"""\
func.func @f(%n: index, %s: index, %t: tensor<{LENGTH}xf32>, %z: f32) -> (f32, f32) {{
{lines}
  %half = arith.constant 0.5 : f32
{inside}
  }} {{outer}}
  return %r0#0, %r0#1 : f32, f32
}}
"""


@pytest.mark.sampled(6)
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


def siblings(
    first: Range = (0, 5, 1),
    second: Range = (0, 5, 1),
    between: str = "",
    init: str = "%z",
) -> str:
    """Two loops after each other, marked `first` and `second`."""
    lines, names = constants(*first, *second)
    return f"""\
func.func @f(%n: index, %s: index, %t: tensor<{LENGTH}xf32>, %z: f32) -> (f32, f32, f32) {{
{lines}
  %half = arith.constant 0.5 : f32
  %a = scf.for %i = {names[0]} to {names[1]} step {names[2]} iter_args(%x = %z) -> (f32) {{
    %v = tensor.extract %t[%i] : tensor<{LENGTH}xf32>
    %p = arith.mulf %x, %half : f32
    %q = arith.addf %p, %v : f32
    scf.yield %q : f32
  }} {{first}}
  {between}
  %b:2 = scf.for %i = {names[3]} to {names[4]} step {names[5]} iter_args(%x = {init}, %y = %half) -> (f32, f32) {{
    %v = tensor.extract %t[%i] : tensor<{LENGTH}xf32>
    %p = arith.subf %x, %v : f32
    scf.yield %p, %x : f32, f32
  }} {{second}}
  return %a, %b#0, %b#1 : f32, f32, f32
}}
"""  # noqa: E501


def marked(handle: str, mark: str, op: str = "scf.for") -> str:
    return (
        f'{handle} = transform.structured.match ops{{["{op}"]}} attributes {{{mark}}} '
        f"in %root : ({OP}) -> {OP}"
    )


BOTH = [marked("%a", "first"), marked("%b", "second")]
UP = f"%f = transform.loop.fuse_sibling %b into %a : ({OP}, {OP}) -> {OP}"
DOWN = f"%f = transform.loop.fuse_sibling %a into %b : ({OP}, {OP}) -> {OP}"
MARK = f'transform.annotate %f "new" : {OP}'
SIGNATURE = f"(index, index, tensor<{LENGTH}xf32>, f32) -> (f32, f32, f32)"
SAME = "%c = arith.addi %n, %n : index"


@needs_mlir
@pytest.mark.parametrize("step", [UP, DOWN])
def test_siblings_fused_as_upstream_does(step: str) -> None:
    payload = siblings((0, "%n", 1), (0, "%n", 1), "%c = arith.addi %n, %n : index")
    payload = payload.replace("= %b3 to", "= %b0 to").replace("step %b5", "step %b2")
    as_upstream(payload, *BOTH, step, MARK)


@pytest.mark.parametrize("step", [UP, DOWN])
def test_equal_constants_are_equal_bounds(step: str) -> None:
    """Upstream wants the very same value."""
    assert transformed(siblings(), *BOTH, step).count("scf.for") == 1


def test_common_launch_attributes_stay() -> None:
    stages = "triton.num_stages = 3 : i64"
    payload = siblings().replace("{first}", f"{{first, {stages}}}")
    assert stages not in transformed(payload, *BOTH, UP)
    payload = payload.replace("{second}", f"{{second, {stages}}}")
    assert f"{{{stages}}}" in transformed(payload, *BOTH, UP)


@pytest.mark.parametrize(
    ("payload", "step", "reason"),
    [
        (siblings(second=(1, 5, 1)), UP, "differ in kind, bounds, step or mapping"),
        (siblings(second=(0, 5, 2)), UP, "differ in kind, bounds, step or mapping"),
        (siblings(init="%a"), UP, "uses what is not there yet"),
        (siblings(init="%a"), DOWN, "used before, or in, the source"),
        (
            siblings(between="%c = arith.addf %a, %z : f32", init="%c"),
            UP,
            "uses what is not there yet",
        ),
        (
            siblings(between="%c = arith.addf %a, %z : f32", init="%c"),
            DOWN,
            "used before, or in",
        ),
        (
            siblings(between=f"%c:3 = func.call @f(%n, %s, %t, %a) : {SIGNATURE}"),
            DOWN,
            "used before, or in",
        ),
        (siblings(), UP.replace("%b into %a", "%a into %a"), "the same loop"),
    ],
)
def test_fuse_refuses(payload: str, step: str, reason: str) -> None:
    assert reason in refusal(payload, schedule_of(*BOTH, step)).fact


@pytest.mark.parametrize(
    ("payload", "step"),
    [
        (siblings(between="%c = arith.addf %z, %z : f32", init="%c"), UP),
        (siblings(between="%c = arith.addf %a, %z : f32"), DOWN),
    ],
)
def test_ops_between_siblings_make_room(payload: str, step: str) -> None:
    """Upstream refuses both."""
    payload = payload.replace("return %a", "%d = arith.negf %a : f32\n  return %d")
    assert transformed(payload, *BOTH, step).count("scf.for") == 1


def test_fuse_wants_one_loop_of_each() -> None:
    step = UP.replace("%b into", "%l into").replace(f"({OP}, {OP})", f"({FOR}, {OP})")
    error = refusal(siblings(), schedule_of(LOOPS, *BOTH, step))
    assert isinstance(error, DefiniteFailure) and "got 2 and 1" in error.fact


def stores(first: str, second: str, between: str = "") -> str:
    """Two loops over buffers; `first` and `second` say where they read and write."""
    return f"""\
func.func @f(%n: index, %s: index, %t: memref<8x8xf32>, %u: memref<8x8xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {{
    %v = memref.load %t[%i, %c0] : memref<8x8xf32>
    memref.store %v, {first} : memref<8x8xf32>
  }} {{first}}
  {between}
  scf.for %i = %c0 to %c7 step %c1 {{
    %v = memref.load {second} : memref<8x8xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %t[%i, %c1] : memref<8x8xf32>
  }} {{second}}
  return
}}
"""


@needs_mlir
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("%u[%i, %c1]", "%u[%i, %c1]"),
        ("%u[%i, %c1]", "%t[%i, %i]"),
        ("%t[%i, %c7]", "%t[%i, %c7]"),
    ],
)
def test_loops_on_buffers_keep_to_their_own_rows(first: str, second: str) -> None:
    # What runs first must stay first: the loop that is fused comes first in the body.
    payload = stores(first, second)
    ours = transformed(payload, *BOTH, DOWN)
    assert ours.count("scf.for") == 1
    as_upstream(payload, *BOTH, DOWN)


def test_what_ran_first_stays_first() -> None:
    """The target's part comes first in the fused loop, so it must have run first."""
    payload = stores("%u[%i, %c1]", "%u[%i, %c1]")
    error = refusal(payload, schedule_of(*BOTH, UP))
    assert "the source touches, before it, what the target touches" in error.fact


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (stores("%u[%i, %c0]", "%u[%c1, %i]"), "may touch what another iteration"),
        (stores("%u[%c0, %c0]", "%u[%i, %c0]"), "may touch what another iteration"),
        (
            stores(
                "%u[%i, %c0]",
                "%t[%i, %i]",
                "%o = arith.constant 0.0 : f32\n"
                "  memref.store %o, %u[%c0, %c0] : memref<8x8xf32>",
            ),
            "between the loops touches the same buffer",
        ),
    ],
)
def test_loops_on_buffers_that_depend_are_refused(payload: str, reason: str) -> None:
    assert reason in refusal(payload, schedule_of(*BOTH, DOWN)).fact


GRIDS = """\
func.func @f(%t: tensor<4x6xf32>, %u: tensor<4xf32>)
    -> (tensor<4x6xf32>, tensor<4xf32>) {
  %r = scf.forall (%i, %j) in (4, 6) shared_outs(%o = %t) -> (tensor<4x6xf32>) {
    %s = tensor.extract_slice %t[%i, %j] [1, 1] [1, 1] : tensor<4x6xf32> to tensor<1x1xf32>
    %d = linalg.add ins(%s, %s : tensor<1x1xf32>, tensor<1x1xf32>) outs(%s : tensor<1x1xf32>) -> tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x6xf32>
    }
  } {first, mapping = [#gpu.block<y>, #gpu.block<x>]}
  %q = scf.forall (%i, %j) in (4, 6) shared_outs(%o = %u) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %u[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  } {second, mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %r, %q : tensor<4x6xf32>, tensor<4xf32>
}
"""  # noqa: E501
BOTH_GRIDS = [marked("%a", "first", "scf.forall"), marked("%b", "second", "scf.forall")]


@needs_mlir
@pytest.mark.parametrize("step", [UP, DOWN])
def test_grids_fused_as_upstream_does(step: str) -> None:
    as_upstream(GRIDS, *BOTH_GRIDS, step, MARK)


def test_grids_of_another_mapping_are_refused() -> None:
    payload = GRIDS.replace(
        "{second, mapping = [#gpu.block<y>, #gpu.block<x>]}", "{second}"
    )
    assert "mapping" in refusal(payload, schedule_of(*BOTH_GRIDS, UP)).fact


PROMOTE = f"transform.loop.promote_if_one_iteration %l : {FOR}"


@pytest.mark.sampled(6)
@needs_mlir
@pytest.mark.parametrize(
    "bounds",
    [(0, 3, 3), (2, 3, 8), (0, 12, 3), (4, 4, 3), (5, 3, 4), (0, "%n", 3)],
    ids=str,
)
def test_promoted_as_upstream_does(bounds: Range) -> None:
    after = as_upstream(summing(*bounds), LOOPS, PROMOTE)
    assert ("scf.for" in after) == (bounds in [(0, 12, 3), (0, "%n", 3)])


ONE_TILE = """\
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = scf.forall (%i, %j) = (1, 0) to (LAST, 1) step (2, 1) shared_outs(%o = %t, %p = %u)
      -> (tensor<8xf32>, tensor<8xf32>) {
    %s = tensor.extract_slice %o[%j] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %v = tensor.extract_slice %u[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %p[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %v into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
"""  # noqa: E501


def test_a_grid_of_one_tile_is_promoted() -> None:
    """Upstream pairs results with insertions by position, and would swap these two."""
    step = PROMOTE.replace(FOR, OP)
    after = transformed(ONE_TILE.replace("LAST", "3"), match("%l", "scf.forall"), step)
    assert "scf.forall" not in after and after.count("tensor.insert_slice") == 2
    after = transformed(ONE_TILE.replace("LAST", "4"), match("%l", "scf.forall"), step)
    assert "scf.forall" in after


def test_a_grid_of_no_tiles_is_left_alone() -> None:
    step = PROMOTE.replace(FOR, OP)
    payload = ONE_TILE.replace("LAST", "1")
    assert "scf.forall" in transformed(payload, match("%l", "scf.forall"), step)


def test_promote_wants_loops() -> None:
    step = PROMOTE.replace(FOR, OP)
    error = refusal(summing(0, 1, 1), schedule_of(match("%l", "func.func"), step))
    assert isinstance(error, DefiniteFailure) and "is not a loop" in error.fact


def parent_for(target: str, options: str = "") -> str:
    return f"%p = transform.loop.get_parent_for {target} {options} : ({OP}) -> {FOR}"


@pytest.mark.parametrize(
    ("options", "index"), [("", "%i2"), ("{num_loops = 3}", "%i0")]
)
def test_the_loop_around_an_op(options: str, index: str) -> None:
    payload = nest((0, 2, 1), (0, 2, 1), (0, 2, 1))
    text = transformed(
        payload,
        match("%v", "arith.mulf"),
        parent_for("%v", options),
        f'transform.annotate %p "found" : {FOR}',
    )
    found = parse_loops(text)
    assert found == [index]


def parse_loops(text: str) -> list[str]:
    """The indices of the loops that carry the attribute `found`."""
    opened: list[str] = []
    found: list[str] = []
    for line in text.splitlines():
        if "scf.for" in line:
            opened.append(line.split("scf.for ")[1].split(" =")[0])
        elif line.strip().startswith("}") and opened:
            index = opened.pop()
            if "found" in line:
                found.append(index)
    return found


def test_each_loop_comes_once() -> None:
    schedule = schedule_of(
        match("%a", "arith.mulf"),
        match("%b", "arith.subf"),
        f"%v = transform.merge_handles %a, %b : {OP}",
        parent_for("%v"),
        f"%one = transform.split_handle %p : ({FOR}) -> {FOR}",
        f'transform.annotate %one "found" : {FOR}',
    )
    after = transform(nest((0, 2, 1), (0, 2, 1)), schedule).text
    assert parse_loops(after) == ["%i1"]


def test_get_parent_for_refuses() -> None:
    payload = nest((0, 2, 1), (0, 2, 1))
    steps = [match("%v", "arith.mulf"), parent_for("%v", "{num_loops = 3}")]
    assert "not 3 scf.for around it" in refusal(payload, schedule_of(*steps)).fact
    with pytest.raises(UserError, match="affine.for is no loop"):
        parse_schedule(schedule_of(steps[0], parent_for("%v", "{affine = true}")))
    with pytest.raises(UserError, match="must be positive"):
        parse_schedule(schedule_of(steps[0], parent_for("%v", "{num_loops = 0}")))


def test_golden(golden: Callable[[str, str], None]) -> None:
    def check(name: str, payload: str, *steps: str) -> None:
        after = transform(payload, schedule_of(*steps)).text
        golden(f"transforms/loop/{name}.mlir", after)

    check("coalesce", nest((0, 4, 1), (2, 9, 2)), outer(), COALESCE)
    check("fuse_sibling", siblings(), *BOTH, UP)
    check("fuse_sibling_grids", GRIDS, *BOTH_GRIDS, UP)
    check("promote_if_one_iteration", summing(0, 3, 4), LOOPS, PROMOTE)


@needs_mlir
@pytest.mark.parametrize("steps", [[LOOPS, COALESCE], [*BOTH, UP], [LOOPS, PROMOTE]])
def test_round_trip(steps: list[str]) -> None:
    assert_round_trips(*steps)


def test_round_trip_of_what_upstream_dropped() -> None:
    steps = [match("%v", "arith.mulf"), parent_for("%v", "{num_loops = 2}")]
    assert_round_trips(*steps, upstream=False)
