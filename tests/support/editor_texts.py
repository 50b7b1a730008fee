"""Texts of schedules for tests of the editor: `|` marks the cursor."""

from __future__ import annotations

from pathlib import Path

from support.paths import EXAMPLES
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.findings import check_text
from tilewright.editor.answers.holdings import run_over
from tilewright.editor.reading.payload import Payload, Payloads
from tilewright.editor.reading.positions import Spot

PAYLOAD = EXAMPLES / "matmul_relu" / "payload.mlir"
"""A matmul with its fill and an element-wise tail, 512 x 512."""

LINEAR = """\
schedule linear(root) {
  mm   = match "linalg.matmul" in root
  fill = match "linalg.fill" in root
  tail = match "linalg.generic" in root
  BM = knob [64, 128] default 128    BN = knob [64, 128]
  require BM * BN <= 128 * 128
  tail, grid = tile tail by [BM, BN] onto [block.y, block.x]
  mm, grid = fuse mm into grid
  fill, grid = fuse fill into grid
  launch grid warps = 4
}
"""


def payload() -> Payload:
    """The payload of the examples here."""
    found = Payloads(PAYLOAD).payload_of("", Path("s.tw"))
    assert found is not None
    return found


def written(marked: str, with_payload: bool = False) -> tuple[Document, Spot]:
    """A document and the spot of its cursor."""
    before, bar, after = marked.partition("|")
    assert bar, "the text has no cursor"
    lines = before.split("\n")
    spot = Spot(len(lines), len(lines[-1]) + 1)
    given = payload() if with_payload else None
    return Document(before + after, Path("/s.tw"), given), spot


def ran(text: str) -> Document:
    """A document after a run over the payload."""
    path = Path("/s.tw")
    checked = check_text(text, path)
    assert checked.schedule is not None and checked.space is not None
    given = payload()
    holdings = run_over(given.module, checked.schedule, checked.space)
    return Document(text, path, given, holdings)
