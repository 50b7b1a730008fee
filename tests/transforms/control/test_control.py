"""Ops that find, choose, constrain and mark payload."""

from __future__ import annotations

import operator
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mlir_opt import mlir_opt, needs_mlir
from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.errors import DefiniteFailure, SilenceableFailure, UserError
from tilewright.ir.text import parse_module, to_text
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.control.choices import constrain
from tilewright.transforms.control.choices.bind import bind
from tilewright.transforms.control.choices.constrain import ConstrainParamsOp
from tilewright.transforms.control.choices.tune import (
    AlternativesOp,
    KnobOp,
    open_choices,
)
from tilewright.transforms.interpreter import run_schedule
from tilewright.transforms.table import schedule_context

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

EVERY_FORM = f"""
module attributes {{transform.with_named_sequence}} {{
transform.named_sequence @__transform_main(%root: {ANY} {{transform.readonly}}) {{
  %a = transform.structured.match ops{{["func.func", "linalg.fill"]}} in %root
    : ({ANY}) -> {ANY}
  %b = transform.structured.match interface{{LinalgOp}} in %root : ({ANY}) -> {ANY}
  %c = transform.structured.match interface{{TilingInterface}}
    attributes {{bar = 1 : i64, foo}} in %root : ({ANY}) -> {ANY}
  %d = transform.structured.match ops{{["linalg.fill"]}} interface{{LoopLikeInterface}}
    attributes {{foo}} filter_result_type = f32 filter_operand_types = [f32, i64]
    in %root : ({ANY}) -> !transform.op<"linalg.fill">
  %BM = transform.tune.knob<"BM"> = 128 : i64 from options = [64 : i64, 128] -> {PARAM}
  %BN = transform.tune.knob<"BN"> options = [64, 128] -> {PARAM}
  %s = transform.tune.knob<"s"> options = ["a", true] {{note}} -> !transform.any_param
  %p = transform.param.constant 4 : i64 -> {PARAM}
  %m = transform.merge_handles deduplicate %a, %b {{x}} : {ANY}
  %n = transform.merge_handles %a, %b : {ANY}
  transform.print %m {{name = "hi"}} : {ANY}
  transform.print
  transform.print {{name = "x"}}
  transform.annotate %m "a.b" : {ANY}
  transform.annotate %m "a.b" = %p : {ANY}, {PARAM}
  transform.tune.alternatives<"open"> {{
  }}, {{
    transform.print
  }}
  transform.tune.alternatives<"named"> selected_region = 1
      attributes {{tilewright.labels = ["a", "b"]}} {{
  }}, {{
    transform.print
  }}
  transform.tune.alternatives<"by_param"> selected_region = %p : {PARAM} {{
  }}, {{
    transform.print
  }}
  %r:2 = transform.tune.alternatives<"results"> selected_region = 0 -> {ANY}, {ANY} {{
    transform.yield %a, %b : {ANY}, {ANY}
  }}, {{
    transform.yield %b, %a : {ANY}, {ANY}
  }}
  transform.smt.constrain_params(%BM, %p) : ({PARAM}, {PARAM}) -> () {{
  ^bb0(%x: !smt.int, %y: !smt.int):
    %c4 = smt.int.constant 4
    %cm4 = smt.int.constant -4
    %0 = smt.int.add %x, %y, %c4
    %1 = smt.int.sub %x, %y
    %2 = smt.int.mul %x, %y {{foo}}
    %3 = smt.int.mod %x, %y
    %4 = smt.int.div %x, %y
    %5 = smt.int.abs %cm4
    %6 = smt.int.cmp le %x, %y
    %7 = smt.int.cmp lt %x, %y
    %8 = smt.int.cmp gt %x, %y
    %9 = smt.int.cmp ge %x, %y
    %10 = smt.eq %x, %y : !smt.int
    %11 = smt.distinct %x, %y, %0 : !smt.int
    %12 = smt.and %6, %7, %10
    %13 = smt.or %6, %7, %10
    %14 = smt.not %6
    %15 = smt.xor %6, %14
    %16 = smt.implies %6, %14
    %17 = smt.constant true
    %18 = smt.ite %6, %x, %y : !smt.int
    smt.assert %12
  }}
  transform.yield
}}
}}
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


# -- syntax ----------------------------------------------------------------------


def test_every_form_round_trips() -> None:
    text = to_text(parse(EVERY_FORM))
    assert to_text(parse(text)) == text


@needs_mlir
def test_real_mlir_reads_what_we_print() -> None:
    text = to_text(parse(EVERY_FORM))
    assert mlir_opt(text) == mlir_opt(EVERY_FORM)


@needs_mlir
def test_generic_form_agrees() -> None:
    """The properties have upstream's names and values, not only the pretty form."""
    printed = mlir_opt(EVERY_FORM, "--mlir-print-op-generic")
    for line in ("interface = 1 : i32", "pred = 1 : i64", "selected_region_attr = 1"):
        assert line in printed
    ours = to_text(parse(EVERY_FORM), generic=True)
    for line in ("interface = 1 : i32", "pred = 1 : i64", "selected_region_attr = 1"):
        assert line in ours


