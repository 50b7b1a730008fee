"""Products whose grids have attributes: the source, and the same numbers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from support.codegen.buffer_level import (
    elementwise,
    generated,
    inputs_for,
    matmul_relu,
    parse,
    text_of,
)
from support.codegen.grid_refusals import EVEN, ODD, refusal
from support.codegen.grid_structures import STRUCTURES, structure
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.kernel import Kernel
from tilewright.ir.interpreter import Options, run
from tilewright.ir.text import parse_module, to_text
from tilewright.payloads import Payload, reduce
from tilewright.pipeline import build, parse_payload
from tilewright.schedules.schedule import Schedule

Golden = Callable[[str, str], None]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", STRUCTURES)
def test_source(name: str, golden: Golden, tmp_path: Path) -> None:
    text = generated(structure(name, ODD), "structure.mlir").program.text
    golden(f"codegen/structures/{name}.py", text)
    (tmp_path / "kernel.py").write_text(text)
    for command in (["format", "--check"], ["check", "--select", "E,F,I,B"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", tmp_path],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", STRUCTURES)
def test_kernel_ir_round_trip(name: str) -> None:
    text = to_text(generated(structure(name, ODD)).kernel_module)
    context = payload_context()
    if context.get_optional_dialect("kernel") is None:
        context.load_dialect(Kernel)
    assert to_text(parse_module(text, "kernel.mlir", context)) == text


@pytest.mark.sampled(12)
@pytest.mark.parametrize("sizes", [EVEN, ODD])
@pytest.mark.parametrize("name", STRUCTURES)
def test_kernel_level_numbers(name: str, sizes: tuple[int, int, int]) -> None:
    text = structure(name, sizes)
    made = generated(text)
    arguments = inputs_for(made.program)
    options = Options(poison_uninitialized=True, shuffle_forall_seed=1)
    (wanted,) = run(parse(text), arguments)
    (found,) = run(made.kernel_module, arguments, options=options)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.slow
def test_numbers_in_tritons_interpreter() -> None:
    texts = [structure(name, sizes) for name in STRUCTURES for sizes in (EVEN, ODD)]
    made = [generated(text) for text in texts]
    jobs = [Job(one.program, inputs_for(one.program)) for one in made]
    for text, job, (found,) in zip(texts, jobs, interpret_all(jobs), strict=True):
        (wanted,) = run(parse(text), job.inputs)
        np.testing.assert_allclose(
            found.astype(float), wanted.astype(float), rtol=2e-3, atol=2e-2
        )


def test_programs_share_the_tiles() -> None:
    text = generated(structure("persistent", EVEN)).program
    assert "min(9, _multiprocessors(a.device))" in text.text
    (kernel,) = text.kernels
    assert (kernel.programs, kernel.persistent) == (9, 1)


def test_precision_of_f32_dots() -> None:
    asked = matmul_relu(
        64,
        64,
        64,
        (32, 32, 32),
        dtype="f32",
        attributes='triton.dot_precision = "tf32"',
    )
    assert 'input_precision="tf32"' in generated(asked).program.text
    plain = matmul_relu(64, 64, 64, (32, 32, 32), dtype="f32")
    assert 'input_precision="ieee"' in generated(plain).program.text


def test_what_is_read_once_is_evicted_first() -> None:
    p = Payload("scaled")
    x, weight = p.input("x", (64, 256), "f32"), p.input("weight", (256,), "f32")
    p.output(reduce("sum", x, weight, axis=-1, of=lambda x, w: x * w))
    schedule = """schedule s(root) {
      ops = match implementing [LinalgOp] in root
      fill, sum = split_handle ops
      sum, grid = tile sum by [2] onto [block.x]
      fill, grid = fuse fill into grid
      launch grid read_once = ONCE
    }"""
    texts = [
        build(
            parse_payload(p.text()),
            Schedule.from_text(schedule.replace("ONCE", once), "s.tw"),
        )
        for once in "01"
    ]
    assert "evict_first" not in texts[0].program.text
    loads = texts[1].program.text.split("tl.load(")[1:]
    hinted = [load for load in loads if "evict_first" in load.split("tl.")[0]]
    assert len(hinted) == 1 and hinted[0].strip().startswith("x")


def test_hints_of_loops() -> None:
    text = matmul_relu(64, 64, 64, (32, 32, 32)).replace(
        "{triton.num_stages = 3 : i64}",
        "{triton.num_stages = 3 : i64, triton.unroll = 2 : i64, triton.flatten, "
        "triton.single_accumulator}",
    )
    lines = generated(text).program.text
    for hint in (
        "num_stages=3",
        "loop_unroll_factor=2",
        "flatten=True",
        "disallow_acc_multi_buffer=True",
    ):
        assert hint in lines


@pytest.mark.parametrize(
    ("attributes", "dtype", "fact"),
    [
        ("triton.flatten", "f16", "'triton.flatten' changes nothing here"),
        (
            "triton.num_stages = 3 : i64",
            "f16",
            "'triton.num_stages' changes nothing here: a program has one tile",
        ),
        (
            "triton.store_parts = 4 : i64",
            "f16",
            "'triton.store_parts' of 4 changes nothing here",
        ),
        (
            'triton.dot_precision = "tf32"',
            "f16",
            "'triton.dot_precision' changes nothing here",
        ),
        (
            'triton.eviction = {c = "evict_first"}',
            "f16",
            "'triton.eviction' names the buffer 'c'",
        ),
        (
            'triton.descriptors, triton.eviction = {a = "evict_first"}',
            "f16",
            "'triton.eviction' changes nothing for 'a'",
        ),
        (
            'triton.cache = {a = "ca"}, triton.eviction = {a = "evict_last"}',
            "f16",
            "'triton.eviction' and 'triton.cache' both for 'a'",
        ),
        (
            'triton.cache = {a = "cs"}',
            "f16",
            "'triton.cache' changes nothing for 'a'",
        ),
    ],
)
def test_refusals(attributes: str, dtype: str, fact: str) -> None:
    text = matmul_relu(64, 64, 64, (32, 32, 32), dtype=dtype, attributes=attributes)
    failure = refusal(text)
    assert fact in failure.fact and failure.remedy


def test_parts_need_a_matrix() -> None:
    text = elementwise("%r = arith.addf %v, %v : vector<16xf32>").replace(
        "{mapping", "{triton.store_parts = 2 : i64, mapping"
    )
    assert "no matrix" in refusal(text).fact


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", ["dividing_bias", "ragged"])
def test_epilogues_in_parts(case: str) -> None:
    """What a tail loads is loaded in parts too."""
    text = text_of(case).replace(
        "mapping = ", "triton.store_parts = 2 : i64, mapping = "
    )
    made = generated(text)
    assert "kernel.halves" in to_text(made.kernel_module)
    arguments = inputs_for(made.program)
    (wanted,) = run(parse(text_of(case)), arguments)
    (found,) = run(made.kernel_module, arguments)
    np.testing.assert_array_equal(found, wanted)
