"""Writes the grammars again: `python -m tilewright.editor.highlighting`."""

from __future__ import annotations

from tilewright.editor.highlighting.files import files

for path, text in files().items():
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
