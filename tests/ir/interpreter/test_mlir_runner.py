"""Real MLIR's compiler and ours on one program that prints what it computes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support.mlir_opt import mlir_opt, needs_mlir
from support.paths import DATA
from tilewright.ir.context import payload_context
from tilewright.ir.interpreter import run
from tilewright.ir.text import read_module

RUNNER = shutil.which("mlir-runner-22")
PROGRAM = DATA / "printed_vectors.mlir"
PASSES = (
    "builtin.module(func.func(lower-vector-mask,lower-vector-multi-reduction,"
    "test-vector-scan-lowering),convert-vector-to-scf,expand-strided-metadata,"
    "test-lower-to-llvm)"
)


def executed(text: str) -> str:
    """What a module's @main prints when real MLIR compiles and runs it."""
    assert RUNNER is not None
    libraries = Path(RUNNER).resolve().parents[1] / "lib"
    shared = [
        str(next(libraries.glob(f"lib{name}.so*")))
        for name in ("mlir_c_runner_utils", "mlir_runner_utils")
    ]
    done = subprocess.run(
        [
            RUNNER,
            *("-e", "main", "--entry-point-result=void"),
            f"--shared-libs={','.join(shared)}",
        ],
        input=mlir_opt(text, f"--pass-pipeline={PASSES}"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(RUNNER is None, reason="mlir-runner-22 is not installed")
@needs_mlir
def test_both_print_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    run(read_module(PROGRAM, payload_context()), [])
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == PROGRAM.read_text().count("vector.print")
    assert printed == executed(PROGRAM.read_text(encoding="utf-8"))
