"""Numbers that a caller passes, strides that are open, and long launchers."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from support.codegen.buffer_level import in_a_grid
from support.codegen.buffer_level import parse as parse_buffers
from tilewright.codegen.generate import generate
from tilewright.codegen.runtime.interpret import Job, interpret_all
from tilewright.ir.errors import SilenceableFailure
from tilewright.ir.interpreter import run as interpret_ir
from tilewright.pipeline import build, parse_payload, reference
from tilewright.schedules.schedule import Schedule

NUMBERS = """
func.func @f(%x: tensor<?xf32>, %half: f16, %byte: i8, %flag: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %o = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %h = arith.extf %half : f16 to f32
    %i = arith.sitofp %byte : i8 to f32
    %s = arith.mulf %a, %h : f32
    %t = arith.addf %s, %i : f32
    %u = arith.select %flag, %t, %a : f32
    linalg.yield %u : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""  # noqa: E501


def test_numbers_of_every_type() -> None:
    payload = parse_payload(NUMBERS)
    made = build(payload, None)
    x = np.linspace(-1, 1, 100, dtype=np.float32)
    jobs: list[Job] = []
    expected: list[NDArray[Any]] = []
    for flag in (True, False):
        given = [x, np.float16(0.1), np.int8(-7), np.bool_(flag)]
        expected += reference(payload, given)
        assert np.allclose(interpret_ir(made.kernel, given)[0], expected[-1])
        jobs.append(Job(made.program, [np.asarray(value) for value in given]))
    for (got,), want in zip(interpret_all(jobs), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6)


def test_wide_floats_keep_their_bits() -> None:
    text = NUMBERS.replace("f32", "f64").replace("f16", "f64")
    text = text.replace("%h = arith.extf %half", "%h = arith.addf %half, %half")
    payload = parse_payload(text.replace(": f64 to f64", ": f64"))
    made = build(payload, None)
    assert "half: tl.float64" in made.program.text
    given = [np.linspace(-1, 1, 100), np.float64(0.1), np.int8(-7), np.bool_(True)]
    (expected,) = reference(payload, given)
    inputs = [np.asarray(value) for value in given]
    ((got,),) = interpret_all([Job(made.program, inputs)])
    np.testing.assert_allclose(got, expected, rtol=1e-15)


def test_strides_known_only_at_run_time() -> None:
    text = in_a_grid("").replace(
        "%a: memref<64xf32>", "%a: memref<64xf32, strided<[?], offset: ?>>"
    )
    text = text.replace(
        "%pad {in_bounds = [true]} : memref<64xf32>",
        "%pad {in_bounds = [true]} : memref<64xf32, strided<[?], offset: ?>>",
    )
    with pytest.raises(SilenceableFailure, match="strides known only at run time"):
        generate(parse_buffers(text))


@pytest.mark.parametrize("count", [1, 4])
def test_lines_of_launchers_are_short(count: int) -> None:
    """Long names, and so many sizes that no line holds them."""
    matrix, total = "tensor<?x?xf16>", "tensor<?x?xf32>"
    body: list[str] = []
    for i in range(count):
        left, right = f"%the_left_operand_of_product_{i}", f"%its_right_operand_{i}"
        body += [
            f"%m{i} = tensor.dim {left}, %c0 : {matrix}",
            f"%n{i} = tensor.dim {right}, %c1 : {matrix}",
            f"%e{i} = tensor.empty(%m{i}, %n{i}) : {total}",
            f"%f{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {total}) -> {total}",
            f"%r{i} = linalg.matmul ins({left}, {right} : {matrix}, {matrix})"
            f" outs(%f{i} : {total}) -> {total}",
        ]
    arguments = ", ".join(
        f"%the_left_operand_of_product_{i}: {matrix}, %its_right_operand_{i}: {matrix}"
        for i in range(count)
    )
    results = ", ".join(f"%r{i}" for i in range(count))
    types, text = ", ".join([total] * count), "\n  ".join(body)
    payload = f"""func.func @several_products_at_once({arguments}) -> ({types}) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {text}
  return {results} : {types}
}}"""
    schedule = """schedule all(root) {
  each = match "linalg.matmul" in root
  each, grids = tile each by [64, 64] onto [block.y, block.x]
  launch grids persistent = 2
}"""
    text = build(parse_payload(payload), Schedule.from_text(schedule)).program.text
    launcher = text[text.rindex("\ndef ") + 1 :]
    assert ("size = max(" in launcher) == (count == 4)
    assert max(map(len, launcher.splitlines())) <= 88
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", "-"],
        input=launcher,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
