"""`tilewright.plan`, and `compile` without a schedule: it plans, and falls back."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch
from xdsl.dialects.builtin import ModuleOp

import tilewright
from support.paths import EXAMPLES
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import Place, SilenceableFailure, UserError
from tilewright.ir.text import place_of
from tilewright.payloads import Payload, attention, matmul, relu
from tilewright.pipeline import build, parse_payload, read_payload
from tilewright.planned_build import Limits, PlannedBuild, build_planned
from tilewright.planning.plan import PLANNED, Plan
from tilewright.schedules.schedule import Schedule

MATMUL = EXAMPLES / "matmul_relu/payload.mlir"
SMALL = """
func.func @f(%a: tensor<20x48xf32>, %b: tensor<48x36xf32>) -> tensor<20x36xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x36xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<20x36xf32>) -> tensor<20x36xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<20x48xf32>, tensor<48x36xf32>)
                      outs(%init : tensor<20x36xf32>) -> tensor<20x36xf32>
  %r = linalg.exp ins(%mm : tensor<20x36xf32>) outs(%e : tensor<20x36xf32>)
       -> tensor<20x36xf32>
  return %r : tensor<20x36xf32>
}
"""


def test_plan_takes_every_form_of_payload() -> None:
    text = tilewright.plan(MATMUL, "h200").text
    assert tilewright.plan(MATMUL.read_text(), "h200").text == text
    assert tilewright.plan(read_payload(MATMUL), target="h200").text == text
    assert text.startswith("// Planned for h200")


def test_a_plan_is_a_schedule_and_prints_as_one() -> None:
    plan = tilewright.plan(SMALL, "h200")
    assert str(plan) == plan.text
    assert repr(plan).startswith("<tilewright.Plan: Planned for h200: 1 kernel")
    assert "Planned for h200" in plan._repr_html_()  # pyright: ignore
    program = tilewright.compile(SMALL, plan, "h200")
    assert program.schedule is plan.schedule


@pytest.mark.parametrize(
    "shapes, message",
    [
        ([(20, 48)], "1 shape for 2 arguments"),
        ([(20, 47), (48, 36)], "does not fit"),
        ([(20,), (48, 36)], "does not fit"),
    ],
)
def test_shapes_must_fit_the_arguments(
    shapes: list[tuple[int, ...]], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        tilewright.plan(SMALL, "h200", shapes=shapes)


def test_the_report_names_calls_of_libraries() -> None:
    schedule = """schedule s(root) {
  mm = match "linalg.matmul" in root
  library mm by "cublas"
}
"""
    report = tilewright.compile(SMALL, schedule, "h200").report
    assert "library call torch.mm" in report


def test_compile_without_a_schedule_plans() -> None:
    program = tilewright.compile(SMALL, target="h200")
    assert program.plan is not None
    # Comments have the time of the program, once there is one.
    assert _statements(program.plan) == _statements(tilewright.plan(SMALL, "h200"))
    assert program.schedule is program.plan.schedule
    assert "schedule: planned" in program.report
    # One kernel: the default alone would make two.
    assert len(program.built.program.kernels) == 1
    a, b = torch.rand(20, 48), torch.rand(48, 36) * 0.1
    with pytest.warns(UserWarning, match="numpy"):
        found = program(a, b)
    np.testing.assert_allclose(found, torch.exp(a @ b), rtol=1e-5)


def test_the_choices_of_a_plan_can_be_set() -> None:
    program = tilewright.compile(SMALL, target="h200")
    assert program.schedule is not None
    name, value = next(iter(program.built.defaults.items()))
    other: Any = next(
        option
        for choice in program.schedule.open_choices()
        if choice.name == name
        for option in choice.options
        if option != value
    )
    changed = tilewright.compile(SMALL, target="h200", **{name: other})
    assert name not in changed.built.defaults
    with pytest.raises(UserError, match="nowhere"):
        tilewright.compile(SMALL, target="h200", nowhere=1)


def test_an_empty_schedule_leaves_everything_to_the_default() -> None:
    program = tilewright.compile(SMALL, Schedule.empty())
    assert program.plan is None
    assert len(program.built.program.kernels) == 2


@pytest.mark.slow
def test_a_refused_kernel_goes_to_the_default() -> None:
    payload = read_payload(EXAMPLES / "payloads/mlp_f16.mlir")
    target = target_named("h200")
    seen: list[str] = []

    def build_without_kernel_1(schedule: Schedule) -> str:
        text = schedule.to_tw()
        seen.append(text)
        if _has_kernel_1(text):
            place = Place(PLANNED, 5, 1, part="kernel 1")
            raise SilenceableFailure("too large", place)
        build(payload, schedule)
        return text

    done = build_planned(payload, target, build_without_kernel_1)
    assert len(seen) == 1 + len(done.refusals)
    assert done.refusals[0].startswith("kernel 1 (")
    assert done.refusals[0].endswith("was refused: too large")
    numbers = {kernel.number for kernel in done.plan.kernels if kernel.candidates}
    assert 1 not in numbers
    assert 2 in numbers
    with pytest.raises(SilenceableFailure, match="too large"):
        build_planned(payload, target, build_without_kernel_1, fall_back=False)


@pytest.mark.slow
def test_a_refusal_at_an_op_of_the_payload_is_about_its_kernel() -> None:
    payload = read_payload(EXAMPLES / "payloads/mlp_f16.mlir")
    products = [op for op in payload.walk() if op.name == "linalg.matmul"]

    def build_without_kernel_1(schedule: Schedule) -> str:
        text = schedule.to_tw()
        if _has_kernel_1(text):
            raise SilenceableFailure("too large", place_of(products[0]))
        return text

    done = build_planned(payload, target_named("h200"), build_without_kernel_1)
    assert done.refusals[0].startswith("kernel 1 (")
    numbers = {kernel.number for kernel in done.plan.kernels if kernel.candidates}
    assert 2 in numbers


@pytest.mark.slow
def test_a_refusal_without_a_place_leaves_everything_to_the_default() -> None:
    payload = read_payload(EXAMPLES / "payloads/mlp_f16.mlir")

    def refuse_plans(schedule: Schedule) -> str:
        text = schedule.to_tw()
        if schedule.open_choices() or "library" in text:
            raise SilenceableFailure("no kernel")
        return text

    done = build_planned(payload, target_named("h200"), refuse_plans)
    assert done.refusals == (
        "a branch of the schedule was refused: no kernel",
        "the schedule was refused: no kernel",
    )
    assert not any(kernel.candidates for kernel in done.plan.kernels)


def test_a_refused_stream_leaves_the_others() -> None:
    p = Payload("two")
    for heads in (2, 4):
        shape = (heads, 64, 16)
        q, k, v = (p.input(f"{name}{heads}", shape, "f16") for name in "qkv")
        p.output(attention(q, k, v))
    payload = parse_payload(p.text())

    def refuse_two_streams(schedule: Schedule) -> str:
        text = schedule.to_tw()
        if text.count("= stream ") == 2:
            raise SilenceableFailure("too large", Place(PLANNED, 5, 1, part="kernel 1"))
        return text

    done = build_planned(payload, target_named("h200"), refuse_two_streams)
    streamed = [one for one in done.plan.kernels if one.group.stream is not None]
    assert len(streamed) == 1 and len(done.plan.kernels) > 2
    assert all("kernel 1 (" in refusal for refusal in done.refusals)


@pytest.mark.slow
def test_what_is_left_after_a_refusal_has_limits() -> None:
    payload = read_payload(EXAMPLES / "payloads/mlp_f16.mlir")

    def refuse_plans(schedule: Schedule) -> str:
        if schedule.open_choices():
            raise SilenceableFailure("no kernel")
        return schedule.to_tw()

    for limits, words in (
        (
            Limits(60, 1e-6, True),
            "is estimated at [0-9]+ us, above [0-9]+ us: .*no kernel",
        ),
        (Limits(0, 1.0, True), "planning stopped"),
        (Limits(60, 1.0, False), "^error: no kernel$"),
    ):
        with pytest.raises(UserError, match=words):
            build_planned(payload, target_named("h200"), refuse_plans, limits=limits)
    whole = Limits(60, 1.0, True)
    done = build_planned(payload, target_named("h200"), refuse_plans, limits=whole)
    assert done.refusals


def without_first(payload: ModuleOp) -> tuple[PlannedBuild[str], list[str]]:
    """What is built where the first plan is refused and any limit is passed."""
    texts: list[str] = []

    def refuse_first(schedule: Schedule) -> str:
        texts.append(schedule.to_tw())
        if len(texts) == 1:
            raise SilenceableFailure("no tiles", Place(PLANNED, 5, 1, part="kernel 1"))
        return texts[-1]

    limits = Limits(60, 1e-9, False)
    h200 = target_named("h200")
    return build_planned(payload, h200, refuse_first, limits=limits), texts


def test_a_plan_that_stays_nearly_as_fast_has_no_limit() -> None:
    """Others may be estimated faster than the first plan, too."""
    p = Payload("near")
    a, b = (p.input(name, (2048, 2048), "bf16") for name in "ab")
    p.output(relu(matmul(a, b)))
    done, texts = without_first(parse_payload(p.text()))
    assert done.refusals == ("kernel 1 (tiles) was refused: no tiles",)
    assert done.built == texts[1]


def test_a_plan_that_is_slower_by_a_third_has_a_limit() -> None:
    with pytest.raises(UserError, match="is estimated at 8 us, above 6 us"):
        without_first(read_payload(MATMUL))


def test_what_the_default_refuses_too_is_an_error() -> None:
    def refuse(schedule: Schedule) -> str:
        raise SilenceableFailure("no kernel")

    with pytest.raises(SilenceableFailure, match="no kernel"):
        build_planned(read_payload(MATMUL), target_named("h200"), refuse)


def _statements(plan: Plan) -> list[str]:
    lines = plan.text.splitlines()
    return [line for line in lines if not line.lstrip().startswith("//")]


def _has_kernel_1(text: str) -> bool:
    """Whether a schedule of the two layers has statements for the first."""
    return re.search(r"_1\b", text) is not None or "library linear by" in text
