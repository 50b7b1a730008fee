"""What each command imports: start-up is quick as long as these stay out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.paths import EXAMPLES
from support.sampling import mostly_slow

EXAMPLE = EXAMPLES / "matmul_relu"

SCRIPT = """
import contextlib, io, json, sys
from tilewright.cli import app
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    app(sys.argv[1:])
from tilewright.ir.op_definitions import lazy_ops
print(json.dumps([sorted(sys.modules), len(lazy_ops.pending())]))
"""

HEAVY = ("torch", "triton", "optuna", "numpy", "ml_dtypes", "sqlite3", "pydantic")
"""Packages that take a tenth of a second and more."""


def imported_by(*arguments: str) -> tuple[set[str], int]:
    """The modules that a command imports, and the ops it left undefined."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        capture_output=True,
        text=True,
        cwd=EXAMPLE,
        check=True,
    )
    modules, pending = json.loads(done.stdout.splitlines()[-1])
    return set(modules), pending


@pytest.mark.parametrize(
    "command",
    mostly_slow(
        ["opt payload.mlir -s tile_fuse.tw", "check tuned.tw", "space tuned.tw"],
        quick=["check tuned.tw"],
    ),
)
def test_a_command_that_runs_no_kernel_imports_little(command: str) -> None:
    modules, pending = imported_by(*command.split())
    ours = {m.removeprefix("tilewright.") for m in modules if m.startswith("tilewri")}
    assert sorted(modules & set(HEAVY)) == []
    assert not [m for m in ours if m.startswith(("codegen.", "ir.interpreter"))]
    assert "transforms.cleanup.groups" not in ours
    assert "schedules.default.finish" not in ours
    assert "ir.dialects.kernel" not in ours
    # Of some five hundred ops these commands use a few dozen.
    assert pending > 300
    assert len(modules) < 715


def test_help_imports_no_compiler() -> None:
    modules, _ = imported_by("--help")
    assert not [m for m in modules if m.startswith(("xdsl.dialects.", "lark"))]
