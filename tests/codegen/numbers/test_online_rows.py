"""Reductions of long rows in one pass: streamed by the examples, against torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional

from support.paths import EXAMPLES
from support.streams import chain_of
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.payloads import (
    cross_entropy,
    layernorm,
    log_softmax,
    logsumexp,
    softmax,
)
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule

ROWS, COLUMNS = 3, 2500
X = ((ROWS, COLUMNS), "f32")
WEIGHT = ((COLUMNS,), "f32")
POINT = {"BN": 1024, "warps": 4, "stages": 2}
WORKS = {
    "logsumexp": (logsumexp, "online", {"x": X}),
    "cross-entropy": (cross_entropy, "online", {"x": X, "t": ((ROWS,), "i32")}),
    "softmax": (softmax, "online_rows", {"x": X}),
    "log-softmax": (log_softmax, "online_rows", {"x": X}),
    "layernorm": (layernorm, "online_rows", {"x": X, "w": WEIGHT, "b": WEIGHT}),
}


def built(name: str) -> Built:
    function, schedule, shapes = WORKS[name]
    path = EXAMPLES / "rows" / f"{schedule}.tw"
    payload = parse_payload(chain_of(function, **shapes))
    return build(payload, Schedule.from_path(path), POINT)


def inputs(name: str) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    found: list[np.ndarray] = []
    for shape, dtype in WORKS[name][2].values():
        if dtype == "i32":
            found.append(rng.integers(0, COLUMNS, shape, np.int32))
        else:
            found.append(rng.standard_normal(shape).astype(np.float32) + 3.0)
    return found


def expected(name: str, given: list[np.ndarray]) -> torch.Tensor:
    x, *rest = (torch.from_numpy(array) for array in given)
    x = x.double()
    match name:
        case "logsumexp":
            return torch.logsumexp(x, -1)
        case "cross-entropy":
            return functional.cross_entropy(x, rest[0].long(), reduction="none")
        case "softmax":
            return torch.softmax(x, -1)
        case "log-softmax":
            return torch.log_softmax(x, -1)
        case _:
            weight, bias = (t.double() for t in rest)
            return functional.layer_norm(x, (COLUMNS,), weight, bias)


def test_numbers() -> None:
    """All works together, in Triton's interpreter."""
    programs = {name: built(name) for name in WORKS}
    jobs = [Job(program.program, inputs(name)) for name, program in programs.items()]
    for name, results in zip(programs, interpret_all(jobs), strict=True):
        wanted = expected(name, inputs(name)).numpy()
        np.testing.assert_allclose(results[0], wanted, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", WORKS)
def test_a_row_is_read_once_for_all_reductions(name: str) -> None:
    program = built(name).program
    assert len(program.kernels) == 1
    passes = 1 if WORKS[name][1] == "online" else 2
    assert program.text.count("in tl.range(") == passes
    assert program.text.count("tl.load(x_tile + n") == passes
