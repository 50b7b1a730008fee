"""Row reductions: whole rows in registers, loops over rows, odd shapes, by examples."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tilewright.codegen.interpret import Job, interpret_all
from tilewright.ir.dtypes import numpy_dtype
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.interpreter import run
from tilewright.pipeline import Built, build, parse_payload
from tilewright.schedules.schedule import Schedule

EXAMPLES = Path(__file__).parent.parent / "examples"
Golden = Callable[[str, str], None]


def payload(name: str, rows: int, columns: int) -> str:
    """An example payload of 4096 x 1024, in another shape, without bf16."""
    text = (EXAMPLES / "payloads" / f"{name}.mlir").read_text().replace("bf16", "f16")
    text = text.replace("x1024x", f"x{columns}x").replace("<1024x", f"<{columns}x")
    text = text.replace("<4096x", f"<{rows}x")
    return re.sub(r"1\.024000e\+03", f"{float(columns):e}", text)


OPS = {
    "layernorm": "sum mean squares scale norm",
    "layernorm_residual": "add sum mean squares scale norm",
    "rmsnorm": "squares scale norm",
    "softmax": "largest power total norm",
}


def rows_schedule(name: str, rows: int, warps: int) -> Schedule:
    """All of it fused into programs of whole rows; the default does the rest."""
    names = OPS[name].split()
    fused = "\n".join(f"  {op}, grid = fuse {op} into grid" for op in names[-2::-1])
    return Schedule.from_text(
        f"""schedule rows(root) {{
  fills = match "linalg.fill" in root
  ops   = match "linalg.generic" in root
  {", ".join(names)} = split_handle ops
  norm, grid = tile norm by [{rows}] onto [block.x]
{fused}
  fills, grid = fuse fills into grid
  launch grid warps = {warps}
}}""",
        "rows.tw",
    )


CASES = {
    "layernorm": ("layernorm", 7, 1000, {"rows": 1, "warps": 4}),
    "layernorm, 4 rows": ("layernorm", 7, 127, {"rows": 4, "warps": 4}),
    "layernorm_residual": ("layernorm_residual", 5, 1024, {"rows": 1, "warps": 4}),
    "rmsnorm": ("rmsnorm", 3, 1000, {"rows": 1, "warps": 4}),
    "softmax": ("softmax", 7, 1000, {"rows": 1, "warps": 4}),
    "softmax, 8 rows": ("softmax", 127, 7, {"rows": 8, "warps": 4}),
    "softmax, 1 column": ("softmax", 7, 1, {"rows": 1, "warps": 1}),
    "softmax_loops": ("softmax", 3, 5000, {"BN": 2048}),
    "softmax_persistent": (
        "softmax",
        7,
        1024,
        {"warps": 4, "programs": 1, "stages": 3},
    ),
    "rmsnorm_partial": ("rmsnorm", 3, 8192, {}),
}
DEFAULT = {
    "layernorm": ("layernorm", 7, 1000),
    "softmax": ("softmax", 127, 1000),
    "long rows": ("softmax", 3, 5000),
    "rmsnorm": ("rmsnorm", 1, 127),
}


@functools.cache
def built(name: str) -> Built:
    source, rows, columns, point = CASES[name]
    module = parse_payload(payload(source, rows, columns), f"{source}.mlir")
    if "rows" in point:
        return build(module, rows_schedule(source, **point))
    schedule = Schedule.from_path(EXAMPLES / "rows" / f"{name}.tw")
    return build(module, schedule, point)


@functools.cache
def default(name: str) -> Built:
    return build(parse_payload(payload(*DEFAULT[name])), None)


PROGRAMS = {name: built for name in CASES} | {
    f"default {name}": default for name in DEFAULT
}


def _built(name: str) -> Built:
    return PROGRAMS[name](name.removeprefix("default "))


def _inputs(program: Built) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    return [
        random.standard_normal(spec.shape).astype(numpy_dtype(spec.dtype))
        for spec in program.program.arguments
    ]


@pytest.fixture(scope="module")
def interpreted() -> dict[str, np.ndarray]:
    jobs = [Job(_built(name).program, _inputs(_built(name))) for name in PROGRAMS]
    return {
        name: results[0]
        for name, results in zip(PROGRAMS, interpret_all(jobs), strict=True)
    }


@pytest.mark.parametrize("name", PROGRAMS)
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


@pytest.mark.parametrize("name", [name for name in CASES if "_" not in name])
def test_one_kernel_reads_each_row_once(name: str) -> None:
    text = built(name).program.text
    assert len(built(name).program.kernels) == 1
    assert len(re.findall(r"tl.load\(\s*x_", text)) == 1


def test_the_neutral_element_of_a_masked_row_is_loaded() -> None:
    text = built("softmax").program.text
    assert 'other=float("-inf")' in text
    assert text.count("tl.where") == 1


def test_partial_lanes_of_a_ragged_row_are_refused() -> None:
    module = parse_payload(payload("rmsnorm", 3, 5000))
    schedule = Schedule.from_path(EXAMPLES / "rows" / "rmsnorm_partial.tw")
    with pytest.raises(SilenceableFailure, match="allocated inside a grid"):
        build(module, schedule)


def test_rows_on_their_way() -> None:
    """The loop over a program's rows is pipelined as deep as the grid says."""
    text = built("softmax_persistent").program.text
    assert "tl.range(pid, TILES, tl.num_programs(0), num_stages=3)" in text
