"""The file `tilewright opt --emit=triton` writes: its reference, its check, itself."""

# MLIR does not wrap its lines.
# ruff: noqa: E501

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from support import warm_python
from support.codegen.open_sizes import FOLDER, shapes_of
from support.examples import examples
from support.paths import EXAMPLES
from support.random_programs.payloads import Recipe, random_payload
from tilewright.codegen.standalone.file import standalone
from tilewright.codegen.standalone.reference.function import (
    NoReference,
    explain,
    torch_reference,
)
from tilewright.codegen.standalone.templates import REFERENCE_HELPERS
from tilewright.ir.interpreter import run
from tilewright.payload_work import reduction_length
from tilewright.payloads import Payload, scatter_add
from tilewright.pipeline import argument_specs, build, parse_payload, read_payload
from tilewright.tuning.measure.inputs import from_torch, random_inputs, to_torch

PAYLOADS = EXAMPLES / "payloads"
Golden = Callable[[str, str], None]

SOFTMAX_OF_SUMS = """
func.func @softmax_of_sums(%a: tensor<33x48xf32>, %bias: tensor<48xf32>) -> (tensor<33x48xf32>, tensor<33xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<33x48xf32>
  %shifted = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %bias : tensor<33x48xf32>, tensor<48xf32>) outs(%e : tensor<33x48xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<33x48xf32>
  %r = tensor.empty() : tensor<33xf32>
  %i = linalg.fill ins(%lowest : f32) outs(%r : tensor<33xf32>) -> tensor<33xf32>
  %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%shifted : tensor<33x48xf32>) outs(%i : tensor<33xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.maximumf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<33xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%shifted, %largest : tensor<33x48xf32>, tensor<33xf32>) outs(%e : tensor<33x48xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %s = math.exp %d : f32
    linalg.yield %s : f32
  } -> tensor<33x48xf32>
  return %powers, %largest : tensor<33x48xf32>, tensor<33xf32>
}
"""

MATMUL = """
func.func @matmul_relu(%name: tensor<64x48xf16>, %device: tensor<48x32xf16>) -> tensor<64x32xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %product = linalg.matmul ins(%name, %device : tensor<64x48xf16>, tensor<48x32xf16>) outs(%i : tensor<64x32xf32>) -> tensor<64x32xf32>
  %h = tensor.empty() : tensor<64x32xf16>
  %relu = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<64x32xf32>) outs(%h : tensor<64x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %m = arith.maximumf %x, %zero : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x32xf16>
  return %relu : tensor<64x32xf16>
}
"""

CONVOLUTION = """
func.func @convolve(%x: tensor<2x9xf32>, %w: tensor<3xf32>) -> tensor<2x7xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %e = tensor.empty() : tensor<2x7xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x7xf32>) -> tensor<2x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, o, k) -> (b, o + k)>, affine_map<(b, o, k) -> (k)>, affine_map<(b, o, k) -> (b, o)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x9xf32>, tensor<3xf32>) outs(%i : tensor<2x7xf32>) {
  ^bb0(%a: f32, %c: f32, %acc: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<2x7xf32>
  return %r : tensor<2x7xf32>
}
"""

NO_TORCH_FORM = """
func.func @cube_root(%x: tensor<64xf32>) -> tensor<64xf32> {
  %r = math.cbrt %x : tensor<64xf32>
  return %r : tensor<64xf32>
}
"""


# Rows about their means: a size as a number, an index, and tensors filled with one.
OPEN = """
func.func @centred(%x: tensor<?x?xf32>, %scale: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %long = arith.index_cast %n : index to i64
  %count = arith.sitofp %long : i64 to f32
  %r = tensor.empty(%m) : tensor<?xf32>
  %i = linalg.fill ins(%zero : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %total = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%i : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %total, %scale : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %t: f32, %w: f32, %o: f32):
    %mean = arith.divf %t, %count : f32
    %d = arith.subf %a, %mean : f32
    %y = arith.mulf %d, %w : f32
    linalg.yield %y : f32
  } -> tensor<?x?xf32>
  %places = tensor.empty(%m) : tensor<?xf32>
  %numbers = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%places : tensor<?xf32>) {
  ^bb0(%o: f32):
    %k = linalg.index 0 : index
    %l = arith.index_cast %k : index to i64
    %v = arith.sitofp %l : i64 to f32
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %out, %numbers : tensor<?x?xf32>, tensor<?xf32>
}
"""


def dynamic(name: str) -> str:
    return (FOLDER / f"{name}.mlir").read_text()


def file_of(text: str) -> str:
    payload = parse_payload(text, "payload.mlir")
    program = build(payload, None).program
    return standalone(program, payload, reduction_length(payload))


