"""Row reductions: whole rows in registers, loops over rows, odd shapes, by examples."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

import numpy as np
import pytest

from support.codegen.row_reductions import CASES, built, example, payload
from support.sampling import mostly_slow, run_with
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.interpreter import run
from tilewright.pipeline import Built, build, parse_payload

Golden = Callable[[str, str], None]


LOOPS = ("softmax_loops", "rmsnorm_partial")
DEFAULT = {
    "layernorm": ("layernorm", 7, 1000),
    "softmax": ("softmax", 127, 1000),
    "long rows": ("softmax", 3, 5000),
    "rmsnorm": ("rmsnorm", 1, 127),
}


@functools.cache
def default(name: str) -> Built:
    return build(parse_payload(payload(*DEFAULT[name])), None)


PROGRAMS = {name: built for name in CASES} | {
    f"default {name}": default for name in DEFAULT
}


LONG_ROWS = {"softmax, longest rows"}


def _built(name: str) -> Built:
    return PROGRAMS[name](name.removeprefix("default "))


def _inputs(program: Built) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    return [
        random.standard_normal(spec.shape).astype(numpy_dtype(spec.dtype))
        for spec in program.program.arguments
    ]


@pytest.fixture(scope="module")
def interpreted(request: pytest.FixtureRequest) -> dict[str, np.ndarray]:
    names = run_with(request, "name")
    jobs = [Job(_built(name).program, _inputs(_built(name))) for name in names]
    return {
        name: results[0]
        for name, results in zip(names, interpret_all(jobs), strict=True)
    }


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", mostly_slow(PROGRAMS, set(PROGRAMS) - LONG_ROWS))
def test_numbers(name: str, interpreted: dict[str, np.ndarray]) -> None:
    inputs = _inputs(_built(name))
    short = name.removeprefix("default ")
    shape = (CASES if name in CASES else DEFAULT)[short][:3]
    (expected,) = run(parse_payload(payload(*shape)), inputs)
    (kernel,) = run(_built(name).kernel, inputs)
    tolerance = (
        {"rtol": 2e-3, "atol": 2e-3}
        if kernel.dtype == np.float16
        else {"rtol": 1e-5, "atol": 1e-7}
    )
    np.testing.assert_allclose(kernel, expected, **tolerance)
    np.testing.assert_allclose(interpreted[name], expected, **tolerance)


@pytest.mark.parametrize("name", CASES)
def test_source(name: str, golden: Golden) -> None:
    file = name.replace(", ", "_").replace(" ", "_")
    golden(f"codegen/rows/{file}.py", built(name).program.text)


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith(LOOPS)])
def test_one_kernel_reads_each_row_once(name: str) -> None:
    text = built(name).program.text
    assert len(built(name).program.kernels) == 1
    assert len(re.findall(r"tl.load\(\s*x_", text)) == 1


def test_the_neutral_element_of_a_masked_row_is_loaded() -> None:
    text = built("softmax").program.text
    assert 'other=float("-inf")' in text
    assert text.count("tl.where") == 1


def test_rows_on_their_way() -> None:
    """The loop over a program's rows is pipelined as deep as the grid says."""
    text = built("softmax_persistent").program.text
    assert "tl.range(pid, TILES, tl.num_programs(0), num_stages=3)" in text


def test_a_partial_row_adds_nothing_without_a_choice() -> None:
    text = built("rmsnorm_partial, ragged").program.text
    assert "acc += x * x" in text
    assert "tl.where" not in text


TYPES = [
    (name, columns, dtype)
    for name in ("softmax", "layernorm", "layernorm_residual", "rmsnorm")
    for columns in (127, 5120)
    for dtype in ("f32", "bf16")
]


def _typed(name: str, columns: int, dtype: str) -> str:
    """An example payload whose casts from f32 to f32, which there are not, are gone."""
    text = payload(name, 3, columns, dtype)
    for result, source in re.findall(r"(%\w+) = arith\.\w+ (%\w+) : f32 to f32", text):
        text = re.sub(rf"{result} = arith\.\w+ {source} : f32 to f32\n", "", text)
        text = re.sub(rf"{result}\b", source, text)
    return text


@functools.cache
def _typed_results() -> dict[tuple[str, int, str], tuple[np.ndarray, np.ndarray]]:
    jobs, expected = [], []
    for name, columns, dtype in TYPES:
        module = parse_payload(_typed(name, columns, dtype))
        program = build(module, example(name), {"rows": 2, "warps": 4})
        inputs = _inputs(program)
        jobs.append(Job(program.program, inputs))
        expected.append(run(module, inputs)[0])
    results = [result[0] for result in interpret_all(jobs)]
    return dict(zip(TYPES, zip(results, expected, strict=True), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "columns", "dtype"), TYPES)
def test_types(name: str, columns: int, dtype: str) -> None:
    result, expected = _typed_results()[name, columns, dtype]
    tolerance = 1e-5 if dtype == "f32" or name == "softmax" else 2e-2
    np.testing.assert_allclose(
        result.astype(np.float64),
        expected.astype(np.float64),
        rtol=tolerance,
        atol=tolerance,
    )