@pytest.mark.parametrize(
    "body, message",
    [
        (
            f'%k = transform.tune.knob<"k"> = 3 : i64 from options = [1, 2] -> {PARAM}',
            "'selected' is not among the options",
        ),
        (
            'transform.tune.alternatives<"c"> selected_region = 2 { }, { }',
            "selects region 2 of 2",
        ),
        (
            'transform.tune.alternatives<"c"> attributes '
            '{tilewright.labels = ["a", "a"]} { }, { }',
            "needs 2 different labels",
        ),
        (
            f'%x = transform.tune.alternatives<"c"> -> {ANY} '
            f"{{ transform.yield %root : {ANY} }}, {{ }}",
            "region '1' does not yield the op's 1 result",
        ),
    ],
)
def test_invalid_ops_are_refused(body: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        schedule_of(body)
    assert caught.value.place is not None and caught.value.place.line == 3


# -- match -----------------------------------------------------------------------

MATCHES = [
    'ops{["func.func"]}',
    'ops{["scf.for"]}',
    'ops{["linalg.fill", "scf.for"]}',
    "interface{LinalgOp}",
    "interface{TilingInterface}",
    "interface{LoopLikeInterface}",
    'attributes {tag = "inner"}',
    'ops{["linalg.fill"]} attributes {tag = "outer"}',
    "filter_result_type = tensor<4xf32>",
    "filter_operand_types = [index]",
    'ops{["linalg.fill"]} filter_operand_types = [f32, tensor<4xf32>]',
    'ops{["linalg.nothing"]}',
]


def numbered(conditions: str, count: int) -> str:
    """Numbers what is matched, so that the order shows in the payload."""
    lines = [match("f", 'ops{["func.func"]}'), match("h", conditions, "f")]
    for i in range(count):
        lines.append(f"%p{i} = transform.param.constant {i} : i64 -> {PARAM}\n")
    names = ", ".join(f"%p{i}" for i in range(count))
    if count:
        lines.append(f"%ps = transform.merge_handles {names} : {PARAM}\n")
        lines.append(f'transform.annotate %h "order" = %ps : {ANY}, {PARAM}\n')
    else:
        lines.append(f'transform.annotate %h "order" : {ANY}\n')
    return "".join(lines)


@needs_mlir
@pytest.mark.parametrize("conditions", MATCHES)
def test_match_finds_what_upstream_finds(conditions: str) -> None:
    body = numbered(conditions, len(_matched(conditions)))
    ours = to_text(run(body))
    text = to_text(schedule_of(body))
    both = f"{text[: text.rstrip().rindex('}')]}{PAYLOAD}}}"
    theirs = mlir_opt(
        both, "--transform-interpreter", "--test-transform-dialect-erase-schedule"
    )
    theirs = theirs.replace(
        "module attributes {transform.with_named_sequence}", "module"
    )
    assert mlir_opt(ours) == theirs


def _matched(conditions: str) -> list[str]:
    body = match("f", 'ops{["func.func"]}') + match("h", conditions, "f")
    module = run(body + f'transform.annotate %h "found" : {ANY}')
    return [op.name for op in module.walk() if "found" in op.attributes]


def test_match_needs_one_target() -> None:
    body = match("l", 'ops{["scf.for"]}') + match("x", 'ops{["linalg.fill"]}', "l")
    with pytest.raises(DefiniteFailure, match="this one points at 2") as caught:
        run(body)
    assert caught.value.place is not None and caught.value.place.line == 4


def test_match_holds_its_result_to_the_declared_type() -> None:
    body = match("x", 'ops{["scf.for"]}').replace(
        f"-> {ANY}", '-> !transform.op<"linalg.fill">'
    )
    with pytest.raises(SilenceableFailure, match="the result is declared"):
        run(body)


# -- merge, annotate, print ------------------------------------------------------


def test_merge_keeps_order_and_drops_repeats_on_request() -> None:
    fills = match("a", 'ops{["linalg.fill"]}') + match(
        "b", 'attributes {tag = "inner"}'
    )
    three = "".join(
        f"%p{i} = transform.param.constant {i} : i64 -> {PARAM}\n" for i in range(3)
    )
    three += f"%ps = transform.merge_handles %p0, %p1, %p2 : {PARAM}\n"
    plain = f"%m = transform.merge_handles %b, %a : {ANY}\n"
    mark = f'transform.annotate %m "n" = %ps : {ANY}, {PARAM}'
    assert "n = 1 : i64" in to_text(run(fills + three + plain + mark))
    with pytest.raises(SilenceableFailure, match="holds 3 values.*points at 2 ops"):
        run(
            fills + three + plain.replace("handles %b", "handles deduplicate %b") + mark
        )


def test_annotate_sets_and_overwrites() -> None:
    body = match("a", 'ops{["linalg.fill"]}')
    body += f'transform.annotate %a "tag" : {ANY}\n'
    text = to_text(run(body))
    assert text.count("{tag}") == 2 and '"inner"' not in text


@pytest.mark.parametrize(
    "target, name, value, message",
    [
        ("scf.for", "triton.num_stage", 3, "did you mean 'triton.num_stages'"),
        ("linalg.fill", "triton.num_stages", 3, "does not belong on 'linalg.fill'"),
        ("scf.for", "triton.num_stages", 99, "it takes an integer from 1 to 8"),
        ("scf.for", "triton.num_warps", 4, "set it on a grid"),
    ],
)
def test_annotate_knows_the_launch_attributes(
    target: str, name: str, value: int, message: str
) -> None:
    body = match("a", f'ops{{["{target}"]}}')
    body += f"%p = transform.param.constant {value} : i64 -> {PARAM}\n"
    body += f'transform.annotate %a "{name}" = %p : {ANY}, {PARAM}'
    payload = parse(PAYLOAD)
    before = to_text(payload)
    with pytest.raises(DefiniteFailure) as caught:
        run_schedule(schedule_of(body), payload)
    assert message in str(caught.value)
    assert caught.value.place is not None and caught.value.place.line == 5
    assert to_text(payload) == before


def test_print_writes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    body = match("l", 'attributes {tag = "inner"}')
    body += f'transform.print %l {{name = "the fill"}} : {ANY}\ntransform.print'
    run(body)
    captured = capsys.readouterr()
    assert captured.out == ""
    first, rest = captured.err.split("\n", 1)
    assert first == "[[[ IR printer: the fill ]]]"
    assert "linalg.fill" in rest.splitlines()[0]
    assert "[[[ IR printer: top-level ]]]\nbuiltin.module {" in rest


# -- choices ---------------------------------------------------------------------

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


# -- constraints -----------------------------------------------------------------


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


def test_every_smt_op_evaluates() -> None:
    module = parse(EVERY_FORM)
    (op,) = [op for op in module.walk() if isinstance(op, ConstrainParamsOp)]
    assert constrain.evaluate(op, [1, 2]) is False
    assert constrain.parameter_names(op) == ("BM", "4")
    assert constrain.text(op) == "BM <= 4 and BM < 4 and BM == 4"


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


@pytest.mark.parametrize("value", ["2 : i64", "3 : index", "true", '"x"', "2.5 : f32"])
def test_parameters_are_shown_with_their_types(
    value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As upstream shows them: `2 : i64`."""
    run(
        f"%p = transform.param.constant {value} -> !transform.any_param\n"
        'transform.debug.emit_param_as_remark %p, "it is" : !transform.any_param'
    )
    shown = "2.500000e+00 : f32" if value == "2.5 : f32" else value
    assert capsys.readouterr().err.splitlines()[0].endswith(f"remark: it is {shown}")
