"""Small scripts on vectors: the same numbers; options that print as they read.

The programs that they leave are compared with real MLIR's in `data/small`.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.transforms.schedules import (
    OP,
    Ran,
    evaluate,
    inputs_of,
    match,
    parse_schedule,
    refusal,
    schedule_of,
    transform,
)
from support.transforms.small_scripts import FOLDER, Small, read_scripts
from tilewright.ir.context import payload_context
from tilewright.ir.text import parse_module, to_text
from tilewright.ir.tolerance import compare
from tilewright.schedules.schedule import Schedule
from tilewright.transforms.dialect import schedule_context
from tilewright.transforms.interpreter import run_schedule

FILES = ("contractions", "vector_lowering", "vectorize_windows", "vectorize_sizes")
SCRIPTS = [
    script
    for name in FILES
    for script in read_scripts(FOLDER / f"{name}.mlir")
    if script.only is None and "memref<" not in script.text
    if "x?x" not in script.text and "<?x" not in script.text
    if "quickly" not in script.text and "not a red" not in script.title
    if "conv_2d" not in script.title
]


def _ran(script: Small) -> Ran:
    both = parse_module(script.text, "small.mlir", schedule_context())
    payload, schedule = Schedule.split(both)
    assert schedule is not None
    before = parse_module(to_text(payload), "before.mlir", payload_context())
    run_schedule(schedule.module, payload)
    return Ran(before, payload, [])


@pytest.mark.sampled(12)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.title)
def test_the_numbers_stay(script: Small) -> None:
    ran = _ran(script)
    inputs = inputs_of(ran.before)
    expected, actual = (evaluate(m, inputs) for m in (ran.before, ran.module))
    for got, want in zip(actual, expected, strict=True):
        kind = "f32" if np.asarray(got).dtype.kind == "f" else "i64"
        outcome = compare(np.asarray(got), np.asarray(want), kind, 8)
        assert outcome.ok, outcome.message


GROUP = "transform.apply_patterns.vector.lower_contraction"


@pytest.mark.parametrize(
    "options", ["", " lowering_strategy = dot", ' lowering_strategy = "dot"']
)
def test_options_are_printed_as_they_are_read(options: str) -> None:
    text = schedule_of(
        f"transform.apply_patterns to %root {{ {GROUP}{options} }} : {OP}"
    )
    printed = to_text(parse_schedule(text))
    assert (GROUP + options.replace('"', "") + "\n") in printed
    assert to_text(parse_module(printed, "again.mlir", schedule_context())) == printed


PAYLOAD = """
func.func @f(%a: vector<2x3xf32>) -> vector<3x2xf32> {
  %r = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %r : vector<3x2xf32>
}
"""


def test_twice_is_as_once() -> None:
    group = "transform.apply_patterns.vector.lower_transpose"
    step = f"transform.apply_patterns to %f {{ {group} }} : {OP}"
    once = transform(PAYLOAD, schedule_of(match("%f", "func.func"), step))
    twice = transform(PAYLOAD, schedule_of(match("%f", "func.func"), step, step))
    assert once.text == twice.text
    assert "vector.transpose" not in once.text


def test_x86_instructions_are_refused() -> None:
    group = "transform.apply_patterns.vector.lower_transpose avx2_lowering_strategy"
    step = f"transform.apply_patterns to %root {{ {group} = true }} : {OP}"
    error = refusal(PAYLOAD, schedule_of(step))
    assert error.fact == (
        "apply_patterns: avx2_lowering_strategy = true: it makes instructions of an "
        "x86 processor"
    )


@pytest.mark.parametrize("strategy", ["eltwise", "shuffle_1d"])
def test_a_vector_that_would_become_too_many_ops_is_refused(strategy: str) -> None:
    kind = "vector<4096x4096xf32>"
    payload = f"""
func.func @f(%v: {kind}) -> {kind} {{
  %t = vector.transpose %v, [1, 0] : {kind} to {kind}
  return %t : {kind}
}}
"""
    group = "transform.apply_patterns.vector.lower_transpose"
    step = (
        f"transform.apply_patterns to %f "
        f"{{ {group} lowering_strategy = {strategy} }} : {OP}"
    )
    error = refusal(payload, schedule_of(match("%f", "func.func"), step))
    assert "'vector.transpose' would become more than 65,536 ops" in error.fact
