"""Knobs and alternatives: binding them, running the branch that is chosen."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import DefiniteFailure, UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.transforms.control.choices.bind import bind
from tilewright.transforms.control.choices.open_choices import open_choices
from tilewright.transforms.control.choices.tune_alternatives import AlternativesOp
from tilewright.transforms.control.choices.tune_knob import KnobOp
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


def schedule_of(body: str) -> ModuleOp:
    return parse(
        "module attributes {transform.with_named_sequence} {\n"
        f"transform.named_sequence @__transform_main(%root: {ANY} "
        "{transform.readonly}) {\n" + body + "\ntransform.yield\n}\n}\n"
    )


def run(body: str, payload: str = PAYLOAD) -> ModuleOp:
    module = parse(payload, "payload.mlir")
    run_schedule(schedule_of(body), module)
    return module


def match(result: str, conditions: str, target: str = "root") -> str:
    return (
        f"%{result} = transform.structured.match {conditions} in %{target} "
        f": ({ANY}) -> {ANY}\n"
    )


OPEN = f"""
module attributes {{transform.with_named_sequence}} {{
transform.named_sequence @helper(%f: {ANY} {{transform.readonly}}) {{
  %S = transform.tune.knob<"S"> options = [2, 3] -> {PARAM}
  transform.annotate %f "S" = %S : {ANY}, {PARAM}
  transform.yield
}}
transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
  %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}
  %BM = transform.tune.knob<"BM"> options = [64, 128] -> {PARAM}
  transform.tune.alternatives<"how">
      attributes {{tilewright.labels = ["plain", "fancy"]}} {{
    transform.annotate %f "plain" : {ANY}
  }}, {{
    %again = transform.tune.knob<"BM"> options = [64, 128] -> {PARAM}
    transform.annotate %f "fancy" = %again : {ANY}, {PARAM}
  }}
  transform.include @helper failures(propagate) (%f) : ({ANY}) -> ()
  transform.yield
}}
}}
"""


def test_open_choices_in_the_order_of_the_run() -> None:
    found = [(choice.name, choice.options) for choice in open_choices(parse(OPEN))]
    assert found == [("BM", (64, 128)), ("how", ("plain", "fancy")), ("S", (2, 3))]


def test_bind_reaches_branches_and_included_sequences() -> None:
    module = parse(OPEN)
    bind(module, {"BM": 128, "how": "fancy", "S": 3})
    assert open_choices(module) == []
    knobs = [op.value for op in module.walk() if isinstance(op, KnobOp)]
    assert knobs == [3, 128, 128]
    payload = parse(PAYLOAD)
    run_schedule(module, payload)
    text = to_text(payload)
    assert "fancy = 128" in text and "S = 3" in text and "plain" not in text


def test_the_first_branch_counts_as_chosen() -> None:
    """Its number is 0, which an integer attribute takes for false."""
    module = parse(OPEN)
    bind(module, {"how": "plain"})
    assert [choice.name for choice in open_choices(module)] == ["BM", "S"]


@pytest.mark.parametrize(
    "point, message",
    [
        ({"BN": 64}, "the schedule has no choice 'BN'; did you mean 'BM'?"),
        ({"zz": 64}, "has no choice 'zz'; its choices are BM, how, S"),
        ({"BM": 96}, "knob 'BM' cannot be 96; choose one of 64, 128"),
        ({"BM": "64"}, "knob 'BM' cannot be 64; choose one of 64, 128"),
        ({"how": "fast"}, "choice 'how' cannot be fast; choose one of plain, fancy"),
        ({"BM": 64, "how": 1}, "choice 'how' cannot be 1; choose one of plain, fancy"),
    ],
)
def test_bind_errors(point: dict[str, int | str], message: str) -> None:
    module = parse(OPEN)
    before = to_text(module)
    with pytest.raises(UserError) as caught:
        bind(module, point)
    assert message in str(caught.value)
    assert to_text(module) == before, "a point that is refused changes nothing"


@pytest.mark.parametrize(
    "point, message",
    [
        (
            {},
            "knob: 'BM' is open, its options are 64, 128 (open too: how, S); "
            "choose with --set BM=64",
        ),
        (
            {"BM": 64},
            "tune.alternatives: 'how' is open, its branches are plain, fancy "
            "(open too: S); choose with --set how=plain, or tune",
        ),
    ],
)
def test_an_open_choice_stops_the_run(point: dict[str, int], message: str) -> None:
    module = parse(OPEN)
    bind(module, point)
    with pytest.raises(DefiniteFailure) as caught:
        run_schedule(module, parse(PAYLOAD, "payload.mlir"))
    assert message in str(caught.value)
    assert "transform.tune" in str(caught.value), "the line is shown"


def test_alternatives_pass_on_what_the_branch_yields() -> None:
    body = (
        match("a", 'attributes {tag = "inner"}')
        + match("b", 'ops{["func.func"]}')
        + f'%r = transform.tune.alternatives<"c"> selected_region = 1 -> {ANY} {{\n'
        f"  transform.yield %a : {ANY}\n}}, {{\n  transform.yield %b : {ANY}\n}}\n"
        f'transform.annotate %r "picked" : {ANY}'
    )
    marked = [op.name for op in run(body).walk() if "picked" in op.attributes]
    assert marked == ["func.func"]


def test_alternatives_by_parameter() -> None:
    body = (
        match("f", 'ops{["func.func"]}')
        + f"%p = transform.param.constant 1 : i64 -> {PARAM}\n"
        + f'transform.tune.alternatives<"c"> selected_region = %p : {PARAM} {{\n'
        f'  transform.annotate %f "a" : {ANY}\n}}, {{\n'
        f'  transform.annotate %f "b" : {ANY}\n}}'
    )
    (function,) = run(body).ops
    assert "b" in function.attributes and "a" not in function.attributes
    with pytest.raises(DefiniteFailure, match="'c' has no branch 2"):
        run(body.replace("constant 1", "constant 2"))


def test_labels_are_numbers_where_there_are_none() -> None:
    module = schedule_of('transform.tune.alternatives<"c"> { }, { }')
    (op,) = [op for op in module.walk() if isinstance(op, AlternativesOp)]
    assert op.labels == ("0", "1")