def referenced(module: Any) -> Callable[..., Any]:
    lines = torch_reference(module, "reference", set(REFERENCE_HELPERS))
    space: dict[str, Any] = {"torch": torch}
    for text in (*REFERENCE_HELPERS.values(), "\n".join(lines)):
        exec(text, space)
    return space["reference"]


def loaded(text: str, folder: Path) -> ModuleType:
    path = folder / "kernel.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("kernel", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def python(
    path: Path, *options: str, interpreted: bool
) -> subprocess.CompletedProcess[str]:
    if interpreted:
        return warm_python.run(path, options)
    return subprocess.run(
        [sys.executable, str(path), *options],
        env={**os.environ, "TRITON_INTERPRET": "0"},
        capture_output=True,
        text=True,
        check=False,
    )


@settings(deadline=None, max_examples=examples(60))
@given(random=st.randoms(use_true_random=False), steps=st.integers(1, 8))
def test_the_reference_agrees_with_numpy(random: Random, steps: int) -> None:
    program = random_payload(random, Recipe(steps=steps))
    inputs = program.inputs()
    specs = program.payload.inputs
    tensors = [to_torch(x, s.dtype) for x, s in zip(inputs, specs, strict=True)]
    results = referenced(program.payload.module)(*tensors)
    results = results if isinstance(results, tuple) else (results,)
    for got, want in zip(results, program.evaluate(inputs), strict=True):
        assert np.array_equal(got.numpy(), want.astype(np.float64)), (
            program.payload.text()
        )


def test_the_reference_adds_at_places_inside() -> None:
    p = Payload("added")
    ids, rows = p.input("ids", (6,), "i64"), p.input("rows", (6, 3), "f32")
    p.output(scatter_add(p.input("x", (4, 3), "f32"), ids[:, None], rows, 0))
    places = np.array([1, 3, -2, 1, 4, 0])
    given = places, np.ones((6, 3), np.float32), np.zeros((4, 3), np.float32)
    found = referenced(p.module)(*map(torch.from_numpy, given))
    assert found[:, 0].tolist() == [1, 2, 0, 1]
    assert run(p.module, given)[0].tolist() == found.tolist()


@pytest.mark.parametrize("text", [SOFTMAX_OF_SUMS, MATMUL, CONVOLUTION])
def test_the_reference_agrees_with_the_interpreter(text: str) -> None:
    module = parse_payload(text)
    reference = referenced(module)
    rng = np.random.default_rng(0)
    function = next(iter(module.ops))
    inputs = []
    for argument in function.body.block.args:
        dtype = "f16" if "f16" in str(argument.type) else "f32"
        drawn = rng.standard_normal(argument.type.get_shape())
        inputs.append(drawn.astype(np.float16 if dtype == "f16" else np.float32))
    results = reference(*map(torch.from_numpy, inputs))
    results = results if isinstance(results, tuple) else (results,)
    for got, want in zip(results, run(module, inputs), strict=True):
        np.testing.assert_allclose(from_torch(got, "f64"), want, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        *((OPEN, ((m, n), (n,))) for m, n in ((5, 7), (1, 1), (0, 3))),
        (dynamic("matmul_any"), ((5, 3), (3, 2))),
        (dynamic("mlp"), shapes_of("mlp", 5)),
        (dynamic("softmax"), ((3, 500),)),
        (dynamic("column_sums"), ((0, 48),)),
    ],
)
def test_the_reference_at_sizes_that_were_open(
    text: str, shapes: Sequence[tuple[int, ...]]
) -> None:
    module = parse_payload(text)
    arguments, _ = argument_specs(module)
    specs = [
        replace(spec, shape=shape)
        for spec, shape in zip(arguments, shapes, strict=True)
    ]
    inputs = random_inputs(specs, 3)
    tensors = [
        array.item() if spec.is_scalar else to_torch(array, spec.dtype)
        for array, spec in zip(inputs, specs, strict=True)
    ]
    results = referenced(module)(*tensors)
    results = results if isinstance(results, tuple) else (results,)
    for got, want in zip(results, run(module, inputs), strict=True):
        assert got.shape == want.shape
        np.testing.assert_allclose(from_torch(got, "f64"), want, rtol=4e-3, atol=4e-3)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.mlir")), ids=lambda p: p.stem)
def test_every_example_has_a_reference(path: Path) -> None:
    lines = torch_reference(read_payload(path), "reference", set())
    assert lines[-1].startswith("    return ")


def test_an_op_without_a_torch_form_is_named() -> None:
    module = parse_payload(NO_TORCH_FORM, "payload.mlir")
    with pytest.raises(NoReference) as refused:
        torch_reference(module, "reference", set())
    assert explain(refused.value) == (
        "math.cbrt (payload.mlir:3): it has no torch form here"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("matmul_relu", MATMUL),
        ("softmax_of_sums", SOFTMAX_OF_SUMS),
        ("centred", OPEN),
        ("matmul_any", dynamic("matmul_any")),
    ],
)
def test_file(name: str, text: str, golden: Golden) -> None:
    golden(f"standalone/{name}.py", file_of(text))


