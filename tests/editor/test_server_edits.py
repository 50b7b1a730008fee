"""Renaming over the protocol: each place once, in every kind of statement."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from support.editor_client import Editor, in_editor
from tilewright.schedules.schedule import check_text

CHOICES = """\
schedule s(root) {
  mm = match "linalg.matmul" in root
  BM = knob [64, 128]
  require place == fused or BM <= 64
  mm = choose place default fused {
    fused { mm, g = tile mm by [BM] onto [block.x]; yield mm }
    apart { yield mm }
  }
  cse mm
}
decide M = a[0] {
  M <= 64 { BM = 64; place = apart }
  else    { BM = 128; place = fused }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"), [("choose place", "where"), ("default fused", "inside")]
)
def test_choices_and_branches_are_renamed(tmp_path: Path, old: str, new: str) -> None:
    word = old.split()[1]

    async def session(editor: Editor) -> None:
        editor.open(CHOICES)
        edit = await editor.client.text_document_rename_async(
            lsp.RenameParams(editor.document, editor.after(old), new)
        )
        assert edit is not None and edit.changes is not None
        starts = [str(each.range.start) for each in edit.changes[editor.uri]]
        assert len(starts) == len(set(starts)) == CHOICES.count(word)
        after = editor.apply(edit)
        assert after == CHOICES.replace(word, new)
        assert not check_text(after, "s.tw")

    in_editor(tmp_path, session)
