"""foreach_match, collect_matching and the predicates, against real MLIR."""

from __future__ import annotations

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.transforms.schedules import (
    OP,
    by_real_mlir,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.text import to_text
from tilewright.schedules.schedule import check_text

PARAM = "!transform.param<i64>"
PAYLOAD = """
func.func @f(%x: tensor<8x16xf32>, %y: tensor<16x4xf32>, %z: tensor<8x4xf16>)
    -> (tensor<8x4xf32>, tensor<8xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %mm = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x4xf32>)
      outs(%fill : tensor<8x4xf32>) -> tensor<8x4xf32>
  %a = linalg.add ins(%mm, %mm : tensor<8x4xf32>, tensor<8x4xf32>)
      outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a : tensor<8x4xf32>) outs(%e1 : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.mulf %i, %i : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %a, %r : tensor<8x4xf32>, tensor<8xf32>
}
"""


def sequences(*predicates: str, structured: bool = True) -> str:
    """A matcher of these predicates on %s, and an action that marks the op."""
    lines = "\n".join(predicates)
    if structured:
        lines = (
            f"transform.match.structured failures(propagate) %op : {OP} {{\n"
            f"^bb0(%s: {OP}):\n{lines}\n"
            f"transform.match.structured.yield\n}}"
        )
    else:
        lines = lines.replace("%s", "%op")
    return (
        f"transform.named_sequence @matcher(%op: {OP} {{transform.readonly}}) -> {OP} "
        f"{{\n{lines}\n  transform.yield %op : {OP}\n}}\n"
        f"transform.named_sequence @action(%op: {OP} {{transform.readonly}}) {{\n"
        f'  transform.annotate %op "hit" : {OP}\n  transform.yield\n}}\n'
    )


def number(value: int, name: str = "%n") -> str:
    return f"{name} = transform.param.constant {value} : i64 -> {PARAM}"


def query(name: str, what: str) -> str:
    return f"{name} = transform.match.structured.{what} : ({OP}) -> {PARAM}"


MATCHERS = {
    "rank": [
        number(2),
        query("%r", "rank %s"),
        f"transform.match.param.cmpi eq %r, %n : {PARAM}",
    ],
    "at most two inputs": [
        number(1),
        query("%r", "num_inputs %s"),
        f"transform.match.param.cmpi gt %r, %n : {PARAM}",
    ],
    "one init": [
        number(1),
        query("%r", "num_inits %s"),
        f"transform.match.param.cmpi ge %r, %n : {PARAM}",
    ],
    "all parallel": [f"transform.match.structured.dim %s[all] {{parallel}} : {OP}"],
    "last is a reduction": [
        f"transform.match.structured.dim %s[-1] {{reduction}} : {OP}"
    ],
    "all but the last parallel": [
        f"transform.match.structured.dim %s[except(-1)] {{parallel}} : {OP}"
    ],
    "extent of the first loop": [
        number(8),
        query("%d", "dim %s[0]"),
        f"transform.match.param.cmpi eq %d, %n : {PARAM}",
    ],
    "extent of the last loop": [
        number(16),
        query("%d", "dim %s[-1]"),
        f"transform.match.param.cmpi lt %d, %n : {PARAM}",
    ],
    "elementwise": [f"transform.match.structured.body %s {{elementwise}} : {OP}"],
    "passthrough": [f"transform.match.structured.body %s {{passthrough}} : {OP}"],
    "reduction": [
        f"transform.match.structured.body %s {{reduction_position = 0}} : {OP}"
    ],
    "contraction": [
        "transform.match.structured.body %s "
        f'{{contraction = ["arith.mulf", "arith.addf"]}} : {OP}'
    ],
    "inputs are permutations": [
        f"transform.match.structured.input %s[all] {{permutation}} : {OP}"
    ],
    "inputs are projected": [
        f"transform.match.structured.input %s[all] {{projected_permutation}} : {OP}"
    ],
    "the init is a permutation": [
        f"transform.match.structured.init %s[0] {{permutation}} : {OP}"
    ],
    "width of the init": [
        f"%v = transform.match.structured.init %s[0] : ({OP}) -> !transform.any_value",
        "%w = transform.match.structured.elemental_bitwidth %v "
        f": (!transform.any_value) -> {PARAM}",
        number(32),
        f"transform.match.param.cmpi eq %w, %n : {PARAM}",
    ],
    "a single user": [
        f"%u = transform.match.structured.result %s[0] single : ({OP}) -> {OP}"
    ],
    "a user": [f"%u = transform.match.structured.result %s[0] any : ({OP}) -> {OP}"],
    "dims of a contraction": [
        "%b, %m, %nn, %k = transform.match.structured.classify_contraction_dims %s "
        f": ({OP}) -> ({PARAM}, {PARAM}, {PARAM}, {PARAM})",
        number(2),
        f"transform.match.param.cmpi eq %k, %n : {PARAM}",
    ],
}
ACT = f"%r = transform.foreach_match in %root @matcher -> @action : ({OP}) -> {OP}"
COLLECT = f"%c = transform.collect_matching @matcher in %root : ({OP}) -> {OP}"


def functions(text: str) -> str:
    return text.partition("func.func")[2]


@pytest.mark.sampled(12)
@needs_mlir
@pytest.mark.parametrize("name", MATCHERS)
def test_matches_what_real_mlir_matches(name) -> None:
    schedule = schedule_of(ACT, sequences=sequences(*MATCHERS[name]))
    ours = transform(PAYLOAD, schedule)
    assert functions(mlir_opt(ours.text)) == functions(by_real_mlir(PAYLOAD, schedule))


@needs_mlir
def test_names() -> None:
    named = 'transform.match.operation_name %s ["linalg.matmul", "linalg.add"]'
    schedule = schedule_of(
        ACT, sequences=sequences(f"{named} : {OP}", structured=False)
    )
    ours = transform(PAYLOAD, schedule)
    assert ours.text.count("hit") == 2
    assert functions(mlir_opt(ours.text)) == functions(by_real_mlir(PAYLOAD, schedule))


@needs_mlir
@pytest.mark.parametrize("name", ["all parallel", "a user"])
def test_collects_what_matches(name) -> None:
    schedule = schedule_of(
        COLLECT,
        f'transform.annotate %c "collected" : {OP}',
        sequences=sequences(*MATCHERS[name]),
    )
    ours = transform(PAYLOAD, schedule)
    assert "collected" in ours.text
    assert functions(mlir_opt(ours.text)) == functions(by_real_mlir(PAYLOAD, schedule))


@needs_mlir
def test_the_first_matcher_decides() -> None:
    second = (
        sequences(*MATCHERS["rank"])
        .replace("@matcher", "@other")
        .replace("@action", "@mark")
        .replace('"hit"', '"other"')
    )
    schedule = schedule_of(
        "%r = transform.foreach_match in %root @matcher -> @action, @other -> @mark "
        f": ({OP}) -> {OP}",
        sequences=sequences(*MATCHERS["elementwise"]) + second,
    )
    ours = transform(PAYLOAD, schedule)
    assert functions(mlir_opt(ours.text)) == functions(by_real_mlir(PAYLOAD, schedule))


@pytest.mark.slow
@needs_mlir
def test_real_mlir_reads_the_ops() -> None:
    for predicates in MATCHERS.values():
        mlir_opt(
            to_text(parse_schedule(schedule_of(ACT, sequences=sequences(*predicates))))
        )


def test_actions_may_transform() -> None:
    tile = (
        f"transform.named_sequence @tile(%op: {OP} {{transform.consumed}}) {{\n"
        "  %t, %l = transform.structured.tile_using_for %op tile_sizes [4] "
        f": ({OP}) -> ({OP}, {OP})\n  transform.yield\n}}\n"
    )
    schedule = schedule_of(
        f"%r = transform.foreach_match in %root @matcher -> @tile : ({OP}) -> {OP}",
        sequences=sequences(*MATCHERS["all parallel"]) + tile,
    )
    assert transform(PAYLOAD, schedule).text.count("scf.for") == 2


REFUSALS = {
    "no such matcher": (
        f"%r = transform.foreach_match in %root @nobody -> @action : ({OP}) -> {OP}",
        "no named sequence @nobody",
    ),
    "a predicate at the top": (
        f'transform.match.operation_name %root ["func.func"] : {OP}',
        "'builtin.module' is none of func.func",
    ),
    "not empty": (
        f"transform.match.operation_empty %root : {OP}",
        "the handle points at 1 op(s)",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal(name) -> None:
    step, words = REFUSALS[name]
    error = refusal(PAYLOAD, schedule_of(step, sequences=sequences(*MATCHERS["rank"])))
    assert words in error.fact and error.place is not None


def test_a_comparison_that_fails_says_which() -> None:
    error = refusal(
        PAYLOAD,
        schedule_of(
            match("%h", "linalg.add"),
            number(3),
            f"%c = transform.num_associations %h : ({OP}) -> {PARAM}",
            f"transform.match.param.cmpi eq %c, %n : {PARAM}",
        ),
    )
    assert error.fact == "match.param.cmpi: 1 is not eq 3"


@pytest.mark.parametrize("user", [ACT, COLLECT])
@pytest.mark.parametrize("structured", [True, False])
def test_a_matcher_only_looks(user: str, structured: bool) -> None:
    changing = f'transform.annotate %s "x" : {OP}'
    schedule = schedule_of(user, sequences=sequences(changing, structured=structured))
    error = refusal(PAYLOAD, schedule)
    assert error.fact == "annotate: @matcher is a matcher, and a matcher only looks"


def test_the_check_knows_matchers_too() -> None:
    changing = sequences(f'transform.annotate %s "x" : {OP}')
    errors = check_text(schedule_of(ACT, sequences=changing), "s.mlir")
    assert [error.fact for error in errors] == [
        "annotate: @matcher is a matcher, and a matcher only looks"
    ]
    (error,) = check_text(
        schedule_of(ACT.replace("@matcher", "@macher"), sequences=sequences()), "s.mlir"
    )
    assert error.fact == "foreach_match: no sequence 'macher'"
    assert error.remedy == "did you mean 'matcher'?"