@pytest.mark.slow
def test_files_are_formatted(tmp_path: Path) -> None:
    for position, text in enumerate(
        (MATMUL, SOFTMAX_OF_SUMS, OPEN, dynamic("mlp"), dynamic("add"))
    ):
        (tmp_path / f"{position}.py").write_text(file_of(text))
    for command in (["format", "--check"], ["check", "--select", "E,F,I,B"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_file_checks_itself(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    for text, results in ((MATMUL, ["h"]), (SOFTMAX_OF_SUMS, ["e", "r"])):
        path.write_text(file_of(text))
        done = python(path, interpreted=True)
        assert done.returncode == 0, done.stderr
        for result in results:
            assert f"{result}: as torch in float64" in done.stdout
        assert "not timed: this is Triton's interpreter" in done.stdout


def test_the_file_finds_a_wrong_kernel(tmp_path: Path) -> None:
    text = file_of(MATMUL)
    broken = text.replace(", 0.0, propagate_nan", ", 0.5, propagate_nan")
    assert broken != text
    path = tmp_path / "kernel.py"
    path.write_text(broken)
    done = python(path, interpreted=True)
    assert done.returncode == 1
    assert "of 2048 elements are wrong" in done.stderr


class _WithoutStores(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        stores = "tl.store" in ast.unparse(node)
        return ast.Pass() if stores else node


def test_the_file_finds_a_missing_store(tmp_path: Path) -> None:
    """The memory of the reference, freed, would hold the right numbers."""
    tree = _WithoutStores().visit(ast.parse(file_of(MATMUL)))
    path = tmp_path / "kernel.py"
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)))
    done = python(path, interpreted=True)
    assert done.returncode == 1
    assert "2048 of 2048 elements are wrong" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(torch.cuda.is_available(), reason="for machines without a GPU")
def test_without_a_gpu_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(file_of(MATMUL))
    done = python(path, interpreted=False)
    assert done.returncode == 1
    assert "no CUDA device" in done.stderr


def test_launch_refuses_wrong_shapes_and_dtypes(tmp_path: Path) -> None:
    module = loaded(file_of(MATMUL), tmp_path)
    a, b = torch.zeros(64, 48).half(), torch.zeros(48, 32).half()
    with pytest.raises(ValueError, match=r"device2 is torch.float16 \[32, 48\]"):
        module.launch(a, b.t())
    with pytest.raises(ValueError, match=r"for torch.float16 \[64, 48\]"):
        module.launch(a.float(), b)


# Sizes that the payload leaves open.


def test_open_sizes_are_options(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(file_of(OPEN))
    for options in (["--m", "33", "--n", "20"], ["--m", "1", "--n", "1"]):
        done = python(path, *options, interpreted=True)
        assert done.returncode == 0, done.stderr
        assert "e: as torch in float64" in done.stdout
    help_text = python(path, "--help", interpreted=True).stdout
    assert "x.shape[1], scale.shape[0]; 1024 where not given" in help_text
    done = python(path, "--m", "-3", interpreted=True)
    assert done.returncode == 2 and "a size cannot be negative" in done.stderr


def test_a_kernel_that_is_wrong_at_some_sizes_is_found(tmp_path: Path) -> None:
    text = file_of(dynamic("matmul_any"))
    broken = text.replace("tl.range(0, K, ", "tl.range(0, K // 2, ")
    assert broken != text
    path = tmp_path / "kernel.py"
    path.write_text(broken)
    sizes = ["--m", "16", "--n", "16"]
    assert python(path, *sizes, "--k", "64", interpreted=True).returncode == 0
    done = python(path, *sizes, "--k", "70", interpreted=True)
    assert done.returncode == 1 and "elements are wrong" in done.stderr


def test_tolerance_and_work_follow_the_sizes() -> None:
    text = file_of(dynamic("matmul_any"))
    assert "0.0039 + 4.8e-07 * K**0.5)" in text
    assert "2 * M * N * K / ms * 1e-9" in text
    text = file_of(dynamic("add"))
    assert "default=1048576" in text and "12 * N / ms * 1e-6" in text


def test_sizes_that_must_equal_a_number_are_no_options() -> None:
    text = file_of(
        "func.func @f(%a: tensor<?xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {\n"
        "  %e = tensor.empty() : tensor<8xf32>\n"
        "  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<8xf32>) "
        "outs(%e : tensor<8xf32>) -> tensor<8xf32>\n"
        "  return %r : tensor<8xf32>\n}"
    )
    assert "a = torch.randn((8,), device=device)" in text
    assert "add_argument" not in text
