"""The notebook of the examples runs from top to bottom, and shows what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from support.paths import EXAMPLES

NOTEBOOK = EXAMPLES / "python" / "schedules.ipynb"


def shown(cell: Any, kind: str) -> str:
    """What a cell shows in a format, or prints."""
    found = ""
    for output in cell.outputs:
        if output.output_type == "stream" and kind == "text/plain":
            found += output.text
        found += output.get("data", {}).get(kind, "")
    return found


@pytest.mark.slow
def test_the_notebook_runs(tmp_path: Path) -> None:
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
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


def test_the_notebook_is_kept_without_outputs() -> None:
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None
