"""Checks open documents in a thread, and stops when a text changes."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from tilewright.check_schedule.findings import Finding, Severity
from tilewright.editor.answers.document import Document
from tilewright.editor.answers.findings import Checked, check_over, check_text
from tilewright.editor.answers.holdings import run_over
from tilewright.editor.reading.payload import Payload, Payloads
from tilewright.ir.errors import UserError


class Stale(Exception):
    """The text has changed: nobody waits for this check any more."""


@dataclass
class OpenDocument:
    """A document of the editor: its text, and what the last check found."""

    uri: str
    version: int
    document: Document
    checked: Checked = field(default_factory=lambda: Checked(()))
    findings: tuple[Finding, ...] = ()

    def change(self, text: str, version: int) -> None:
        """Take a new text; what handles hold moves along with their lines."""
        old = self.document
        holdings = old.holdings.moved(str(old.path), old.lines, text.split("\n"))
        self.document = Document(text, old.path, old.payload, holdings)
        self.version = version


class Checker:
    """Runs checks one after the other: the compiler is not made for threads."""

    def __init__(self, payload: Path | None) -> None:
        self.payloads = Payloads(payload)
        self._lock = threading.Lock()

    def check_text(self, opened: OpenDocument) -> tuple[Finding, ...]:
        """The findings that need no run; raises `Stale` if the text has changed."""
        document = opened.document
        with self._working():
            checked = check_text(document.text, document.path)
        _need_same(opened, document)
        opened.checked = checked
        opened.findings = checked.findings
        return checked.findings

    def hold(self, opened: OpenDocument) -> None:
        """Run the schedule once over its payload, and keep what handles hold."""
        document, checked = opened.document, opened.checked
        with self._working():
            payload, failed = self._payload(document)
            holdings = document.holdings
            is_whole = checked.schedule is not None and checked.space is not None
            if payload is not None and is_whole and not checked.has_errors:
                assert checked.schedule is not None and checked.space is not None
                holdings = run_over(
                    payload.module,
                    checked.schedule,
                    checked.space,
                    lambda: _need_same(opened, document),
                )
        _need_same(opened, document)
        opened.document = replace(document, payload=payload, holdings=holdings)
        opened.findings = (*checked.findings, *failed)

    def check_payload(self, opened: OpenDocument, *, when_saved: bool) -> None:
        """Run the schedule at several points, and add what fails to the findings."""
        document, checked = opened.document, opened.checked
        if document.payload is None:
            return
        with self._working():
            found = check_over(
                checked,
                document.payload,
                when_saved=when_saved,
                tell=lambda _: _need_same(opened, document),
            )
        _need_same(opened, document)
        opened.findings = found

    def _payload(self, document: Document) -> tuple[Payload | None, list[Finding]]:
        try:
            return self.payloads.payload_of(document.text, document.path), []
        except UserError as error:
            return None, [Finding(Severity.ERROR, error)]
        except OSError as error:
            failed = UserError(f"the payload cannot be read: {error}")
            return None, [Finding(Severity.ERROR, failed)]

    @contextlib.contextmanager
    def _working(self) -> Iterator[None]:
        """Hold the compiler; what a schedule prints is not for the editor."""
        with self._lock, contextlib.redirect_stderr(io.StringIO()):
            yield


def _need_same(opened: OpenDocument, document: Document) -> None:
    if opened.document is not document:
        raise Stale
