"""use_exp2: exponentials by exp2, with the scale folded in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from support.examples import examples
from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import EXAMPLES
from support.transforms.schedules import (
    OP,
    assert_same_numbers,
    evaluate,
    match,
    refusal,
    schedule_of,
    transform,
)
from tilewright.ir.errors import UserError
from tilewright.schedules.schedule import Schedule

PAYLOAD = """\
func.func @f(%x: tensor<4x{n}x{of}>, %bias: tensor<4x{n}x{of}>)
    -> (tensor<4x{n}x{of}>, tensor<4x{of}>) {{
  %zero = arith.constant 0.0 : {of}
  %scale = arith.constant 0.25 : {of}
  %cap = arith.constant 20.0 : {of}
  %low = arith.constant 0x{low} : {of}
  %e = tensor.empty() : tensor<4x{n}x{of}>
  %r = tensor.empty() : tensor<4x{of}>
  %scores = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                     affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  }} ins(%x, %bias : tensor<4x{n}x{of}>, tensor<4x{n}x{of}>)
    outs(%e : tensor<4x{n}x{of}>) {{
  ^bb0(%s: {of}, %b: {of}, %o: {of}):
    {scores}
    linalg.yield %y : {of}
  }} -> tensor<4x{n}x{of}>
  %start = linalg.fill ins(%low : {of}) outs(%r : tensor<4x{of}>) -> tensor<4x{of}>
  %largest = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  }} ins(%scores : tensor<4x{n}x{of}>) outs(%start : tensor<4x{of}>) {{
  ^bb0(%s: {of}, %acc: {of}):
    %y = arith.maximumf %s, %acc : {of}
    linalg.yield %y : {of}
  }} -> tensor<4x{of}>
  %p = linalg.generic {{
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                     affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  }} ins(%scores, %largest : tensor<4x{n}x{of}>, tensor<4x{of}>)
    outs(%e : tensor<4x{n}x{of}>) {{
  ^bb0(%s: {of}, %m: {of}, %o: {of}):
    {power}
    linalg.yield %y : {of}
  }} -> tensor<4x{n}x{of}>
  return %p, {second} : tensor<4x{n}x{of}>, tensor<4x{of}>
}}
"""
SCALED = "%y = arith.mulf %s, %scale : {of}"
CASES = {
    "scaled": SCALED,
    "divided": "%y = arith.divf %s, %cap : {of}",
    "plain": "%y = arith.addf %s, %zero : {of}",
    "causal": """%w = arith.mulf %s, %scale : {of}
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %y = arith.select %c, %w, %low : {of}""",
    "biased": """%w = arith.mulf %s, %scale : {of}
    %y = arith.addf %w, %b : {of}""",
    "one factor": """%w = arith.mulf %s, %scale : {of}
    %v = arith.mulf %scale, %b : {of}
    %y = arith.addf %w, %v : {of}""",
    "capped": """%w = arith.divf %s, %cap : {of}
    %t = math.tanh %w : {of}
    %y = arith.mulf %t, %cap : {of}""",
    "clamped": """%w = arith.mulf %s, %scale : {of}
    %y = arith.maximumf %w, %zero : {of}""",
}
KEEP_THEIR_FACTOR = ("plain", "biased")
POWER = """%d = arith.subf %s, %m : {of}
    %y = math.exp %d : {of}"""
USE = [match("%f", "func.func"), f"transform.tilewright.use_exp2 %f : {OP}"]


def payload(
    scores: str = SCALED,
    power: str = POWER,
    n: int = 8,
    of: str = "f32",
    second: str = "%largest",
) -> str:
    low = {"f16": "FC00", "f32": "FF800000", "f64": "FFF0000000000000"}[of]
    parts = {"scores": scores.format(of=of), "power": power.format(of=of)}
    return PAYLOAD.format(n=n, of=of, low=low, second=second, **parts)


def body_of(text: str, name: str) -> str:
    return text.split(f"%{name} = linalg.generic")[1].split("linalg.yield")[0]


def test_golden(golden) -> None:
    ran = transform(payload(CASES["causal"]), schedule_of(*USE))
    golden("transforms/use_exp2.mlir", ran.text)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("of", ["f32", "f64"])
def test_numbers(case: str, of: str) -> None:
    ran = transform(payload(CASES[case], of=of), schedule_of(*USE))
    assert "math.exp " not in ran.text
    assert_same_numbers(ran)
    # The largest is a result too: it has its factor back.
    keeps = case in KEEP_THEIR_FACTOR
    assert ran.text.count("linalg.generic") == (3 if keeps else 4)
    products = body_of(ran.text, "p").count("arith.mulf")
    assert products == 2


@pytest.mark.parametrize("n", [1, 7, 127])
def test_odd_lengths(n: int) -> None:
    ran = transform(payload(CASES["causal"], n=n), schedule_of(*USE))
    assert_same_numbers(ran)


def test_the_scale_costs_no_multiplication() -> None:
    ran = transform(payload(), schedule_of(*USE))
    assert "arith.mulf" not in body_of(ran.text, "scores")
    assert "0.360673755 : f32" in ran.text  # log2(e) / 4, in the exponent only
    assert ran.text.count("arith.constant 2.500000e-01") == 1  # for the result alone


def test_the_scale_stays_where_another_op_reads_the_scores() -> None:
    total = payload().replace(
        "  return",
        """  %abs = linalg.abs ins(%scores : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return""",
    )
    ran = transform(total.replace("return %p", "return %abs"), schedule_of(*USE))
    assert "arith.mulf" in body_of(ran.text, "scores")
    assert_same_numbers(ran)


def test_readers_of_the_largest_multiply_in_their_bodies() -> None:
    """A log-sum-exp, say, reads the largest score."""
    squared = payload(second="%sq").replace(
        "  return",
        """  %sq = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%largest : tensor<4xf32>) outs(%r : tensor<4xf32>) {
  ^bb0(%m: f32, %o: f32):
    %y = arith.mulf %m, %m : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return""",
    )
    ran = transform(squared, schedule_of(*USE))
    assert body_of(ran.text, "sq").count("arith.mulf") == 2
    assert_same_numbers(ran)


@pytest.mark.parametrize(
    ("power", "products"),
    [
        ("%y = math.exp %s : {of}", 1),
        ("%n = arith.negf %s : {of}\n %y = math.exp %n : {of}", 1),
        ("%n = arith.mulf %s, %cap : {of}\n %y = math.exp %n : {of}", 1),
        ("%n = arith.mulf %s, %s : {of}\n %y = math.exp %n : {of}", 2),
        ("%n = arith.addf %s, %cap : {of}\n %y = math.exp %n : {of}", 1),
        ("%n = arith.minimumf %s, %cap : {of}\n %y = math.exp %n : {of}", 1),
    ],
)
def test_other_arguments(power: str, products: int) -> None:
    ran = transform(payload(CASES["plain"], power), schedule_of(*USE))
    body = body_of(ran.text, "p")
    assert body.count("arith.mulf") == products and "arith.negf" not in body
    assert_same_numbers(ran)


@pytest.mark.parametrize("case", ["scaled", "causal", "capped"])
def test_infinities_and_nan(case: str) -> None:
    ran = transform(payload(CASES[case]), schedule_of(*USE))
    x = np.random.default_rng(5).standard_normal((4, 8)).astype(np.float32)
    x[0, 0], x[1, :], x[2, 1], x[3, :] = -np.inf, -np.inf, np.nan, -4000
    inputs = [x, x]
    with np.errstate(invalid="ignore"):
        want, got = evaluate(ran.before, inputs), evaluate(ran.module, inputs)
    for one, other in zip(want, got, strict=True):
        assert np.isnan(one).any()
        np.testing.assert_allclose(other, one, rtol=1e-5, atol=0)


def test_one_op_alone() -> None:
    """Handles to it and to the ops around it stay."""
    three = f"%s, %m, %p = transform.split_handle %g : ({OP}) -> ({OP}, {OP}, {OP})"
    steps = [
        match("%g", "linalg.generic"),
        three,
        f"transform.tilewright.use_exp2 %p : {OP}",
        f'transform.annotate %p "kept" : {OP}',
        f'transform.annotate %s "scores" : {OP}',
    ]
    ran = transform(payload(), schedule_of(*steps))
    assert "kept" in ran.text and "scores" in ran.text
    assert_same_numbers(ran)


def test_a_second_application_finds_nothing() -> None:
    error = refusal(payload(), schedule_of(*USE, USE[1]))
    assert "'func.func' has no math.exp in the body of a generic op; match" in str(
        error
    )


def test_refusals_change_nothing() -> None:
    error = refusal(payload(of="f16"), schedule_of(*USE))
    assert "the exponential is of f16" in str(error)
    assert "compute it in f32" in str(error)
    named = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }"""
    error = refusal(named, schedule_of(*USE))
    assert "'linalg.exp' is a named op; generalize it first" in str(error)
    general = f"%g = transform.structured.generalize %e : ({OP}) -> {OP}"
    steps = [match("%e", "linalg.exp"), general, *USE]
    assert_same_numbers(transform(named, schedule_of(*steps)))


@needs_mlir
@pytest.mark.parametrize("case", ["causal", "capped"])
def test_real_mlir_accepts_the_result(case: str) -> None:
    ran = transform(payload(CASES[case]), schedule_of(*USE))
    assert "math.exp2" in mlir_opt(ran.text, "--canonicalize", "--cse")


def test_the_verb() -> None:
    text = 'schedule s(root) {\n  f = match "func.func" in root\n  exp2 f\n}\n'
    schedule = Schedule.from_text(text)
    assert "transform.tilewright.use_exp2 %f" in schedule.to_mlir()
    assert "exp2 f" in schedule.to_tw()
    with pytest.raises(UserError, match="exp2"):
        Schedule.from_text(text.replace("exp2 f", "exp2 f by 2"))


@pytest.mark.parametrize("name", ["attention_causal", "softmax"])
def test_examples(name: str) -> None:
    source = (EXAMPLES / "payloads" / f"{name}.mlir").read_text()
    for large, small in (("32x", "1x"), ("512", "24"), ("1024", "24"), ("64", "8")):
        source = source.replace(large, small)
    ran = transform(source, schedule_of(*USE))
    assert ran.text.count("math.exp2") == 1
    assert_same_numbers(ran, reduction=24)


def expression(data: st.DataObject, names: Sequence[str], prefix: str) -> str:
    """A few random scalar ops over `names` and constants; the last one is %y."""
    known, lines = [*names, "%scale", "%cap", "%zero"], []
    length = data.draw(st.integers(1, 5))
    for at in range(length):
        left, right = (data.draw(st.sampled_from(known)) for _ in range(2))
        made = "%y" if at == length - 1 else f"%{prefix}{at}"
        lines.append(
            data.draw(
                st.sampled_from(
                    [
                        f"{made} = arith.mulf {left}, %scale : f32",
                        f"{made} = arith.mulf %scale, {left} : f32",
                        f"{made} = arith.divf {left}, %cap : f32",
                        f"{made} = arith.addf {left}, {right} : f32",
                        f"{made} = arith.subf {left}, {right} : f32",
                        f"{made} = arith.maximumf {left}, {right} : f32",
                        f"{made} = arith.minimumf {left}, {right} : f32",
                        f"{made} = arith.negf {left} : f32",
                        f"{made} = math.tanh {left} : f32",
                    ]
                )
            )
        )
        known.append(made)
    return "\n    ".join(lines)


@pytest.mark.hypothesis
def test_random_bodies() -> None:
    """What takes a factor, or gives one, is decided by rules: the numbers stay."""
    moved: list[bool] = []

    @settings(
        max_examples=examples(48),
        deadline=None,
        phases=[Phase.generate],
        derandomize=True,
    )
    @given(st.data())
    def check(data: st.DataObject) -> None:
        scores = expression(data, ["%s", "%b"], "t")
        argument = expression(data, ["%s", "%m"], "u").replace("%y", "%last")
        if data.draw(st.booleans()):  # the case with a factor to move, more often
            scores = (
                f"{scores.replace('%y', '%v')}\n    %y = arith.mulf %v, %scale : f32"
            )
            argument = "%last = arith.subf %s, %m : f32"
        power = f"{argument}\n    %y = math.exp %last : f32"
        ran = transform(payload(scores, power), schedule_of(*USE))
        moved.append(ran.text.count("linalg.generic") > 3)
        x, b = np.random.default_rng(2).standard_normal((2, 4, 8)).astype(np.float32)
        for want, got in zip(
            evaluate(ran.before, [x, b]), evaluate(ran.module, [x, b]), strict=True
        ):
            # exp(x) is as exact as x is, in units of the last place of 20 and more.
            np.testing.assert_allclose(got, want, rtol=5e-5, atol=1e-6)

    check()
    assert any(moved) and not all(moved)
