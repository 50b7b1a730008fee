"""Checks of open documents: what is kept, and what ends when the text changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.editor_texts import LINEAR, PAYLOAD
from tilewright.editor.answers import findings
from tilewright.editor.answers.document import Document
from tilewright.editor.server.checking import Checker, OpenDocument, Stale


def opened(text: str) -> OpenDocument:
    """A document that an editor has just opened."""
    return OpenDocument("file:///s.tw", 1, Document(text, Path("/s.tw")))


def checked(checker: Checker, document: OpenDocument) -> None:
    """All stages of a check."""
    checker.check_text(document)
    checker.hold(document)
    checker.check_payload(document, when_saved=False)


def test_a_text_with_a_mistake_keeps_what_its_handles_held() -> None:
    checker, document = Checker(PAYLOAD), opened(LINEAR)
    checked(checker, document)
    held = dict(document.document.holdings.held)
    assert held
    document.change(LINEAR.replace("warps = 4", "warps = "), 2)
    checked(checker, document)
    assert document.checked.has_errors
    assert document.document.holdings.held == held


def test_a_run_ends_when_the_text_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    checker, document = Checker(PAYLOAD), opened(LINEAR)
    checker.check_text(document)
    checker.hold(document)
    monkeypatch.setattr(findings, "POINTS_WHILE_TYPING", 4)
    points: list[str] = []

    def typing(path: str) -> None:
        points.append(path)
        document.change(LINEAR + "// more\n", 2)

    import tilewright.check_schedule.run_points as run_points

    shown = run_points.shown
    monkeypatch.setattr(
        run_points, "shown", lambda point: typing(shown(point)) or shown(point)
    )
    with pytest.raises(Stale):
        checker.check_payload(document, when_saved=False)
    assert len(points) == 1


def test_a_check_of_an_older_text_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    checker, document = Checker(None), opened(LINEAR)
    import tilewright.editor.server.checking as checking

    check = checking.check_text

    def slow(text: str, path: Path) -> findings.Checked:
        found = check(text, path)
        document.change(LINEAR + "// more\n", 2)
        return found

    monkeypatch.setattr(checking, "check_text", slow)
    with pytest.raises(Stale):
        checker.check_text(document)
    assert document.findings == ()


def test_what_a_schedule_prints_does_not_reach_the_editor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    checker = Checker(PAYLOAD)
    document = opened(LINEAR.replace("  launch", '  print mm "here"\n  launch'))
    checked(checker, document)
    assert not document.checked.has_errors
    found = capsys.readouterr()
    assert (found.out, found.err) == ("", "")
