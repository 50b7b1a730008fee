"""Constraints on parameters: every smt op, and arithmetic as SMT defines it."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.text import parse_module
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices import constrain
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule

ANY = "!transform.any_op"


PARAM = "!transform.param<i64>"


PAYLOAD = """
func.func @f(%n: index, %t: tensor<4xf32>, %z: f32) -> tensor<4xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%x = %t) -> (tensor<4xf32>) {
    %a = scf.for %j = %i to %n step %n iter_args(%y = %x) -> (tensor<4xf32>) {
      %0 = linalg.fill {tag = "inner"} ins(%z : f32) outs(%y : tensor<4xf32>)
        -> tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    }
    scf.yield %a : tensor<4xf32>
  }
  %1 = linalg.fill ins(%z : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


def parse(text: str, name: str = "test.mlir") -> ModuleOp:
    return parse_module(text, name, schedule_context())


def constraint(text: str, names: Sequence[str]) -> ConstrainParamsOp:
    """The op that the schedule language makes of a condition."""
    knobs = "".join(f"  {name} = knob [1]\n" for name in names)
    source = f"schedule s(root) {{\n{knobs}  require {text}\n}}\n"
    module = Schedule.from_text(source).module
    (op,) = [op for op in module.walk() if isinstance(op, ConstrainParamsOp)]
    return op


def test_a_violated_constraint_is_silenceable() -> None:
    schedule = Schedule.from_text("""
schedule s(root) {
  BM = knob [64, 128]    BN = knob [64, 256]
  require BM * BN <= 128 * 128
}
""")
    run_schedule(schedule.bound({"BM": 128, "BN": 64}), parse(PAYLOAD))
    with pytest.raises(SilenceableFailure) as caught:
        run_schedule(schedule.bound({"BM": 128, "BN": 256}), parse(PAYLOAD))
    assert str(caught.value) == (
        "schedule.tw:4:3: error: require: BM * BN <= 128 * 128 does not hold for "
        "BM = 128, BN = 256; choose other values, or relax the constraint\n"
        "    require BM * BN <= 128 * 128\n"
        "    ^"
    )


@pytest.mark.parametrize(
    "text",
    [
        "A - (B - C) == 1",
        "A - B - C == 1",
        "(A + B) * C < 4 or not (A == B and B != C)",
        "A / B / C >= A % (B + 1)",
        "-A < 0 - B",
        "abs(A - B) <= 3",
        "implies(A > 1, B > 1)",
        "xor(A == 1, B == 1) and ite(A < B, A, B) == C",
        "1 <= A <= B",
        "true or false",
    ],
)
def test_text_reads_back_as_the_same_condition(text: str) -> None:
    names = ["A", "B", "C"]
    op = constraint(text, names)
    written = constrain.text(op)
    again = constraint(written, names)
    assert constrain.text(again) == written
    assert op.body.is_structurally_equivalent(again.body)


def test_division_by_zero_does_not_hold() -> None:
    op = constraint("A / B == 0", ["A", "B"])
    assert constrain.evaluate(op, [1, 2])
    assert not constrain.evaluate(op, [1, 0])


@pytest.mark.parametrize("a", [-7, -1, 0, 1, 7])
@pytest.mark.parametrize("b", [-3, -1, 1, 3])
def test_division_is_euclidean_as_in_smt(a: int, b: int) -> None:
    quotient = next(q for q in range(-20, 21) if 0 <= a - b * q < abs(b))
    op = constraint(f"A / B == {quotient} and A % B == {a - b * quotient}", ["A", "B"])
    assert constrain.evaluate(op, [a, b])


NAMES = ("A", "B", "C")


numbers = st.deferred(
    lambda: (
        st.sampled_from(NAMES)
        | st.integers(0, 9).map(str)
        | st.tuples(numbers, st.sampled_from("+-*"), numbers).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        )
    )
)


conditions = st.deferred(
    lambda: (
        st.tuples(
            numbers, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), numbers
        ).map(lambda t: f"{t[0]} {t[1]} {t[2]}")
        | st.tuples(conditions, st.sampled_from(["and", "or"]), conditions).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        )
        | conditions.map(lambda c: f"not ({c})")
    )
)


@settings(deadline=None)
@given(conditions, st.tuples(*[st.integers(0, 20)] * 3))
def test_evaluation_agrees_with_python(text: str, values: tuple[int, ...]) -> None:
    op = constraint(text, NAMES)
    point = dict(zip(NAMES, values, strict=True))
    used = [point[name] for name in constrain.parameter_names(op)]
    expected = bool(eval(text, {}, dict(point)))
    assert constrain.evaluate(op, used) == expected
    written = constrain.text(op)
    assert bool(eval(written, {}, dict(point))) == expected


@given(st.sampled_from(["/", "%"]), st.integers(0, 10_000), st.integers(1, 100))
def test_division_agrees_with_python(sign: str, a: int, b: int) -> None:
    python = {"/": operator.floordiv, "%": operator.mod}[sign](a, b)
    op = constraint(f"A {sign} B == {python}", ["A", "B"])
    assert constrain.evaluate(op, [a, b])
