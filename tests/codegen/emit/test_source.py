"""The emitted source: goldens, formatting, determinism, the program's description."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from collections.abc import Callable

import pytest

from support.codegen.buffer_level import (
    CASES,
    elementwise,
    generated,
    matmul_relu,
    text_of,
)
from tilewright.codegen.launches.launcher_text import LauncherText
from tilewright.codegen.program import Access, DotWork, VectorWork
from tilewright.ir.context import payload_context
from tilewright.ir.dialects.kernel import Kernel
from tilewright.ir.text import parse_module, to_text

Golden = Callable[[str, str], None]


@pytest.mark.parametrize("case", CASES)
def test_source(case: str, golden: Golden) -> None:
    golden(f"codegen/{case}.py", generated(text_of(case), f"{case}.mlir").program.text)


def test_ragged_source_with_pointers(golden: Golden) -> None:
    text = text_of("ragged").replace("triton.descriptors, ", "")
    golden("codegen/ragged_pointers.py", generated(text, "ragged.mlir").program.text)


@pytest.mark.parametrize("case", ["dividing_bias", "ragged"])
def test_kernel_ir(case: str, golden: Golden) -> None:
    module = generated(text_of(case), f"{case}.mlir").kernel_module
    golden(f"codegen/{case}.mlir", to_text(module))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", sorted(set(CASES) - {"row_statistics"}))
def test_kernel_ir_round_trip(case: str) -> None:
    # row_statistics holds dense<0xfc00>, which xDSL reads as an integer.
    text = to_text(generated(text_of(case)).kernel_module)
    context = payload_context()
    if context.get_optional_dialect("kernel") is None:
        context.load_dialect(Kernel)
    assert to_text(parse_module(text, "kernel.mlir", context)) == text


@pytest.mark.slow
def test_sources_are_formatted(tmp_path: object) -> None:
    folder = str(tmp_path)
    for case in CASES:
        with open(f"{folder}/{case}.py", "w") as file:
            file.write(generated(text_of(case)).program.text)
    for command in (["format", "--check"], ["check", "--select", "E,F,I,B"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", CASES)
def test_same_input_same_output(case: str) -> None:
    first, second = generated(text_of(case)), generated(text_of(case))
    assert first.program == second.program


def test_source_needs_only_torch_and_triton() -> None:
    for case in CASES:
        for node in ast.walk(ast.parse(generated(text_of(case)).program.text)):
            if isinstance(node, ast.Import):
                roots = {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                roots = {(node.module or "").split(".")[0]}
            else:
                continue
            assert roots <= {"torch", "triton", "functools"}


def test_program_describes_itself() -> None:
    program = generated(text_of("ragged")).program
    assert pickle.loads(pickle.dumps(program)) == program
    assert program.entry == "matmul_relu"
    assert [spec.name for spec in program.arguments] == ["a", "b"]
    assert program.results[0].shape == (1000, 1000)
    (kernel,) = program.kernels
    assert (kernel.grid, kernel.group) == ((8, 8), 8)
    assert (kernel.num_warps, kernel.num_stages) == (8, 3)
    assert kernel.dots == (DotWork(128, 128, 64, "f16", 16),)
    assert kernel.accesses[0] == Access(
        "load", "a", (128, 64), "f16", 16, True, True, tensor_bytes=2_000_000
    )
    assert kernel.accesses[-1].kind == "store"
    # The maximum with zero and the cast to f16; nothing is reduced.
    assert kernel.vector == VectorWork(simple=2 * 128 * 128)


def test_defaults_without_attributes() -> None:
    text = matmul_relu(128, 128, 64).replace(" {triton.num_stages = 3 : i64}", "")
    program = generated(text).program
    assert (program.kernels[0].num_warps, program.kernels[0].num_stages) == (4, 3)
    assert "num_stages=3" in program.text


def test_key_ignores_names_and_places_only() -> None:
    plain = generated(text_of("dividing_bias"), "one.mlir").program
    moved = generated("\n\n" + text_of("dividing_bias"), "two.mlir").program
    renamed = generated(text_of("dividing_bias").replace("%acc", "%sum")).program
    assert plain.text != moved.text
    assert plain.key == moved.key == renamed.key
    for old, new in (
        ("triton.num_stages = 3", "triton.num_stages = 4"),
        ("triton.num_warps = 8", "triton.num_warps = 4"),
        ("maximumf", "maxnumf"),
        ("triton.num_warps", "triton.group = 2 : i64, triton.num_warps"),
    ):
        changed = generated(text_of("dividing_bias").replace(old, new)).program
        assert changed.key != plain.key


def test_masks_fold_where_tiles_divide() -> None:
    program = generated(matmul_relu(256, 256, 128)).program
    assert "mask" not in program.text
    assert not any(access.masked for access in program.kernels[0].accesses)


def test_only_the_partial_dimension_is_masked() -> None:
    text = generated(matmul_relu(256, 256, 100)).program.text
    assert "mask_k = offs_k < K - k\n" in text and "mask=mask_k[None, :]" in text
    assert "< M" not in text and "< N" not in text


def test_plain_grid_axes_and_large_ones() -> None:
    plain = elementwise("%r = arith.addf %v, %v : vector<16xf32>")
    assert "tl.program_id(0)" in generated(plain).program.text
    text = matmul_relu(16 * 70000, 16, 16, (16, 16, 16))
    program = generated(text).program
    assert "matmul_relu_kernel[(70000,)]" in program.text


def test_grid_axis_past_65535_is_linearised() -> None:
    text = matmul_relu(16 * 70000, 32, 16, (16, 16, 16))
    source = generated(text).program.text
    assert "tile_m = pid // TILES_N" in source and "tile_n = pid % TILES_N" in source
    assert "[(140000,)]" in source


def test_wide_offsets_for_large_tensors() -> None:
    small = generated(matmul_relu(32768, 128, 65535)).program.text
    large = generated(matmul_relu(32768, 128, 65537)).program.text
    assert "int64" not in small
    assert "offs_m.to(tl.int64)[:, None] * K" in large


def test_descriptor_kernels_keep_vectors_as_pointers() -> None:
    text = text_of("dividing_bias").replace(
        "triton.num_warps = 8", "triton.descriptors, triton.num_warps = 8"
    )
    result = generated(text)
    assert "bias_ptr" in result.program.text and "a_desc" in result.program.text
    assert result.notes == ("bias: a tile of one dimension stays a pointer access",)


def test_f32_dots_are_ieee() -> None:
    source = generated(matmul_relu(64, 64, 64, (64, 64, 32), dtype="f32")).program.text
    assert 'input_precision="ieee"' in source


def test_names_python_does_not_allow() -> None:
    text = elementwise("%r = arith.addf %v, %v : vector<16xf32>")
    text = text.replace("@f(", '@"my.func-1"(').replace("%a", "%lambda")
    text = text.replace("%lambdalloc", "%alloc").replace("%i)", "%in.put)")
    text = text.replace("(%i", "(%in.put")
    program = generated(text).program
    assert program.entry == "my_func_1"
    ast.parse(program.text)
    assert "lambda_ptr" in program.text


@pytest.mark.parametrize("case", CASES)
def test_the_launcher_is_the_text_of_its_plan(case: str) -> None:
    program = generated(text_of(case)).program
    plan = pickle.loads(pickle.dumps(program.launch_plan))
    assert plan == program.launch_plan
    written = LauncherText(plan).write()
    assert program.text.endswith("\n".join(written) + "\n")


@pytest.mark.parametrize("case", CASES)
def test_the_lines_of_kernels(case: str) -> None:
    program = generated(text_of(case)).program
    functions = {
        node.name: node
        for node in ast.parse(program.text).body
        if isinstance(node, ast.FunctionDef)
    }
    for name, first, last in program.kernel_lines:
        (decorator,) = functions[name].decorator_list
        assert (decorator.lineno, functions[name].end_lineno) == (first, last)
    assert {name for name, *_ in program.kernel_lines} == {
        kernel.name for kernel in program.kernels
    }
