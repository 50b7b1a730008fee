"""Real MLIR as the reference: run a text through `mlir-opt-22`.

Tests that need it have the decorator `needs_mlir`. If the tool is missing they are
skipped with a reason, or fail if the environment variable CI is "true".
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence

import pytest

MLIR_OPT = "mlir-opt-22"
SPLIT = "// -----\n"
SPLITTING = "--split-input-file"

_missing = shutil.which(MLIR_OPT) is None
_must_have = os.environ.get("CI") == "true"


def needs_mlir(test: object) -> object:
    """Mark a test that calls `mlir_opt`: skipped without the tool, but not under CI."""
    skip = pytest.mark.skipif(
        _missing and not _must_have, reason=f"{MLIR_OPT} is not installed"
    )
    return pytest.mark.mlir(skip(test))


def _run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    if _missing and _must_have:
        pytest.fail(f"{MLIR_OPT} is not installed, and CI is true")
    if _missing:
        pytest.skip(f"{MLIR_OPT} is not installed")
    return subprocess.run(
        [MLIR_OPT, *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def mlir_rejects(text: str, *arguments: str) -> bool:
    """Whether `mlir-opt-22` refuses a text."""
    return _run(text, *arguments).returncode != 0


def mlir_opt(text: str, *arguments: str) -> str:
    """The output of `mlir-opt-22` for a text; an error of the tool fails the test."""
    done = _run(text, *arguments)
    if done.returncode != 0:
        pytest.fail(f"{MLIR_OPT} {' '.join(arguments)} refused:\n{done.stderr[:4000]}")
    return done.stdout


def mlir_opt_each(texts: Sequence[str], *arguments: str) -> list[str | None]:
    """The output for each of several texts, in one process; None for a refused text.

    A process takes 30 ms to start, more than most texts take.
    """
    done = _run(SPLIT.join(f"{text}\n" for text in texts), SPLITTING, *arguments)
    printed = done.stdout.split(SPLIT)
    assert done.returncode >= 0 and len(printed) == len(texts), done.stderr[-4000:]
    return [text if text.strip() else None for text in printed]


def mlir_opt_both(left: str, right: str, *arguments: str) -> tuple[str, str]:
    """The output for two texts, in one process; a refusal fails the test."""
    first, second = mlir_opt_each([left, right], *arguments)
    if first is None or second is None:  # a run of one text gives a better message
        first, second = mlir_opt(left, *arguments), mlir_opt(right, *arguments)
    return first, second


def mlir_opt_knows(names: list[str]) -> list[str]:
    """Those of `names` that are ops of `mlir-opt-22`."""
    text = "// -----\n".join(f'"{name}"() : () -> ()\n' for name in names)
    complaint = _run(text, SPLITTING).stderr
    unknown = set(re.findall(r"unregistered operation '([^']*)'", complaint))
    assert "unregistered dialect" not in complaint
    return [name for name in names if name not in unknown]
