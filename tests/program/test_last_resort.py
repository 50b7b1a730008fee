"""The last resort of a plan: whatever is refused, one kernel an op is built."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.examples import examples
from tilewright.codegen.targets import target_named
from tilewright.ir.errors import Place, SilenceableFailure
from tilewright.ir.text import place_of
from tilewright.numeric_check import check_kernel_ir, make_case
from tilewright.pipeline import Built, build, parse_payload
from tilewright.planned_build import PlannedBuild, build_planned
from tilewright.planning import plan as planning
from tilewright.planning.plan import PLANNED
from tilewright.schedules.schedule import Schedule

PAYLOAD = """
#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j, i)>
func.func @f(%x: tensor<24x24xf32>, %w: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<24x24xf32>, tensor<24x24xf32>)
                      outs(%init : tensor<24x24xf32>) -> tensor<24x24xf32>
  %soft = linalg.softmax dimension(1) ins(%mm : tensor<24x24xf32>)
                         outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %r = linalg.generic {indexing_maps = [#columns, #rows],
                       iterator_types = ["parallel", "parallel"]}
      ins(%soft : tensor<24x24xf32>) outs(%soft : tensor<24x24xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<24x24xf32>
  return %r : tensor<24x24xf32>
}
"""


def planned(build_under: Callable[[Schedule], Built]) -> PlannedBuild[Built]:
    """The payload, planned and built; its numbers are right."""
    done = build_planned(parse_payload(PAYLOAD), target_named("h200"), build_under)
    outcome = check_kernel_ir(done.built, make_case(parse_payload(PAYLOAD), 0))
    assert outcome.ok, outcome.message
    return done


def built(schedule: Schedule) -> Built:
    return build(parse_payload(PAYLOAD), schedule)


def some_place(random: Random) -> Place | None:
    """None, a line of the schedule, or an op of the payload."""
    ops = [op for op in parse_payload(PAYLOAD).walk() if op.name.startswith("linalg.")]
    part = f"kernel {random.randint(1, 4)}"
    return random.choice(
        [None, Place(PLANNED, 9, 3, part=part), place_of(random.choice(ops))]
    )


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(3))
def test_a_few_refusals_at_random_leave_a_plan(seed: int) -> None:
    check_random_refusals(seed)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32))
def test_refusals_at_random_leave_a_plan(seed: int) -> None:
    check_random_refusals(seed)


def check_random_refusals(seed: int) -> None:
    random = Random(seed)
    often = random.choice([0.3, 0.7, 1.0])

    def refuse_at_random(schedule: Schedule) -> Built:
        if _statements(schedule) != EMPTY and random.random() < often:
            raise SilenceableFailure("not today", some_place(random))
        return built(schedule)

    done = planned(refuse_at_random)
    assert often < 1.0 or done.plan.is_empty


EMPTY = ["schedule planned(root) {", "}"]


def _statements(schedule: Schedule) -> list[str]:
    """The lines of a schedule without its comments."""
    lines = schedule.to_tw().splitlines()
    return [line for line in lines if line and not line.startswith("//")]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "step", ["preparations", "split_long_rows", "group_ops", "_planned"]
)
def test_a_planner_that_refuses_leaves_one_kernel_an_op(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: Any, **named: Any) -> Any:
        raise SilenceableFailure("not today")

    monkeypatch.setattr(planning, step, refuse)
    done = planned(built)
    assert done.refusals == ("planning was refused: not today",)
    assert done.plan.is_empty
    # A product, a softmax and a sum; the fill is part of the product.
    assert len(done.built.program.kernels) >= 3


def test_a_refusal_of_what_was_prepared_leaves_one_kernel_an_op() -> None:
    """The planner writes the softmax out; the last resort does without."""

    def refuse_statements(schedule: Schedule) -> Built:
        if _statements(schedule) != EMPTY:
            raise SilenceableFailure("not today")
        return built(schedule)

    done = planned(refuse_statements)
    assert done.refusals[-1] == "the schedule was refused: not today"
    assert done.plan.is_empty


def test_a_payload_that_the_default_refuses_is_an_error() -> None:
    def refuse(schedule: Schedule) -> Built:
        raise SilenceableFailure("not today")

    with pytest.raises(SilenceableFailure, match="not today"):
        planned(refuse)
    with pytest.raises(SilenceableFailure, match="not today"):
        build_planned(
            parse_payload(PAYLOAD), target_named("h200"), refuse, fall_back=False
        )
