"""hoist_redundant_vector_broadcasts: loops carry a lane instead of a repeated one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.mlir_opt import needs_mlir
from support.transforms.loops import assert_round_trips, transformed
from support.transforms.schedules import OP, match, schedule_of, transform

FUNC = match("%func", "func.func")
HOIST = (
    "%h = transform.structured.hoist_redundant_vector_broadcasts %func "
    f": ({OP}) -> {OP}"
)
VECTOR = "vector<8xf32>"


def looping(
    upper: str = "%c4",
    init: str = "%v0",
    place: str = "0",
    first: str = "",
    used: str = "%r#1",
) -> str:
    return f"""\
func.func @f(%n: index, %s: index, %t: tensor<40xf32>, %z: f32) -> (f32, {VECTOR}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v0 = vector.transfer_read %t[%c0], %z {{in_bounds = [true]}} : tensor<40xf32>, {VECTOR}
  %same = vector.broadcast %z : f32 to {VECTOR}
  %r:2 = scf.for %i = %c0 to {upper} step %c1 iter_args(%a = %z, %v = {init}) -> (f32, {VECTOR}) {{
    {first}
    %x = vector.extract %v[{place}] : f32 from {VECTOR}
    %b = arith.addf %a, %x : f32
    %y = arith.mulf %x, %b : f32
    %w = vector.broadcast %y : f32 to {VECTOR}
    scf.yield %b, %w : f32, {VECTOR}
  }}
  return %r#0, {used} : f32, {VECTOR}
}}
"""  # noqa: E501


CARRIED = "-> (f32, f32)"
CASES = {
    "a loop that runs": (looping(), True),
    "a lane chosen outside": (looping(place="%s"), True),
    "a lane chosen inside": (looping(place="%i"), False),
    "two reads": (
        looping(first=f"%q = vector.extract %v[1] : f32 from {VECTOR}"),
        False,
    ),
    "lanes that may differ": (looping("%n"), False),
    "equal lanes": (looping("%n", "%same"), True),
    "an unused vector": (looping("%n", used="%same"), True),
}


@pytest.mark.parametrize(("payload", "hoists"), CASES.values(), ids=CASES)
def test_which_loops_carry_a_lane(payload: str, hoists: bool) -> None:
    """`transformed` compares the numbers before and after."""
    assert (CARRIED in transformed(payload, FUNC, HOIST)) == hoists


def test_a_second_application_changes_nothing() -> None:
    payload = looping()
    once = transform(payload, schedule_of(FUNC, HOIST)).text
    again = HOIST.replace("%h =", "%g =").replace("%func", "%h")
    assert transform(payload, schedule_of(FUNC, HOIST, again)).text == once


def test_golden(golden: Callable[[str, str], None]) -> None:
    after = transform(looping(), schedule_of(FUNC, HOIST)).text
    golden("transforms/hoist_redundant_vector_broadcasts.mlir", after)


@needs_mlir
def test_round_trip() -> None:
    assert_round_trips(FUNC, HOIST)
