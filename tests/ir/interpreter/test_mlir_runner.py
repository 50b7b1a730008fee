"""Real MLIR's compiler and ours on one program that prints what it computes."""

from __future__ import annotations

import pytest

from support.ir.mlir_runner import RUNNER, executed
from support.mlir_opt import needs_mlir
from support.paths import DATA
from tilewright.ir.context import payload_context
from tilewright.ir.interpreter import run
from tilewright.ir.text import read_module

PROGRAM = DATA / "printed_vectors.mlir"
PASSES = (
    "builtin.module(func.func(lower-vector-mask,lower-vector-multi-reduction,"
    "test-vector-scan-lowering),convert-vector-to-scf,expand-strided-metadata,"
    "test-lower-to-llvm)"
)


@pytest.mark.skipif(RUNNER is None, reason="mlir-runner-22 is not installed")
@needs_mlir
def test_both_print_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    run(read_module(PROGRAM, payload_context()), [])
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == PROGRAM.read_text().count("vector.print")
    libraries = ("mlir_c_runner_utils", "mlir_runner_utils")
    text = PROGRAM.read_text(encoding="utf-8")
    assert printed == executed(text, PASSES, libraries)
