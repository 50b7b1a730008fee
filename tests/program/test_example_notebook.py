"""The notebooks of the examples run from top to bottom, and show what they promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from support.paths import EXAMPLES

NOTEBOOK = EXAMPLES / "python" / "schedules.ipynb"
TUNING = EXAMPLES / "python" / "tuning.ipynb"


def shown(cell: Any, kind: str) -> str:
    """What a cell shows in a format, or prints."""
    found = ""
    for output in cell.outputs:
        if output.output_type == "stream" and kind == "text/plain":
            found += output.text
        found += output.get("data", {}).get(kind, "")
    return found


def executed(path: Path, folder: Path) -> list[Any]:
    """The code cells of a notebook after it ran in a folder."""
    notebook: Any = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.slow
def test_the_notebook_runs(tmp_path: Path) -> None:
    cells = executed(NOTEBOOK, tmp_path)
    html = [shown(cell, "text/html") for cell in cells]
    text = [shown(cell, "text/plain") for cell in cells]
    assert "linalg.matmul" in html[0]
    assert "schedule first" in html[1]
    assert "03 structured.fuse_into_containing_op" in html[2]
    assert "background:#2da44e33" in html[3]
    assert "fuse: expected a handle, found 32" in text[4]
    assert "s.fuse(product, into=32)\n" in text[4]
    assert "fuse: 'product' was consumed by 'tile'" in text[5]
    assert "product, grid = wrong.fuse(product, grid)\n" in text[5]
    assert "schedule tuned" in html[6] and "kernels" in html[6]
    assert "valid points; runs to the kernel at" in html[7]
    assert "tl.dot" in text[8]
    assert "largest difference from torch" in text[9]
    assert "srcdoc" in html[10]
    assert "the winner, with no choices left: best.tw" in text[11]
    assert "from the schedule" in html[12]


@pytest.mark.slow
def test_the_notebook_about_tuning_runs(tmp_path: Path) -> None:
    cells = executed(TUNING, tmp_path)
    html = [shown(cell, "text/html") for cell in cells]
    text = [shown(cell, "text/plain") for cell in cells]
    assert "12 valid points of 12" in html[1]
    assert "runs to the kernel at" in html[2]
    assert "the winner" in html[3] and "cost model" in html[3]
    assert "// from the schedule 'linear'" in text[4]
    assert "AssertionError" not in text[5]  # its numbers agree with torch's
    assert "which choice earned what" in text[6]
    assert "<svg" in shown(cells[7], "image/svg+xml")
    assert "'BM'" in text[8] and "'outcome': 'ok'" in text[9]


@pytest.mark.parametrize("path", [NOTEBOOK, TUNING])
def test_the_notebook_is_kept_without_outputs(path: Path) -> None:
    notebook: Any = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None
