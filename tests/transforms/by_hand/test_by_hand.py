"""Ops that put payload in place as the script says."""

from __future__ import annotations

import pytest

from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    match,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure
from tilewright.ir.text import to_text

BRANCHES = """
func.func @f(%x: f32) -> f32 {
  %yes = arith.constant true
  %r = scf.if %yes -> (f32) {
    %a = arith.addf %x, %x : f32
    scf.yield %a : f32
  } else {
    %b = arith.mulf %x, %x : f32
    scf.yield %b : f32
  }
  return %r : f32
}
"""
CALLS = """
func.func private @twice(%x: f32, %y: f32) -> f32 {
  %a = arith.subf %x, %y : f32
  return %a : f32
}
func.func @f(%x: f32, %y: f32) -> f32 {
  %a = arith.subf %x, %y : f32
  %r = call @twice(%a, %x) : (f32, f32) -> f32
  return %r : f32
}
"""
TAKE = f"transform.scf.take_assumed_branch %h : ({OP}) -> ()"
SIGNATURE = "results_interchange = [0] at %root {adjust_func_calls}"
PAIR = f": ({OP}) -> ({OP}, {OP})"


def reorder(order: str) -> str:
    op = "transform.func.replace_func_signature @twice args_interchange"
    return f"%m, %g = {op} = {order} {SIGNATURE} {PAIR}"


def test_the_branch_that_is_always_taken() -> None:
    ran = transform(BRANCHES, schedule_of(match("%h", "scf.if"), TAKE))
    assert "scf.if" not in to_text(ran.module)
    assert "arith.mulf" not in to_text(ran.module)
    assert_same_numbers(ran)


def test_the_other_branch() -> None:
    other = TAKE.replace("%h :", "%h take_else_branch :")
    ran = transform(BRANCHES, schedule_of(match("%h", "scf.if"), other))
    assert "arith.addf" not in to_text(ran.module)


def test_a_branch_is_taken_once() -> None:
    error = refusal(BRANCHES, schedule_of(match("%h", "arith.addf"), TAKE))
    assert isinstance(error, SilenceableFailure)
    assert error.fact == "take_assumed_branch: 'arith.addf' has no branches"


def test_arguments_in_another_order() -> None:
    ran = transform(CALLS, schedule_of(reorder("[1, 0]")))
    assert "func.call @twice(%x, %a)" in to_text(ran.module)
    assert_same_numbers(ran)


def test_twice_is_as_before() -> None:
    again = reorder("[1, 0]").replace("%m, %g", "%n, %k").replace("%root", "%m")
    ran = transform(CALLS, schedule_of(reorder("[1, 0]"), again))
    assert "func.call @twice(%a, %x)" in to_text(ran.module)
    assert_same_numbers(ran)


@pytest.mark.parametrize("order", ["[0]", "[0, 0]", "[0, 2]"])
def test_an_order_that_is_none(order: str) -> None:
    error = refusal(CALLS, schedule_of(reorder(order)))
    assert isinstance(error, SilenceableFailure)


def test_arguments_that_are_equal_are_dropped() -> None:
    payload = CALLS.replace("@twice(%a, %x)", "@twice(%a, %a)")
    line = f"%m, %g = transform.func.deduplicate_func_args @twice at %root {PAIR}"
    ran = transform(payload, schedule_of(line))
    assert "func.call @twice(%a) : (f32) -> f32" in to_text(ran.module)
    assert_same_numbers(ran)


def test_a_replacement_has_the_same_results() -> None:
    line = (
        "%n = transform.structured.replace %h {\n"
        "    %0 = arith.constant 1.0 : f32\n  } : (" + f"{OP}) -> {OP}"
    )
    error = refusal(BRANCHES, schedule_of(match("%h", "arith.constant"), line))
    assert isinstance(error, DefiniteFailure)
    assert "'arith.constant' does not have the results of" in error.fact
