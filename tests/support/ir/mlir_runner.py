"""Real MLIR as a compiler: run a module and read what it prints."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from support.mlir_opt import mlir_opt

RUNNER = shutil.which("mlir-runner-22")


def executed(text: str, passes: str, libraries: tuple[str, ...]) -> str:
    """What a module's @main prints when real MLIR compiles and runs it."""
    assert RUNNER is not None
    folder = Path(RUNNER).resolve().parents[1] / "lib"
    shared = [str(next(folder.glob(f"lib{name}.so*"))) for name in libraries]
    done = subprocess.run(
        [
            RUNNER,
            *("-e", "main", "--entry-point-result=void"),
            f"--shared-libs={','.join(shared)}",
        ],
        input=mlir_opt(text, f"--pass-pipeline={passes}"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
