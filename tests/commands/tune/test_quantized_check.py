"""Programs that round on purpose are held to what they must give, and no wider."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from support.command_line import cli_in
from support.sampling import mostly_slow
from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.commands.tune.tuning_task import tuning_task
from tilewright.inspect.verify_each import VerifyEach
from tilewright.ir.errors import CompilerBug
from tilewright.numeric_check import (
    check_kernel_ir,
    compare_results,
    make_case,
    with_rounding,
)
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.space.read import read_space

FORMATS = ["f8E4M3FN", "f8E5M2", "i8"]


def payload(floor: float = 0.0) -> str:
    """max(A B, floor), 64 x 64 x 64."""
    of = "tensor<64x64xf32>"
    identity = "affine_map<(d0, d1) -> (d0, d1)>"
    return f"""
    func.func @f(%a: {of}, %b: {of}) -> {of} {{
      %z = arith.constant 0.0 : f32
      %floor = arith.constant {floor} : f32
      %e = tensor.empty() : {of}
      %i = linalg.fill ins(%z : f32) outs(%e : {of}) -> {of}
      %mm = linalg.matmul ins(%a, %b : {of}, {of}) outs(%i : {of}) -> {of}
      %r = linalg.generic {{indexing_maps = [{identity}, {identity}],
                            iterator_types = ["parallel", "parallel"]}}
          ins(%mm : {of}) outs(%e : {of}) {{
      ^bb0(%x: f32, %o: f32):
        %y = arith.maximumf %x, %floor : f32
        linalg.yield %y : f32
      }} -> {of}
      return %r : {of}
    }}
    """


def quantized(form: str) -> str:
    return f"""
    schedule q(root) {{
      mm = match "linalg.matmul" in root
      scales, factors, mm, out = quantize mm to `{form}` per_channel = true
    }}
    """


def made(form: str, floor: float = 0.0) -> Built:
    return build(parse_payload(payload(floor)), Schedule.from_text(quantized(form)))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("form", FORMATS)
def test_a_quantized_program_is_right(form: str) -> None:
    built, question = made(form), make_case(parse_payload(payload()), 0)
    exact = check_kernel_ir(replace(built, roundings=()), question)
    assert not exact.ok, "the exact product is not what it computes"
    found = check_kernel_ir(built, question)
    assert found.ok, found.message
    known = with_rounding(built, question)
    assert f"rounds a product to {form} on purpose" in known.rounding
    assert known.slack == 0.0 < known.device_slack < 1.0


@pytest.mark.parametrize("form", mostly_slow(FORMATS, ["i8"]))
def test_a_wrong_kernel_is_found_even_within_the_bound_of_the_format(form: str) -> None:
    built, question = made(form), make_case(parse_payload(payload()), 0)
    known = with_rounding(built, question)
    # A floor of 0.05 changes results by less than the rounding does.
    broken = replace(built, kernel=made(form, floor=0.05).kernel)
    rounding = max(
        float(np.abs(a - b).max())
        for a, b in zip(known.expected, question.expected, strict=True)
    )
    assert rounding > 0.05
    assert not check_kernel_ir(broken, question).ok


def test_a_device_may_round_one_factor_to_the_number_beside() -> None:
    """And a sum that lost a quarter of its terms is still wrong there."""
    built = made("f8E4M3FN")
    question = with_rounding(built, make_case(parse_payload(payload()), 0))
    on_device = replace(question, slack=question.device_slack)
    a, b = (array.astype(np.float64) for array in question.inputs)
    quarter = np.maximum(a[:, :48] @ b[:48], 0.0)
    assert not compare_results(on_device, [quarter]).ok
    nearly = question.expected[0] * (1 + question.device_slack / 2)
    assert compare_results(on_device, [nearly]).ok
    assert not compare_results(question, [nearly]).ok


def test_a_step_that_rounds_too_far_is_a_bug() -> None:
    built, question = made("i8"), make_case(parse_payload(payload()), 0)
    (rounding,) = built.roundings
    coarse = [
        replace(each, form=replace(each.form, spacing=1e-6))
        for each in rounding.products
    ]
    wrong = replace(built, roundings=(replace(rounding, products=coarse),))
    with pytest.raises(CompilerBug, match="off by more than it rounds"):
        check_kernel_ir(wrong, question)


TAKEN_BACK = """
schedule q(root) {
  try root {
    mm = match "linalg.matmul" in root
    scales, factors, mm, out = quantize mm to `i8`
    tile mm by [7, 7, 7, 7, 7]
  } else {
    mm = match "linalg.matmul" in root
    mm, grid = tile mm by [32, 32] onto [block.y, block.x]
  }
}
"""


def test_what_was_taken_back_is_not_rounded() -> None:
    parsed = parse_payload(payload())
    schedule = Schedule.from_text(TAKEN_BACK)
    verifier = VerifyEach(parsed)
    built = build(parsed, schedule, observers=[verifier])
    assert verifier.rounded == 1, "it was tried"
    assert not built.roundings
    assert check_kernel_ir(built, make_case(parsed, 0)).ok


def test_tune_compares_each_candidate_with_what_it_must_give() -> None:
    text = payload()
    parsed = parse_payload(text)
    schedule = Schedule.from_text("""
    schedule q(root) {
      mm = match "linalg.matmul" in root
      choose how {
        small { scales, factors, mm, out = quantize mm to `i8` }
        exact { }
      }
    }
    """)
    asked = [SizedCase(parsed, 0)]
    space = read_space(schedule.module)
    subject = tuning_task(parsed, schedule, space, asked, False, ("p.mlir", "q.tw"))
    assert subject.check is not None and subject.expected_for is not None
    assert subject.rounding is not None
    (expected,) = subject.expected
    small, exact = (subject.build({"how": how}) for how in ("small", "exact"))
    assert subject.check(small).ok and subject.check(exact).ok
    assert subject.rounding(exact) == ""
    of_small = subject.expected_for(small, expected)
    assert of_small.slack > 0 and not np.array_equal(
        of_small.arrays[0], expected.arrays[0]
    )
    again = subject.build({"how": "small"})
    assert subject.rounding(again) == subject.rounding(small) != ""


@pytest.mark.slow
def test_run_says_what_is_rounded(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "p.mlir").write_text(payload())
    (tmp_path / "q.tw").write_text(quantized("f8E4M3FN"))
    done = cli_in(tmp_path, monkeypatch, capsys)("run", "p.mlir", "-s", "q.tw")
    assert "rounds a product to f8E4M3FN on purpose: off by at most" in done.out
    assert "correct in" in done.out
