"""The documents as a site: every page is on it, and no link leads nowhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import DOCS, ROOT


@pytest.mark.slow
def test_the_site_has_every_page(tmp_path: Path) -> None:
    """`strict` in mkdocs.yml makes a broken link an error."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = {
        path.relative_to(DOCS).with_suffix(".html").as_posix()
        for path in DOCS.rglob("*.md")
        if path.name != "README.md"
    }
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")}
    assert pages <= made
    index = json.loads((tmp_path / "search/search_index.json").read_text("utf-8"))
    assert any("one program" in entry["text"] for entry in index["docs"])
