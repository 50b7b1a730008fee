"""Payloads with a schedule each: source and numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scheduled_programs import NAMES, built, payload

from tilewright.codegen.interpret import Job, interpret_all
from tilewright.ir.interpreter import run
from tilewright.ir.tolerance import compare
from tilewright.pipeline import reduction_length
from tilewright.tuning.inputs import random_inputs

Golden = Callable[[str, str], None]


def inputs_of(name: str) -> list[np.ndarray]:
    return random_inputs(list(built(name).program.arguments), 1)


@pytest.fixture(scope="module")
def interpreted() -> dict[str, list[np.ndarray]]:
    jobs = [Job(built(name).program, inputs_of(name)) for name in NAMES]
    return dict(zip(NAMES, interpret_all(jobs), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_source(name: str, golden: Golden) -> None:
    golden(f"codegen/scheduled/{name}.py", built(name).program.text)


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
