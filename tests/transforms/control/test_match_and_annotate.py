"""match, merge_handles, annotate, print: what each finds and marks, and its text."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from support.mlir_opt import mlir_opt, needs_mlir
from tilewright.ir.errors import DefiniteFailure, SilenceableFailure, UserError
from tilewright.ir.text import parse_module, to_text
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


@pytest.mark.sampled(12)
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


def test_every_smt_op_evaluates() -> None:
    module = parse(EVERY_FORM)
    (op,) = [op for op in module.walk() if isinstance(op, ConstrainParamsOp)]
    assert constrain.evaluate(op, [1, 2]) is False
    assert constrain.parameter_names(op) == ("BM", "4")
    assert constrain.text(op) == "BM <= 4 and BM < 4 and BM == 4"
