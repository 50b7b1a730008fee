"""Checks of open documents: what is kept, and what ends when the text changes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.editor_texts import LINEAR, PAYLOAD, payload
from tilewright.editor.answers import findings
from tilewright.editor.answers.document import Document
from tilewright.editor.server import checking
from tilewright.editor.server.checking import Checker, OpenDocument, Stale


def opened(text: str) -> OpenDocument:
    """A document that an editor has just opened."""
    return OpenDocument("file:///s.tw", 1, Document(text, Path("/s.tw")))


def checked(checker: Checker, document: OpenDocument) -> None:
    """All stages of a check."""
    check = document.begin_check()
    check.keep_checked(found := checker.check_text(check))
    check.keep_run(run := checker.hold(check, found))
    assert run.payload is not None
    check.keep_findings(
        checker.check_payload(check, found, run.payload, when_saved=False)
    )


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
    check = document.begin_check()
    found = checker.check_text(check)
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
        checker.check_payload(check, found, payload(), when_saved=False)
    assert len(points) == 1


def test_a_check_of_an_older_text_is_dropped() -> None:
    """A text that changes after a stage has ended, and before its result is kept."""
    checker, document = Checker(PAYLOAD), opened(LINEAR)
    newer = LINEAR + "// more\n"
    check = document.begin_check()
    found = checker.check_text(check)
    document.change(newer, 2)
    with pytest.raises(Stale):
        check.keep_checked(found)
    assert document.findings == () and document.checked is not found

    check = document.begin_check()
    check.keep_checked(found := checker.check_text(check))
    run = checker.hold(check, found)
    document.change(LINEAR, 3)
    with pytest.raises(Stale):
        check.keep_run(run)
    assert document.document.text == LINEAR
    with pytest.raises(Stale):
        check.keep_findings(())


def test_the_worker_changes_no_document() -> None:
    """Else a text that comes while it works is replaced by the older one."""
    checker, document = Checker(PAYLOAD), opened(LINEAR)
    check = document.begin_check()
    before = dict(vars(document))
    checker.hold(check, checker.check_text(check))
    assert vars(document) == before


def test_a_later_check_of_the_same_text_replaces_an_earlier_one() -> None:
    document = opened(LINEAR)
    first, second = document.begin_check(), document.begin_check()
    with pytest.raises(Stale):
        first.need_latest()
    second.need_latest()


def test_a_check_leaves_standard_error_to_the_other_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[object] = []
    check_text = checking.check_text

    def watching(text: str, path: Path) -> findings.Checked:
        seen.append(sys.stderr)
        return check_text(text, path)

    monkeypatch.setattr(checking, "check_text", watching)
    Checker(None).check_text(opened(LINEAR).begin_check())
    assert seen == [sys.stderr]


def test_what_a_schedule_prints_does_not_reach_the_editor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    checker = Checker(PAYLOAD)
    document = opened(LINEAR.replace("  launch", '  print mm "here"\n  launch'))
    checked(checker, document)
    assert not document.checked.has_errors
    found = capsys.readouterr()
    assert (found.out, found.err) == ("", "")
