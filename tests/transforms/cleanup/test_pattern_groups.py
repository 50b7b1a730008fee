"""apply_patterns: every group, pattern by pattern."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.pattern_cases import CANONICAL, CASES, for_loop, function
from support.transforms.payloads import elementwise
from support.transforms.same_program import assert_same_program
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    by_real_mlir,
    match,
    patterns,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import DefiniteFailure, UserError
from tilewright.transforms.cleanup.group_ops import GROUP_NAMES
from tilewright.transforms.cleanup.groups import GROUPS


def applying(*groups: str, times: int = 1) -> str:
    """A schedule that applies groups to the function."""
    steps = [patterns(*groups, to="%func")] * times
    return schedule_of(match("%func", "func.func"), *steps)


@pytest.mark.parametrize("name", CASES)
def test_golden_and_numbers(name, golden) -> None:
    payload, groups, _ = CASES[name]
    ran = transform(payload, applying(*groups))
    golden(f"transforms/patterns_{name}.mlir", ran.text)
    assert_same_numbers(ran, reduction=8)


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", CASES)
def test_real_mlir_agrees(name) -> None:
    payload, groups, same = CASES[name]
    schedule = applying(*groups)
    ours = transform(payload, schedule).text
    if same:
        assert_same_program(ours, by_real_mlir(payload, schedule))
    else:
        mlir_opt(ours)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", CASES)
def test_a_second_application_changes_nothing(name) -> None:
    payload, groups, _ = CASES[name]
    once = transform(payload, applying(*groups))
    twice = transform(payload, applying(*groups, times=2))
    assert twice.text == once.text
    assert len(twice.dumps) <= 1


def test_an_invariant_value_yielded_twice_comes_to_rest() -> None:
    payload = function(
        "%a: f32, %b: f32",
        "f32",
        *for_loop(
            "%x = %a, %y = %b",
            "f32, f32",
            "scf.yield %x, %x : f32, f32",
        ),
        "%r = arith.addf %l#0, %l#1 : f32",
    )
    assert_same_numbers(transform(payload, applying(CANONICAL)))


def test_two_loops_that_swap_are_left_alone() -> None:
    payload = function(
        "%a: f32, %b: f32",
        "f32",
        *for_loop(
            "%x = %a, %y = %b",
            "f32, f32",
            "scf.yield %y, %x : f32, f32",
        ),
        "%r = arith.subf %l#0, %l#1 : f32",
    )
    ran = transform(payload, applying(CANONICAL))
    assert "scf.for" in ran.text
    assert_same_numbers(ran)


def test_a_handle_to_an_inlined_loop_may_not_be_used() -> None:
    payload = CASES["loop_with_one_trip"][0]
    schedule = schedule_of(
        match("%l", "scf.for"),
        patterns(CANONICAL),
        f'transform.annotate %l "triton.num_stages" : {OP}',
    )
    with pytest.raises(UserError, match="after it was invalidated"):
        transform(payload, schedule)


def test_an_unknown_group_is_refused_with_a_guess() -> None:
    payload = elementwise("linalg.yield %x : f32")
    with pytest.raises(UserError) as caught:
        transform(payload, applying("vector.lower_masked_transfer"))
    message = str(caught.value)
    assert message.startswith("schedule.mlir:4:")
    name = "transform.apply_patterns.vector.lower_masked_transfer"
    assert f"there is no op '{name}'" in message
    assert "'transform.apply_patterns.vector.lower_masked_transfers'?" in message


def test_what_is_no_group_is_refused() -> None:
    body = "transform.apply_cse to %root : !transform.any_op"
    error = refusal(
        elementwise("linalg.yield %x : f32"),
        schedule_of(f"transform.apply_patterns to %root {{ {body} }} : {OP}"),
    )
    assert isinstance(error, DefiniteFailure)
    assert error.fact == "apply_patterns: no group of patterns 'transform.apply_cse'"


def test_every_group_has_a_marker_op() -> None:
    assert list(GROUPS) == list(GROUP_NAMES)


def test_no_groups_still_drop_dead_code() -> None:
    payload = function(
        "%a: f32", "f32", "%d = arith.addf %a, %a : f32", "%r = arith.mulf %a, %a : f32"
    )
    ran = transform(payload, applying())
    assert "addf" not in ran.text


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("group", [g for g in GROUPS if "tilewright" not in g])
def test_every_group_is_upstream_s(group) -> None:
    payload = elementwise("linalg.yield %x : f32")
    by_real_mlir(payload, applying(group))
