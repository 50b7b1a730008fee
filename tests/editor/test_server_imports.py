"""Imported files over the protocol: their errors, and the completion of their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from support.editor_client import Editor, in_editor
from tilewright.schedules.library.imports import module_names

WRONG = {
    "verb.tw": "sequence a(h) {\n  tiel h by [8]\n}\n",
    "syntax.tw": "sequence a(h) {\n  tile h by [\n}\n",
    "handle.tw": "sequence a(h) {\n  x, g = tile h by [8]\n  vectorize h\n}\n",
    "outer.tw": 'import "syntax.tw"\nsequence b(h) { cse h }\n',
}
"""Files with one mistake each; the last one imports such a file."""


def text_of(name: str, sequence: str) -> str:
    """A schedule that imports a file and includes a sequence of it."""
    module = Path(name).stem
    return f"""\
// The first line has no mistake.
import "{name}"
schedule s(root) {{
  mm = match "linalg.matmul" in root
  include {module}.{sequence}(mm)
}}
"""


@pytest.mark.slow
def test_an_error_of_another_file_stands_where_it_is_used(tmp_path: Path) -> None:
    for name, text in WRONG.items():
        (tmp_path / name).write_text(text)
    include, statement = lsp.Position(4, 2), lsp.Position(1, 0)
    expected = [
        ("verb.tw", "a", include, "verb.tw", lsp.Position(1, 2)),
        ("handle.tw", "a", include, "handle.tw", lsp.Position(2, 2)),
        ("syntax.tw", "a", statement, "syntax.tw", lsp.Position(1, 12)),
        ("outer.tw", "b", statement, "syntax.tw", lsp.Position(1, 12)),
    ]

    async def session(editor: Editor) -> None:
        editor.open("")
        for name, sequence, spot, wrong, place in expected:
            editor.type(text_of(name, sequence))
            (error,) = await editor.diagnostics()
            assert error.range.start == spot, name
            first = list(error.related_information or [])[0]
            assert first.location.uri == (tmp_path / wrong).resolve().as_uri()
            assert first.location.range.start == place, name

    in_editor(tmp_path, session)


@pytest.mark.slow
def test_names_of_files_are_completed(tmp_path: Path) -> None:
    (tmp_path / "parts" / "deep").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    for name in ("tails.tw", "s.tw", "notes.txt", "parts/gemm.tw"):
        (tmp_path / name).write_text("")

    async def session(editor: Editor) -> None:
        async def after(text: str) -> list[str]:
            editor.type(f"{text}\nschedule s(root) {{ }}\n")
            return await editor.complete(lsp.Position(0, len(text)))

        editor.open("")
        assert await after("import ") == module_names()
        assert await after("import ge") == ["gemm"]
        assert await after("import gemm ") == ["as"]
        assert await after("import gemm as ") == []
        assert await after('import "') == ["tails.tw", "parts/"]
        assert await after('import "parts/') == ["parts/gemm.tw", "parts/deep/"]
        assert await after('import "parts/de') == ["parts/deep/"]
        assert await after('import "gone/') == []
        assert await after('import "tails.tw" ') == ["as"]
        assert '"' in editor.triggers and "/" in editor.triggers
        (item, *_) = await editor.items(lsp.Position(0, len('import "ta')))
        assert isinstance(item.text_edit, lsp.TextEdit)
        assert item.text_edit.range.start == lsp.Position(0, len('import "'))

    in_editor(tmp_path, session)
