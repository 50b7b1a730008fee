"""The tolerance of several kernels follows how much it enlarges a rounding."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from tilewright.codegen.targets import target_named
from tilewright.commands.inputs.interpreter_check import (
    InterpreterCheck,
    interpreter_check,
)
from tilewright.commands.inputs.rounding_slack import (
    builds_several_kernels,
    device_slack,
    has_several_kernels,
    program_case,
    rounding_slack,
    say_slack,
    with_rounding_slack,
    with_rounding_slacks,
)
from tilewright.commands.inputs.tune_sizes import SizedCase
from tilewright.ir.tolerance import compare
from tilewright.numeric_check import make_case
from tilewright.payloads import Payload, matmul, sin
from tilewright.pipeline import argument_specs, build, parse_payload
from tilewright.planning.plan import plan
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.device_reference import DeviceReference


def waves(factor: float, dtype: str, rows: int = 64) -> ModuleOp:
    p = Payload("waves")
    x = p.input("x", (rows, 32), dtype)
    p.output(sin(x * factor))
    return parse_payload(p.text())


def slack_of(factor: float, dtype: str) -> float:
    payload = waves(factor, dtype)
    return rounding_slack(payload, make_case(payload, 0))


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_a_payload_that_enlarges_roundings_has_more_slack(dtype: str) -> None:
    calm, wild = slack_of(0.1, dtype), slack_of(20.0, dtype)
    assert 0 < calm < wild <= 0.5
    assert 10 * calm < wild or wild == 0.5


def test_narrow_types_have_more_slack() -> None:
    f32, f16, bf16 = (slack_of(1.0, dtype) for dtype in ("f32", "f16", "bf16"))
    assert 0 < f32 < 1e-5 < f16 < bf16 < 0.2


def test_the_case_keeps_its_numbers() -> None:
    p = Payload("sums")
    p.output(p.input("x", (8, 4), "f16") + 1.0)
    one = SizedCase(parse_payload(p.text()), seed=3)
    case = one.case
    loose = with_rounding_slack(one)
    assert loose.case.expected is case.expected
    assert loose.slack == loose.case.slack == loose.expected_results().slack > 0
    assert case.slack == 0
    said: list[str] = []
    say_slack([loose], said.append)
    assert not said
    say_slack([one.with_slack(0.25)], said.append)
    assert "within 25% of the root mean square" in said[0]


def test_a_payload_that_is_checked_at_smaller_sizes() -> None:
    """Its case has the inputs of those sizes."""
    small, large = (waves(20.0, "f16", rows) for rows in (64, 4096))
    one = SizedCase(large, seed=0, small=small)
    assert with_rounding_slack(one).slack == rounding_slack(small, one.case) > 0


def test_results_that_were_never_computed_do_not_pass() -> None:
    expected = np.random.default_rng(0).standard_normal(4096).astype(np.float16)
    for wrong in (np.zeros_like(expected), np.roll(expected, 1), -expected):
        assert not compare(wrong, expected, "f16", 64, slack=0.5).ok


def wide_sine(layers: int, dtype: str = "f16") -> ModuleOp:
    """Matmuls, each of a sine of large numbers, which enlarges every rounding."""
    p = Payload("layers")
    x = p.input("x", (32, 64), dtype)
    for number in range(layers):
        w = p.input(f"w{number}", (64, 64), dtype)
        x = sin(matmul(x, w) * 20.0).cast(dtype)
    p.output(x)
    return parse_payload(p.text())


def test_run_and_tune_check_a_program_within_one_tolerance() -> None:
    payload = wide_sine(2)
    built = build(payload, None)
    assert has_several_kernels(built)
    tuned = with_rounding_slack(SizedCase(payload, seed=0))
    shapes = tuple(spec.shape for spec in argument_specs(payload)[0])
    given = interpreter_check(payload, built, lambda _: built, [shapes], 0, "whole")
    assert isinstance(given, InterpreterCheck)
    assert given.cases[0].slack == tuned.slack == tuned.case.slack > 0.05
    assert device_slack(payload, built, 0) > 0.05


def test_one_kernel_is_checked_strictly() -> None:
    payload = waves(20.0, "f16")
    built = build(payload, plan(payload, target_named("h200")).schedule)
    assert not has_several_kernels(built)
    case = program_case(payload, built, make_case(payload, 0))
    assert case.slack == case.device_slack == 0
    assert device_slack(payload, built, 0) == 0


def test_a_schedule_has_several_kernels_by_its_defaults() -> None:
    assert builds_several_kernels(wide_sine(2), Schedule.empty())
    one = waves(1.0, "f16")
    planned = plan(one, target_named("h200")).schedule
    assert not builds_several_kernels(one, planned)


def test_large_open_sizes_have_the_slack_of_the_small_ones() -> None:
    payload = waves(20.0, "f16")
    here = SizedCase(payload, seed=0)
    arguments, results = (tuple(specs) for specs in argument_specs(payload))
    shapes = tuple(spec.shape for spec in arguments)
    there = SizedCase(
        payload,
        seed=0,
        shapes=shapes,
        on_device=DeviceReference("", arguments, results),
    )
    small, large = with_rounding_slacks([here, there])
    assert small.slack == large.slack > 0
