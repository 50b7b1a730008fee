"""Rows split at multiples of 16 bytes: every residue of the length, and refusals."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from support.paths import EXAMPLES
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.interpreter import run
from tilewright.payloads import (
    Payload,
    index,
    layernorm,
    reduce,
    rmsnorm,
    softmax,
    where,
)
from tilewright.pipeline import Built, build
from tilewright.schedules.schedule import Schedule

Golden = Callable[[str, str], None]
Case = tuple[str, int, int, str]
"""A schedule of examples/rows, rows, columns, element type."""

POINTS: dict[str, Mapping[str, int | str]] = {
    "softmax": {"rows": 1, "warps": 4},
    "softmax_loops": {"BN": 1024},
    "softmax_persistent": {"warps": 4, "programs": 1, "stages": 2},
    "layernorm_residual": {"rows": 1, "warps": 4},
    "rmsnorm_partial": {},
}

QUICK: list[Case] = [
    # Rows of odd length start at every residue.
    ("softmax", 9, 17, "f16"),
    ("softmax", 5, 22, "bf16"),
    ("softmax", 4, 9, "f32"),
    ("softmax_loops", 9, 2051, "f16"),
    ("softmax_persistent", 3, 1001, "f16"),
    ("layernorm_residual", 3, 33, "f16"),
    ("rmsnorm_partial", 3, 2049, "f16"),
]
THOROUGH: list[Case] = [
    *[("softmax", rows, 17 + rest, "f16") for rest in range(7) for rows in (2, 3)],
    *[("softmax", 3, 9 + rest, "f32") for rest in range(3)],
    *[("softmax_loops", 3, 2051 + rest, "f16") for rest in range(5)],
    ("softmax_loops", 2, 1021, "bf16"),
    *[("layernorm_residual", 2, n, "f16") for n in (33, 100)],
    *[("rmsnorm_partial", 3, n, "f16") for n in (4103, 101)],
]


def payload(name: str, rows: int, columns: int, dtype: str) -> Payload:
    p = Payload(name)
    x = p.input("x", (rows, columns), dtype)
    if name.startswith("softmax"):
        p.output(softmax(x))
        return p
    weight = p.input("weight", (columns,), dtype)
    if name.startswith("rmsnorm"):
        p.output(rmsnorm(x, weight))
        return p
    bias = p.input("bias", (columns,), dtype)
    residual = p.input("residual", (rows, columns), dtype)
    p.output(layernorm(x + residual, weight, bias))
    return p


def aligned(name: str) -> Schedule:
    """A schedule of examples/rows whose grid asks for aligned rows."""
    text = (EXAMPLES / "rows" / f"{name}.tw").read_text()
    text, count = re.subn(r"(launch grid .*)", r"\1 aligned = 1", text)
    if "include rows." in text:
        launched = r"grid = \1\n  launch grid aligned = 1"
        text, count = re.subn(r"(include rows\.\w+\(root\))", launched, text)
    assert count == 1
    return Schedule.from_text(text, f"{name}.tw")


@functools.cache
def built(case: Case, **point: int) -> Built:
    name = case[0]
    return build(payload(*case).module, aligned(name), {**POINTS[name], **point})


def inputs_of(program: Built) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    return [
        random.standard_normal(spec.shape).astype(numpy_dtype(spec.dtype))
        for spec in program.program.arguments
    ]


def check_numbers(cases: list[Case]) -> None:
    """The kernel level on numpy and the source in Triton's interpreter are right."""
    jobs = [Job(built(case).program, inputs_of(built(case))) for case in cases]
    for case, (triton,) in zip(cases, interpret_all(jobs), strict=True):
        inputs = inputs_of(built(case))
        (expected,) = run(payload(*case).module, inputs)
        (kernel,) = run(built(case).kernel, inputs)
        tolerance = {"f32": 1e-5, "f16": 2e-3, "bf16": 2e-2}[case[-1]]
        for found in (kernel, triton):
            np.testing.assert_allclose(
                found.astype(np.float64),
                expected.astype(np.float64),
                rtol=tolerance,
                atol=tolerance / 10,
                err_msg=str(case),
            )


def test_numbers() -> None:
    check_numbers(QUICK)


@pytest.mark.slow
def test_every_residue() -> None:
    check_numbers(THOROUGH)


def test_source(golden: Golden) -> None:
    for case in (QUICK[1], QUICK[3]):
        golden(f"codegen/rows/aligned_{case[0]}.py", built(case).program.text)


@pytest.mark.parametrize(
    ("case", "point", "reason"),
    [
        (("softmax", 3, 64, "f16"), {}, "multiple of 16 bytes already"),
        (("softmax", 1, 33, "f16"), {}, "no tile starts at a row"),
        (("softmax", 3, 7, "f16"), {}, "shorter than two accesses"),
        (("softmax", 4, 33, "f16"), {"rows": 2}, "two dimensions"),
    ],
)
def test_refusal(case: Case, point: dict[str, int], reason: str) -> None:
    with pytest.raises(SilenceableFailure, match=reason):
        built(case, **point)


def test_labels_are_compared_in_32_bits() -> None:
    p = Payload("picked")
    x = p.input("x", (3, 33), "f32")
    at = p.input("at", (3,), "i64")
    p.output(
        reduce(
            *("sum", x, at[:, None]),
            of=lambda x, at: where(index(-1).cast("i64") == at, x, 0.0),
            axis=-1,
        )
    )
    made = build(p.module, None)
    assert ".to(tl.int64) ==" not in made.program.text
    columns = np.array([4, 2**32 + 4, -1])
    x = np.arange(99, dtype=np.float32).reshape(3, 33)
    for found in (
        run(made.kernel, [x, columns])[0],
        interpret_all([Job(made.program, [x, columns])])[0][0],
    ):
        np.testing.assert_array_equal(found, [4, 0, 0])
