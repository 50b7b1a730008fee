"""Buffers that a payload takes and writes, beside its results or in their place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support import warm_python
from support.command_line import cli_in
from support.sampling import mostly_slow
from tilewright.codegen.standalone.file import standalone
from tilewright.numeric_check import check_kernel_ir, check_triton_source, make_case
from tilewright.pipeline import build, parse_payload

IN_OUT = """
func.func @f(%a: memref<64xf32>, %b: memref<64xf32>) -> memref<64xf32> {
  %pad = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() : memref<64xf32>
  scf.forall (%p) in (4) {
    %i = affine.apply affine_map<(d0) -> (d0 * 16)>(%p)
    %x = vector.transfer_read %a[%i], %pad {in_bounds = [true]} : memref<64xf32>, vector<16xf32>
    %y = vector.transfer_read %b[%i], %pad {in_bounds = [true]} : memref<64xf32>, vector<16xf32>
    %s = arith.addf %x, %y : vector<16xf32>
    vector.transfer_write %s, %b[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32>
    vector.transfer_write %x, %alloc[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32>
  } {mapping = [#gpu.block<x>]}
  return %alloc : memref<64xf32>
}
"""  # noqa: E501


def test_a_question_asks_from_the_contents_before_the_call() -> None:
    question = make_case(parse_payload(IN_OUT), 0)
    (_, written) = question.buffers
    a, b = question.inputs
    np.testing.assert_array_equal(written.expected, a + b)


@pytest.mark.parametrize(
    "by_triton", [False, pytest.param(True, marks=pytest.mark.slow)]
)
def test_what_a_program_writes_beside_its_results_is_compared(by_triton: bool) -> None:
    payload = parse_payload(IN_OUT)
    built, question = build(payload, None), make_case(payload, 0)

    def outcome(question: Any) -> Any:
        if by_triton:
            return check_triton_source(built, [question])[0]
        return check_kernel_ir(built, question)

    assert outcome(question).ok
    first, written = question.buffers
    other = replace(written, expected=written.expected + np.float32(1))
    wrong = outcome(replace(question, buffers=[first, other]))
    assert not wrong.ok and "argument 'b' afterwards" in wrong.message


@pytest.mark.slow
def test_a_payload_without_results_is_checked_by_what_it_writes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = IN_OUT.replace(") -> memref<64xf32> {", ") {", 1)
    text = text.replace("return %alloc : memref<64xf32>", "return")
    (tmp_path / "p.mlir").write_text(text)
    done = cli_in(tmp_path, monkeypatch, capsys)("run", "p.mlir", "--target", "h200")
    assert "correct in Triton's interpreter" in done.out


@pytest.mark.slow
def test_launch_writes_an_argument_that_is_not_contiguous(tmp_path: Path) -> None:
    payload = parse_payload(IN_OUT)
    text = standalone(build(payload, None).program, payload, 1)
    (tmp_path / "emitted.py").write_text(text)
    script = (
        "import torch, emitted\n"
        "a, b = torch.arange(64.0), torch.ones(128)[::2]\n"
        "emitted.launch(a, b)\n"
        "assert torch.equal(b, a + 1), b\n"
    )
    done = warm_python.run(script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


HARDLY = {
    "constant": "func.func @f() -> tensor<4xf32> {\n"
    "  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n"
    "  return %r : tensor<4xf32>\n}",
    "number": "func.func @f(%a: tensor<7xf32>, %s: f32) -> (tensor<7xf32>, f32) {\n"
    "  return %a, %s : tensor<7xf32>, f32\n}",
    "copy": "func.func @f(%a: tensor<7xf32>) -> tensor<7xf32> {\n"
    "  %e = tensor.empty() : tensor<7xf32>\n"
    "  %r = linalg.copy ins(%a : tensor<7xf32>) outs(%e : tensor<7xf32>)"
    " -> tensor<7xf32>\n"
    "  return %r : tensor<7xf32>\n}",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_slow(HARDLY, ["number"]))
def test_a_payload_that_hardly_computes_runs(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without tensors to take a device from, or with a number among the results."""
    (tmp_path / "p.mlir").write_text(HARDLY[name])
    done = cli_in(tmp_path, monkeypatch, capsys)("run", "p.mlir", "--target", "h200")
    assert "correct in Triton's interpreter" in done.out
