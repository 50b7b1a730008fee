"""Changes over the protocol: renaming, and code actions that all help."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from support.editor_client import Editor, in_editor
from support.paths import DATA
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


@pytest.mark.slow
def test_every_action_that_is_offered_helps(tmp_path: Path) -> None:
    """Each action on each line of bad schedules, applied in the editor."""
    cases = (DATA / "findings" / "levels.txt").read_text().split("=====\n")
    texts = [case.partition("-----\n")[0] for case in cases]

    def errors(found: list[lsp.Diagnostic]) -> int:
        return sum(d.severity == lsp.DiagnosticSeverity.Error for d in found)

    async def session(editor: Editor) -> None:
        editor.open("")
        tried = 0
        for text in texts:
            editor.type(text)
            before = errors(await editor.diagnostics())
            for line in range(text.count("\n")):
                actions = await editor.actions(lsp.Position(line, 4))
                for title, action in actions.items():
                    editor.type(editor.apply(action.edit))
                    assert errors(await editor.diagnostics()) < before, (title, text)
                    tried += 1
                    editor.type(text)
                    assert errors(await editor.diagnostics()) == before
        assert tried > 15

    in_editor(tmp_path, session)
