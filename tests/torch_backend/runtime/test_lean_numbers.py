"""Graphs by lean launchers give eager torch's numbers, in eager torch's layouts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import lean_numbers


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    ["ResNet", "U-Net block", "ViT block", "encoder layer"],
)
def test_numbers(model: str, tmp_path: Path) -> None:
    """In a process of its own: Triton reads the setting when it is imported."""
    done = subprocess.run(
        [sys.executable, lean_numbers.__file__, model],
        env={
            **os.environ,
            "TRITON_INTERPRET": "1",
            "TILEWRIGHT_CACHE": "off",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith(model)
