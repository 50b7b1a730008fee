"""The two files of a new transformation work as docs/architecture.md shows them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from support.paths import DOCS, ROOT

PAGE = (DOCS / "architecture.md").read_text()

CONFTEST = """
import sys
from pathlib import Path

import tilewright.transforms
import tilewright.transforms.structured.rewrite as rewrite

FOLDER = Path(__file__).parent / "transforms"
tilewright.transforms.__path__.append(str(FOLDER))
rewrite.__path__.append(str(FOLDER / "structured" / "rewrite"))
"""
"""Lets the folder `transforms` beside it count as part of the package."""


@pytest.mark.slow
def test_the_files_of_the_page_are_a_transformation(tmp_path: Path) -> None:
    files = re.findall(r"^   ```python\n(.*?)^   ```$", PAGE, re.M | re.S)
    named = re.findall(r"`((?:tests/)?transforms/[\w/]+swap_inputs\.py)`", PAGE)
    assert len(files) == len(named) == 2, "the op and its test, nothing else"
    for name, text in zip(named, files, strict=True):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(dedent(text))
    (tmp_path / "conftest.py").write_text(CONFTEST)
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
    options += ["-o", f"pythonpath={ROOT} {ROOT / 'tests'}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path / named[1])],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
