"""Places in the types of the protocol: documents without a file, imported files."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from support.editor_texts import LINEAR
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.findings import check_text
from tilewright.editor.answers.places import definition_of
from tilewright.editor.reading.positions import Spot
from tilewright.editor.server.convert import Converter, diagnostic, target_location

UNTITLED = "untitled:Untitled-1"


def converter(text: str, path: Path, uri: str) -> Converter:
    """The converter of an open document."""
    return Converter(Document(text, path), PositionCodec(), uri)


def test_a_note_in_a_document_that_was_never_saved() -> None:
    text = LINEAR.replace("mm, grid = fuse", "x, grid = fuse")
    text = text.replace("  launch", "  vectorize mm\n  launch")
    path = Path(UNTITLED)
    (found,) = check_text(text, path).findings
    told = diagnostic(found, converter(text, path, UNTITLED))
    assert "'mm' was consumed by 'fuse'" in told.message
    assert told.range.start == lsp.Position(9, 2)
    (related, *_) = told.related_information or ()
    assert related.location.uri == UNTITLED


def test_a_definition_in_a_document_that_was_never_saved() -> None:
    at = converter(LINEAR, Path(UNTITLED), UNTITLED)
    found = definition_of(at.document, Spot(8, 20))
    assert found is not None
    location = target_location(found, at)
    assert (location.uri, location.range.start.line) == (UNTITLED, 1)


@pytest.mark.parametrize("name", ["sub/s.tw", UNTITLED])
def test_a_definition_in_an_imported_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    (tmp_path / "parts.tw").write_text("sequence tiles(h) { cse h }\n")
    text = 'import "../parts.tw"\nschedule s(root) { include parts.tiles(root) }\n'
    path = Path(name) if name == UNTITLED else tmp_path / name
    at = converter(text, path, UNTITLED)
    found = definition_of(at.document, Spot(2, 36))
    assert found is not None
    location = target_location(found, at)
    assert location.uri == (tmp_path / "parts.tw").resolve().as_uri()
    assert location.range.start == lsp.Position(0, 9)
