"""promote_if_one_iteration and get_parent_for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.loop_nests import (
    BOTH,
    BOTH_GRIDS,
    COALESCE,
    GRIDS,
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
    assert_round_trips,
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


@pytest.mark.sampled(12)
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
