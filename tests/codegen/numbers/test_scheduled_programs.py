"""Payloads with a schedule each: source and numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from support.codegen.scheduled_programs import NAMES, built, payload
from support.paths import EXAMPLES
from support.sampling import run_with
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.interpreter import run
from tilewright.ir.tolerance import compare
from tilewright.payload_work import reduction_length
from tilewright.payloads import Payload, rmsnorm
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule
from tilewright.tuning.measure.inputs import random_inputs

GEMM = EXAMPLES / "gemm"
PARTIAL = "streamed_attention_partial"
LOW = f"{PARTIAL}, low scores"
Golden = Callable[[str, str], None]


def inputs_of(name: str) -> list[np.ndarray]:
    return random_inputs(list(built(name).program.arguments), 1)


def low_scores() -> list[np.ndarray]:
    """Inputs of attention whose scores are about -1500."""
    q, k, v = inputs_of(PARTIAL)
    inputs = [np.abs(q) / 8 + 8, -np.abs(k) / 8 - 8, v]
    return [each.astype(np.float16) for each in inputs]


@pytest.fixture(scope="module")
def interpreted(request: pytest.FixtureRequest) -> dict[str, list[np.ndarray]]:
    names = run_with(request, "name")
    jobs = {name: Job(built(name).program, inputs_of(name)) for name in names}
    jobs[LOW] = Job(built(PARTIAL).program, low_scores())
    return dict(zip(jobs, interpret_all(list(jobs.values())), strict=True))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", NAMES)
def test_source(name: str, golden: Golden) -> None:
    golden(f"codegen/scheduled/{name}.py", built(name).program.text)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", NAMES)
def test_numbers(name: str, interpreted: dict[str, list[np.ndarray]]) -> None:
    """By the kernel IR, and by Triton's interpreter, against the payload."""
    inputs = inputs_of(name)
    expected = run(payload(name), inputs)
    for results in (run(built(name).kernel, inputs), interpreted[name]):
        for spec, got, want in zip(
            built(name).program.results, results, expected, strict=True
        ):
            outcome = compare(got, want, spec.dtype, reduction_length(payload(name)))
            assert outcome.ok, outcome.message


@pytest.mark.sampled(6)
@pytest.mark.parametrize("loads", ["pointers", "descriptors"])
@pytest.mark.parametrize("shape", [(100, 80, 48), (64, 64, 128)])
def test_the_norm_of_a_products_rows(loads: str, shape: tuple[int, int, int]) -> None:
    rows, inputs, outputs = shape
    p = Payload("linear_rmsnorm")
    x, w = p.input("x", (rows, inputs), "f16"), p.input("w", (inputs, outputs), "f16")
    p.output(rmsnorm(x @ w, p.input("weight", (outputs,), "f16")))
    module = parse_payload(p.text())
    schedule = Schedule.from_path(GEMM / "linear_rmsnorm.tw")
    point = {"BM": 32, "BK": 32, "warps": 4, "stages": 3, "loads": loads}
    made = build(module, schedule, point)
    (kernel,) = made.program.kernels
    assert len(kernel.dots) == 1
    inputs_given = random_inputs(list(made.program.arguments), 1)
    (wanted,) = run(module, inputs_given)
    (found,) = run(made.kernel, inputs_given)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


def test_masked_off_lanes_of_a_stream_add_nothing(
    interpreted: dict[str, list[np.ndarray]],
) -> None:
    """Scores are about -1500, so the exponential of a masked-off score of 0 is inf."""
    (wanted,) = run(payload(PARTIAL), low_scores())
    (found,) = interpreted[LOW]
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found, wanted, rtol=2e-2, atol=2e-2)
